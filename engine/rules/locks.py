"""Locks of suits and colours: what plays in a row have in common binds the next ones until the flush."""

from __future__ import annotations

from engine.cards import FIVE
from engine.locks import NO_LOCK, Left, against, color_of, in_a_row, joined, suits_in, ways_of
from engine.moves import LOCK, Move
from engine.native import i64
from engine.plays import GROUP, SINGLE, Play
from engine.reasons import Reason
from engine.rules.base import ALL, GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import COLOR_LOCK, NUMBER_LOCK, PARTIAL_LOCK, SUIT_LOCK, Lock, Public, State
from engine.steps import set_locks


class SuitLock(Rule):
    """縛り: after plays of exactly the same suits in a row only these suits may answer (JDF ch. 11).

    A play with a joker has no fixed suits: it starts no lock and breaks the row. Inside a lock jokers fill in.
    """

    id = "suit_lock"
    waiver = LOCK
    of_locks = True
    of_rows = True
    kind = SUIT_LOCK

    def __init__(self, plays: int = 2, jokers: int = NO_LOCK, two_packs: bool = False) -> None:
        self.plays: i64 = plays
        self.jokers: i64 = jokers
        """Whether and how jokers count for a row (`joker_lock`, `joker_takes_suit`)."""
        self.left = Left(two_packs)

    def on(self, ruleset: Ruleset) -> Rule | None:
        return SuitLock(*ways_of(ruleset)) if ruleset.bool(self.id) else None

    def binds(self, lock: Lock) -> bool:
        """Say whether this rule sees to a lock."""
        return lock.kind == self.kind

    def is_bound(self, p: Public) -> bool:
        """Say whether a lock stands that this rule sees to."""
        return any(self.binds(lock) for lock in p.locks)

    def narrows(self, p: Public) -> int:
        cards = ALL
        for lock in p.locks:
            if self.binds(lock):
                cards &= self.left.under(lock, p)
        return cards

    def allows(self, p: Public, seat: int, hand: int, move: Move) -> Reason | None:
        for lock in p.locks:
            if self.binds(lock):
                reason = against(lock, p, move)
                if reason is not None:
                    return reason
        return None

    def narrows_fully(self, p: Public) -> bool:
        if not self.is_bound(p):
            return True
        top = p.top()
        counted = (SUIT_LOCK, COLOR_LOCK, NUMBER_LOCK) if top.shape == SINGLE else (SUIT_LOCK, COLOR_LOCK)
        return (top.shape == GROUP or self.kind in counted) and top.size > 0 and not self.left.two_packs

    def played(self, s: State) -> int:
        suits = in_a_row(s, self.plays, self.jokers, SUIT_LOCK)
        if suits and not self.is_bound(s):
            locks = [lock for lock in s.locks if lock.kind != PARTIAL_LOCK]  # needed no longer
            set_locks(s, [*locks, Lock(SUIT_LOCK, suits)], self.id)
        return GO_ON


class PartialLock(SuitLock):
    """片縛り: suits that groups in a row share must be among those of every further group; jokers fill in (000 L232).

    Suits that repeat later are bound too. A lock of all suits takes its place.
    """

    id = "partial_lock"
    kind = PARTIAL_LOCK

    def on(self, ruleset: Ruleset) -> Rule | None:
        return PartialLock(*ways_of(ruleset)) if ruleset.bool(self.id) else None

    def suits_needed(self, p: Public) -> int:
        return sum([suits_in(lock.suits) for lock in p.locks if self.binds(lock)])

    def acts_on(self, play: Play) -> bool:
        return play.shape == GROUP

    def played(self, s: State) -> int:
        common = in_a_row(s, self.plays, self.jokers, PARTIAL_LOCK) if s.cause.shape == GROUP else 0
        if not common or any(lock.kind == SUIT_LOCK for lock in s.locks):
            return GO_ON
        bound = [lock.suits for lock in s.locks if lock.kind == PARTIAL_LOCK]
        both = joined(common, bound[0] if bound else 0)
        if both not in bound:
            set_locks(s, [*[lock for lock in s.locks if not self.binds(lock)], Lock(PARTIAL_LOCK, both)], self.id)
        return GO_ON


class ColorLock(SuitLock):
    """色縛り: after plays of one colour in a row only that colour may answer; jokers fill in (000 L242)."""

    id = "color_lock"
    kind = COLOR_LOCK

    def on(self, ruleset: Ruleset) -> Rule | None:
        return ColorLock(*ways_of(ruleset)) if ruleset.bool(self.id) else None

    def played(self, s: State) -> int:
        color = in_a_row(s, self.plays, self.jokers, COLOR_LOCK)
        if color and not self.is_bound(s):
            set_locks(s, [*s.locks, Lock(COLOR_LOCK, color)], self.id)
        return GO_ON


class FiveLock(SuitLock):
    """5色縛り: a single 5 locks its colour, or its suit (000 L236, L253)."""

    id = "five_color_lock"
    of_rows = False
    ranks = 1 << FIVE

    def __init__(self, kind: int = COLOR_LOCK, two_packs: bool = False) -> None:
        super().__init__(2, NO_LOCK, two_packs)
        self.kind = kind

    def on(self, ruleset: Ruleset) -> Rule | None:
        if not ruleset.bool(self.id):
            return None
        kind = SUIT_LOCK if ruleset.word("five_lock_kind") == "suit" else COLOR_LOCK
        return FiveLock(kind, ruleset.word("deal_method") == "two_packs")

    def played(self, s: State) -> int:
        suits = s.cause.suits
        if s.cause.shape == SINGLE and not self.is_bound(s):
            lock = Lock(self.kind, suits if self.kind == SUIT_LOCK else color_of(suits))
            set_locks(s, [*s.locks, lock], self.id)
        return GO_ON


RULES: tuple[Rule, ...] = (SuitLock(), PartialLock(), ColorLock(), FiveLock())
