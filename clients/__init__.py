"""Everything that talks to the service from outside: terminal, bots, and what they share."""
