"""What cards of one pack form under a ruleset's shapes: worked out once, looked up ever after."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from engine import spans
from engine.cards import JOKER, NUMBER_CARDS
from engine.moves import Move, playing
from engine.orders import FROM_ACE, REVERSED
from engine.plays import (
    ARITHMETIC,
    EMPEROR,
    GROUP,
    NO_SEQUENCES,
    ONE_SUIT,
    POPULATION,
    SEQUENCE,
    SINGLE,
    SPREAD,
    SUBSETS,
    Play,
    Shapes,
    rank_group,
    sequences_of,
    with_suits,
)
from engine.rows import (
    FORMS,
    FOUR_PLACES,
    LEAST,
    WIDEST,
    arithmetics_of,
    by_place,
    emperors_at,
    lows_of_emperors,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

    from engine.rules.base import Rule
    from engine.state import Public

MOST_CARDS: Final = 8
"""In a group."""
MOST_JOKERS: Final = 2
"""In one pack."""
LOWEST: Final[tuple[tuple[int, ...], ...]] = ((0,), (0, 1), (0, 2), (0, 1, 3))
"""For each set of jokers, the lowest none, one and two of them."""


class Holdings:
    """Singles, groups and sequences by their numbers, in the order in which `legal_moves` lists them."""

    def __init__(self, shapes: Shapes, of_sequences: tuple[Rule, ...] = ()) -> None:
        self.shapes = shapes
        self.of_sequences = of_sequences
        """The rules that refuse some rows of ranks with jokers whatever lies on the field."""
        self.forms: list[list[list[int]]] = [
            [forms_of(shapes, suits, size, jokers) for suits in range(16)]
            for size in range(MOST_CARDS + 1)
            for jokers in range(MOST_JOKERS + 1)
        ]
        """For each size (0: any) and number of jokers, what each set of suits of a rank forms."""
        self.rows: list[list[int]] = [
            [len(forms[suits & 15]) + len(forms[suits >> 4]) for suits in range(256)] for forms in self.forms
        ]
        """The same for the suits of two ranks: how many forms."""
        self.groups: list[Move | None] = [None] * (14 << 10)
        """The singles and groups, made when they are first drawn."""
        self.sequences: dict[int, int] = {}
        """How many sequences a suit's cards and some jokers form."""
        self.arithmetics: dict[int, int] = {}
        """How many arithmetic sequences."""
        self.emperors: dict[int, int] = {}
        """How many emperors the cards at four places form."""

    def has_play(self, p: Public, hand: int, shape: int, size: int, step: int) -> bool:
        """Say whether there is a play of a shape, a size and a difference (0: of any)."""
        if shape <= GROUP and self.count_groups(hand, size):
            return True
        return shape not in (SINGLE, GROUP) and self.count_in_rows(p, hand, shape, size, step) > 0

    # --- singles and groups -------------------------------------------------------------------------------------------

    def way(self, hand: int, size: int) -> int:
        """Return which of the rows and forms hold for a hand's jokers and a size."""
        return size * (MOST_JOKERS + 1) + (POPULATION[hand >> 52] if self.shapes.joker_in_group else 0)

    def count_groups(self, hand: int, size: int) -> int:
        """Count the singles and groups of a size (0: of all sizes)."""
        if size > MOST_CARDS:
            return 0  # more than one pack has, on a table of two
        row = self.rows[self.way(hand, size)]
        number = self.count_jokers(POPULATION[hand >> 52], size) if hand > NUMBER_CARDS else 0
        rest: i64 = hand & NUMBER_CARDS
        while rest:
            number += row[rest & 255]
            rest >>= 8
        return number

    def count_jokers(self, jokers: int, size: int) -> int:
        """Count the plays of jokers only; there are some."""
        most = jokers if self.shapes.joker_in_group else 1
        return most if not size else 1 if size <= most else 0

    def nth_group(self, hand: int, size: int, n: int) -> Move:
        """Return a single or group by its number."""
        way = self.way(hand, size)
        row, jokers = self.rows[way], hand >> 52
        rest: i64 = hand & NUMBER_CARDS
        rank = 0
        while rest:
            found = row[rest & 255]
            if n < found:
                break
            n -= found
            rest >>= 8
            rank += 2
        if not rest:
            return self.group(JOKER, 0, LOWEST[jokers][size or n + 1])
        found = row[rest & 15]
        if n >= found:
            n -= found
            rest >>= 4
            rank += 1
        form = self.forms[way][rest & 15][n]
        return self.group(rank, form >> 2 & 15, LOWEST[jokers][form & 3], form >> 6)

    def group(self, rank: int, suits: int, jokers: int, named: int = 0) -> Move:
        """Return the play of a rank's cards, as suits, with jokers that have the suits `named`."""
        at = rank << 10 | named << 6 | suits << 2 | jokers
        move = self.groups[at]
        if move is None:
            number = POPULATION[jokers]
            cards = suits << 4 * rank | jokers << 52
            plain = rank_group(cards, rank, POPULATION[suits] + number, number)
            meant = [play for play in with_suits(self.shapes, [plain]) if play.suits == plain.suits + SPREAD[named]]
            move = playing(meant[0])
            self.groups[at] = move
        return move

    # --- rows of ranks ------------------------------------------------------------------------------------------------

    def count_in_rows(self, p: Public, hand: int, shape: int, size: int, step: int) -> int:
        """Count the rows of ranks of a shape, a size and a difference (0: of all)."""
        number = 0
        if shape <= SEQUENCE and self.shapes.sequence_least != NO_SEQUENCES:
            for suit in range(4):
                number += self.count_sequences(p, hand, suit, size)
        if self.shapes.rows and shape != SEQUENCE:
            number += self.count_others(p, hand, shape, size, step)
        return number

    def nth_in_rows(self, p: Public, hand: int, shape: int, size: int, step: int, n: int) -> Move:
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
            if jokers and self.of_sequences:
                found = len(self.list_sequences(p, mine | jokers << 52, 0, size))
            else:
                found = spans.count_sequences(self.shapes, mine, POPULATION[jokers], size, order)
            self.sequences[key] = found
        return found

    def nth_sequence(self, p: Public, hand: int, suit: int, size: int, n: int) -> Move:
        """Return a sequence of a suit and a size (0: of all sizes) by its number."""
        jokers = hand >> 52 << 52 if self.shapes.joker_in_sequence else 0
        if jokers and self.of_sequences:
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
            if jokers and self.of_sequences:
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
        if jokers and self.of_sequences:
            return self.list_arithmetics(p, hand, suit, size, step)[n]
        return playing(spans.nth_arithmetic(hand, suit, jokers, size, step, p.order, n))

    def allowed(self, p: Public, hand: int, plays: list[Play]) -> list[Move]:
        """List the rows of ranks that no rule refuses whatever lies on the field."""
        found = [playing(play) for play in plays]
        for rule in self.of_sequences:
            found = [move for move in found if rule.allows(p, p.turn, hand, move) is None]
        return found


def forms_of(shapes: Shapes, held: int, size: int, jokers: int) -> list[int]:
    """List the singles and groups that a rank's cards (as suits) form.

    Each as a number: the number of jokers in two bits, the suits in four, and above them the suits that jokers have.
    """
    found: list[int] = []
    for suits in SUBSETS[held]:
        real = POPULATION[suits]
        numbers = range(min(jokers, shapes.most_in_group - real) + 1)
        for number in numbers if not size else [size - real]:
            if 0 <= number <= jokers:
                found += [named << 6 | suits << 2 | number for named in suits_of_jokers(shapes, suits, number)]
    return found


def suits_of_jokers(shapes: Shapes, suits: int, jokers: int) -> list[int]:
    """List the sets of suits that jokers in a group may have; only the empty one where jokers have no suit."""
    if not shapes.joker_suits or not jokers:
        return [0]
    free = [suit for suit in range(4) if not suits >> suit & 1]
    return [sum([1 << suit for suit in chosen]) for chosen in combinations(free, min(jokers, len(free)))]
