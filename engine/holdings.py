"""What cards of one pack form under a ruleset's shapes: worked out once, looked up ever after."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from engine.cards import JOKER, NUMBER_CARDS
from engine.held_rows import MOST_JOKERS, HeldRows
from engine.moves import Move, playing
from engine.native import i64
from engine.plays import GROUP, POPULATION, SINGLE, SUBSETS, Shapes

if TYPE_CHECKING:
    from engine.field import Field
    from engine.rules.base import Rule
    from engine.state import Public

MOST_CARDS: Final = 8
"""In a group."""
LOWEST: Final[tuple[tuple[int, ...], ...]] = ((0,), (0, 1), (0, 2), (0, 1, 3))
"""For each set of jokers, the lowest none, one and two of them."""


class Holdings:
    """Singles and groups by their numbers, in the order in which `legal_moves` lists them."""

    def __init__(self, shapes: Shapes, of_sequences: tuple[Rule, ...] = ()) -> None:
        self.shapes = shapes
        self.in_rows = HeldRows(shapes, of_sequences)
        """Rows of ranks."""
        self.forms: list[list[list[int]]] = [[] for _ in range(16 * (MOST_CARDS + 1) * (MOST_JOKERS + 1))]
        """For needed suits, a size (0: any) and a number of jokers, what each set of suits of a rank forms."""
        self.rows: list[list[int]] = [[] for _ in self.forms]
        """The same for the suits of two ranks: how many forms; both worked out when they are first wanted."""
        self.groups: list[Move | None] = [None] * (14 << 10)
        """The singles and groups, made when they are first drawn."""

    def has_play(self, p: Public, hand: int, field: Field) -> bool:
        """Say whether there is a play of the field's shape that its rules do not refuse, if they can be counted."""
        if field.shape <= GROUP and self.count_groups(hand, field):
            return True
        return field.shape not in (SINGLE, GROUP) and self.in_rows.count(p, hand, field) > 0

    # --- singles and groups -------------------------------------------------------------------------------------------

    def way(self, hand: int, size: int, needed: int) -> int:
        """Return which of the rows and forms hold for a hand's jokers, a size and the suits that are needed."""
        jokers = POPULATION[hand >> 52] if self.shapes.joker_in_group else 0
        way = (needed * (MOST_CARDS + 1) + size) * (MOST_JOKERS + 1) + jokers
        if not self.rows[way]:
            forms = [forms_of(self.shapes, suits, size, jokers, needed) for suits in range(16)]
            self.forms[way] = forms
            self.rows[way] = [len(forms[suits & 15]) + len(forms[suits >> 4]) for suits in range(256)]
        return way

    def count_groups(self, hand: int, field: Field) -> int:
        """Count the singles and groups of the field's size that have the suits needed, or jokers for them."""
        size, needed = field.size, field.needed
        if size > MOST_CARDS:
            return 0  # more than one pack has, on a table of two
        row = self.rows[self.way(hand, size, needed)]
        number = 0
        if hand > NUMBER_CARDS and field.jokers_alone and POPULATION[needed] <= size:
            number = self.count_jokers(POPULATION[hand >> 52], size)
        rest: i64 = hand & NUMBER_CARDS
        while rest:
            number += row[rest & 255]
            rest >>= 8
        return number

    def count_jokers(self, jokers: int, size: int) -> int:
        """Count the plays of jokers only; there are some."""
        most = jokers if self.shapes.joker_in_group else 1
        return most if not size else 1 if size <= most else 0

    def nth_group(self, hand: int, field: Field, n: int) -> Move:
        """Return such a single or group by its number."""
        size = field.size
        way = self.way(hand, size, field.needed)
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
            plain = self.shapes.group(cards, rank, POPULATION[suits] + number, number)
            has_suits = self.shapes.joker_suits and number > 0 and rank != JOKER
            move = playing(self.shapes.with_suits(plain, named) if has_suits else plain)
            self.groups[at] = move
        return move


def forms_of(shapes: Shapes, held: int, size: int, jokers: int, needed: int) -> list[int]:
    """List the singles and groups that a rank's cards (as suits) form, with needed suits or a joker for each of them.

    Each as a number: the number of jokers in two bits, the suits in four, and above them the suits that jokers have.
    """
    found: list[int] = []
    for suits in SUBSETS[held]:
        real = POPULATION[suits]
        numbers = range(min(jokers, shapes.most_in_group - real) + 1)
        for number in numbers if not size else [size - real]:
            if 0 <= number <= jokers:
                for named in suits_of_jokers(shapes, suits, number):
                    if POPULATION[needed & ~(suits | named)] <= number - POPULATION[named]:
                        found.append(named << 6 | suits << 2 | number)
    return found


def suits_of_jokers(shapes: Shapes, suits: int, jokers: int) -> list[int]:
    """List the sets of suits that jokers in a group may have; only the empty one where jokers have no suit."""
    if not shapes.joker_suits or not jokers:
        return [0]
    free = [suit for suit in range(4) if not suits >> suit & 1]
    return [sum([1 << suit for suit in chosen]) for chosen in combinations(free, min(jokers, len(free)))]
