"""Plays that nobody can answer."""

from __future__ import annotations

from engine.field import can_answer
from engine.guesses import guess, sees, unseen
from engine.rules.base import GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import State
from engine.steps import flush_later


class Unanswerable(Rule):
    """A play that no other seat could answer ends the trick (000 L23).

    The cards of the seats that may still answer count together, whoever holds them, or each hand by itself. This shows
    something of hidden hands, by design.
    """

    id = "unreturnable_flush"

    def __init__(self, exact: bool = False) -> None:
        self.exact = exact

    def on(self, ruleset: Ruleset) -> Rule | None:
        exact = ruleset.word("unreturnable_flush.basis") == "exact_hands"
        return Unanswerable(exact) if ruleset.bool(self.id) else None

    def played(self, s: State) -> int:
        if s.flushing:
            return GO_ON
        away = s.passed | s.gone | 1 << s.actor
        seats: list[int] = []
        hidden: list[int] = []
        together = 0
        for seat, hand in enumerate(s.hands):
            if hand and not away >> seat & 1 and not s.rests[seat]:
                seats.append(seat)
                if sees(s, seat):
                    together |= hand
                else:
                    hidden.append(seat)
        if seats and not self.is_answered(s, seats, hidden, together):
            flush_later(s, self.id)
        return GO_ON

    def is_answered(self, s: State, seats: list[int], hidden: list[int], together: int) -> bool:
        """Say whether these seats could answer; where some of their hands are hidden, whether that shall be supposed.

        `together` are the cards of the other hands.
        """
        for seat in seats:
            hand = together if not self.exact else s.hands[seat] if seat not in hidden else 0
            if can_answer(s, seat, hand):
                return True
        if not hidden:
            return False
        if any([can_answer(s, seat, together | unseen(s)) for seat in (hidden if self.exact else seats)]):
            return guess(s, 2) == 0
        return False


RULES: tuple[Rule, ...] = (Unanswerable(),)
