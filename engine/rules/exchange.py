"""The exchange of cards between the places of the last game."""

from __future__ import annotations

from typing import Final

from engine.cards import as_set
from engine.choices import Choice, Group
from engine.exchanging import Exchange, Gift, Gifts, gifts_of, hand_over, within_hands
from engine.native import i64
from engine.reasons import Reason
from engine.rules.base import GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import Public, State
from engine.steps import ask

USUAL: Final = Gifts()
ALSO: Final = ("absolute_monarchy", "commoner_exchange", "capital_tax")
"""Rules that bring about exchanges even where the usual one is off."""


class CardExchange(Rule):
    """カード交換: the last gives its strongest cards to the first, who returns any; likewise the next pair.

    All choose at once and unseen, or the upper places when they have received (JDF ch. 14, 003 L18).
    """

    id = "card_exchange"

    def __init__(self, pairs: tuple[tuple[int, int, int], ...] = (), gifts: Gifts = USUAL) -> None:
        self.pairs = pairs
        """(upper place, lower place, cards each way), places from 1."""
        self.gifts = gifts

    def on(self, ruleset: Ruleset) -> Rule | None:
        pairs = ruleset.exchange_pairs()
        if not pairs and not any([ruleset.bool(rule) for rule in ALSO]):
            return None
        return CardExchange(pairs, gifts_of(ruleset))

    def against(self, p: Public, choice: Choice) -> Reason:
        return Reason.MUST_GIVE_STRONGEST if is_tribute(p, choice) else self.gifts.against_return(choice)

    def instead(self, p: Public, choice: Choice) -> tuple[int, ...]:
        return self.gifts.in_return(choice) if self.gifts.costly and not is_tribute(p, choice) else ()

    def exchanges(self, s: State, others: list[Exchange]) -> list[Exchange]:
        return [Exchange(self.id, s.previous[upper - 1], s.previous[lower - 1], n) for upper, lower, n in self.pairs]

    def dealt(self, s: State) -> int:
        if not s.previous:
            return GO_ON
        exchanges, gifts = agreed(s, self.gifts.tribute_first), self.gifts
        if gifts.tribute_first:
            if gifts.by_suit:
                return self.give_tributes(s, exchanges, gifts.by_suits(s, exchanges))
            return ask(s, self.id, gifts.tributes(s, exchanges))
        unknown = [0] * len(exchanges)
        if gifts.by_suit:
            return ask(s, self.id, gifts.returns(s, exchanges, unknown, gifts.by_suits(s, exchanges)))
        return ask(s, self.id, in_pairs(gifts.tributes(s, exchanges), gifts.returns(s, exchanges, unknown, unknown)))

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        given = [as_set(answer) for answer in answers]
        gifts = self.gifts
        if gifts.tribute_first and is_tribute(s, group.choices[0]):
            return self.give_tributes(s, [exchange_of(s, choice) for choice in group.choices], given)
        moves = [Gift(choice.rule, choice.seat, choice.to_seat, cards) for choice, cards in zip(group.choices, given)]
        if gifts.by_suit and not gifts.tribute_first:
            exchanges = [exchange_of(s, choice) for choice in group.choices]
            taken = gifts.by_suits(s, exchanges)
            moves += [Gift(each.rule, each.lower, each.upper, cards) for each, cards in zip(exchanges, taken)]
        hand_over(s, moves)
        return GO_ON

    def give_tributes(self, s: State, exchanges: list[Exchange], cards: list[int]) -> int:
        hand_over(s, [Gift(each.rule, each.lower, each.upper, given) for each, given in zip(exchanges, cards)])
        return ask(s, self.id, self.gifts.returns(s, exchanges, cards, [0] * len(exchanges)))


def agreed(s: State, tribute_first: bool) -> list[Exchange]:
    """List the exchanges on which all rules agree, as far as the hands allow."""
    exchanges: list[Exchange] = []
    for rule in s.program.exchanging_rules:
        exchanges = rule.exchanges(s, exchanges)
    return within_hands(s, exchanges, tribute_first)


def in_pairs(tributes: list[Choice], returns: list[Choice]) -> list[Choice]:
    """Ask both sides of each exchange in turn; who owes a tribute to one and a return to another, for that first."""
    owing: i64 = 0
    for choice in tributes:
        owing |= 1 << choice.seat
    first: list[Choice] = []
    late: list[Choice] = []
    for tribute, back in zip(tributes, returns):
        first.append(tribute)
        if owing >> back.seat & 1:
            late.append(back)
        else:
            first.append(back)
    return first + late


def is_tribute(p: Public, choice: Choice) -> bool:
    """Say whether a choice of the exchange is that of its lower place."""
    return p.previous.index(choice.seat) > p.previous.index(choice.to_seat)


def exchange_of(p: Public, choice: Choice) -> Exchange:
    """Return the exchange that a choice belongs to."""
    if is_tribute(p, choice):
        return Exchange(choice.rule, choice.to_seat, choice.seat, choice.most)
    return Exchange(choice.rule, choice.seat, choice.to_seat, choice.most)


RULES: tuple[Rule, ...] = (CardExchange(),)
