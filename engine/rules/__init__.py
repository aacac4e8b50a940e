"""One small place per rule. `pipeline.py` says in which order they take effect."""
