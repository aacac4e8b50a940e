"""The exchange of cards between the places of the last game."""

from __future__ import annotations

from typing import Final

from engine.cards import JOKER, OF_RANK, THREE, as_set, members
from engine.choices import CARD, HAND, Choice, Group
from engine.reasons import Reason
from engine.rules.base import GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import State
from engine.steps import ask, tell_given

STRONGEST_FIRST: Final = tuple(range(JOKER, THREE - 1, -1))
"""For the tribute: joker above 2 above A …, whatever the last game's order was (JDF art. 68)."""


class Exchange(Rule):
    """カード交換: the last gives its strongest cards to the first, who returns any; likewise the next pair.

    All choose at once and unseen; ties in the tribute are the giver's to choose (JDF ch. 14).
    """

    id = "card_exchange"
    not_an_option = Reason.MUST_GIVE_STRONGEST

    def __init__(self, pairs: tuple[tuple[int, int, int], ...] = ()) -> None:
        self.pairs = pairs
        """(upper place, lower place, cards each way), places from 1."""

    def on(self, ruleset: Ruleset) -> Rule | None:
        pairs = ruleset.exchange_pairs()
        return Exchange(pairs) if pairs else None

    def dealt(self, s: State) -> int:
        if not s.previous:
            return GO_ON
        choices: list[Choice] = []
        for upper, lower, number in self.pairs:
            first, last = s.previous[upper - 1], s.previous[lower - 1]
            number = min(number, s.size(first) - 1, s.size(last) - 1)
            if number > 0:
                choices.append(tribute(s, last, first, number, self.id))
                everything = tuple(members(s.hands[first]))
                choices.append(Choice(self.id, first, CARD, everything, number, number, HAND, False, last))
        return ask(s, self.id, choices)

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        given = [as_set(answer) for answer in answers]
        for choice, cards in zip(group.choices, given):
            s.hands[choice.seat] &= ~cards
        for choice, cards in zip(group.choices, given):
            s.hands[choice.to_seat] |= cards
            tell_given(s, choice.seat, choice.to_seat, cards, self.id)
        return GO_ON


def tribute(s: State, seat: int, to_seat: int, number: int, rule: str) -> Choice:
    """Ask for a seat's strongest cards: all above the last rank that must be touched, and a free choice within it."""
    required: list[int] = []
    options: list[int] = []
    for rank in STRONGEST_FIRST:
        options = required + members(s.hands[seat] & OF_RANK[rank])
        if len(options) >= number:
            break
        required = options
    return Choice(rule, seat, CARD, tuple(options), number, number, HAND, False, to_seat, tuple(required))


RULES: tuple[Rule, ...] = (Exchange(),)
