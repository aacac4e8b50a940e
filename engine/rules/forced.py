"""Plays that make others throw away their strongest cards."""

from __future__ import annotations

from engine.cards import FOUR, QUEEN, RANK, as_set, members
from engine.choices import CARD, HAND, Choice, Group
from engine.orders import STRENGTH
from engine.plays import GROUP, Play
from engine.reasons import Reason
from engine.rules.base import GO_ON, Rule
from engine.rules.ranks import is_real_group
from engine.ruleset import Ruleset
from engine.state import BY_OTHERS, State
from engine.steps import ask, discard, next_holder, others_in


def strongest(s: State, seat: int, number: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the cards that may be among a hand's strongest `number`, and those that must be: ties are left open."""
    strength = STRENGTH[s.order]
    hand = sorted(members(s.hands[seat]), key=lambda card: -strength[RANK[card]])
    least = strength[RANK[hand[min(number, len(hand)) - 1]]]
    return (
        tuple(sorted([card for card in hand if strength[RANK[card]] >= least])),
        tuple(sorted([card for card in hand if strength[RANK[card]] > least])),
    )


def choice_of_strongest(s: State, rule: str, seat: int, number: int, taker: int = -1) -> Choice:
    """Ask a seat for its strongest cards, as many as it has of `number`; among equals it is free."""
    options, required = strongest(s, seat, number)
    number = min(number, s.hands[seat].bit_count())
    return Choice(rule, seat, CARD, options, number, number, HAND, False, taker, required)


class Forced(Rule):
    """What makes others discard their strongest cards in the order in force; nobody fouls by it."""

    number = 1
    not_an_option = Reason.MUST_GIVE_STRONGEST

    def targets(self, s: State) -> list[int]:
        """List who has to discard, in turn order."""
        return others_in(s, s.actor)

    def acts_on(self, play: Play) -> bool:
        return play.shape == GROUP

    def played(self, s: State) -> int:
        if not is_real_group(s.cause, 3):
            return GO_ON
        return ask(s, self.id, self.choices(s))

    def choices(self, s: State) -> list[Choice]:
        """Ask those concerned for their strongest cards."""
        return [choice_of_strongest(s, self.id, seat, self.number) for seat in self.targets(s)]

    def asked_with(self, s: State, choice: Choice) -> list[Choice]:
        return self.choices(s)

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        for choice, answer in zip(group.choices, answers):
            discard(s, choice.seat, as_set(answer), BY_OTHERS, self.id)
        return GO_ON


class Death(Forced):
    """DEATH: exactly three real 4s make all others discard a strongest card (000 L219)."""

    id = "death"
    ranks = 1 << FOUR


class TripleQueen(Forced):
    """Qの3枚効果: exactly three real queens make others discard their two strongest cards (000 L229).

    All others (ブラッディメアリ1), or just the next one (ジャンヌダルク1).
    """

    id = "triple_queen_effect"
    ranks = 1 << QUEEN
    number = 2

    def __init__(self, just_next: bool = False) -> None:
        self.just_next = just_next

    def on(self, ruleset: Ruleset) -> Rule | None:
        effect = ruleset.word(self.id)
        return None if effect == "none" else TripleQueen(effect == "jeanne_darc_1")

    def targets(self, s: State) -> list[int]:
        return [next_holder(s, s.actor)] if self.just_next else super().targets(s)


RULES: tuple[Rule, ...] = (Death(), TripleQueen())
