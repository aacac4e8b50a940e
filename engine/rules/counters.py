"""Counters: cards that may be played where strength alone would not allow it."""

from __future__ import annotations

from engine.cards import FOUR, JOKER, OF_RANK, OF_SUIT, REAL, SPADE, THREE
from engine.moves import LOCK, STRENGTH, Move, playing
from engine.plays import SINGLE, lowest, rank_group, real_groups
from engine.reasons import Reason
from engine.rules.base import GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import Public, State
from engine.steps import flush_later

EIGHT_CUT = "eight_cut"


class SpadeThree(Rule):
    """スペ3返し: the spade 3 alone answers a lone joker, over any lock, and ends the trick (JDF ch. 8)."""

    id = "spade3_counter"
    ranks = 1 << THREE

    def offers(self, p: Public, seat: int, hand: int) -> list[Move]:
        if not on_lone_joker(p, 1):
            return []
        held = hand & OF_RANK[THREE] & OF_SUIT[SPADE]
        return [] if not held else [playing(rank_group(lowest(held, 1), THREE, 1, 0), STRENGTH | LOCK, self.id)]

    def played(self, s: State) -> int:
        if is_spade_three(s) and on_lone_joker(s, 2):
            flush_later(s, self.id)
        return GO_ON


def on_lone_joker(p: Public, back: int) -> bool:
    """Say whether the play `back` places from the end of the trick is a lone joker."""
    if len(p.trick) < back:
        return False
    play = p.trick[-back].play
    return play.shape == SINGLE and play.low == JOKER


def is_spade_three(s: State) -> bool:
    """Say whether the running play is the spade 3 alone."""
    play = s.cause
    return play.shape == SINGLE and play.low == THREE and play.suits == 1 << 4 * SPADE


class FourStop(Rule):
    """4止め: right after an 8 cut, twice as many real 4s as the 8s end the trick in the cutter's stead."""

    id = "four_stop"

    def on(self, ruleset: Ruleset) -> Rule | None:
        return self if ruleset.bool(self.id) and ruleset.bool(EIGHT_CUT) else None

    def opens(self, p: Public) -> bool:
        return p.flushing and p.flush_rule == EIGHT_CUT and p.cause.size <= 2

    def counters(self, p: Public, seat: int, hand: int) -> list[Move]:
        top = p.top()
        fours = [cards for cards in real_groups(hand, FOUR) if cards.bit_count() == 2 * top.size]
        return [playing(rank_group(cards, FOUR, 2 * top.size, 0), 0, self.id) for cards in fours]

    def refuses(self, p: Public, seat: int, hand: int, cards: int) -> Reason | None:
        real = cards & REAL
        if not real or real & ~OF_RANK[FOUR]:
            return Reason.NOT_A_COUNTER
        return Reason.REAL_CARDS_ONLY if real != cards else Reason.WRONG_COUNT

    def acted(self, s: State) -> int:
        flush_later(s, self.id)
        return GO_ON


RULES: tuple[Rule, ...] = (SpadeThree(), FourStop())
