"""Rows of ranks that are no ordinary sequence: emperors and arithmetic sequences."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Final

from engine.cards import BIT, NUMBER_CARDS, PACK, RANK, REAL, SUIT, count, jokers_of, members
from engine.native import i64
from engine.orders import FROM_ACE, position, rank_at
from engine.plays import ANY, ARITHMETIC, EMPEROR, ONE_SUIT, SPREAD, Play, Shapes, fill, held_by_place

FOUR_SUITS: Final[tuple[tuple[int, ...], ...]] = tuple(permutations(range(4)))
"""The suits of an emperor from its lowest card upwards."""
FORMS: Final[tuple[int, ...]] = tuple(sum(1 << 4 * i + suit for i, suit in enumerate(suits)) for suits in FOUR_SUITS)
"""The same as cards, from the lowest place."""
FOUR_PLACES: Final = 0xFFFF
ANYWHERE: Final = -2
"""No place: every place is beyond it."""
LEAST: Final = 3
"""The fewest cards of an arithmetic sequence."""
WIDEST: Final = 6
"""The largest difference at which three cards fit into thirteen ranks."""


def row(shape: int, low: int, size: int, step: int, suits: int, order: int, cards: int = 0, jokers: int = 0) -> Play:
    """Return the play that stands at `size` places from `low` upwards, `step` apart."""
    ranks = 0
    for place in range(low, low + size * step, step):
        ranks |= 1 << rank_at(order, place)
    return Play(cards, shape, size, low, suits, jokers, ranks, (), step)


# --- what cards mean -------------------------------------------------------------------------------------------------


def row_readings(shapes: Shapes, cards: int, order: int) -> list[Play]:
    """List the emperors and arithmetic sequences that these cards can be, small differences first."""
    found: list[Play] = []
    size, real = cards.bit_count(), members(cards & REAL)
    if not real:
        return found
    places = sorted([position(order, RANK[c]) for c in real])
    one_each = size == 4 and len({SUIT[c] for c in real}) == 4
    if shapes.emperor and one_each and places == list(range(places[0], places[0] + 4)):
        found.append(row(EMPEROR, places[0], 4, 1, SPREAD[15], order, cards))
    jokers = size - len(real)
    suit = SUIT[real[0]]
    if not shapes.arithmetic or size < LEAST or (jokers and not shapes.joker_in_sequence):
        return found
    if len(set(places)) < len(places) or any([SUIT[c] != suit for c in real]):
        return found
    for step in range(1, WIDEST + 1):
        reach = (size - 1) * step
        for low in range(max(0, places[-1] - reach), min(places[0], 12 - reach) + 1):
            if all([(place - low) % step == 0 for place in places]):
                found.append(row(ARITHMETIC, low, size, step, 1 << 4 * suit, order, cards, jokers))
    return found


# --- what a hand holds -----------------------------------------------------------------------------------------------


def rows_of(shapes: Shapes, hand: int, top: Play, shape: int, order: int) -> Iterator[Play]:
    """Iterate over what a hand has to answer `top`, perhaps of one shape only: emperors, then arithmetic sequences.

    These come by suit, by difference and from their lowest place.
    """
    wanted = top.shape or shape
    if shapes.emperor and wanted in (ANY, EMPEROR) and shape in (ANY, EMPEROR):
        yield from emperors_of(hand, order)
    if shapes.arithmetic and wanted in (ANY, ARITHMETIC) and shape in (ANY, ARITHMETIC):
        for suit in range(4):
            yield from arithmetics_of_suit(shapes, hand, suit, top, order)


def by_place(cards: int, order: int) -> int:
    """Return cards of one pack at the places of the row of ranks that is in force, as if these were ranks."""
    return (cards << 8 | cards >> 44) & NUMBER_CARDS if order & FROM_ACE else cards  # the A and the 2 come first


def emperors_of(hand: int, order: int) -> list[Play]:
    """List the emperors that a hand holds, by lowest place; of equal cards the lowest are taken."""
    found: list[Play] = []
    for low in lows_of_emperors(by_place((hand | hand >> PACK) & NUMBER_CARDS, order)):
        found += emperors_at(hand, low, order)
    return found


def lows_of_emperors(places: int) -> list[int]:
    """List the places from which upwards four in a row have cards."""
    lows = rising(places)
    return [low for low in range(10) if lows >> 4 * low & 1] if lows else []


def rising(places: i64) -> i64:
    """Return the same places as a set of spades."""
    filled = (places | places >> 1 | places >> 2 | places >> 3) & ONE_SUIT
    return filled & filled >> 4 & filled >> 8 & filled >> 12


def emperors_at(hand: int, low: int, order: int) -> list[Play]:
    """List the emperors that a hand holds from one place upwards."""
    found: list[Play] = []
    here = by_place((hand | hand >> PACK) & NUMBER_CARDS, order) >> 4 * low & FOUR_PLACES
    for suits, form in zip(FOUR_SUITS, FORMS):
        if here & form == form:
            at = [4 * rank_at(order, low + i) + suit for i, suit in enumerate(suits)]
            held = sum([BIT[c] if hand & BIT[c] else BIT[PACK + c] for c in at])
            found.append(row(EMPEROR, low, 4, 1, SPREAD[15], order, held))
    return found


def arithmetics_of_suit(shapes: Shapes, hand: int, suit: int, top: Play, order: int) -> list[Play]:
    """List the arithmetic sequences of a suit that a hand holds to answer `top`, small differences first."""
    found: list[Play] = []
    for step in range(1, WIDEST + 1):
        if not top.size or top.step == step or not shapes.same_step:
            found += arithmetics_of(shapes, hand, suit, step, top.size, order)
    return found


def arithmetics_of(shapes: Shapes, hand: int, suit: int, step: int, size: int, order: int) -> list[Play]:
    """List the arithmetic sequences of a suit and a difference that a hand holds; `size` 0 for all lengths."""
    found: list[Play] = []
    jokers = jokers_of(hand)
    usable = count(jokers) if jokers and shapes.joker_in_sequence else 0
    shortest, longest = size or LEAST, size or 13
    at = held_by_place(hand, suit, order)
    if 16 - at.count(-1) + usable < shortest:
        return found
    for low in range(13 - (shortest - 1) * step):
        held: list[int] = []
        for n in range(1, min(longest, (12 - low) // step + 1) + 1):
            c = at[low + (n - 1) * step + 1]
            if c >= 0:
                held.append(c)
            if n - len(held) > usable:
                break
            if n >= shortest and held:
                fill(found, held, jokers, usable, row(ARITHMETIC, low, n, step, 1 << 4 * suit, order))
    return found
