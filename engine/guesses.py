"""What is supposed of hidden cards in a state that was imagined from a view: one outcome after another."""

from __future__ import annotations

from engine.state import State


class Guesses:
    """The outcomes that rules have asked for, the last of which is turned first until all have been tried."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        """Who imagines: its hand is known."""
        self.made: list[int] = []
        self.limits: list[int] = []
        self.at = 0

    def next(self, outcomes: int) -> int:
        """Suppose one of some outcomes, numbered from 0."""
        if self.at == len(self.made):
            self.made.append(0)
            self.limits.append(outcomes)
        self.at += 1
        return self.made[self.at - 1]

    def turn(self) -> bool:
        """Go on to the next outcomes; say whether there are any."""
        self.at = 0
        while self.made and self.made[-1] + 1 == self.limits[-1]:
            self.made.pop()
            self.limits.pop()
        if self.made:
            self.made[-1] += 1
        return bool(self.made)


def sees(s: State, seat: int) -> bool:
    """Say whether a hand is what it is: in an imagined state only one is."""
    return s.guesses is None or s.guesses.seat == seat


def guess(s: State, outcomes: int) -> int:
    """Suppose one of some outcomes of what depends on cards that are not seen."""
    assert s.guesses is not None
    return s.guesses.next(outcomes) if outcomes > 1 else 0


def unseen(s: State) -> int:
    """Return the cards that the seat which imagines does not see."""
    assert s.guesses is not None
    seen = s.hands[s.guesses.seat] | s.discard
    for placed in s.trick:
        seen |= placed.play.cards
    return s.program.deck & ~seen
