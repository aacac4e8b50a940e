"""Locks: what the last plays had in common binds the next ones until the flush."""

from __future__ import annotations

from engine.cards import JOKERS, OF_SUIT, ONE_PACK
from engine.moves import LOCK, Move
from engine.plays import SPREAD
from engine.reasons import Reason
from engine.rules.base import ALL, GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import SUIT_LOCK, Lock, Public, State
from engine.steps import set_locks

HIGH_BITS = 0x8888
"""The high bit of each suit's four: a borrow reaches it only where the lock has fewer cards of a suit."""


class SuitLock(Rule):
    """縛り: after plays of exactly the same suits in a row only these suits may answer (JDF ch. 11).

    A play with a joker has no fixed suits: it starts no lock and breaks the row. Inside a lock jokers fill in.
    """

    id = "suit_lock"
    waiver = LOCK

    def __init__(self, plays: int = 2, two_packs: bool = False) -> None:
        self.plays = plays
        self.two_packs = two_packs
        cards = ~0 if two_packs else ONE_PACK - 1
        self.inside: list[int] = [within(suits) & cards for suits in range(16)]
        """For each set of suits the cards of these suits, and the jokers."""

    def on(self, ruleset: Ruleset) -> Rule | None:
        two_packs = ruleset.word("deal_method") == "two_packs"
        return SuitLock(ruleset.number("lock_plays_required"), two_packs) if ruleset.bool(self.id) else None

    def narrows(self, p: Public) -> int:
        cards = ALL
        for lock in p.locks:
            if lock.kind == SUIT_LOCK:
                cards &= self.inside[SPREAD.index(lock.suits & 0x1111 | lock.suits >> 1 & 0x1111)]
        return cards

    def allows(self, p: Public, seat: int, hand: int, move: Move) -> Reason | None:
        for lock in p.locks:
            if lock.kind == SUIT_LOCK and ((lock.suits | HIGH_BITS) - move.play.suits) & HIGH_BITS != HIGH_BITS:
                return Reason.LOCK_SUIT
        return None

    def narrows_fully(self, p: Public) -> bool:
        return not p.locks or (p.top().size > 0 and not self.two_packs)

    def played(self, s: State) -> int:
        number = len(s.trick)
        if number < self.plays or (s.locks and any([lock.kind == SUIT_LOCK for lock in s.locks])):
            return GO_ON
        last = s.trick[number - 1].play
        for i in range(number - self.plays, number):
            play = s.trick[i].play
            if play.jokers or play.suits != last.suits or play.shape != last.shape or play.size != last.size:
                return GO_ON
        set_locks(s, [*s.locks, Lock(SUIT_LOCK, last.suits)], self.id)
        return GO_ON


def within(suits: int) -> int:
    """Return the cards of a set of suits, and the jokers."""
    cards = JOKERS
    for suit in range(4):
        if suits >> suit & 1:
            cards |= OF_SUIT[suit]
    return cards


RULES: tuple[Rule, ...] = (SuitLock(),)
