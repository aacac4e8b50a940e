"""The sum that lets anybody go out."""

from __future__ import annotations

from typing import Final

from engine.cards import EVERY_SECOND, JOKER, OF_RANK, ONE_PACK, PACK, members
from engine.finishing import settle, standing
from engine.guesses import guess, sees, unseen
from engine.native import i64
from engine.rules.base import END, GO_ON, Rule
from engine.rules.religion import number_of
from engine.state import State
from engine.steps import from_actor, go_out

# What is printed on cards, a byte for each rank, with A, J, Q, K as 1, 11, 12, 13; a joker has no number.
THREE_TO_NINE: Final = 0x03050709
"""3, 5, 7, 9; their ranks follow each other in sets of cards the other way round."""
FOUR_TO_TEN: Final = 0x0406080A
JACK_TO_TWO: Final = 0x0B0D0200
QUEEN_TO_JOKER: Final = 0x0C010000
"""Q, A, joker."""
KING_NUMBER: Final = 13
ABOVE: Final[tuple[int, ...]] = tuple(
    sum([OF_RANK[rank] & ONE_PACK - 1 for rank in range(JOKER) if number_of(rank) > number])
    for number in range(KING_NUMBER + 1)
)
"""The cards of the first pack with a number above each: a hand with one of them adds up to more."""
EVERY_OTHER: Final = 0x0F0F0F0F0F0F0F0F


def total(cards: int) -> int:
    """Add up what is printed on cards."""
    return total_of_pack(cards) if cards < ONE_PACK else total_of_pack(cards & ONE_PACK - 1) + total(cards >> PACK)


def total_of_pack(cards: i64) -> i64:
    """Add up what is printed on cards of one pack: four ranks at a time, in the fourth byte of a product."""
    ranks = cards - (cards >> 1 & EVERY_SECOND)
    ranks = (ranks & 0x3333333333333333) + (ranks >> 2 & 0x3333333333333333)
    one = ranks & EVERY_OTHER
    other = ranks >> 4 & EVERY_OTHER
    low = ((one & 0xFFFFFFFF) * THREE_TO_NINE >> 24 & 255) + ((other & 0xFFFFFFFF) * FOUR_TO_TEN >> 24 & 255)
    return low + ((one >> 32) * JACK_TO_TWO >> 24 & 255) + ((other >> 32) * QUEEN_TO_JOKER >> 24 & 255)


def total_of_field(s: State) -> int:
    """Add up what is printed on the cards of a trick."""
    found: i64 = 0
    for placed in s.trick:
        play = placed.play
        if play.total < 0:
            play.total = total(play.cards)
        found += play.total
    return found


def may_have_total(s: State, seat: int, field: int) -> bool:
    """Say whether it shall be supposed that a hand which is not seen adds up to the field."""
    numbers = sorted([total(1 << card) for card in members(unseen(s))])
    size = s.hands[seat].bit_count()
    is_possible = sum(numbers[:size]) <= field <= sum(numbers[-size:])
    return is_possible and guess(s, 2) == 1


class Dokan(Rule):
    """どかん: whose hand adds up to the whole field goes out before card effects, never by a foul (000 L233).

    The player itself may be one of them. Of several the nearest to the player comes first.
    """

    id = "dokan"

    def played(self, s: State) -> int:
        field = total_of_field(s)
        above = ABOVE[min(field, KING_NUMBER)]
        found: i64 = 0
        for seat in range(s.seats):
            hand = s.hands[seat]
            if not hand or s.gone >> seat & 1:
                continue
            if (not hand & above and total(hand) == field) if sees(s, seat) else may_have_total(s, seat, field):
                found |= 1 << seat
        if not found:
            return GO_ON
        for seat in [seat for seat in from_actor(s) if found >> seat & 1]:
            go_out(s, seat, s.cause, self.id)
            s.emptied[-1].after = s.order
        return END if settle(s) == END or len(standing(s)) < 2 else GO_ON


RULES: tuple[Rule, ...] = (Dokan(),)
