"""What titles of the last game do in the next one."""

from __future__ import annotations

from engine.finishing import fall
from engine.rules.base import GO_ON, Rule
from engine.state import State


class Fall(Rule):
    """都落ち: when somebody else makes the first valid finish, the last game's first place is out (JDF art. 65-2)."""

    id = "miyako_ochi"

    def finished(self, s: State, seat: int) -> int:
        if s.previous and s.finished == [seat] and seat != s.previous[0] and not s.gone >> s.previous[0] & 1:
            fall(s, s.previous[0], self.id)
        return GO_ON


RULES: tuple[Rule, ...] = (Fall(),)
