"""Plays that nobody can answer."""

from __future__ import annotations

from engine.cards import ONE_PACK
from engine.field import Field, can_answer, field_of
from engine.guesses import guess, sees, unseen
from engine.native import i64
from engine.plays import SINGLE
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
        field = field_of(s, s.in_force())
        alone = field.cards if field.counts and field.shape == SINGLE else 0  # each answers without others
        away: i64 = s.passed | s.gone
        seats: i64 = 0
        together = 0
        for seat in range(s.seats):
            if away >> seat & 1 or seat == s.actor:
                continue
            hand = s.hands[seat]
            if hand and not s.rests[seat]:
                seats |= 1 << seat
                if sees(s, seat):
                    if hand & alone and hand < ONE_PACK and can_answer(s, seat, hand, field):
                        return GO_ON
                    together |= hand
        if seats and not self.is_answered(s, field, seats, together):
            flush_later(s, self.id)
        return GO_ON

    def is_answered(self, s: State, field: Field, seats: i64, together: int) -> bool:
        """Say whether these seats, as bits, could answer with the cards of those hands that are seen.

        Where some are not, say whether that shall be supposed.
        """
        for seat in range(s.seats):
            if seats >> seat & 1:
                hand = together
                if self.exact:
                    hand = s.hands[seat] if sees(s, seat) else 0
                if can_answer(s, seat, hand, field):
                    return True
        if s.guesses is None:
            return False
        asked = [seat for seat in range(s.seats) if seats >> seat & 1]
        hidden = [seat for seat in asked if not sees(s, seat)]
        cards = together | unseen(s)
        if hidden and any([can_answer(s, seat, cards, field) for seat in (hidden if self.exact else asked)]):
            return guess(s, 2) == 0
        return False


RULES: tuple[Rule, ...] = (Unanswerable(),)
