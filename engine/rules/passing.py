"""How passes end a game."""

from __future__ import annotations

from engine.choices import NUMBER
from engine.finishing import place_by_lot
from engine.rules.base import END, GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import GAME, State
from engine.steps import forget, note_of, set_note


class PassLimit(Rule):
    """連続パスの上限: so many passes without a play end the game, and a lot places who is still in (005 引き分け)."""

    id = "pass_limit"

    def __init__(self, most: int = 0) -> None:
        self.most = most

    def on(self, ruleset: Ruleset) -> Rule | None:
        most = ruleset.number(self.id)
        return PassLimit(most) if most else None

    def played(self, s: State) -> int:
        forget(s, self.id)
        return GO_ON

    def passed(self, s: State) -> int:
        passes = sum(note_of(s, self.id)) + 1
        set_note(s, self.id, GAME, NUMBER, (passes,))
        if passes < self.most:
            return GO_ON
        place_by_lot(s)
        return END


RULES: tuple[Rule, ...] = (PassLimit(),)
