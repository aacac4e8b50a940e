"""What the effects of ranks have in common."""

from __future__ import annotations

from engine.plays import GROUP, SEQUENCE, SINGLE, Play
from engine.state import Public


def counted(p: Public) -> int:
    """Count the cards of the running play that an effect of their rank counts; 0: it does not act."""
    return count_in(p, p.cause)


def count_in(p: Public, play: Play) -> int:
    """Count the cards of a play that an effect of their rank counts.

    All cards of a single or group, jokers included. In a row of ranks each counts once, and only where the ruleset
    has `sequence_card_effects` (階段内の札効果: 000 L252).
    """
    if play.shape in (SINGLE, GROUP):
        return play.size
    return 1 if play.shape >= SEQUENCE and p.program.effects_in_sequences else 0


def is_real_group(play: Play, size: int) -> bool:
    """Say whether a play is a group of exactly so many cards without a joker."""
    return play.shape == GROUP and play.size == size and not play.jokers
