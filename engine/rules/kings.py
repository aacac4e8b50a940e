"""What kings do."""

from __future__ import annotations

from engine.cards import KING
from engine.choices import HAND, Choice, Group, of_cards
from engine.rules.base import GO_ON, Rule
from engine.rules.ranks import counted
from engine.state import BY_GIVING, BY_OTHERS, State
from engine.steps import ask, from_actor, lose, next_holder, receive, tell_given


class ReverendKing(Rule):
    """キング牧師: on a single or group of kings everybody chooses a card, and then passes it to the next seat."""

    id = "reverend_king"
    ranks = 1 << KING

    def played(self, s: State) -> int:
        choices = self.choices(s) if counted(s) else []
        return ask(s, self.id, choices) if len(choices) > 1 else GO_ON

    def choices(self, s: State) -> list[Choice]:
        """Ask everybody for a card."""
        seats = [seat for seat in from_actor(s) if s.is_in(seat)]
        choices: list[Choice] = []
        for seat in seats:
            choices.append(of_cards(self.id, seat, s.hands[seat], 1, 1, HAND, next_holder(s, seat)))
        return choices

    def asked_with(self, s: State, choice: Choice) -> list[Choice]:
        return self.choices(s)

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        for choice, answer in zip(group.choices, answers):
            lose(s, choice.seat, 1 << answer[0], BY_GIVING if choice.seat == s.actor else BY_OTHERS)
        for choice, answer in zip(group.choices, answers):
            receive(s, choice.to_seat, 1 << answer[0])
            tell_given(s, choice.seat, choice.to_seat, 1 << answer[0], self.id)
        return GO_ON


RULES: tuple[Rule, ...] = (ReverendKing(),)
