"""What a play must be to answer the one on the field, and how long a pass lasts."""

from __future__ import annotations

from engine.cards import JOKER, JOKERS, OF_RANK, ONE_PACK
from engine.events import PassesCleared
from engine.moves import COUNT, SHAPE, STRENGTH, Move
from engine.orders import ORDERS, strength_of
from engine.orders import STRENGTH as STRENGTHS
from engine.plays import GROUP, SEQUENCE, SINGLE
from engine.reasons import Reason
from engine.rules.base import ALL, GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import Public, State
from engine.steps import emit
from engine.strength import strongest, weakest


class SameCount(Rule):
    """A play has as many cards as the field (JDF art. 25)."""

    id = "same_shape_required"
    waiver = COUNT

    def on(self, ruleset: Ruleset) -> Rule | None:
        return self

    def allows(self, p: Public, seat: int, hand: int, move: Move) -> Reason | None:
        top, play = p.top(), move.play
        if not top.size or play.size == top.size:
            return None
        return Reason.WRONG_COUNT

    def narrows_fully(self, p: Public) -> bool:
        return True


class SameShape(Rule):
    """A play has the shape of the field; a joker is no reason to change it (JDF art. 25, 29)."""

    id = "same_shape_required.shape"
    waiver = SHAPE

    def on(self, ruleset: Ruleset) -> Rule | None:
        return self

    def allows(self, p: Public, seat: int, hand: int, move: Move) -> Reason | None:
        top, play = p.top(), move.play
        if not top.size or play.size != top.size or play.shape == top.shape:
            return None
        return Reason.WRONG_SHAPE

    def narrows_fully(self, p: Public) -> bool:
        return True


class Stronger(Rule):
    """A play is stronger than the field; a sequence is compared by its weakest card (JDF art. 26, 27, 36)."""

    id = "strictly_stronger"
    waiver = STRENGTH

    def __init__(self, all_stronger: bool = False, two_packs: bool = False) -> None:
        self.all_stronger = all_stronger
        cards = ~0 if two_packs else ONE_PACK - 1
        self.above: list[list[int]] = [[above(order, rank) & cards for rank in range(14)] for order in range(ORDERS)]
        """For each order and rank the cards that are stronger."""

    def on(self, ruleset: Ruleset) -> Rule | None:
        return Stronger(
            ruleset.word("sequence_comparison") == "all_stronger", ruleset.word("deal_method") == "two_packs"
        )

    def narrows(self, p: Public) -> int:
        top = p.top()
        return self.above[p.order][top.low] if top.shape in (SINGLE, GROUP) else ALL

    def allows(self, p: Public, seat: int, hand: int, move: Move) -> Reason | None:
        top, play = p.top(), move.play
        if not top.size or play.size != top.size or play.shape != top.shape:
            return None
        if self.all_stronger and play.shape == SEQUENCE:
            beats = weakest(p.order, play) > strongest(p.order, top)
        else:
            beats = weakest(p.order, play) > weakest(p.order, top)
        return None if beats else Reason.NOT_STRONGER

    def narrows_fully(self, p: Public) -> bool:
        top = p.top()
        strength = STRENGTHS[p.order]
        return not top.size or (top.shape in (SINGLE, GROUP) and strength[JOKER] > strength[top.low])


def above(order: int, rank: int) -> int:
    """Return the cards that are stronger than a rank, or can stand for one that is."""
    cards = JOKERS
    for other in range(13):
        if strength_of(order, other) > strength_of(order, rank):
            cards |= OF_RANK[other]
    return cards


class PassLasts(Rule):
    """With `pass_out` off a pass is good for that turn only: the next play clears it."""

    id = "pass_out"

    def on(self, ruleset: Ruleset) -> Rule | None:
        return None if ruleset.bool("pass_out") else self

    def played(self, s: State) -> int:
        if s.passed:
            s.passed = 0
            if s.sink is not None:
                emit(s, PassesCleared(self.id, s.because))
        return GO_ON


RULES: tuple[Rule, ...] = (SameCount(), SameShape(), Stronger(), PassLasts())
