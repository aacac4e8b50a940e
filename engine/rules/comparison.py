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

    def __init__(
        self, all_stronger: bool = False, sevens: int = 0, two_packs: bool = False, joker_suits: bool = False
    ) -> None:
        self.all_stronger = all_stronger
        self.sevens = sevens
        """The colour of the strong sevens."""
        self.joker_suits = joker_suits
        """Whether sevens with a joker have the colour that its player gives them."""
        cards = ~0 if two_packs else ONE_PACK - 1
        self.jokers = JOKERS & cards
        self.seven_cards = OF_RANK[SEVEN] & (within(6) if sevens == RED else within(9)) & cards
        self.above: list[list[int]] = [[above(order, rank) & cards for rank in range(14)] for order in range(ORDERS)]
        """For each order and rank the cards that are stronger."""
        self.beyond: list[list[int]] = [[beyond(order, at) & cards for at in range(-1, 14)] for order in range(ORDERS)]
        """For each order and place, from -1, the cards that stand at stronger places."""

    def on(self, ruleset: Ruleset) -> Rule | None:
        all_stronger = ruleset.word("sequence_comparison") == "all_stronger"
        sevens = SEVENS[ruleset.word("seven_strength")]
        two_packs = ruleset.word("deal_method") == "two_packs"
        return Stronger(all_stronger, sevens, two_packs, ruleset.bool("joker_takes_suit"))

    def strength(self, p: Public, play: Play) -> int:
        """Return how strong a play is now."""
        if self.sevens and play.low == SEVEN and play.shape <= GROUP and p.revolution == (self.sevens == BLACK):
            return STRONG_SEVEN if color_of(play.suits) == self.sevens else weakest(p.order, play)
        return weakest(p.order, play)

    def narrows(self, p: Public) -> int:
        top = p.top()
        if top.shape >= SEQUENCE:
            return self.beyond[p.order][self.place_to_beat(p) + 1]
        cards = self.above[p.order][top.low]
        if self.sevens and p.revolution == (self.sevens == BLACK):
            if self.strength(p, top) == STRONG_SEVEN:
                cards = self.jokers
            elif top.low != JOKER:
                cards |= self.seven_cards
        return cards if top.shape == GROUP or self.loses_to_joker(p, top) else cards & ~self.jokers

    def allows(self, p: Public, seat: int, hand: int, move: Move) -> Reason | None:
        top, play = p.top(), move.play
        if not top.size or play.size != top.size or play.shape != top.shape:
            return None
        to_beat = strongest(p.order, top) if self.all_stronger and play.shape >= SEQUENCE else self.strength(p, top)
        return None if self.strength(p, play) > to_beat else Reason.NOT_STRONGER

    def refuses_jokers(self, p: Public) -> bool:
        top = p.top()
        return top.shape == GROUP and not self.loses_to_joker(p, top)

    def place_to_beat(self, p: Public) -> int:
        top = p.top()
        if top.shape < SEQUENCE:
            return ANYWHERE
        return top.high if is_reversed(p.order) != self.all_stronger else top.low

    def narrows_fully(self, p: Public) -> bool:
        return not (self.sevens and self.joker_suits and p.top().shape == GROUP)

    def loses_to_joker(self, p: Public, top: Play) -> bool:
        """Say whether jokers alone are stronger than a single or group."""
        return STRENGTHS[p.order][JOKER] > self.strength(p, top)


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
