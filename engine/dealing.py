"""The deal: which cards stay out of the game, and who gets the others in which order."""

from __future__ import annotations

from typing import Final

from engine import events as ev
from engine.cards import BIT, PACK, as_set, members
from engine.choices import DECK, HAND
from engine.randomness import draw, shuffle
from engine.rules.base import GO_ON
from engine.ruleset import Ruleset
from engine.state import BY_SEATING, State
from engine.steps import emit, follow, in_turn_order

NOBODY: Final = -1
"""As the dealer: cards are dealt by themselves."""

# where cards go that are left over when all hands are equal
FACE_DOWN: Final = 0
IN_ORDER: Final = 1
LOWER_PLACES: Final = 2
TO_STOCK: Final = 3


class Dealing:
    """How a ruleset deals."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.blinds: int = ruleset.number("blind_cards")
        self.keeps_blinds: bool = ruleset.word("blind_scope") == "set"
        small = ruleset.word("deal_method") == "small_hand_2p"
        self.hand_size: int = ruleset.number("small_hand_size" if small else "hand_size")
        """0: as many cards as the deck has for everybody."""
        words = {"face_down": FACE_DOWN, "in_order": IN_ORDER, "lower_class_first": LOWER_PLACES}
        self.rest: int = TO_STOCK if small else words[ruleset.word("remainder_deal")]
        self.deals_all_jokers: bool = self.rest == FACE_DOWN and ruleset.bool("joker_always_dealt")
        self.way: str = ruleset.word("shuffle_and_deal")


def deal(s: State) -> int:
    """Shuffle and deal; the last place deals from its left to itself (JDF art. 14), or cards deal themselves."""
    program = s.program
    if not program.starts_clockwise:
        s.turned = BY_SEATING
        if s.sink is not None:
            emit(s, ev.DirectionChanged("seat_order", s.because, False))
    dealer, order = receivers(s)
    if not any(s.hands):
        deal_cards(s, order)
    elif program.dealing.rest == TO_STOCK:
        s.stock = members(program.deck & ~s.blind & ~union(s.hands))
        shuffle(s, s.stock)
    s.blind_count, s.stock_count = s.blind.bit_count(), len(s.stock)
    if s.sink is not None:
        sizes = tuple([hand.bit_count() for hand in s.hands])
        emit(s, ev.Dealt("", s.because, dealer, tuple(order), sizes, s.blind_count, s.stock_count))
        follow(s)
        for seat in order:
            hand = s.hands[seat]
            emit(s, ev.CardsMoved("", s.because, DECK, -1, HAND, seat, hand.bit_count(), hand, 1 << seat))
    s.actor = order[-1]
    s.order = program.base_order
    return GO_ON


def receivers(s: State) -> tuple[int, list[int]]:
    """Return who deals, and the seats in the order in which they receive cards."""
    way = s.program.dealing.way
    if way == "daihinmin_deals":
        dealer = s.previous[-1] if s.previous else s.spade_seat
        return dealer, in_turn_order(s, dealer)
    if way == "first_place_first":
        first = s.previous[0] if s.previous else s.seating[draw(s, s.seats)]
    else:
        first = s.previous[-1] if s.previous else s.seating[0]
    return NOBODY, [first, *in_turn_order(s, first)[:-1]]


def deal_cards(s: State, order: list[int]) -> None:
    """Set the blinds aside (never a joker), shuffle the jokers into the rest, and deal equal hands in `order`."""
    dealing = s.program.dealing
    pack = without_blinds(s) + s.program.jokers
    shuffle(s, pack)
    each = min(dealing.hand_size or len(pack), len(pack) // s.seats)
    dealt, left = pack[: each * s.seats], pack[each * s.seats :]
    if dealing.deals_all_jokers:
        exchange_jokers(s, left, dealt)
    for first in range(s.seats):
        hand, at = 0, first
        while at < len(dealt):
            hand |= BIT[dealt[at]]
            at += s.seats
        s.hands[order[first]] = hand
    if dealing.rest == TO_STOCK:
        s.stock = left
    elif dealing.rest == FACE_DOWN:
        s.blind |= as_set(left)
    else:
        takers = s.previous[::-1] if dealing.rest == LOWER_PLACES and s.previous else order
        for seat, c in zip(takers, left):
            s.hands[seat] = s.hands[seat] | BIT[c]


def without_blinds(s: State) -> list[int]:
    """Choose the blind cards, or leave those that the set began with where they are; return the other number cards."""
    dealing = s.program.dealing
    numbers = s.program.number_cards[:]
    if not dealing.keeps_blinds or s.program.begins_set(s.game) or not s.kept_blinds:
        shuffle(s, numbers, dealing.blinds)
        s.blind = as_set(numbers[: dealing.blinds])
        s.kept_blinds = s.blind if dealing.keeps_blinds else 0
        return numbers[dealing.blinds :]
    s.blind = s.kept_blinds
    return [c for c in numbers if not s.blind & BIT[c]]


def union(hands: list[int]) -> int:
    """Return the cards of all hands."""
    found = 0
    for hand in hands:
        found |= hand
    return found


def exchange_jokers(s: State, left: list[int], dealt: list[int]) -> None:
    """Let each joker that is left over change places with a dealt number card, drawn by lot."""
    for i, c in enumerate(left):
        if c % PACK >= 52:
            places = [j for j in range(len(dealt)) if dealt[j] % PACK < 52]
            j = places[draw(s, len(places))]
            left[i], dealt[j] = dealt[j], c
