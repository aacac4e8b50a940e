"""The rows of ranks that cards of one pack form under a ruleset's shapes: worked out once, looked up ever after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine import spans
from engine.cards import NUMBER_CARDS
from engine.moves import Move, playing
from engine.orders import FROM_ACE, REVERSED
from engine.plays import (
    ANY,
    ARITHMETIC,
    EMPEROR,
    NO_SEQUENCES,
    ONE_SUIT,
    POPULATION,
    SEQUENCE,
    Play,
    Shapes,
    sequences_of,
)
from engine.rows import FORMS, FOUR_PLACES, LEAST, WIDEST, arithmetics_of, by_place, emperors_at, lows_of_emperors

if TYPE_CHECKING:
    from mypy_extensions import i64

    from engine.rules.base import Rule
    from engine.state import Public

MOST_JOKERS: Final = 2
"""In one pack."""
NOT_COUNTED: Final = -1


class HeldRows:
    """Sequences and other rows of ranks by their numbers, in the order in which `legal_moves` lists them."""

    def __init__(self, shapes: Shapes, refusing: tuple[Rule, ...] = ()) -> None:
        self.shapes = shapes
        self.refusing = refusing
        """The rules that refuse some rows of ranks with jokers whatever lies on the field."""
        self.sequences: dict[int, int] = {}
        """How many sequences a suit's cards and some jokers form."""
        self.arithmetics: dict[int, int] = {}
        """How many arithmetic sequences."""
        self.in_suit: list[list[int]] = [[] for _ in range((MOST_JOKERS + 1) << 2)]
        """For each number of jokers and order: how many sequences of both kinds each set of ranks forms in a suit."""
        self.emperors: dict[int, int] = {}
        """How many emperors the cards at four places form."""

    def count(self, p: Public, hand: int, shape: int, size: int, step: int) -> int:
        """Count the rows of ranks of a shape, a size and a difference (0: of all)."""
        if shape == ANY:
            return self.count_all(p, hand)
        if shape != SEQUENCE:
            return self.count_others(p, hand, shape, size, step)
        number = 0
        for suit in range(4):
            number += self.count_sequences(p, hand, suit, size)
        return number

    def count_all(self, p: Public, hand: int) -> int:
        """Count all rows of ranks."""
        jokers = hand >> 52 if self.shapes.joker_in_sequence else 0
        known = self.in_suit[POPULATION[jokers] << 2 | p.order & (FROM_ACE | REVERSED)]
        if not known:
            known.extend([NOT_COUNTED] * (1 << 13))
        number = self.count_emperors(hand, p.order) if self.shapes.emperor else 0
        for suit in range(4):
            held = ranks_in(hand >> suit & ONE_SUIT)
            found = known[held]
            if found == NOT_COUNTED:
                found = self.count_sequences(p, hand, suit, 0) if self.shapes.sequence_least != NO_SEQUENCES else 0
                found += self.count_arithmetics(p, hand, suit, 0, 0) if self.shapes.arithmetic else 0
                known[held] = found
            number += found
        return number

    def nth(self, p: Public, hand: int, shape: int, size: int, step: int, n: int) -> Move:
        """Return such a row of ranks by its number."""
        if shape <= SEQUENCE and self.shapes.sequence_least != NO_SEQUENCES:
            for suit in range(4):
                found = self.count_sequences(p, hand, suit, size)
                if n < found:
                    return self.nth_sequence(p, hand, suit, size, n)
                n -= found
        return self.nth_other(p, hand, shape, size, step, n)

    # --- sequences ----------------------------------------------------------------------------------------------------

    def count_sequences(self, p: Public, hand: int, suit: int, size: int) -> int:
        """Count the sequences of a suit and a size (0: of all sizes)."""
        mine = hand >> suit & ONE_SUIT
        jokers = hand >> 52 if self.shapes.joker_in_sequence else 0
        order = p.order
        least = size or self.shapes.sequence_least
        if not mine:
            return 0
        if not order & FROM_ACE and (least > 2 or not jokers):
            near = mine >> 4
            if least > 2:
                near = near & mine >> 8 if not jokers else near | mine >> 8 if jokers < 3 else -1
            if not mine & near:
                return 0  # no two or three in a row, or no two of them beside one joker
        key = ((mine << 2 | jokers) << 4 | size) << 2 | order & (FROM_ACE | REVERSED)
        found = self.sequences.get(key, -1)
        if found < 0:
            if jokers and self.refusing:
                found = len(self.list_sequences(p, mine | jokers << 52, 0, size))
            else:
                found = spans.count_sequences(self.shapes, mine, POPULATION[jokers], size, order)
            self.sequences[key] = found
        return found

    def nth_sequence(self, p: Public, hand: int, suit: int, size: int, n: int) -> Move:
        """Return a sequence of a suit and a size (0: of all sizes) by its number."""
        jokers = hand >> 52 << 52 if self.shapes.joker_in_sequence else 0
        if jokers and self.refusing:
            return self.list_sequences(p, hand, suit, size)[n]
        return playing(spans.nth_sequence(self.shapes, hand, suit, jokers, size, p.order, n))

    def list_sequences(self, p: Public, hand: int, suit: int, size: int) -> list[Move]:
        """List the sequences of a suit and a size (0: of all sizes)."""
        return self.allowed(p, hand, sequences_of(self.shapes, hand, suit, size, p.order))

    # --- other rows of ranks ------------------------------------------------------------------------------------------

    def count_others(self, p: Public, hand: int, shape: int, size: int, step: int) -> int:
        """Count the emperors, the arithmetic sequences of a size and a difference (0: of all), or both."""
        number = self.count_emperors(hand, p.order) if self.shapes.emperor and shape != ARITHMETIC else 0
        if self.shapes.arithmetic and shape != EMPEROR:
            for suit in range(4):
                number += self.count_arithmetics(p, hand, suit, size, step)
        return number

    def count_emperors(self, hand: int, order: int) -> int:
        """Count the emperors."""
        places = by_place(hand & NUMBER_CARDS, order)
        number = 0
        for low in lows_of_emperors(places):
            number += self.count_at(places, low)
        return number

    def count_at(self, places: int, low: int) -> int:
        """Count the emperors from one place upwards."""
        here = places >> 4 * low & FOUR_PLACES
        found = self.emperors.get(here, -1)
        if found < 0:
            found = len([form for form in FORMS if here & form == form])
            self.emperors[here] = found
        return found

    def count_arithmetics(self, p: Public, hand: int, suit: int, size: int, step: int) -> int:
        """Count the arithmetic sequences of a suit, a size and a difference (0: of all)."""
        mine = hand >> suit & ONE_SUIT
        jokers = hand >> 52 if self.shapes.joker_in_sequence else 0
        rest = mine
        for _ in range((size or LEAST) - 1 - POPULATION[jokers]):
            rest &= rest - 1
        if not rest:
            return 0  # too few cards, jokers among them
        key = (((mine << 2 | jokers) << 4 | size) << 3 | step) << 2 | p.order & (FROM_ACE | REVERSED)
        found = self.arithmetics.get(key, -1)
        if found < 0:
            if jokers and self.refusing:
                found = len(self.list_arithmetics(p, mine | jokers << 52, 0, size, step))
            else:
                found = spans.count_arithmetics(mine, POPULATION[jokers], size, step, p.order)
            self.arithmetics[key] = found
        return found

    def list_arithmetics(self, p: Public, hand: int, suit: int, size: int, step: int) -> list[Move]:
        """List the arithmetic sequences of a suit, a size and a difference (0: of all)."""
        found: list[Play] = []
        for each in range(step or 1, (step or WIDEST) + 1):
            found += arithmetics_of(self.shapes, hand, suit, each, size, p.order)
        return self.allowed(p, hand, found)

    def nth_other(self, p: Public, hand: int, shape: int, size: int, step: int, n: int) -> Move:
        """Return such a row of ranks by its number: the emperors come first, then the others by suit."""
        if self.shapes.emperor and shape != ARITHMETIC:
            places = by_place(hand & NUMBER_CARDS, p.order)
            for low in lows_of_emperors(places):
                found = self.count_at(places, low)
                if n < found:
                    return playing(emperors_at(hand, low, p.order)[n])
                n -= found
        suit = 0
        while n >= self.count_arithmetics(p, hand, suit, size, step):
            n -= self.count_arithmetics(p, hand, suit, size, step)
            suit += 1
        jokers = hand >> 52 << 52 if self.shapes.joker_in_sequence else 0
        if jokers and self.refusing:
            return self.list_arithmetics(p, hand, suit, size, step)[n]
        return playing(spans.nth_arithmetic(hand, suit, jokers, size, step, p.order, n))

    def allowed(self, p: Public, hand: int, plays: list[Play]) -> list[Move]:
        """List the rows of ranks that no rule refuses whatever lies on the field."""
        found = [playing(play) for play in plays]
        for rule in self.refusing:
            found = [move for move in found if rule.allows(p, p.turn, hand, move) is None]
        return found


def ranks_in(spades: int) -> int:
    """Return the ranks of a set of spades, one bit each."""
    found: i64 = spades
    found = (found | found >> 3) & 0x0303030303030303
    found = (found | found >> 6) & 0x000F000F000F000F
    found = (found | found >> 12) & 0x000000FF000000FF
    return (found | found >> 24) & 0x1FFF
