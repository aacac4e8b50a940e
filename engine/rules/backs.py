"""Backs: the order of strength is reversed for a while."""

from __future__ import annotations

from typing import Final

from engine.cards import JACK, SEVEN, SIX, TWO
from engine.choices import YES_NO, Choice, Group
from engine.plays import GROUP, SEQUENCE, SINGLE, Play
from engine.reversals import turn_back
from engine.rules.base import GO_ON, Rule
from engine.rules.ranks import counted
from engine.ruleset import Ruleset
from engine.state import State
from engine.steps import ask, set_order

JACK_BACK: Final = "jack_back"
ENHANCED: Final = "enhanced_jack_back"


class JackBack(Rule):
    """Jバック (11バック): a J as single or group reverses the order until the flush, a second one again (000 L127).

    Parameters (002 L130-134): its player chooses, also in sequences, not in groups, the 7 does it in a revolution.
    """

    id = JACK_BACK
    ranks = 1 << JACK

    def __init__(
        self,
        optional: bool = False,
        in_sequence: bool = False,
        in_groups: bool = True,
        in_revolution: int = JACK,
        is_enhanced: bool = False,
    ) -> None:
        self.optional = optional
        self.in_sequence = in_sequence
        self.in_groups = in_groups
        self.in_revolution = in_revolution
        self.is_enhanced = is_enhanced
        self.ranks = 1 << JACK | 1 << in_revolution

    def on(self, ruleset: Ruleset) -> Rule | None:
        if not ruleset.bool(self.id):
            return None
        return JackBack(
            ruleset.bool("jack_back.optional"),
            ruleset.bool("jack_back.in_sequence") or ruleset.bool("sequence_card_effects"),
            ruleset.bool("jack_back.groups"),
            JACK if ruleset.word("jack_back.rank_in_revolution") == "J" else SEVEN,
            ruleset.bool(ENHANCED),
        )

    def played(self, s: State) -> int:
        if not self.acts(s.cause, self.in_revolution if s.revolution else JACK):
            return GO_ON
        if self.optional:
            return ask(s, self.id, [Choice(self.id, s.actor, YES_NO, (0, 1), 1, 1)])
        turn_back(s, self.id)
        return GO_ON

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        if answers[0] == (1,):
            turn_back(s, self.id)
        return GO_ON

    def acts(self, play: Play, rank: int) -> bool:
        """Say whether a play reverses the order while a rank does it."""
        if play.shape >= SEQUENCE:
            return self.in_sequence and play.ranks >> rank & 1 == 1
        if play.low != rank or (self.is_enhanced and is_three_jacks(play)):
            return False
        return play.shape == SINGLE or (play.shape == GROUP and self.in_groups)


class TwoBack(Rule):
    """2バック: a 2 as single or group reverses the order until the flush, on top of other reversals (000 L161)."""

    id = "two_back"
    ranks = 1 << TWO

    def played(self, s: State) -> int:
        if counted(s):
            turn_back(s, self.id)
        return GO_ON


class EnhancedJackBack(Rule):
    """強化11バック: three real Js reverse the order up to the next trick's flush, in place of backs (000 L189)."""

    id = ENHANCED
    ranks = 1 << JACK

    def played(self, s: State) -> int:
        if is_three_jacks(s.cause):
            s.backs = []
            turn_back(s, self.id, 2)
        return GO_ON


class SixReturn(Rule):
    """6戻し: a 6 as single or group ends Jバック with whatever time it has left; 2バック stays (000 L225)."""

    id = "six_return"
    ranks = 1 << SIX

    def played(self, s: State) -> int:
        if not s.backs or not counted(s):
            return GO_ON
        kept = [back for back in s.backs if back.rule not in (JACK_BACK, ENHANCED)]
        if len(kept) != len(s.backs):
            s.backs = kept
            set_order(s, self.id)
        return GO_ON


def is_three_jacks(play: Play) -> bool:
    """Say whether a play is exactly three real Js."""
    return play.shape == GROUP and play.low == JACK and play.size == 3 and not play.jokers


RULES: tuple[Rule, ...] = (JackBack(), EnhancedJackBack(), TwoBack(), SixReturn())
