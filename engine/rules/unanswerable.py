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
        away = s.passed | 1 << s.actor
        seats = [seat for seat in range(s.seats) if not away >> seat & 1 and not s.rests[seat] and s.is_in(seat)]
        if seats and not self.is_answered(s, seats):
            flush_later(s, self.id)
        return GO_ON

    def is_answered(self, s: State, seats: list[int]) -> bool:
        """Say whether these seats could answer; where their hands are not seen, whether that shall be supposed."""
        together = 0
        for seat in seats:
            together |= s.hands[seat] if sees(s, seat) else 0
        hidden = [seat for seat in seats if not sees(s, seat)]
        for seat in seats:
            hand = together if not self.exact else s.hands[seat] if sees(s, seat) else 0
            if can_answer(s, seat, hand):
                return True
        if any([can_answer(s, seat, together | unseen(s)) for seat in (hidden if self.exact or not hidden else seats)]):
            return bool(hidden) and guess(s, 2) == 0
        return False


RULES: tuple[Rule, ...] = (Unanswerable(),)
