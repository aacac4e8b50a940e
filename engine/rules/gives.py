"""Cards that let their player give cards away."""

from __future__ import annotations

from engine.cards import FIVE, NINE, SEVEN, TEN, as_set, members
from engine.choices import CARD, HAND, Choice, Group
from engine.rules.base import GO_ON, Rule
from engine.rules.ranks import counted
from engine.state import BY_GIVING, State
from engine.steps import ask, give, next_holder, previous_holder


class Give(Rule):
    """A single or group of a rank lets its player give up to as many cards to the next seat (7渡し: 000 L124)."""

    def __init__(self, id: str, rank: int) -> None:
        self.id = id
        self.ranks = 1 << rank

    def played(self, s: State) -> int:
        taker = next_holder(s, s.actor)
        most = min(counted(s), s.hands[s.actor].bit_count())
        if not most or taker < 0:
            return GO_ON
        hand = tuple(members(s.hands[s.actor]))
        return ask(s, self.id, [Choice(self.id, s.actor, CARD, hand, 0, most, HAND, False, taker)])

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        for choice, answer in zip(group.choices, answers):
            give(s, choice.seat, choice.to_seat, as_set(answer), BY_GIVING, self.id)
        return GO_ON


class Return(Give):
    """9戻し: as many cards as 9s go to the seat before, as it is after a new seating and a reverse (000 L247)."""

    def played(self, s: State) -> int:
        taker = previous_holder(s, s.actor)
        number = min(counted(s), s.hands[s.actor].bit_count())
        if not number or taker < 0:
            return GO_ON
        hand = tuple(members(s.hands[s.actor]))
        return ask(s, self.id, [Choice(self.id, s.actor, CARD, hand, number, number, HAND, False, taker)])


RULES: tuple[Rule, ...] = (
    Give("five_pass", FIVE),
    Give("seven_pass", SEVEN),
    Give("ten_pass", TEN),
    Return("nine_return", NINE),
)
