"""The countdown that defeats whoever passes last."""

from __future__ import annotations

from typing import Final

from engine.cards import FOUR
from engine.choices import NUMBER, Choice, Group
from engine.finishing import defeat
from engine.plays import SINGLE
from engine.reasons import Reason
from engine.rules.base import GO_ON, Rule
from engine.state import GAME, State
from engine.steps import ask, forget, note_of, set_note

NUMBERS: Final = tuple(range(4, 100))


class Countdown(Rule):
    """終焉のカウントダウン: the last game's last place plays a 4 alone and names a number, which passes count down.

    Whoever passes it to 0 is defeated. It goes on over flushes; another 4 sets a new number (000 L244).
    """

    id = "countdown_of_doom"
    ranks = 1 << FOUR
    not_an_option = Reason.TOO_SMALL

    def played(self, s: State) -> int:
        last = s.previous[-1] if s.previous else -1
        if s.cause.shape != SINGLE or s.actor != last or not s.hands[s.actor]:
            return GO_ON
        return ask(s, self.id, [Choice(self.id, s.actor, NUMBER, NUMBERS, 1, 1)])

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        set_note(s, self.id, GAME, NUMBER, answers[0])
        return GO_ON

    def passed(self, s: State) -> int:
        for left in note_of(s, self.id):
            if left > 1:
                set_note(s, self.id, GAME, NUMBER, (left - 1,))
            else:
                forget(s, self.id)
                if not s.gone >> s.actor & 1:
                    defeat(s, s.actor, self.id)
        return GO_ON


RULES: tuple[Rule, ...] = (Countdown(),)
