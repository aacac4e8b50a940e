"""How choices are answered: a handler for each rule that is known, and one for each kind of question that is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from advice.cards import OF_RANK, THREE, rank_of
from advice.outlook import Outlook
from advice.plans import Planner
from daifugo.v1 import cards_pb2, view_pb2

Handler = Callable[[view_pb2.Choice, Outlook], list[int]]
"""Returns options, the best first: at least as many as must be named, and no more than are wanted."""


def answer_to(choice: view_pb2.Choice, outlook: Outlook) -> list[int]:
    """Answer a choice within its bounds, whatever its handler wishes."""
    handler = BY_RULE.get(choice.rule_id) or BY_KIND.get(choice.of, first_options)
    wished = [option for option in handler(choice, outlook) if option in choice.options]
    values = list(dict.fromkeys([*choice.required, *wished]))[: choice.most]
    for option in choice.options:
        if len(values) < choice.least and option not in values:
            values.append(option)
    return values if choice.ordered else [option for option in choice.options if option in values]


# --- cards -----------------------------------------------------------------------------------------------------------


def give(choice: view_pb2.Choice, outlook: Outlook, most: int = 0) -> list[int]:
    """Part with the cards without which the hand is the easiest to play out, one by one, the weakest of equal ones."""
    planner, hand = Planner(outlook), outlook.hand
    given: list[int] = []
    for card in choice.required:
        hand &= ~(1 << card)
        given.append(card)
    while len(given) < (most or choice.least):
        options = [card for card in choice.options if hand >> card & 1]
        if not options:
            break
        card = min(options, key=lambda c: (planner.cost(hand & ~(1 << c)), outlook.strength(rank_of(c)), c))
        if len(given) >= choice.least and planner.cost(hand & ~(1 << card)) >= planner.cost(hand):
            break
        hand &= ~(1 << card)
        given.append(card)
    return given


def give_away(choice: view_pb2.Choice, outlook: Outlook) -> list[int]:
    """Give as much as helps, but never the last card: going out by giving is a foul."""
    most = min(choice.most, outlook.hand.bit_count() - 1)
    return give(choice, outlook, max(most, choice.least)) if most > 0 else []


def take(choice: view_pb2.Choice, outlook: Outlook) -> list[int]:
    """Take the cards that help the hand the most, the strongest of equal ones."""
    planner, hand = Planner(outlook), outlook.hand

    def cost(card: int) -> tuple[float, int]:
        return planner.cost(hand | 1 << card), -outlook.strength(rank_of(card))

    return sorted(choice.options, key=cost)[: max(choice.least, 1)]


def salvage(choice: view_pb2.Choice, outlook: Outlook) -> list[int]:
    """Take a card, but no 3: it would only come back again and again, and the hand would never end."""
    others = [card for card in choice.options if rank_of(card) != THREE]
    return take(view_pb2.Choice(options=others or choice.options, least=choice.least), outlook)


def cards(choice: view_pb2.Choice, outlook: Outlook) -> list[int]:
    """Part with cards of the own hand, and take cards that lie elsewhere."""
    own = all(outlook.hand >> card & 1 for card in choice.options)
    return give(choice, outlook) if own or choice.zone == cards_pb2.ZONE_HAND else take(choice, outlook)


# --- the rest --------------------------------------------------------------------------------------------------------


def bomb(choice: view_pb2.Choice, outlook: Outlook) -> list[int]:
    """Name ranks whose loss hurts the others more than oneself; never so many that the own hand is gone: a foul."""
    planner, hand = Planner(outlook), outlook.hand
    hands, share = outlook.reach_all
    named: list[int] = []
    while len(named) < choice.least:
        options = [rank for rank in choice.options if rank not in named and rank < len(OF_RANK)]
        if not options:
            break

        def worth(rank: int, left: int = hand) -> tuple[float, int]:
            strength = outlook.strength(rank)
            theirs = (outlook.unseen & OF_RANK[rank]).bit_count() * share / max(1, hands)
            hurt = theirs * (strength - 4) / 8
            own = planner.cost(left) - planner.cost(left & ~OF_RANK[rank])
            foul = 100.0 if not left & ~OF_RANK[rank] else 0.0
            return hurt + own - foul, strength

        rank = max(options, key=worth)
        named.append(rank)
        hand &= ~OF_RANK[rank]
    return named


def seats(choice: view_pb2.Choice, outlook: Outlook) -> list[int]:
    """Name the others first, those who are closest to going out."""
    view = outlook.view
    held = dict(enumerate([seat.hand_count for seat in view.seats]))
    order = sorted(choice.options, key=lambda seat: (seat == view.seat, held.get(seat, 0)))
    return order[: choice.least]


def first_options(choice: view_pb2.Choice, outlook: Outlook) -> list[int]:
    """Name as little as possible, in the order of the options: no, and the lowest number."""
    return list(choice.options[: choice.least])


BY_RULE: Final[dict[str, Handler]] = {
    "card_exchange": give,
    "seven_pass": give_away,
    "reverend_king": give,
    "salvage": salvage,
    "queen_bomber": bomb,
}
"""What rules ask."""
BY_KIND: Final[dict[int, Handler]] = {
    view_pb2.Choice.OF_CARD: cards,
    view_pb2.Choice.OF_RANK: bomb,
    view_pb2.Choice.OF_SEAT: seats,
    view_pb2.Choice.OF_NUMBER: first_options,
    view_pb2.Choice.OF_YES_NO: first_options,
}
"""What rules ask that no handler knows."""
