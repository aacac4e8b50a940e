"""Cards that let their player give cards away."""

from __future__ import annotations

from engine.cards import FIVE, NINE, SEVEN, TEN, as_set, count
from engine.choices import HAND, Group, of_cards
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
        hand = s.hands[s.actor]
        return self.ask_for(s, next_holder(s, s.actor), hand, 0, min(counted(s), count(hand)))

    def ask_for(self, s: State, taker: int, hand: int, least: int, most: int) -> int:
        """Ask the player for cards to give away, if it can give any."""
        if not most or taker < 0:
            return GO_ON
        return ask(s, self.id, [of_cards(self.id, s.actor, hand, least, most, HAND, taker)])

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        for choice, answer in zip(group.choices, answers):
            give(s, choice.seat, choice.to_seat, as_set(answer), BY_GIVING, self.id)
        return GO_ON


class Return(Give):
    """9戻し: as many cards as 9s go to the seat before, as it is after a new seating and a reverse (000 L247)."""

    def played(self, s: State) -> int:
        hand = s.hands[s.actor]
        number = min(counted(s), count(hand))
        return self.ask_for(s, previous_holder(s, s.actor), hand, number, number)


RULES: tuple[Rule, ...] = (
    Give("five_pass", FIVE),
    Give("seven_pass", SEVEN),
    Give("ten_pass", TEN),
    Return("nine_return", NINE),
)
