"""Plays that end the trick at once."""

from __future__ import annotations

from engine.cards import EIGHT
from engine.orders import is_reversed
from engine.plays import GROUP, SEQUENCE, SINGLE
from engine.rules.base import GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import State
from engine.steps import flush_later


class Cut(Rule):
    """A single or group of a rank ends the trick, and its player leads the next (8切り: JDF art. 44)."""

    def __init__(self, id: str, rank: int) -> None:
        self.id = id
        self.ranks = 1 << rank

    def played(self, s: State) -> int:
        if s.cause.shape in (SINGLE, GROUP):
            flush_later(s, self.id)
        return GO_ON


class SixCards(Rule):
    """シックスカード: four of a rank and two jokers cannot be beaten and end the trick (JDF art. 22-2)."""

    id = "six_card_flush"

    def played(self, s: State) -> int:
        play = s.cause
        if play.shape == GROUP and play.size == 6 and play.jokers == 2:
            flush_later(s, self.id)
        return GO_ON


class StrongestSequence(Rule):
    """最強階段: A-2-JK, or 3-4-JK while reversed, ends the trick (JDF art. 38-2)."""

    id = "strongest_stair_flush"

    def __init__(self, any_length: bool = False) -> None:
        self.any_length = any_length

    def on(self, ruleset: Ruleset) -> Rule | None:
        any_length = ruleset.word("strongest_stair_flush.lengths") == "any"
        return StrongestSequence(any_length) if ruleset.bool(self.id) else None

    def played(self, s: State) -> int:
        play = s.cause
        if play.shape != SEQUENCE or not (play.size == 3 or self.any_length):
            return GO_ON
        if play.low == -1 if is_reversed(s.order) else play.high == 13:
            flush_later(s, self.id)
        return GO_ON


RULES: tuple[Rule, ...] = (Cut("eight_cut", EIGHT), SixCards(), StrongestSequence())
