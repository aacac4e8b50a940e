"""Locks of numbers, and the queen that lifts every lock."""

from __future__ import annotations

from engine.cards import JOKER, QUEEN
from engine.locks import NO_LOCK, climbs, in_a_row, ways_of
from engine.plays import GROUP, Play
from engine.rules.base import GO_ON, Rule
from engine.rules.locks import SuitLock
from engine.ruleset import Ruleset
from engine.state import DOWN_LOCK, NUMBER_LOCK, PARTIAL_LOCK, SUIT_LOCK, Lock, State
from engine.steps import set_locks


class NumberLock(SuitLock):
    """数字しばり: after steps of exactly one in strength only further ones are legal (000 L150).

    The ends of the order do not connect. Jokers alone may be played and lift it.
    """

    id = "number_lock"
    kind = NUMBER_LOCK

    def on(self, ruleset: Ruleset) -> Rule | None:
        return NumberLock(*ways_of(ruleset)) if ruleset.bool(self.id) else None

    def acts_on(self, play: Play) -> bool:
        return play.shape <= GROUP

    def played(self, s: State) -> int:
        if has(s, NUMBER_LOCK):
            self.lift(s)
        elif climbs(s, self.plays):
            set_locks(s, [*s.locks, Lock(NUMBER_LOCK, 0)], self.id)
        return GO_ON

    def lift(self, s: State) -> None:
        """End the lock of numbers if jokers alone were played."""
        if s.cause.low == JOKER and s.cause.shape <= GROUP and has(s, NUMBER_LOCK):
            set_locks(s, [lock for lock in s.locks if lock.kind != NUMBER_LOCK], self.id)


def has(s: State, kind: int) -> bool:
    """Say whether a lock of a kind stands."""
    return any(lock.kind == kind for lock in s.locks)


class FierceLock(NumberLock):
    """激しばり: steps of exactly one in the same suits lock numbers and suits together (000 L190)."""

    id = "fierce_lock"

    def __init__(self, plays: int = 2, jokers: int = NO_LOCK, two_packs: bool = False, kinds: int = 0) -> None:
        super().__init__(plays, jokers, two_packs)
        self.kinds = kinds
        """The kinds of locks, as bits, that no other rule sees to."""

    def on(self, ruleset: Ruleset) -> Rule | None:
        suits = 0 if ruleset.bool("suit_lock") else 1 << SUIT_LOCK
        numbers = 0 if ruleset.bool("number_lock") else 1 << NUMBER_LOCK
        return FierceLock(*ways_of(ruleset), suits | numbers) if ruleset.bool(self.id) else None

    def binds(self, lock: Lock) -> bool:
        return bool(self.kinds >> lock.kind & 1)

    def played(self, s: State) -> int:
        suits = in_a_row(s, self.plays, self.jokers, SUIT_LOCK)
        if not suits or not climbs(s, self.plays):
            self.lift(s)
            return GO_ON
        if has(s, SUIT_LOCK) and has(s, NUMBER_LOCK):
            return GO_ON
        locks = [lock for lock in s.locks if lock.kind not in (PARTIAL_LOCK, NUMBER_LOCK)]
        if not has(s, SUIT_LOCK):
            locks.append(Lock(SUIT_LOCK, suits))
        set_locks(s, [*locks, Lock(NUMBER_LOCK, 0)], self.id)
        return GO_ON


class QueenUnlock(Rule):
    """Q解き: a single or group of queens ends all locks, its own too, and no play until then counts any more.

    That a down number must be followed down is no lock of this kind: it lasts until the flush (000 L248, L162).
    """

    id = "queen_unlock"
    ranks = 1 << QUEEN

    def played(self, s: State) -> int:
        if s.cause.shape > GROUP:
            return GO_ON
        s.row_start = len(s.trick)
        kept = [lock for lock in s.locks if lock.kind == DOWN_LOCK]
        if len(kept) < len(s.locks):
            set_locks(s, kept, self.id)
        return GO_ON


RULES: tuple[Rule, ...] = (NumberLock(), FierceLock(), QueenUnlock())
