"""Cards as sets: a set is an int with a bit for each card, so that hands can be compared and cut up quickly."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import comb
from typing import Final

PACK: Final = 54
"""A second pack continues at this number."""
JOKER_RANK: Final = 13
THREE: Final = 0
SEVEN: Final = 4
EIGHT: Final = 5
QUEEN: Final = 9
KING: Final = 10
ACE: Final = 11
TWO: Final = 12

OF_RANK: Final = tuple([15 << 4 * rank | 15 << PACK + 4 * rank for rank in range(13)] + [3 << 52 | 3 << PACK + 52])
"""The cards of each rank in two packs; the jokers are the last."""
JOKERS: Final = OF_RANK[JOKER_RANK]
OF_SUIT: Final = tuple([sum([1 << suit + 4 * r | 1 << PACK + suit + 4 * r for r in range(13)]) for suit in range(4)])
SPADE_THREES: Final = 1 | 1 << PACK


def rank_of(card: int) -> int:
    """Return the rank's number: 0 to 12 for 3 to 2, and 13 for a joker."""
    return min(card % PACK // 4, JOKER_RANK)


def as_set(cards: Iterable[int]) -> int:
    """Put cards into a set."""
    found = 0
    for card in cards:
        found |= 1 << card
    return found


def members(cards: int) -> list[int]:
    """List the cards of a set by number."""
    found = []
    while cards:
        bit = cards & -cards
        found.append(bit.bit_length() - 1)
        cards ^= bit
    return found


def some(cards: int, number: int) -> int:
    """Return the `number` lowest cards of a set."""
    found = 0
    for _ in range(number):
        found |= cards & -cards
        cards &= cards - 1
    return found


def deck(size: int, seen: int) -> int:
    """Guess the deck of a game from its size: one or two packs, whole or without a suit that nobody has shown."""
    packs = 2 if size > 60 else 1
    jokers = size % 13 if size % 13 <= 2 * packs else 0
    plain = (size - jokers) // packs
    suits = list(OF_SUIT)
    if plain <= 39:
        unseen = [suit for suit in suits if not suit & seen]
        suits.remove(unseen[-1] if unseen else suits[-1])
    cards = sum(suits)
    if packs == 1:
        cards &= (1 << PACK) - 1
    return cards | some(JOKERS, jokers)


@lru_cache(maxsize=4096)
def chance_of_holding(held: int, size: int, hands: int) -> float:
    """Return how likely it is that one of so many hands has `size` of `held` cards that are spread among them."""
    if hands <= 0 or held < size:
        return 0.0
    one = sum([comb(held, n) * (1 / hands) ** n * (1 - 1 / hands) ** (held - n) for n in range(size, held + 1)])
    return min(1.0, hands * one)
