"""Locks: what plays in a row have in common, and what may answer under a lock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.cards import JOKER, JOKERS, NO_SUIT, OF_RANK, OF_SUIT, ONE_PACK
from engine.moves import Move
from engine.native import i64
from engine.orders import ORDERS, STRENGTH
from engine.plays import GROUP, SEQUENCE, SINGLE, Play
from engine.reasons import Reason
from engine.rules.base import ALL
from engine.state import COLOR_LOCK, NUMBER_LOCK, PARTIAL_LOCK, SUIT_LOCK, Lock, Placed, Public

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

HIGH_BITS: Final = 0x8888
"""The high bit of each suit's four: a borrow reaches it only where the lock has fewer cards of a suit."""
RED: Final = 0x0110
BLACK: Final = 0x1001
"""A colour as the suits that it has."""
RED_COUNTS: Final = 0x0FF0
BLACK_COUNTS: Final = 0xF00F
"""Where the cards of a colour are counted."""
MIXED: Final = -1
NO_LOCK: Final = 0
"""A play with jokers starts no lock and breaks a row."""
AS_BEFORE: Final = 1
"""Jokers have the suits of the play before."""
AS_DECLARED: Final = 2
"""Jokers have the suits that their player has given them."""
STEP: Final = 2
"""One step of strength."""


def one_above(order: int, rank: int) -> int:
    """Return the rank one step stronger; -1 for none."""
    for other in range(13):
        if STRENGTH[order][other] - STRENGTH[order][rank] == STEP:
            return other
    return -1


ONE_ABOVE: Final[list[list[int]]] = [[one_above(order, rank) for rank in range(14)] for order in range(ORDERS)]
"""For each order and rank the rank one step stronger."""


def ways_of(ruleset: Ruleset) -> tuple[int, int, bool]:
    """Return how a ruleset wants all its locks."""
    jokers = AS_DECLARED if ruleset.bool("joker_takes_suit") else AS_BEFORE if ruleset.bool("joker_lock") else NO_LOCK
    return ruleset.number("lock_plays_required"), jokers, ruleset.word("deal_method") == "two_packs"


# --- suits -----------------------------------------------------------------------------------------------------------


def fits(suits: i64, bound: i64) -> bool:
    """Say whether there is no card of a suit beyond those that are bound."""
    return ((bound | HIGH_BITS) - suits) & HIGH_BITS == HIGH_BITS


def suits_in(suits: i64) -> int:
    """Return which suits there are, as a set: of each one card, or two or three."""
    any_of: i64 = (suits | suits >> 1) & 0x1111
    return (any_of | any_of >> 3 | any_of >> 6 | any_of >> 9) & 15


def enough(one: i64, other: i64) -> i64:
    """Return the four bits of each suit of which `one` has as many cards as `other`."""
    high: i64 = ((one | HIGH_BITS) - other) & HIGH_BITS
    return (high << 1) - (high >> 3)


def lacking(suits: i64, bound: i64) -> i64:
    """Count the cards of bound suits that are not there."""
    return cards_in(joined(suits, bound) - suits)


def cards_in(suits: i64) -> i64:
    """Count the cards of all suits together."""
    return (suits & 15) + (suits >> 4 & 15) + (suits >> 8 & 15) + (suits >> 12)


def shared(one: i64, other: i64) -> i64:
    """Return the suits that two plays both have."""
    more = enough(one, other)
    return other & more | one & ~more


def joined(one: i64, other: i64) -> i64:
    """Return the suits that have both of two demands in them."""
    more = enough(one, other)
    return one & more | other & ~more


def color_of(suits: i64) -> i64:
    """Return the colour that all cards have; 0 where there are only jokers."""
    if not suits:
        return 0
    if not suits & BLACK_COUNTS:
        return RED
    return MIXED if suits & RED_COUNTS else BLACK


# --- rows ------------------------------------------------------------------------------------------------------------


def without_suit(play: Play) -> int:
    """Count the jokers of a group that may have any suit."""
    return len([m for m in play.declared if m.suit == NO_SUIT]) if play.declared else play.jokers


def in_a_row(p: Public, plays: i64, jokers: i64, kind: i64) -> i64:
    """Return what a kind of lock binds after the last plays: their suits or colour, or the suits that they share.

    0 if there are fewer, they differ, or one has no fixed suits; `jokers` says which suits jokers have, if any.
    """
    at: i64 = len(p.trick)
    first: i64 = at - plays
    if first < p.row_start:
        return 0
    at -= 1
    last = p.trick[at].play
    bound: i64 = suits_at(p.trick, at, jokers)
    if kind == COLOR_LOCK:
        bound = color_of(bound)
    while at > first and bound > 0:
        at -= 1
        play = p.trick[at].play
        if play.shape != last.shape or play.size != last.size:
            return 0
        found: i64 = suits_at(p.trick, at, jokers)
        if kind == PARTIAL_LOCK:
            bound = shared(bound, found)
        elif bound != (color_of(found) if kind == COLOR_LOCK else found):
            return 0
    return bound if bound > 0 else 0


def suits_at(trick: list[Placed], at: i64, jokers: i64) -> i64:
    """Return the suits of a play of a trick; 0 where they are not fixed.

    Where jokers take the suits of the play before, one in a row of ranks always has the suit of the others.
    """
    play = trick[at].play
    if not play.jokers or jokers == AS_DECLARED or (jokers == AS_BEFORE and play.shape >= SEQUENCE):
        return play.suits
    if jokers == NO_LOCK or not at:
        return 0
    before: i64 = suits_at(trick, at - 1, jokers)
    return before if fits(play.suits, before) and lacking(play.suits, before) == play.jokers else 0


def is_step(order: i64, below: Play, above: Play) -> bool:
    """Say whether a single or group is exactly one step stronger than another; jokers alone are not."""
    if above.shape > GROUP or below.shape > GROUP or below.size != above.size:
        return False
    return ONE_ABOVE[order][below.low] == above.low


def climbs(p: Public, plays: i64) -> bool:
    """Say whether each of the last plays was one step stronger than the one before, in the order of its time."""
    number: i64 = len(p.trick)
    if number - p.row_start < plays:
        return False
    for i in range(number - plays + 1, number):
        if not is_step(p.trick[i].order, p.trick[i - 1].play, p.trick[i].play):
            return False
    return True


# --- under a lock ----------------------------------------------------------------------------------------------------


def against(lock: Lock, p: Public, move: Move) -> Reason | None:
    """Return what a lock has against a play, or None."""
    play, kind = move.play, lock.kind
    if kind == SUIT_LOCK:
        return None if fits(play.suits, lock.suits) else Reason.LOCK_SUIT
    if kind == PARTIAL_LOCK:
        return Reason.LOCK_SUIT if lacking(play.suits, lock.suits) > without_suit(play) else None
    if kind == COLOR_LOCK:
        return None if color_of(play.suits) in (0, lock.suits) else Reason.LOCK_COLOR
    if kind == NUMBER_LOCK:
        alone = play.shape <= GROUP and play.low == JOKER
        return None if alone or is_step(p.order, p.top(), play) else Reason.LOCK_NUMBER
    return None


class Left:
    """For each lock the cards that a play without a waiver can hold, in one pack or two."""

    def __init__(self, two_packs: bool) -> None:
        self.two_packs = two_packs
        every = ~0 if two_packs else ONE_PACK - 1
        self.inside: list[int] = [within(suits) & every for suits in range(16)]
        """For each set of suits the cards of these suits, and the jokers."""
        self.above: list[list[int]] = [
            [cards_above(order, rank) & every for rank in range(14)] for order in range(ORDERS)
        ]
        """For each order and rank the cards one step stronger, and the jokers."""

    def under(self, lock: Lock, p: Public) -> int:
        """Return the cards that a lock leaves."""
        if lock.kind in (SUIT_LOCK, COLOR_LOCK):
            return self.inside[suits_in(lock.suits)]
        if lock.kind == NUMBER_LOCK and p.top().shape in (SINGLE, GROUP):
            return self.above[p.order][p.top().low]
        return ALL


def within(suits: int) -> int:
    """Return the cards of a set of suits, and the jokers."""
    cards = JOKERS
    for suit in range(4):
        if suits >> suit & 1:
            cards |= OF_SUIT[suit]
    return cards


def cards_above(order: int, rank: int) -> int:
    """Return the cards one step stronger than a rank, and the jokers."""
    above = ONE_ABOVE[order][rank]
    return JOKERS | OF_RANK[above] if above >= 0 else JOKERS
