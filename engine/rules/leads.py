"""Who opens a game."""

from __future__ import annotations

from typing import Final

from engine.cards import BIT, parse_card
from engine.choices import SEAT
from engine.randomness import draw
from engine.rules.base import GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import MATCH, State
from engine.steps import forget, in_turn_order, note_of, set_note

HOLDER: Final = "holder_"
"""Words that begin so name the card whose holder leads."""
NOBODY: Final = -1


class FirstLead(Rule):
    """A round's first game is opened by the spade seat (JDF art. 13), the top seat, a seat by lot, or a 3's holder.

    If nobody holds the named 3 a lot decides.
    """

    id = "first_leader_initial"

    def __init__(self, way: str = "spade_seat") -> None:
        self.way = way

    def on(self, ruleset: Ruleset) -> Rule | None:
        return FirstLead(ruleset.word(self.id))

    def exchanged(self, s: State) -> int:
        if not s.previous:
            s.to_lead = leader(s, self.way)
            if s.to_lead == NOBODY:
                s.to_lead = leader(s, "lot")
        return GO_ON


class NextLead(Rule):
    """Later games are opened by the last place of the game before (JDF art. 13), the first, by lot, or a 3's holder.

    Rock-paper-scissors is a lot. If nobody holds the named 3 the last place opens.
    """

    id = "first_leader_next"

    def __init__(self, way: str = "previous_last") -> None:
        self.way = way

    def on(self, ruleset: Ruleset) -> Rule | None:
        return NextLead(ruleset.word(self.id))

    def exchanged(self, s: State) -> int:
        if s.previous:
            s.to_lead = leader(s, self.way)
            if s.to_lead == NOBODY:
                s.to_lead = s.previous[-1]
        return GO_ON


def leader(s: State, way: str) -> int:
    """Return the seat that opens, or NOBODY where nobody holds the card that the way names."""
    if way == "spade_seat":
        return s.spade_seat
    if way == "top_seat":
        return s.seating[0]
    if way == "previous_last":
        return s.previous[-1]
    if way == "previous_first":
        return s.previous[0]
    if way.startswith(HOLDER):
        card = BIT[parse_card(way.removeprefix(HOLDER))]
        return next((seat for seat in s.seating if s.hands[seat] & card), NOBODY)
    return s.seating[draw(s, s.seats)]


class NoLeadAfterFall(Rule):
    """都落ち後は先手なし: whoever fell does not open the next game; the next lower place does (000 L195).

    Where another way than the last place decides, the next seat opens in their stead.
    """

    id = "no_lead_after_miyako_ochi"

    def __init__(self, way: str = "previous_last") -> None:
        self.way = way

    def on(self, ruleset: Ruleset) -> Rule | None:
        return NoLeadAfterFall(ruleset.word("first_leader_next")) if ruleset.bool(self.id) else None

    def titled(self, s: State) -> int:
        fell = [seat for seat in s.fallen if seat == s.previous[0]]
        if fell:
            set_note(s, self.id, MATCH, SEAT, tuple(fell))
        return GO_ON

    def exchanged(self, s: State) -> int:
        fell = note_of(s, self.id)
        if s.previous and s.to_lead in fell:
            rest = s.previous[::-1]
            if self.way != "previous_last" and not (self.way.startswith(HOLDER) and leader(s, self.way) == NOBODY):
                rest = in_turn_order(s, s.to_lead)
            s.to_lead = next(seat for seat in rest if seat not in fell)
        forget(s, self.id)
        return GO_ON


RULES: tuple[Rule, ...] = (FirstLead(), NextLead(), NoLeadAfterFall())
