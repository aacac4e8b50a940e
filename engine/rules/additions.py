"""同じ数字への追加: cards of the field's rank are put to what lies there, or thrown off (000 L214)."""

from __future__ import annotations

from typing import Final

from engine import events as ev
from engine.actions import ADD, DUMP, Action
from engine.cards import JOKER, JOKERS, OF_RANK, jokers_of
from engine.choices import FIELD, HAND
from engine.moves import COUNT, SHAPE, STRENGTH, Move
from engine.plays import GROUP, SINGLE, Play, Shapes, groups_of, lowest
from engine.reasons import Reason
from engine.rules.base import ASK, FINISH, GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import BY_PLAY, Placed, Public, State
from engine.steps import discard, emit, follow, leave_hand, rest


class Addition(Rule):
    """Cards of the rank that lies on the field are added to it in one of four ways (000 L214).

    Only singles and groups of a rank are added to. Locks bind the cards that are added.
    """

    id = "same_rank_addition"
    kind = ADD
    joins = True
    """Whether the cards become one with those on the field, so that jokers alone have a rank to stand for."""

    def on(self, ruleset: Ruleset) -> Rule | None:
        return WAYS.get(ruleset.word(self.id))

    def bounds(self, shapes: Shapes, top: Play) -> tuple[int, int]:
        """Return how many cards may be added to a play, least and most."""
        return 1, shapes.most_in_group - top.size

    def offers_of(self, p: Public) -> int:
        top = p.top()
        return OF_RANK[top.low] | JOKERS if top.shape in (SINGLE, GROUP) and top.low != JOKER else 0

    def offers(self, p: Public, seat: int, hand: int) -> list[Move]:
        if not self.offers_of(p):
            return []
        top, shapes = p.top(), p.program.shapes
        plays = groups_of(shapes, hand, top.low, 0)
        if self.joins:
            jokers = jokers_of(hand)
            plays += [shapes.group(lowest(jokers, n), top.low, n, n) for n in range(1, jokers.bit_count() + 1)]
        least, most = self.bounds(shapes, top)
        waivers = STRENGTH | COUNT | SHAPE
        return [Move(self.kind, play, waivers, self.id) for play in plays if least <= play.size <= most]

    def withholds(self, p: Public, hand: int, action: Action) -> Reason | None:
        cards, top = action.cards, p.top()
        if action.kind != self.kind or not self.offers_of(p):
            return None
        if not cards or cards & ~hand:
            return Reason.NOT_IN_HAND if cards else Reason.NO_CARDS
        if cards & ~(OF_RANK[top.low] | JOKERS):
            return Reason.OTHER_RANK
        least, most = self.bounds(p.program.shapes, top)
        if not least <= cards.bit_count() <= most:
            return Reason.TOO_FEW_CARDS if cards.bit_count() < least else Reason.TOO_MANY_CARDS
        return Reason.REAL_CARDS_ONLY


class Fusion(Addition):
    """融合: four or more in all revolt; the seat that owned them rests two turns and the one that adds rests one.

    The adder owns the whole group. Effects of the rank act, and count the cards that were added.
    """

    def bounds(self, shapes: Shapes, top: Play) -> tuple[int, int]:
        return max(1, 4 - top.size), shapes.most_in_group - top.size

    def acted(self, s: State) -> int:
        before = s.trick[-1].seat
        put_down(s, s.actor, True)
        rest(s, before, 2, self.id)
        rest(s, s.actor, 1, self.id)
        return GO_ON


class FollowRevolution(Addition):
    """追革: a pair on a pair of its rank revolts; pairs go on from there."""

    joins = False

    def bounds(self, shapes: Shapes, top: Play) -> tuple[int, int]:
        return (2, 2) if top.size == 2 else (0, -1)

    def offers_of(self, p: Public) -> int:
        return super().offers_of(p) if p.top().size == 2 else 0

    def acted(self, s: State) -> int:
        put_down(s, s.actor, False)
        return GO_ON


class Catapult(Addition):
    """カタパルト: cards become part of the previous player's play, without effect, and the turn goes on."""

    def acted(self, s: State) -> int:
        put_down(s, s.trick[-1].seat, True)
        return ASK if s.hands[s.actor] else FINISH


class Guerrilla(Addition):
    """ゲリラ兵: more cards of the field's rank than lie there are thrown off, without effect; it is no pass."""

    kind = DUMP
    joins = False

    def bounds(self, shapes: Shapes, top: Play) -> tuple[int, int]:
        return top.size + 1, shapes.most_in_group

    def acted(self, s: State) -> int:
        discard(s, s.actor, s.cause.cards, BY_PLAY, self.id)
        return GO_ON


def put_down(s: State, owner: int, joins: bool) -> None:
    """Put the added cards on the field, as a play of their own or as one with the play on top; let a seat own it."""
    leave_hand(s)
    placed, play = s.trick[-1], s.cause
    if joins:
        top = placed.play
        joined = s.program.shapes.group(top.cards | play.cards, top.low, top.size + play.size, top.jokers + play.jokers)
        s.trick[-1] = Placed(owner, joined, placed.order)
    else:
        s.trick.append(Placed(owner, play, s.order))
    if owner == s.actor:
        s.owner = owner
        s.passes_in_row, s.skipped = 0, 0
    if s.sink is not None:
        to = owner if joins else -1
        emit(s, ev.CardsMoved(s.offered_by, -1, HAND, s.actor, FIELD, to, play.size, play.cards, play=s.top()))
        follow(s)


WAYS: Final[dict[str, Rule]] = {
    "fusion": Fusion(),
    "follow_revolution": FollowRevolution(),
    "catapult": Catapult(),
    "guerrilla": Guerrilla(),
}

RULES: tuple[Rule, ...] = (Addition(),)
