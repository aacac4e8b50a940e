"""Strength orders. The order in force is one small number that indexes a table."""

from __future__ import annotations

from typing import Final

from engine.plays import SEQUENCE, Play

NORMAL: Final = 0
"""3 < 4 < … < A < 2 < joker (JDF art. 7)."""
REVERSED: Final = 1
"""2 < A < … < 4 < 3 < joker (JDF art. 8)."""

STRENGTH: Final[tuple[tuple[int, ...], ...]] = (
    (*range(13), 99),
    (*range(12, -1, -1), 99),
)
"""The strength of each rank 0..13 in each order."""


def weakest(order: int, play: Play) -> int:
    """Return the strength of a play's weakest card; for a single or group of its rank."""
    if play.shape == SEQUENCE:
        return play.low if order == NORMAL else -play.high
    return STRENGTH[order][play.low]


def strongest(order: int, play: Play) -> int:
    """Return the strength of a play's strongest card."""
    if play.shape == SEQUENCE:
        return play.high if order == NORMAL else -play.low
    return STRENGTH[order][play.low]
