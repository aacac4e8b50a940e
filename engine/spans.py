"""The plays that one suit's cards form at places in a row, by their numbers: only the one that is wanted is made."""

from __future__ import annotations

from math import comb
from typing import Final

from engine.native import i64
from engine.orders import is_reversed, rank_at
from engine.plays import SEQUENCE, Play, Shapes, fill, sequence
from engine.rows import ANYWHERE, LEAST, WIDEST, by_place, row

ALL_OF_THEM: Final = 1 << 40
"""A number that no play has."""
WAYS: Final[list[list[int]]] = [
    [sum([comb(held, kept) for kept in range(min(spare, held - 1) + 1)]) for spare in range(5)] for held in range(15)
]
"""For so many cards and jokers left over, how often these may stand for cards that stay in the hand."""


class Spans:
    """A walk over the places at which plays of some steps and sizes may stand, by lowest place and size.

    It ends at the span that has a wanted play.
    """

    def __init__(self, first: int, last: int, least: int, most: int, usable: int) -> None:
        self.first: i64 = first
        self.last: i64 = last
        """The lowest and the highest place."""
        self.least: i64 = least
        self.most: i64 = most
        self.usable: i64 = usable
        """How many jokers there are to fill gaps."""
        self.low: i64 = 0
        self.size: i64 = 0
        self.step: i64 = 1
        """Where the walk has ended."""

    def stay_beyond(self, place: int, turned: bool) -> None:
        """Leave out the places up to one, in the direction of strength."""
        if place == ANYWHERE:
            return
        if turned:
            self.last = min(self.last, place - 1)
        else:
            self.first = max(self.first, place + 1)

    def seek(self, places: int, step: int, n: int) -> int:
        """Walk to play `n`; return its number in its span, or how many plays too few there are."""
        held_at: i64 = places
        left: i64 = n
        apart: i64 = step
        least: i64 = self.least
        most: i64 = self.most
        usable: i64 = self.usable
        last: i64 = self.last
        low: i64 = self.first
        while low + (least - 1) * apart <= last:
            size: i64 = 0
            held: i64 = 0
            at: i64 = low
            while at <= last and size < most:
                size += 1
                if 0 <= at <= 12 and held_at >> 4 * at & 1:
                    held += 1
                if size - held > usable:
                    break
                if size >= least and held:
                    ways: i64 = WAYS[held][usable - size + held]
                    if left < ways:
                        self.low, self.size, self.step = low, size, step
                        return left
                    left -= ways
                at += apart
            low += 1
        return left

    def play(self, shape: int, hand: int, suit: int, jokers: int, order: int, n: int) -> Play:
        """Return a play of the span at which the walk has ended, of a suit and a shape, by its number in it."""
        if shape == SEQUENCE:
            span = sequence(0, self.low, self.size, suit, 0, order)
        else:
            span = row(shape, self.low, self.size, self.step, 1 << 4 * suit, order)
        held: list[int] = []
        for place in range(max(self.low, 0), min(self.low + self.size * self.step, 13), self.step):
            card = 4 * rank_at(order, place) + suit
            if hand >> card & 1:
                held.append(card)
        found: list[Play] = []
        fill(found, held, jokers, self.usable, span)
        return found[n]


# --- sequences -------------------------------------------------------------------------------------------------------


def over_sequences(shapes: Shapes, jokers: int, size: int, beyond: int, order: int) -> Spans:
    """Return the walk over sequences of a size (0: of all sizes) beyond a place that some number of jokers may fill."""
    turned = is_reversed(order)
    first = -1 if shapes.both_ends or (shapes.beyond and turned) else 0
    last = 13 if shapes.both_ends or (shapes.beyond and not turned) else 12
    walk = Spans(first, last, size or shapes.sequence_least, size or shapes.sequence_most, jokers)
    walk.stay_beyond(beyond, turned)
    return walk


def count_sequences(shapes: Shapes, mine: int, jokers: int, size: int, beyond: int, order: int) -> int:
    """Count such sequences that a suit's cards, given as spades, and some jokers form."""
    walk = over_sequences(shapes, jokers, size, beyond, order)
    return ALL_OF_THEM - walk.seek(by_place(mine, order), 1, ALL_OF_THEM)


# --- arithmetic sequences --------------------------------------------------------------------------------------------


def over_arithmetics(jokers: int, size: int, beyond: int, order: int) -> Spans:
    """Return the walk over arithmetic sequences of a size (0: of all sizes) beyond a place that jokers may fill."""
    walk = Spans(0, 12, size or LEAST, size or 13, jokers)
    walk.stay_beyond(beyond, is_reversed(order))
    return walk


def count_arithmetics(mine: int, jokers: int, size: int, step: int, beyond: int, order: int) -> int:
    """Count such sequences of a difference (0: of all) that a suit's cards, given as spades, and some jokers form."""
    walk, places, left = over_arithmetics(jokers, size, beyond, order), by_place(mine, order), ALL_OF_THEM
    for each in range(step or 1, (step or WIDEST) + 1):
        left = walk.seek(places, each, left)
    return ALL_OF_THEM - left


def seek_arithmetic(walk: Spans, places: int, step: int, n: int) -> int:
    """Walk to such a sequence of a difference (0: of any, small ones first) by its number; return that in its span."""
    for each in range(step or 1, (step or WIDEST) + 1):
        n = walk.seek(places, each, n)
        if walk.size:
            break
    return n
