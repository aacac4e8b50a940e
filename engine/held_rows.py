"""The rows of ranks that cards of one pack form under a ruleset's shapes: worked out once, looked up ever after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine import spans
from engine.cards import NUMBER_CARDS
from engine.moves import Move, playing
from engine.native import i64
from engine.orders import FROM_ACE, REVERSED, is_reversed
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
from engine.rows import ANYWHERE, LEAST, WIDEST, arithmetics_of, by_place, emperors_at, lows_of_emperors, rising

if TYPE_CHECKING:
    from engine.field import Field
    from engine.rules.base import Rule
    from engine.state import Public

MOST_JOKERS: Final = 2
"""In one pack."""
NOT_COUNTED: Final = -1
MOST_MADE: Final = 1 << 13
"""Rows of ranks that are remembered."""
TWO_SUITS: Final = (3, 5, 6, 9, 10, 12)
"""The sets of two suits; read from the other end these are the suits that each leaves."""
DIGIT: Final = 5
"""Bits in which numbers up to 24 are counted, as many as there are emperors from one place upwards."""
PAIRS: Final[list[int]] = [
    sum(
        1 << DIGIT * at
        for at, pair in enumerate(TWO_SUITS)
        for suit in range(4)
        if pair >> suit & 1 and cards >> suit & 1 and cards >> 4 & (pair ^ 1 << suit)
    )
    for cards in range(256)
]
"""For the cards of two neighbouring places: how often these lie there in each set of two suits, one digit a set."""


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
        self.plain_in_suit = [[] for _ in self.in_suit] if shapes.arithmetic else self.in_suit
        """How many of them are ordinary ones."""
        self.made: dict[int, Move] = {}
        """The rows of ranks of one suit that have been drawn, by what they are."""

    def count(self, p: Public, hand: int, field: Field) -> int:
        """Count the rows of ranks of the field's shape that its rules do not refuse."""
        if field.shape == ANY:
            return self.count_all(p, hand)
        if field.shape != SEQUENCE:
            return self.count_others(p, hand, field)
        number = 0
        for suit in range(4):
            number += self.count_sequences(p, hand, suit, field.size, field.beyond)
        return number

    def at(self, p: Public, hand: int) -> int:
        """Return which of the lists by ranks hold for a hand's jokers and the order of strength."""
        jokers = POPULATION[hand >> 52] if self.shapes.joker_in_sequence else 0
        return jokers << 2 | p.order & (FROM_ACE | REVERSED)

    def count_all(self, p: Public, hand: int) -> int:
        """Count all rows of ranks."""
        at = self.at(p, hand)
        known = self.in_suit[at]
        if not known:
            known.extend([NOT_COUNTED] * (1 << 13))
            if self.shapes.arithmetic:
                self.plain_in_suit[at].extend(known)
        number = self.count_emperors(hand, p.order) if self.shapes.emperor else 0
        for suit in range(4):
            held = ranks_in(hand >> suit & ONE_SUIT)
            found = known[held]
            if found == NOT_COUNTED:
                found = 0
                if self.shapes.sequence_least != NO_SEQUENCES:
                    found = self.count_sequences(p, hand, suit, 0, ANYWHERE)
                if self.shapes.arithmetic:
                    self.plain_in_suit[at][held] = found
                    found += self.count_arithmetics(p, hand, suit, 0, 0, ANYWHERE)
                known[held] = found
            number += found
        return number

    def nth(self, p: Public, hand: int, field: Field, n: int) -> Move:
        """Return such a row of ranks by its number; they have been counted."""
        if field.shape <= SEQUENCE and self.shapes.sequence_least != NO_SEQUENCES:
            plain = self.plain_in_suit[self.at(p, hand)]
            for suit in range(4):
                if field.shape == ANY:
                    found = plain[ranks_in(hand >> suit & ONE_SUIT)]
                else:
                    found = self.count_sequences(p, hand, suit, field.size, field.beyond)
                if n < found:
                    return self.nth_sequence(p, hand, suit, field, n)
                n -= found
        return self.nth_other(p, hand, field, n)

    # --- sequences ----------------------------------------------------------------------------------------------------

    def count_sequences(self, p: Public, hand: int, suit: int, size: int, beyond: int) -> int:
        """Count the sequences of a suit and a size (0: of all sizes) beyond a place."""
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
        key = key << 4 | (beyond - ANYWHERE if jokers else 0)
        found = self.sequences.get(key, -1)
        if found < 0:
            if jokers and self.refusing:
                found = len(self.list_sequences(p, mine | jokers << 52, 0, size, beyond))
            else:
                found = spans.count_sequences(self.shapes, mine, POPULATION[jokers], size, beyond, order)
            self.sequences[key] = found
        return found

    def nth_sequence(self, p: Public, hand: int, suit: int, field: Field, n: int) -> Move:
        """Return a sequence of a suit by its number."""
        jokers = hand >> 52 << 52 if self.shapes.joker_in_sequence else 0
        if jokers and self.refusing:
            return self.list_sequences(p, hand, suit, field.size, field.beyond)[n]
        walk = spans.over_sequences(self.shapes, POPULATION[jokers >> 52], field.size, field.beyond, p.order)
        left = walk.seek(by_place(hand >> suit & ONE_SUIT, p.order), 1, n)
        return self.at_end(walk, SEQUENCE, hand, suit, jokers, p.order, left)

    def list_sequences(self, p: Public, hand: int, suit: int, size: int, beyond: int) -> list[Move]:
        """List the sequences of a suit and a size (0: of all sizes) beyond a place."""
        return self.allowed(p, hand, sequences_of(self.shapes, hand, suit, size, p.order), beyond)

    # --- other rows of ranks ------------------------------------------------------------------------------------------

    def count_others(self, p: Public, hand: int, field: Field) -> int:
        """Count the emperors, the arithmetic sequences of the field's size and difference, or both."""
        number = self.count_emperors(hand, p.order) if self.shapes.emperor and field.shape != ARITHMETIC else 0
        if self.shapes.arithmetic and field.shape != EMPEROR:
            for suit in range(4):
                number += self.count_arithmetics(p, hand, suit, field.size, field.step, field.beyond)
        return number

    def count_emperors(self, hand: int, order: int) -> int:
        """Count the emperors."""
        places: i64 = by_place(hand & NUMBER_CARDS, order)
        lows = rising(places)
        number: i64 = 0
        while lows:
            if lows & 1:
                number += emperors_from(places)
            lows >>= 4
            places >>= 4
        return number

    def count_arithmetics(self, p: Public, hand: int, suit: int, size: int, step: int, beyond: int) -> int:
        """Count the arithmetic sequences of a suit, a size and a difference (0: of all) beyond a place."""
        mine = hand >> suit & ONE_SUIT
        jokers = hand >> 52 if self.shapes.joker_in_sequence else 0
        rest = mine
        for _ in range((size or LEAST) - 1 - POPULATION[jokers]):
            rest &= rest - 1
        if not rest:
            return 0  # too few cards, jokers among them
        key = (((mine << 2 | jokers) << 4 | size) << 3 | step) << 2 | p.order & (FROM_ACE | REVERSED)
        key = key << 4 | (beyond - ANYWHERE if jokers else 0)
        found = self.arithmetics.get(key, -1)
        if found < 0:
            if jokers and self.refusing:
                found = len(self.list_arithmetics(p, mine | jokers << 52, 0, size, step, beyond))
            else:
                found = spans.count_arithmetics(mine, POPULATION[jokers], size, step, beyond, p.order)
            self.arithmetics[key] = found
        return found

    def list_arithmetics(self, p: Public, hand: int, suit: int, size: int, step: int, beyond: int) -> list[Move]:
        """List the arithmetic sequences of a suit, a size and a difference (0: of all) beyond a place."""
        found: list[Play] = []
        for each in range(step or 1, (step or WIDEST) + 1):
            found += arithmetics_of(self.shapes, hand, suit, each, size, p.order)
        return self.allowed(p, hand, found, beyond)

    def nth_other(self, p: Public, hand: int, field: Field, n: int) -> Move:
        """Return such a row of ranks by its number: the emperors come first, then the others by suit."""
        if self.shapes.emperor and field.shape != ARITHMETIC:
            places = by_place(hand & NUMBER_CARDS, p.order)
            for low in lows_of_emperors(places):
                found = emperors_from(places >> 4 * low)
                if n < found:
                    return playing(emperors_at(hand, low, p.order)[n])
                n -= found
        size, step, beyond = field.size, field.step, field.beyond
        at, suit = self.at(p, hand), 0
        while True:
            if field.shape == ANY:
                held = ranks_in(hand >> suit & ONE_SUIT)
                found = self.in_suit[at][held] - self.plain_in_suit[at][held]
            else:
                found = self.count_arithmetics(p, hand, suit, size, step, beyond)
            if n < found:
                break
            n -= found
            suit += 1
        jokers = hand >> 52 << 52 if self.shapes.joker_in_sequence else 0
        if jokers and self.refusing:
            return self.list_arithmetics(p, hand, suit, size, step, beyond)[n]
        walk = spans.over_arithmetics(POPULATION[jokers >> 52], size, beyond, p.order)
        left = spans.seek_arithmetic(walk, by_place(hand >> suit & ONE_SUIT, p.order), step, n)
        return self.at_end(walk, ARITHMETIC, hand, suit, jokers, p.order, left)

    def at_end(self, walk: spans.Spans, shape: int, hand: int, suit: int, jokers: int, order: int, n: int) -> Move:
        """Return the row of ranks, of a suit and a shape, at which a walk has ended, by its number there."""
        key = (((walk.low + 1 << 4 | walk.size) << 3 | walk.step) << 2 | suit) << 2 | order & FROM_ACE
        key = key << 1 | (shape == SEQUENCE)
        if jokers:
            key = ((key << 13 | ranks_in(hand >> suit & ONE_SUIT)) << 2 | jokers >> 52) << 7 | n + 1
        move = self.made.get(key)
        if move is None:
            if len(self.made) == MOST_MADE:
                self.made.clear()
            move = playing(walk.play(shape, hand, suit, jokers, order, n))
            self.made[key] = move
        return move

    def allowed(self, p: Public, hand: int, plays: list[Play], beyond: int) -> list[Move]:
        """List the rows of ranks beyond a place that no rule refuses whatever lies on the field."""
        turned = is_reversed(p.order)
        found = [
            playing(play)
            for play in plays
            if beyond == ANYWHERE or (play.high < beyond if turned else play.low > beyond)
        ]
        for rule in self.refusing:
            found = [move for move in found if rule.allows(p, p.turn, hand, move) is None]
        return found


def emperors_from(places: i64) -> i64:
    """Count the emperors that cards form from the lowest place upwards.

    Two suits lie at the lower two places and the other two above them: the middle digit of a product adds these up.
    """
    lower: i64 = PAIRS[places & 255]
    upper: i64 = PAIRS[places >> 8 & 255]
    return lower * upper >> 5 * DIGIT & (1 << DIGIT) - 1


def ranks_in(spades: int) -> int:
    """Return the ranks of a set of spades, one bit each."""
    found: i64 = spades
    found = (found | found >> 3) & 0x0303030303030303
    found = (found | found >> 6) & 0x000F000F000F000F
    found = (found | found >> 12) & 0x000000FF000000FF
    return (found | found >> 24) & 0x1FFF
