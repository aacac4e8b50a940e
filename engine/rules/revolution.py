"""Revolution: the strength order turns over for the rest of the game."""

from __future__ import annotations

from engine.cards import JOKER
from engine.plays import GROUP, Play
from engine.rules.base import GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import State
from engine.steps import revolt


class Revolution(Rule):
    """革命: four or more cards of one rank (three with three players) turn the order over, and back (JDF ch. 10)."""

    id = "revolution"

    def __init__(self, least: int = 4, jokers_count: bool = True, can_return: bool = True) -> None:
        self.least = least
        self.jokers_count = jokers_count
        self.can_return = can_return

    def on(self, ruleset: Ruleset) -> Rule | None:
        if not ruleset.bool("revolution"):
            return None
        least = ruleset.number("revolution.min_group")
        return Revolution(least, ruleset.bool("revolution.joker_allowed"), ruleset.bool("counter_revolution"))

    def played(self, s: State) -> int:
        if self.is_set(s.cause) and (self.can_return or not s.revolution):
            revolt(s, self.id)
        return GO_ON

    def is_set(self, play: Play) -> bool:
        """Say whether a play is a revolution set."""
        if play.shape != GROUP or play.size < self.least or play.low == JOKER:
            return False
        return self.jokers_count or not play.jokers


RULES: tuple[Rule, ...] = (Revolution(),)
