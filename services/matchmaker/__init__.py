"""The matchmaker: people take tickets and are brought to tables."""
