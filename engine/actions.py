"""What a seat can do when it is asked."""

from __future__ import annotations

from typing import Final

PLAY: Final = 1
PASS: Final = 2
DRAW: Final = 3
ADD: Final = 4
DUMP: Final = 5
ANSWER: Final = 6


class Meaning:
    """What a joker in a play stands for: `rank` 0..12, or BEYOND in a sequence."""

    def __init__(self, joker: int, rank: int, suit: int) -> None:
        self.joker = joker
        self.rank = rank
        self.suit = suit


class Action:
    """One action: PLAY, ADD and DUMP name cards (a set), ANSWER names values; PASS and DRAW name nothing.

    A play may declare its `shape` (0: the one that fits) and what its jokers stand for (none: the strongest reading).
    """

    def __init__(
        self,
        kind: int,
        cards: int = 0,
        shape: int = 0,
        meanings: tuple[Meaning, ...] = (),
        values: tuple[int, ...] = (),
    ) -> None:
        self.kind = kind
        self.cards = cards
        self.shape = shape
        self.meanings = meanings
        self.values = values

    def key(self) -> tuple[object, ...]:
        """Return a plain value that is equal for equal actions."""
        meanings = tuple(sorted([(m.joker, m.rank, m.suit) for m in self.meanings]))
        return (self.kind, self.cards, self.shape, meanings, self.values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Action) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())


def play_cards(cards: int, shape: int = 0, meanings: tuple[Meaning, ...] = ()) -> Action:
    """Return the action of putting down a set of cards."""
    return Action(PLAY, cards, shape, meanings)


def answer(*values: int) -> Action:
    """Return the action of answering a choice with these options, in order."""
    return Action(ANSWER, 0, 0, (), tuple(values))


PASSING: Final = Action(PASS)
"""The action of passing."""
