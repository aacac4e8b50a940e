"""What every client needs: a session that survives lost connections, the fold of events, texts of cards, refusals."""
