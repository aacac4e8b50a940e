"""How strong a play is in an order."""

from __future__ import annotations

from engine.orders import STRENGTH, is_reversed
from engine.plays import GROUP, SINGLE, Play


def weakest(order: int, play: Play) -> int:
    """Return the strength of a play's weakest card: of a single or group its rank, of a row of ranks its weak end."""
    if play.shape in (SINGLE, GROUP):
        return STRENGTH[order][play.low]
    return -play.high if is_reversed(order) else play.low


def strongest(order: int, play: Play) -> int:
    """Return the strength of a play's strongest card."""
    if play.shape in (SINGLE, GROUP):
        return STRENGTH[order][play.low]
    return -play.low if is_reversed(order) else play.high


def ends(order: int, play: Play) -> tuple[int, int]:
    """Return the strength of a play's weakest and its strongest card: of several readings the higher is meant."""
    return weakest(order, play), strongest(order, play)
