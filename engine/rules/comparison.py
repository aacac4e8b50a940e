"""What beats what."""

from __future__ import annotations

from typing import Final

from engine.cards import JOKER, JOKERS, OF_RANK, ONE_PACK, SEVEN
from engine.locks import BLACK, RED, color_of, suits_in, within
from engine.moves import LOCK, STRENGTH, Move
from engine.orders import ORDERS, is_reversed, rank_at, strength_of
from engine.orders import STRENGTH as STRENGTHS
from engine.plays import GROUP, SEQUENCE, Play
from engine.reasons import Reason
from engine.rows import ANYWHERE
from engine.rules.base import ALL, Rule
from engine.ruleset import Ruleset
from engine.state import Public
from engine.strength import strongest, weakest

STRONG_SEVEN: Final = 50
"""The strength of a seven of the right colour: above every rank, below a joker that is the strongest."""
SEVENS: Final = {"none": 0, "red_seven": RED, "black_seven": BLACK}


class Stronger(Rule):
    """A play is stronger than the field; a row of ranks is compared by its weakest card (JDF art. 26, 27, 36).

    Sevens of one colour may be above every rank but below the joker, alone and in groups: the red ones in normal times
    or the black ones in a revolution, whatever temporary reversals there are (000 L218).
    """

    id = "strictly_stronger"
    waiver = STRENGTH

    def __init__(self, all_stronger: bool = False, sevens: int = 0, suited: bool = False, cards: int = 0) -> None:
        self.all_stronger = all_stronger
        self.sevens = sevens
        """The colour of the strong sevens."""
        self.suited = suited
        """Whether sevens with a joker have the colour that its player gives them."""
        self.left = Left(cards)
        self.jokers = JOKERS & cards
        self.seven_cards = OF_RANK[SEVEN] & (within(6) if sevens == RED else within(9)) & cards

    def on(self, ruleset: Ruleset) -> Rule | None:
        all_stronger = ruleset.word("sequence_comparison") == "all_stronger"
        sevens = SEVENS[ruleset.word("seven_strength")]
        cards = ~0 if ruleset.word("deal_method") == "two_packs" else ONE_PACK - 1
        return Stronger(all_stronger, sevens, ruleset.bool("joker_takes_suit"), cards)

    def narrows(self, p: Public) -> int:
        top = p.top()
        if top.shape >= SEQUENCE:
            return self.left.beyond[p.order][self.place_to_beat(p) + 1]
        cards = self.left.above[p.order][top.low]
        if self.sevens and p.revolution == (self.sevens == BLACK):
            if strength(p, top, self.sevens) == STRONG_SEVEN:
                cards = self.jokers
            elif top.low != JOKER:
                cards |= self.seven_cards
        return cards if top.shape == GROUP or loses_to_joker(p, top, self.sevens) else cards & ~self.jokers

    def allows(self, p: Public, seat: int, hand: int, move: Move) -> Reason | None:
        top, play = p.top(), move.play
        if not top.size or play.size != top.size or play.shape != top.shape:
            return None
        by_end = self.all_stronger and play.shape >= SEQUENCE
        to_beat = strongest(p.order, top) if by_end else strength(p, top, self.sevens)
        return None if strength(p, play, self.sevens) > to_beat else Reason.NOT_STRONGER

    def refuses_jokers(self, p: Public) -> bool:
        return p.top().shape == GROUP and not loses_to_joker(p, p.top(), self.sevens)

    def place_to_beat(self, p: Public) -> int:
        top = p.top()
        last = top.high if is_reversed(p.order) != self.all_stronger else top.low
        return last if top.shape >= SEQUENCE else ANYWHERE

    def narrows_fully(self, p: Public) -> bool:
        return not (self.sevens and self.suited and p.top().shape == GROUP)


class Left:
    """What beats what lies on the field."""

    def __init__(self, cards: int) -> None:
        self.above: list[list[int]] = [[above(order, rank) & cards for rank in range(14)] for order in range(ORDERS)]
        """For each order and rank the cards that are stronger."""
        self.beyond: list[list[int]] = [[beyond(order, at) & cards for at in range(-1, 14)] for order in range(ORDERS)]
        """For each order and place, from -1, the cards that stand at stronger places."""


def strength(p: Public, play: Play, sevens: int) -> int:
    """Return how strong a play is now where sevens of a colour may be."""
    if sevens and play.low == SEVEN and play.shape <= GROUP and p.revolution == (sevens == BLACK):
        return STRONG_SEVEN if color_of(play.suits) == sevens else weakest(p.order, play)
    return weakest(p.order, play)


def loses_to_joker(p: Public, top: Play, sevens: int) -> bool:
    """Say whether jokers alone are stronger than a single or group."""
    return STRENGTHS[p.order][JOKER] > strength(p, top, sevens)


def above(order: int, rank: int) -> int:
    """Return the cards that are stronger than a rank, or can stand for one that is."""
    cards = JOKERS
    for other in range(13):
        if strength_of(order, other) > strength_of(order, rank):
            cards |= OF_RANK[other]
    return cards


def beyond(order: int, place: int) -> int:
    """Return the cards at places of the row of ranks that are stronger than one of them, and jokers."""
    cards = JOKERS
    for other in range(13):
        if other < place if is_reversed(order) else other > place:
            cards |= OF_RANK[rank_at(order, other)]
    return cards


class SequenceSuit(Rule):
    """A sequence has the suit of the one that it answers (002 L114)."""

    id = "sequence_suit_must_follow"
    waiver = LOCK

    def narrows(self, p: Public) -> int:
        return within(suits_in(p.top().suits)) if p.top().shape >= SEQUENCE else ALL

    def allows(self, p: Public, seat: int, hand: int, move: Move) -> Reason | None:
        top, play = p.top(), move.play
        if top.shape < SEQUENCE or play.shape != top.shape or play.suits == top.suits:
            return None
        return Reason.SEQUENCE_SUIT

    def narrows_fully(self, p: Public) -> bool:
        return True


RULES: tuple[Rule, ...] = (Stronger(), SequenceSuit())
