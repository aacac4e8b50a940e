"""Strength orders. The order in force is one small number that indexes the tables here.

It is made of whether ranks run 3..2 or A..K, whether they are reversed, and how strong a lone joker is.
"""

from __future__ import annotations

from typing import Final

NORMAL: Final = 0
"""3 < 4 < … < A < 2 < joker (JDF art. 7)."""
REVERSED: Final = 1
"""Added to an order: 2 < A < … < 4 < 3 < joker (JDF art. 8)."""
FROM_ACE: Final = 2
"""Added to an order: ranks run A < 2 < 3 < … < K instead."""
JOKER_WEAKEST: Final = 4
"""Added to an order: a lone joker is below every rank."""
JOKER_ABOVE_TEN: Final = 8
"""Added to an order: a lone joker stands between 10 and J, whichever way ranks run."""

ORDERS: Final = 12


def position(order: int, rank: int) -> int:
    """Return the place of a rank, from 0, in the row of ranks that sequences follow, whether reversed or not."""
    return (rank + 2) % 13 if order & FROM_ACE else rank


def rank_at(order: int, place: int) -> int:
    """Return the rank at a place of the row of ranks."""
    return (place + 11) % 13 if order & FROM_ACE else place


def is_reversed(order: int) -> bool:
    """Say whether low ranks are the strong ones."""
    return order & REVERSED != 0


def top_rank(order: int) -> int:
    """Return the strongest rank, jokers apart."""
    return rank_at(order, 0 if is_reversed(order) else 12)


def strength_of(order: int, rank: int) -> int:
    """Work out the strength of a rank (13: a lone joker); even numbers, so that a joker fits between two of them."""
    if rank == 13:
        if order & JOKER_WEAKEST:
            return -1
        if order & JOKER_ABOVE_TEN:
            return (strength_of(order & 3, 7) + strength_of(order & 3, 8)) // 2
        return 99
    place = position(order, rank)
    return 2 * (12 - place if is_reversed(order) else place)


STRENGTH: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(strength_of(order, rank) for rank in range(14)) for order in range(ORDERS)
)
"""The strength of each rank 0..13 in each order."""
