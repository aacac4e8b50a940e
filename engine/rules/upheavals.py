"""What a revolution brings with it: a flush, the end of all further ones, the end of card effects."""

from __future__ import annotations

from typing import Final

from engine.cards import EIGHT, OF_RANK, OF_SUIT, REAL, SIX, SPADE
from engine.plays import GROUP, Play
from engine.reversals import can_revolt, revolt
from engine.rules.base import FLUSH, GO_ON, Rule
from engine.rules.revolution import Revolution
from engine.rules.revolution_sets import kinds_of
from engine.ruleset import Ruleset
from engine.state import EVERYTHING_FROZEN, REVOLUTIONS_FROZEN, STOPPED_PROGRAM, State
from engine.steps import flush_later, set_locks, set_order

BLACK: Final = OF_SUIT[SPADE] | OF_SUIT[SPADE + 3]


class Omen(Rule):
    """オーメン: exactly three real 6s revolt and freeze the order; card effects, counters and locks stop (000 L182).

    The other effects of the play itself do not come any more.
    """

    id = "omen"
    ranks = 1 << SIX

    def __init__(self, flushes: bool = False) -> None:
        self.flushes = flushes

    def on(self, ruleset: Ruleset) -> Rule | None:
        if not ruleset.bool(self.id) or ruleset.word("triple_six_effect") != "omen":
            return None
        return Omen(ruleset.bool("revolution_flush"))

    def played(self, s: State) -> int:
        play = s.cause
        if play.shape != GROUP or play.size != 3 or play.jokers or play.low != SIX:
            return GO_ON
        happens = can_revolt(s)
        s.program_number = STOPPED_PROGRAM
        if happens:
            revolt(s, self.id)
        s.freeze = EVERYTHING_FROZEN
        set_order(s, self.id)
        if s.locks:
            set_locks(s, [], self.id)
        if happens and self.flushes:
            flush_later(s, "revolution_flush")
        return FLUSH


class FreezeCount(Rule):
    """革命を固定する枚数: a revolution of 5 (超革命) or 6 cards (核爆弾) is the last of the game (000 L215).

    A nuke may have to be of one colour with a joker (000 L257).
    """

    id = "revolution_freeze_count"

    def __init__(self, least: int = 5, one_colour: bool = False) -> None:
        self.least = least
        self.one_colour = one_colour

    def on(self, ruleset: Ruleset) -> Rule | None:
        word = ruleset.word(self.id)
        if word == "none":
            return None
        return FreezeCount(5 if word == "super_revolution_5" else 6, ruleset.bool("nuke_same_color_joker"))

    def played(self, s: State) -> int:
        if s.revolted == s.run_number and s.top().size >= self.least and not s.freeze and self.is_big(s.top()):
            s.freeze = REVOLUTIONS_FROZEN
            set_order(s, self.id)
        return GO_ON

    def is_big(self, play: Play) -> bool:
        """Say whether a revolution of enough cards also has the colour that is wanted."""
        if not self.one_colour:
            return True
        real = play.cards & REAL
        return play.jokers > 0 and (not real & BLACK or not real & ~BLACK)


class RevolutionFlush(Rule):
    """革命で場を流す: a revolution that happens ends the trick, after the effects that move cards (000 L188)."""

    id = "revolution_flush"

    def played(self, s: State) -> int:
        if s.revolted == s.run_number:
            flush_later(s, self.id)
        return GO_ON


class EightFlush(Rule):
    """革命流し: a revolution set with a real 8 in it ends the trick, and nobody can stop that (000 L216)."""

    id = "revolution_eight_flush"
    ranks = 1 << EIGHT

    def __init__(self, revolution: Revolution | None = None) -> None:
        self.revolution = revolution or Revolution()

    def on(self, ruleset: Ruleset) -> Rule | None:
        return EightFlush(Revolution(kinds_of(ruleset))) if ruleset.bool(self.id) else None

    def played(self, s: State) -> int:
        if s.top().cards & OF_RANK[EIGHT] and self.revolution.kind_now(s) is not None:
            flush_later(s, self.id)
        return GO_ON


RULES: tuple[Rule, ...] = (Omen(), FreezeCount(), RevolutionFlush(), EightFlush())
