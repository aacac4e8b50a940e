"""Writes the golden vectors of shuffles anew: for a change that is meant to change every deal, and for no other."""

from tests.fairness.vectors import FILE, text

FILE.write_text(text())
