"""Accounts of the game's own: guests, their names, and keys for their bots."""
