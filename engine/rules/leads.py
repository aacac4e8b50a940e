"""Who opens a game."""

from __future__ import annotations

from engine.rules.base import GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import State


class FirstLead(Rule):
    """A round's first game is opened by the spade seat (JDF art. 13)."""

    id = "first_leader_initial"

    def on(self, ruleset: Ruleset) -> Rule | None:
        return self

    def exchanged(self, s: State) -> int:
        if not s.previous:
            s.to_lead = s.spade_seat
        return GO_ON


class NextLead(Rule):
    """Later games are opened by the last place of the game before (JDF art. 13)."""

    id = "first_leader_next"

    def on(self, ruleset: Ruleset) -> Rule | None:
        return self

    def exchanged(self, s: State) -> int:
        if s.previous:
            s.to_lead = s.previous[-1]
        return GO_ON


RULES: tuple[Rule, ...] = (FirstLead(), NextLead())
