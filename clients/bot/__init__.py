"""Bots: programs that take a seat and play by what that seat may see."""
