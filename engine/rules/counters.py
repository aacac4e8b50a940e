"""Counters: cards that may be played where strength alone would not allow it."""

from __future__ import annotations

from typing import Final

from engine.cards import EIGHT, FOUR, JOKER, OF_RANK, OF_SUIT, REAL, SPADE, THREE, TWO, count, of_rank
from engine.moves import COUNT, LOCK, NO_MOVES, SHAPE, STRENGTH, Move, playing
from engine.orders import is_reversed
from engine.plays import GROUP, SINGLE, Play, lowest, real_groups
from engine.reasons import Reason
from engine.rules.base import GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import Public, State
from engine.steps import flush_later

EIGHT_CUT: Final = "eight_cut"


# in which order of strength a counter can be made
ALWAYS: Final = 0
NORMAL_ONLY: Final = 1
REVERSED_ONLY: Final = 2


class LoneSpade(Rule):
    """スペ3返し: the spade 3 alone answers a lone joker, over any lock, and ends the trick (JDF ch. 8).

    With スペ2返し it is the spade 2 instead while the order is reversed (000 L159).
    """

    def __init__(self, id: str, rank: int, when: int = ALWAYS, turns: bool = False) -> None:
        self.id = id
        self.rank = rank
        self.ranks = 1 << rank
        self.shapes = 1 << SINGLE
        self.when = when
        self.turns = turns
        """The card itself reverses the order before the trick ends (2バック)."""

    def on(self, ruleset: Ruleset) -> Rule | None:
        if not ruleset.bool(self.id):
            return None
        if self.rank == TWO:
            return LoneSpade(self.id, TWO, REVERSED_ONLY, ruleset.bool("two_back"))
        return LoneSpade(self.id, THREE, NORMAL_ONLY if ruleset.bool("spade2_counter") else ALWAYS)

    def offers_of(self, p: Public) -> int:
        return OF_RANK[self.rank] & OF_SUIT[SPADE] if on_lone_joker(p, 1) else 0

    def offers(self, p: Public, seat: int, hand: int) -> list[Move]:
        if not on_lone_joker(p, 1) or not self.may_act(is_reversed(p.order)):
            return NO_MOVES
        held = hand & OF_RANK[self.rank] & OF_SUIT[SPADE]
        if not held:
            return NO_MOVES
        return [playing(p.program.shapes.group(lowest(held, 1), self.rank, 1, 0), STRENGTH | LOCK, self.id)]

    def played(self, s: State) -> int:
        play = s.cause
        if play.shape != SINGLE or play.low != self.rank or play.suits != 1 << 4 * SPADE or not on_lone_joker(s, 2):
            return GO_ON
        if self.may_act(is_reversed(s.order) != self.turns):
            flush_later(s, self.id)
        return GO_ON

    def may_act(self, is_reversed: bool) -> bool:
        """Say whether the card answers a joker while the order is reversed, or while it is not."""
        return self.when == ALWAYS or is_reversed == (self.when == REVERSED_ONLY)


class ThreeThrees(Rule):
    """3を3枚でジョーカーを返す: three real 3s answer a lone joker, over any lock, and end the trick (002 L122)."""

    id = "triple3_counter"
    ranks = 1 << THREE
    shapes = 1 << GROUP

    def offers_of(self, p: Public) -> int:
        return OF_RANK[THREE] if on_lone_joker(p, 1) else 0

    def offers(self, p: Public, seat: int, hand: int) -> list[Move]:
        if not on_lone_joker(p, 1):
            return NO_MOVES
        threes = real_groups(hand, THREE, 3)
        waivers = STRENGTH | COUNT | SHAPE | LOCK
        return [playing(p.program.shapes.group(cards, THREE, 3, 0), waivers, self.id) for cards in threes]

    def played(self, s: State) -> int:
        if s.cause.size == 3 and s.cause.shape == GROUP and on_lone_joker(s, 2):
            flush_later(s, self.id)
        return GO_ON


def on_lone_joker(p: Public, back: int) -> bool:
    """Say whether the play `back` places from the end of the trick is a lone joker."""
    if len(p.trick) < back:
        return False
    play = p.trick[-back].play
    return play.shape == SINGLE and play.low == JOKER


class FourStop(Rule):
    """4止め: right after an 8 cut, twice as many real 4s as the 8s end the trick in the cutter's stead."""

    id = "four_stop"

    def on(self, ruleset: Ruleset) -> Rule | None:
        return self if ruleset.bool(self.id) and ruleset.bool(EIGHT_CUT) else None

    def acts_on(self, play: Play) -> bool:
        return bool(play.ranks >> EIGHT & 1)

    def opens(self, p: Public) -> bool:
        return p.flushing and p.flush_rule == EIGHT_CUT and p.cause.size <= 2

    def counters(self, p: Public, seat: int, hand: int) -> list[Move]:
        top = p.top()
        if count(of_rank(hand, FOUR)) < 2 * top.size:
            return NO_MOVES
        fours = real_groups(hand, FOUR, 2 * top.size)
        return [playing(p.program.shapes.group(cards, FOUR, 2 * top.size, 0), 0, self.id) for cards in fours]

    def refuses(self, p: Public, seat: int, hand: int, cards: int) -> Reason | None:
        real = cards & REAL
        if not real or real & ~OF_RANK[FOUR]:
            return Reason.NOT_A_COUNTER
        return Reason.REAL_CARDS_ONLY if real != cards else Reason.WRONG_COUNT

    def acted(self, s: State) -> int:
        flush_later(s, self.id)
        return GO_ON


RULES: tuple[Rule, ...] = (
    LoneSpade("spade3_counter", THREE),
    LoneSpade("spade2_counter", TWO),
    ThreeThrees(),
    FourStop(),
)
