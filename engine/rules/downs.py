"""Down number: an answer that is one step weaker."""

from __future__ import annotations

from typing import Final

from engine.cards import OF_RANK, ONE_PACK, REAL
from engine.locks import STEP, suits_in, within
from engine.moves import LOCK, NO_MOVES, STRENGTH, Move, playing
from engine.orders import ORDERS
from engine.orders import STRENGTH as STRENGTHS
from engine.plays import GROUP, POPULATION, real_groups
from engine.reasons import Reason
from engine.rules.base import ALL, GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import DOWN_LOCK, Lock, Public, State
from engine.steps import set_locks

DOWN_NUMBER: Final = "down_number"


class DownNumber(Rule):
    """ダウンナンバー: real cards of exactly the field's suits and one step weaker may answer it (000 L142, L163).

    Locks that stand must be kept; the ends of the order do not connect.
    """

    id = DOWN_NUMBER

    def __init__(self, groups: bool = False) -> None:
        self.groups = groups

    def on(self, ruleset: Ruleset) -> Rule | None:
        return DownNumber(ruleset.word("down_number_count") == "same_suit_groups") if ruleset.bool(self.id) else None

    def rank(self, p: Public) -> int:
        """Return the rank that may answer; -1 for none."""
        top = p.top()
        if not top.size or top.shape > GROUP or top.jokers or (top.size > 1 and not self.groups):
            return -1
        return ONE_BELOW[p.order][top.low]

    def offers_of(self, p: Public) -> int:
        below = self.rank(p)
        if below < 0:
            return 0
        return OF_RANK[below] & within(suits_in(p.top().suits)) & REAL

    def offers(self, p: Public, seat: int, hand: int) -> list[Move]:
        top, below = p.top(), self.rank(p)
        if below < 0:
            return NO_MOVES
        shapes = p.program.shapes
        if hand < ONE_PACK:
            suits = hand >> 4 * below & suits_in(top.suits)
            if POPULATION[suits] != top.size:
                return NO_MOVES
            return [playing(shapes.group(suits << 4 * below, below, top.size, 0), STRENGTH, self.id)]
        plays = [shapes.group(cards, below, top.size, 0) for cards in real_groups(hand, below, top.size)]
        return [playing(play, STRENGTH, self.id) for play in plays if play.suits == top.suits]


def one_below(order: int, rank: int) -> int:
    """Return the rank one step weaker; -1 for none."""
    strength = STRENGTHS[order]
    for other in range(13):
        if strength[rank] - strength[other] == STEP:
            return other
    return -1


ONE_BELOW: Final[list[list[int]]] = [[one_below(order, rank) for rank in range(14)] for order in range(ORDERS)]
"""For each order and rank the rank one step weaker."""


class KeepDown(Rule):
    """After a down number only further down numbers are legal until the flush (000 L162)."""

    id = "down_number_after"
    waiver = LOCK
    of_locks = True

    def on(self, ruleset: Ruleset) -> Rule | None:
        return self if ruleset.bool(DOWN_NUMBER) and ruleset.word(self.id) == "keep_down" else None

    def narrows(self, p: Public) -> int:
        return 0 if going_down(p) else ALL

    def allows(self, p: Public, seat: int, hand: int, move: Move) -> Reason | None:
        return Reason.MUST_GO_DOWN if going_down(p) and move.rule != DOWN_NUMBER else None

    def narrows_fully(self, p: Public) -> bool:
        return True

    def played(self, s: State) -> int:
        if s.offered_by == DOWN_NUMBER and not going_down(s):
            set_locks(s, [*s.locks, Lock(DOWN_LOCK, s.cause.suits)], self.id)
        return GO_ON


def going_down(p: Public) -> bool:
    """Say whether the trick must go on downwards."""
    return bool(p.locks) and any(lock.kind == DOWN_LOCK for lock in p.locks)


RULES: tuple[Rule, ...] = (DownNumber(), KeepDown())
