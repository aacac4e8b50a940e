"""The game of the contest UECda in its own terms: cells of a table, written from its rules alone.

A card is a cell: suit 0..3, and column 1..13 for 3..2. A joker in a play lies in the cell that it stands for. Columns 0
and 14 are beyond the ends, row 4 is the fifth card of a group.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

Cell = tuple[int, int]
JOKER: Cell = (4, 1)
"""In a hand, and as a play of its own."""
SPADE_THREE: Cell = (0, 1)
DIAMOND_THREE: Cell = (2, 1)
EIGHT = 6


class Play(NamedTuple):
    """Real cells, and where the joker lies."""

    real: frozenset[Cell]
    joker: Cell | None = None

    @property
    def cells(self) -> frozenset[Cell]:
        return self.real | {self.joker} if self.joker else self.real

    @property
    def columns(self) -> set[int]:
        return {column for _, column in self.cells}

    @property
    def suits(self) -> set[int]:
        return {suit for suit, _ in self.cells} if self != ALONE else set()

    @property
    def is_sequence(self) -> bool:
        return len(self.columns) > 1


ALONE = Play(frozenset(), JOKER)
PASS = Play(frozenset())


@dataclass
class Contest:
    """One game: the hands by player, and the players in the order in which they sit."""

    hands: list[set[Cell]]
    seating: list[int]
    player: int = -1
    top: Play | None = None
    last: int = -1
    """Who has played last, or is to lead."""
    passed: set[int] = field(default_factory=set)
    locked: bool = False
    upside_down: bool = False
    passes: int = 0
    ranking: list[int] = field(default_factory=list)

    def begin(self) -> None:
        """Let the holder of the diamond 3 lead."""
        self.player = self.last = next(p for p, hand in enumerate(self.hands) if DIAMOND_THREE in hand)

    def plays(self) -> set[Play]:
        """Everything that the player may do, the pass included."""
        return {play for play in shapes(self.hands[self.player]) if self.beats(play)} | {PASS}

    def beats(self, play: Play) -> bool:
        """Whether a play may be put on the field."""
        if self.top is None:
            return True
        if self.top == ALONE:
            return play == Play(frozenset({SPADE_THREE}))
        if play == ALONE:
            return len(self.top.cells) == 1
        if len(play.cells) != len(self.top.cells) or play.is_sequence != self.top.is_sequence:
            return False
        if self.locked and play.suits != self.top.suits:
            return False
        if self.upside_down:
            return max(play.columns) < min(self.top.columns)
        return min(play.columns) > max(self.top.columns)

    def do(self, play: Play) -> None:
        """Do what the player has chosen."""
        if play == PASS:
            self.passed.add(self.player)
            self.passes += 1
        else:
            self.put(play)
        flushed = play != PASS and (EIGHT in play.columns or (self.top == ALONE and play != ALONE))
        if play != PASS:
            self.top = play
        if len(self.ranking) == 4:
            return
        if flushed or len(self.passed) >= 5 - len(self.ranking):
            self.top, self.locked, self.player = None, False, self.last
            self.passed.clear()
            if not self.hands[self.player]:
                self.step()
            self.last = self.player
        else:
            self.step()

    def put(self, play: Play) -> None:
        """Put down a play."""
        hand = self.hands[self.player]
        hand -= play.real
        if play.joker:
            hand.remove(JOKER)
        self.passes, self.last = 0, self.player
        if play == ALONE:
            self.locked = False
        elif self.top and self.top != ALONE and play.suits == self.top.suits:
            self.locked = True
        if len(play.cells) >= (5 if play.is_sequence else 4):
            self.upside_down = not self.upside_down
        if not hand:
            self.ranking.append(self.player)

    def step(self) -> None:
        """Go on to the next player who still holds cards and has not passed."""
        while True:
            self.player = self.seating[(self.seating.index(self.player) + 1) % 5]
            if self.hands[self.player] and self.player not in self.passed:
                return


def shapes(hand: set[Cell]) -> Iterator[Play]:
    """Every play that a hand holds, whatever lies on the field."""
    real, joker = hand - {JOKER}, JOKER in hand
    if joker:
        yield ALONE
    for column in range(1, 14):
        held = {cell for cell in real if cell[1] == column}
        for cells in [frozenset(some) for n in range(1, 5) for some in combinations(held, n)]:
            yield Play(cells)
            free = [(suit, column) for suit in range(4) if (suit, column) not in cells]
            for at in (free or [(4, column)]) if joker else []:
                yield Play(cells, at)
    for suit in range(4):
        for first in range(13):
            for last in range(first + 2, 15):
                row = {(suit, column) for column in range(first, last + 1)}
                if row <= real:
                    yield Play(frozenset(row))
                for at in row if joker else ():
                    if row - {at} <= real:
                        yield Play(frozenset(row - {at}), at)


def strongest(hand: set[Cell], number: int) -> set[Cell]:
    """The strongest cards of a hand: the joker, then by column, spades first."""
    return set(sorted(hand, key=lambda cell: (cell != JOKER, -cell[1], cell[0]))[:number])
