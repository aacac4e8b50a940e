"""Plays that end the trick at once."""

from __future__ import annotations

from engine.cards import EIGHT, FIVE, FOUR, JACK, QUEEN, SEVEN, SIX, TEN
from engine.orders import is_reversed
from engine.plays import ARITHMETIC, EMPEROR, GROUP, SEQUENCE
from engine.rules.base import GO_ON, Rule
from engine.rules.ranks import counted
from engine.ruleset import Ruleset
from engine.state import State
from engine.steps import flush_later


class Cut(Rule):
    """A single or group of a rank ends the trick, and its player leads the next (8切り: JDF art. 44; 000 L169-172).

    `in_revolution`: only while the revolution flag is up, and not for the group that has turned it (000 L220-222).
    """

    def __init__(self, id: str, rank: int, in_revolution: bool = False) -> None:
        self.id = id
        self.rank = rank
        self.ranks = 1 << rank
        self.in_revolution = in_revolution

    def played(self, s: State) -> int:
        if counted(s) and (not self.in_revolution or is_in_revolution(s)):
            flush_later(s, self.id)
        return GO_ON


def is_in_revolution(s: State) -> bool:
    """Say whether the running play was made during a revolution, rather than being the group that turned it."""
    return s.revolution and not (s.cause.shape == GROUP and s.revolted == s.run_number)


class SixCut(Cut):
    """6切り: a single or group of 6s ends the trick, always or in a revolution only (000 L170, L222)."""

    def on(self, ruleset: Ruleset) -> Rule | None:
        in_revolution = ruleset.word("six_cut_condition") == "revolution_only"
        return SixCut(self.id, SIX, in_revolution) if ruleset.bool(self.id) else None


class EightInSequence(Rule):
    """階段の8で8切り: a sequence with an 8 in it ends the trick too (002 L127)."""

    id = "eight_cut_in_sequence"
    ranks = 1 << EIGHT
    shapes = 1 << SEQUENCE | 1 << EMPEROR | 1 << ARITHMETIC

    def on(self, ruleset: Ruleset) -> Rule | None:
        return self if ruleset.bool(self.id) and ruleset.bool("eight_cut") else None

    def played(self, s: State) -> int:
        flush_later(s, self.id)
        return GO_ON


class SixCards(Rule):
    """シックスカード: four of a rank and two jokers cannot be beaten and end the trick (JDF art. 22-2)."""

    id = "six_card_flush"
    shapes = 1 << GROUP

    def played(self, s: State) -> int:
        play = s.cause
        if play.size == 6 and play.jokers == 2:
            flush_later(s, self.id)
        return GO_ON


class StrongestSequence(Rule):
    """最強階段: A-2-JK, or 3-4-JK while reversed, ends the trick (JDF art. 38-2)."""

    id = "strongest_stair_flush"
    shapes = 1 << SEQUENCE

    def __init__(self, any_length: bool = False) -> None:
        self.any_length = any_length

    def on(self, ruleset: Ruleset) -> Rule | None:
        any_length = ruleset.word("strongest_stair_flush.lengths") == "any"
        return StrongestSequence(any_length) if ruleset.bool(self.id) else None

    def played(self, s: State) -> int:
        play = s.cause
        if not (play.size == 3 or self.any_length):
            return GO_ON
        if play.low == -1 if is_reversed(s.order) else play.high == 13:
            flush_later(s, self.id)
        return GO_ON


RULES: tuple[Rule, ...] = (
    Cut("eight_cut", EIGHT),
    EightInSequence(),
    Cut("jack_cut", JACK),
    Cut("four_cut", FOUR),
    Cut("ten_cut", TEN),
    Cut("queen_cut", QUEEN),
    SixCut("six_cut", SIX),
    Cut("five_cut_in_revolution", FIVE, True),
    Cut("seven_cut_in_revolution", SEVEN, True),
    SixCards(),
    StrongestSequence(),
)
