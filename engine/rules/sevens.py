"""What 7s do."""

from __future__ import annotations

from engine.cards import SEVEN, as_set, members
from engine.choices import CARD, HAND, Choice, Group
from engine.plays import SEQUENCE
from engine.rules.base import GO_ON, Rule
from engine.state import BY_GIVING, State
from engine.steps import ask, give, next_holder


class Give(Rule):
    """A single or group of a rank lets its player give up to as many cards to the next seat (7渡し)."""

    def __init__(self, id: str, rank: int) -> None:
        self.id = id
        self.ranks = 1 << rank

    def played(self, s: State) -> int:
        play = s.cause
        taker = next_holder(s, s.actor)
        if play.shape == SEQUENCE or taker < 0 or not s.hands[s.actor]:
            return GO_ON
        hand = tuple(members(s.hands[s.actor]))
        most = min(play.size, len(hand))
        return ask(s, self.id, [Choice(self.id, s.actor, CARD, hand, 0, most, HAND, False, taker)])

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        for choice, answer in zip(group.choices, answers):
            give(s, choice.seat, choice.to_seat, as_set(answer), BY_GIVING, self.id)
        return GO_ON


RULES: tuple[Rule, ...] = (Give("seven_pass", SEVEN),)
