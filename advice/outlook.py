"""What a seat can tell about the cards that it does not see, and what a play is worth against them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from advice.cards import (
    ACE,
    EIGHT,
    JOKER_RANK,
    JOKERS,
    KING,
    OF_RANK,
    OF_SUIT,
    PACK,
    QUEEN,
    SEVEN,
    SPADE_THREES,
    THREE,
    TWO,
    as_set,
    chance_of_holding,
    deck,
    members,
)
from daifugo.v1 import cards_pb2, view_pb2

SINGLE: Final = cards_pb2.SHAPE_SINGLE
GROUP: Final = cards_pb2.SHAPE_GROUP
SEQUENCE: Final = cards_pb2.SHAPE_SEQUENCE
EMPEROR: Final = cards_pb2.SHAPE_EMPEROR

WILLING: Final = 0.45
"""How likely somebody who could beat a play does so."""
FOUL_AFTER: Final = {"seven_pass": SEVEN, "queen_bomber": QUEEN}
"""Ranks that are a foul at the end where a rule is on; a view shows that only once the rule has asked."""


class Unit(NamedTuple):
    """Cards that are meant to be played together: from `rank`, the lowest one by number, `reach` ranks up."""

    cards: int
    shape: cards_pb2.Shape
    rank: int
    size: int
    jokers: int
    reach: int = 0


class Outlook:
    """What one view says, counted once."""

    def __init__(self, view: view_pb2.View, asked_before: Iterable[str] = ()) -> None:
        self.view = view
        self.hand = as_set(view.hand)
        self.reversed = view.strength.reversed
        self.seats = len(view.seats)
        self.trick = [placed.play for placed in view.field]
        self.others = [
            seat
            for number, seat in enumerate(view.seats)
            if number != view.seat and seat.standing == view_pb2.STANDING_IN and seat.hand_count
        ]
        shown = as_set(view.discard_pile)
        for play in self.trick:
            shown |= as_set(play.cards)
        seen = self.hand | shown
        away = view.blind_count + view.stock_count + view.laid_away_count
        held = sum([seat.hand_count for number, seat in enumerate(view.seats) if number != view.seat])
        self.unseen = deck(seen.bit_count() + held + away, seen) & ~seen
        self.foul_ranks = {FOUL_AFTER[rule] for rule in asked_before if rule in FOUL_AFTER}
        self.revolts = 3 if self.seats == 3 else 4
        self.reach_all = self.reach(self.others)

    def turned(self) -> Outlook:
        """Return the same with the order of strength the other way round."""
        other = object.__new__(Outlook)
        other.__dict__ = self.__dict__ | {"reversed": not self.reversed}
        return other

    def reach(self, seats: list[view_pb2.SeatView]) -> tuple[int, float]:
        """Return how many seats these are, and the share of the unseen cards that they hold."""
        held = sum([seat.hand_count for seat in seats])
        return len(seats), min(1.0, held / max(1, self.unseen.bit_count()))

    def in_trick(self) -> tuple[int, float]:
        """Return the reach of the seats that may still answer in this trick."""
        return self.reach([seat for seat in self.others if not seat.passed])

    def strength(self, rank: int) -> int:
        """Return how strong a rank is now: 0 for the weakest, 12 for the strongest, 13 or -1 for the joker."""
        if rank == JOKER_RANK:
            return -1 if self.view.strength.joker_weakest else rank
        place = (rank + 2) % 13 if self.view.strength.from_ace else rank
        return 12 - place if self.reversed else place

    def level(self, unit: Unit) -> int:
        """Return the strength of a play: that of its weakest card."""
        return self.strength(unit.rank + unit.reach if self.reversed else unit.rank)

    def is_revolution(self, unit: Unit) -> bool:
        of_rank = unit.shape == GROUP and unit.size >= self.revolts and unit.rank != JOKER_RANK
        return of_rank or unit.shape == EMPEROR

    def cuts(self, unit: Unit) -> bool:
        """Say whether a play ends the trick at once, as far as is commonly played."""
        if unit.shape > GROUP:
            return False
        return unit.rank == EIGHT or (unit.size == 6 and unit.jokers == 2)

    def answers_joker(self, unit: Unit) -> bool:
        """Say whether a play is the spade 3 on a lone joker, which ends the trick."""
        return bool(unit.cards & SPADE_THREES) and unit.size == 1 and self.on_lone_joker()

    def on_lone_joker(self) -> bool:
        top = self.top_cards()
        return len(top) == 1 and bool(as_set(top) & JOKERS)

    def top_cards(self) -> list[int]:
        """Return the cards that are to be beaten."""
        return list(self.trick[-1].cards) if self.trick else []

    def is_foul(self, unit: Unit) -> bool:
        """Say whether going out with this play may be a foul (反則上がり)."""
        if unit.jokers and not self.view.strength.joker_weakest:
            return True
        low, high = (ACE, KING) if self.view.strength.from_ace else (THREE, TWO)
        reversed_after = self.reversed != self.is_revolution(unit)
        if unit.cards & OF_RANK[low if reversed_after else high]:
            return True
        if unit.shape > GROUP:
            return False
        if unit.rank == EIGHT or unit.rank in self.foul_ranks:
            return True
        return unit.size == 1 and bool(unit.cards & SPADE_THREES)

    def holds(self, unit: Unit, reach: tuple[int, float] | None = None, suits: int = 0) -> float:
        """Estimate how likely a play stays on top. `suits` are the only cards that may answer it, if a lock binds."""
        hands, share = self.reach_all if reach is None else reach
        if not hands or self.cuts(unit):
            return 1.0
        if unit.shape > GROUP:
            return min(0.98, 0.7 + 0.08 * (unit.size - 3) + 0.012 * self.level(unit))
        if unit.rank == JOKER_RANK:
            answers = unit.size == 1 and self.unseen & SPADE_THREES
            return 1.0 - 0.8 * share if answers else 1.0
        if suits:
            return self._holds_in_lock(unit, share, hands, suits)
        mine, stays = self.strength(unit.rank), 1.0
        for rank in range(13):
            if self.strength(rank) > mine:
                held = (self.unseen & OF_RANK[rank]).bit_count()
                stays *= self._unbeaten(held, unit.size, hands, share)
        jokers = (self.unseen & JOKERS).bit_count()
        return stays * (1 - WILLING * (0.6 if unit.size == 1 else 0.3) * share) ** jokers

    def _unbeaten(self, held: int, size: int, hands: int, share: float) -> float:
        if size == 1:
            return float((1 - WILLING * share) ** held)
        return 1 - WILLING * share**size * chance_of_holding(held, size, hands)

    def _holds_in_lock(self, unit: Unit, share: float, hands: int, suits: int) -> float:
        mine, stays = self.strength(unit.rank), 1.0
        for rank in range(13):
            if self.strength(rank) > mine:
                held = (self.unseen & OF_RANK[rank] & suits).bit_count()
                if held >= unit.size:
                    stays *= 1 - 0.9 * share**unit.size / hands ** (unit.size - 1)
        jokers = (self.unseen & JOKERS).bit_count()
        return stays * float((1 - WILLING * 0.5 * share) ** jokers)

    def locked_suits(self, unit: Unit) -> int:
        """Return the cards of the suits that a lock will bind once this is played on the trick; 0 for no lock."""
        for lock in self.view.locks:
            if lock.kind in (view_pb2.LOCK_KIND_SUIT, view_pb2.LOCK_KIND_COLOR) and len(lock.suits) == 4:
                return sum([OF_SUIT[suit] for suit in range(4) if lock.suits[suit]])
        if not self.trick or unit.jokers:
            return 0
        below = as_set(self.trick[-1].cards)
        mine = suits_of(unit.cards)
        return 0 if below & JOKERS or mine != suits_of(below) else sum([OF_SUIT[suit] for suit in mine])


def suits_of(cards: int) -> list[int]:
    """List the suits of a set of cards that are no jokers."""
    return sorted([card % PACK % 4 for card in members(cards)])


def unit_of(play: cards_pb2.Play) -> Unit:
    """Read a play as it was sent; a joker beyond the strongest rank is left out of its ranks."""
    cards = as_set(play.cards)
    jokers = (cards & JOKERS).bit_count()
    named = [meaning.rank - 1 for meaning in play.jokers if meaning.rank < cards_pb2.RANK_JOKER]
    ranks = [card % PACK // 4 for card in members(cards & ~JOKERS)] + named or [JOKER_RANK]
    return Unit(cards, play.shape, min(ranks), len(play.cards), jokers, max(ranks) - min(ranks))
