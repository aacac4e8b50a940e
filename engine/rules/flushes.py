"""Plays of exactly some cards that end the trick."""

from __future__ import annotations

from typing import Final

from engine.cards import JACK, JOKER, KING, NINE, OF_RANK, QUEEN, SIX, THREE, count, of_rank
from engine.moves import COUNT, LOCK, NO_MOVES, PARITY, SHAPE, STRENGTH, Move, playing
from engine.plays import GROUP, SEQUENCE, Play, real_groups
from engine.reasons import Reason
from engine.rules.base import GO_ON, Rule
from engine.rules.ranks import is_real_group
from engine.state import Public, State
from engine.steps import flush_later

ANY_FIELD: Final = STRENGTH | COUNT | SHAPE | LOCK | PARITY


class RealGroup(Rule):
    """Exactly so many real cards of a rank end the trick (救急車 99, ろくろ首 66: 000 L147-148)."""

    def __init__(self, id: str, rank: int, size: int) -> None:
        self.id = id
        self.rank = rank
        self.ranks = 1 << rank
        self.size = size

    def acts_on(self, play: Play) -> bool:
        return play.shape == GROUP

    def played(self, s: State) -> int:
        if is_real_group(s.cause, self.size):
            flush_later(s, self.id)
        return GO_ON


class Sandstorm(RealGroup):
    """砂嵐: on one's own turn three real 3s may be played on any field, and end the trick (000 L146)."""

    waiver = COUNT

    def offers_of(self, p: Public) -> int:
        return OF_RANK[THREE] if p.trick else 0

    def offers(self, p: Public, seat: int, hand: int) -> list[Move]:
        if not p.trick or count(of_rank(hand, THREE)) < self.size:
            return NO_MOVES
        threes = real_groups(hand, THREE, self.size)
        return [playing(p.program.shapes.group(cards, THREE, self.size, 0), ANY_FIELD, self.id) for cards in threes]

    def allows(self, p: Public, seat: int, hand: int, move: Move) -> Reason | None:
        """Name the joker as the reason where three real 3s could have been played; nothing else is refused."""
        top, play = p.top(), move.play
        if not top.size or (top.size == play.size and top.shape == play.shape):
            return None
        threes = play.shape == GROUP and play.size == self.size and play.low == THREE
        return Reason.REAL_CARDS_ONLY if threes and play.jokers else None

    def narrows_fully(self, p: Public) -> bool:
        return True


class Dignity(Rule):
    """威厳: the sequence J-Q-K ends the trick, after every effect that moves cards (000 L223)."""

    id = "dignity"
    ranks = 1 << JACK | 1 << QUEEN | 1 << KING

    def acts_on(self, play: Play) -> bool:
        return play.shape == SEQUENCE

    def played(self, s: State) -> int:
        if s.cause.shape == SEQUENCE and s.cause.size == 3 and s.cause.ranks == self.ranks:
            flush_later(s, self.id)
        return GO_ON


class TwoJokers(Rule):
    """ジョーカー2枚で場を流す: two jokers played together end the trick (000 L153)."""

    id = "double_joker_flush"
    ranks = 1 << JOKER

    def played(self, s: State) -> int:
        if s.cause.shape == GROUP and s.cause.size == 2:
            flush_later(s, self.id)
        return GO_ON


RULES: tuple[Rule, ...] = (
    Sandstorm("sandstorm", THREE, 3),
    RealGroup("ambulance", NINE, 2),
    RealGroup("rokurokubi", SIX, 2),
    Dignity(),
    TwoJokers(),
)
