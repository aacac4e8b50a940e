"""Exchanges beside the usual one: upheavals between rich and poor, taxes, and the people in the middle."""

from __future__ import annotations

from typing import Final

from engine.cards import BIT, OF_RANK, ONE_PACK, TEN, THREE, TWO, as_set, count, jokers_of, members, of_rank
from engine.choices import HAND, SEAT, Group, of_cards
from engine.exchanging import Exchange, Gift, hand_over
from engine.rules.base import GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import GAME, MATCH, State
from engine.steps import ask, forget, note_of, set_note

LOW: Final[int] = as_set([c for rank in range(THREE, TEN + 1) for c in members(OF_RANK[rank])])
"""All cards from 3 to 10."""
MONOPOLY: Final = 5
"""So many 2s and jokers are too many for one hand."""


class Tenpenchii(Rule):
    """天変地異: a last place that is dealt only 3 to 10 takes the first place's whole hand for its own (000 L152).

    These two exchange nothing else; the others do as usual. Not in a round's first game.
    """

    id = "tenpenchii"

    def __init__(self, high: int = 0) -> None:
        self.high = high
        """The cards above 10."""

    def on(self, ruleset: Ruleset) -> Rule | None:
        cards = ~0 if ruleset.word("deal_method") == "two_packs" else ONE_PACK - 1
        return Tenpenchii(~LOW & cards) if ruleset.bool(self.id) else None

    def dealt(self, s: State) -> int:
        if s.previous and not s.hands[s.previous[-1]] & self.high:
            first, last = s.previous[0], s.previous[-1]
            set_note(s, self.id, GAME, SEAT, (first, last))
            hand_over(s, [Gift(self.id, last, first, s.hands[last]), Gift(self.id, first, last, s.hands[first])])
        return GO_ON

    def exchanges(self, s: State, others: list[Exchange]) -> list[Exchange]:
        done = note_of(s, self.id)
        return [each for each in others if each.upper not in done and each.lower not in done]


class Monarchy(Rule):
    """絶対王政: the first place exchanges 1, 2 and 3 cards with the second, second-last and last (000 L212).

    It stands for every other exchange, but not after 天変地異; with three players the middle one has no part in it.
    """

    id = "absolute_monarchy"

    def __init__(self, only_on_streak: bool = False) -> None:
        self.only_on_streak = only_on_streak

    def on(self, ruleset: Ruleset) -> Rule | None:
        return Monarchy(ruleset.bool("monarchy_only_on_streak")) if ruleset.bool(self.id) else None

    def exchanges(self, s: State, others: list[Exchange]) -> list[Exchange]:
        first = s.previous[0]
        streak = bool(s.before_previous) and s.before_previous[0] == first
        if note_of(s, "tenpenchii") or (self.only_on_streak and not streak):
            return others
        agreed = [Exchange(self.id, first, s.previous[-1], 3)]
        if s.seats > 3:
            agreed = [Exchange(self.id, first, s.previous[1], 1), Exchange(self.id, first, s.previous[-2], 2), *agreed]
        return agreed


class Commoners(Rule):
    """平民の交換: places that exchange with nobody exchange one card with their neighbour, from the top (002 L99).

    With an odd number of them the lowest has nobody.
    """

    id = "commoner_exchange"

    def __init__(self, outer: int = 2) -> None:
        self.outer = outer
        """How many places on each side are no commoners."""

    def on(self, ruleset: Ruleset) -> Rule | None:
        return Commoners(3 if ruleset.bool("extra_classes") else 2) if ruleset.bool(self.id) else None

    def exchanges(self, s: State, others: list[Exchange]) -> list[Exchange]:
        middle = s.previous[self.outer : s.seats - self.outer]
        return others + [Exchange(self.id, *pair, 1) for pair in zip(middle[::2], middle[1::2])]


class CapitalTax(Rule):
    """都税: whoever played on after the fall exchanges a card more with everybody who finished before it (000 L203)."""

    id = "capital_tax"

    def titled(self, s: State) -> int:
        forget(s, self.id)
        fell = [seat for seat in s.fallen if seat == s.previous[0]]
        if fell:
            before = s.finished[: s.finished.index(fell[0])] if fell[0] in s.finished else s.finished
            set_note(s, self.id, MATCH, SEAT, (*fell, *before))
        return GO_ON

    def exchanges(self, s: State, others: list[Exchange]) -> list[Exchange]:
        noted = note_of(s, self.id)
        return others + [Exchange(self.id, seat, noted[0], 1) for seat in noted[1:]]


class Antitrust(Rule):
    """独占禁止法: with five or more 2s and jokers the first place exchanges its 2s with the others (000 L213).

    They go one by one from the lowest place upward, spades first; the others choose unseen what they give back.
    """

    id = "antitrust_law"

    def dealt(self, s: State) -> int:
        if not s.previous:
            return GO_ON
        first = s.previous[0]
        if count(of_rank(s.hands[first], TWO) | jokers_of(s.hands[first])) < MONOPOLY:
            return GO_ON
        choices = []
        for seat, twos in shares(s):
            number = min(count(twos), s.size(seat))
            choices.append(of_cards(self.id, seat, s.hands[seat], number, number, HAND, first))
        return ask(s, self.id, choices)

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        gifts: list[Gift] = []
        for (seat, twos), answer in zip(shares(s), answers):
            gifts.append(Gift(self.id, s.previous[0], seat, twos))
            gifts.append(Gift(self.id, seat, s.previous[0], as_set(answer)))
        hand_over(s, gifts)
        return GO_ON


def shares(s: State) -> list[tuple[int, int]]:
    """Return which of the first place's 2s go to whom, as sets, the lowest place first."""
    others = s.previous[:0:-1]
    given = [0] * len(others)
    for i, two in enumerate(members(s.hands[s.previous[0]] & OF_RANK[TWO])):
        given[i % len(others)] = given[i % len(others)] | BIT[two]
    return [(seat, twos) for seat, twos in zip(others, given) if twos]


RULES: tuple[Rule, ...] = (Tenpenchii(), Monarchy(), Commoners(), CapitalTax(), Antitrust())
