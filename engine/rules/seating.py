"""Who sits where, and cards that decide it and who leads."""

from __future__ import annotations

from engine import events as ev
from engine.cards import ACE, NINE
from engine.choices import SEAT, Choice, Group
from engine.randomness import shuffle
from engine.rules.base import GO_ON, Rule
from engine.rules.ranks import count_in, is_real_group
from engine.ruleset import Ruleset
from engine.state import State
from engine.steps import ask, emit


class SeatRedraw(Rule):
    """席替え: seats are drawn by lot before the first game and again every few games (005 席順)."""

    id = "seat_redraw"

    def __init__(self, games: int = 0) -> None:
        self.games = games

    def on(self, ruleset: Ruleset) -> Rule | None:
        games = ruleset.number(self.id)
        return SeatRedraw(games) if games else None

    def seated(self, s: State) -> int:
        if (s.game - 1) % self.games:
            return GO_ON
        shuffle(s, s.seating)
        if s.sink is not None:
            emit(s, ev.SeatingChanged(self.id, s.because, tuple(s.seating)))
        return GO_ON


class NineShuffle(Rule):
    """9シャッフル: exactly two real 9s let their player seat everybody anew, for the rest of the match (000 L228)."""

    id = "nine_shuffle"
    ranks = 1 << NINE

    def played(self, s: State) -> int:
        if not is_real_group(s.cause, 2) or not s.hands[s.actor]:
            return GO_ON
        return ask(s, self.id, [Choice(self.id, s.actor, SEAT, tuple(s.seating), s.seats, s.seats, ordered=True)])

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        s.seating = list(answers[0])
        if s.sink is not None:
            emit(s, ev.SeatingChanged(self.id, s.because, answers[0]))
        return GO_ON


class NextAce(Rule):
    """次期エース: who played the last ace of a trick leads the next one, if it still holds cards (000 L241)."""

    id = "next_ace"

    def leading(self, s: State) -> int:
        if s.to_lead < 0:
            return GO_ON
        for placed in reversed(s.last_trick):
            if placed.play.ranks >> ACE & 1 and count_in(s, placed.play):
                if s.is_in(placed.seat):
                    s.to_lead = placed.seat
                return GO_ON
        return GO_ON


RULES: tuple[Rule, ...] = (SeatRedraw(), NineShuffle(), NextAce())
