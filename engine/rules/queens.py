"""What queens do."""

from __future__ import annotations

from typing import Final

from engine.cards import QUEEN, as_set, members, of_rank
from engine.choices import RANK, Choice, Group
from engine.finishing import settle, standing
from engine.guesses import guess, sees, unseen
from engine.orders import STRENGTH
from engine.rules.base import END, GO_ON, Rule
from engine.rules.ranks import counted
from engine.ruleset import Ruleset
from engine.state import BY_BOMBER, BY_OTHERS, TRICK, State
from engine.steps import ask, discard, from_actor, set_note

RANKS_AND_JOKER: Final = tuple(range(14))


class Bomber(Rule):
    """12ボンバー: for each queen its player names a rank or the joker; everybody discards all such cards.

    `order` is how the named ranks go: at_once, named_order or weakest_first. Seats emptied by one stage go out before
    the next, the player first, then by the direction; the play's own finish waits for the end of the run.
    """

    id = "queen_bomber"
    ranks = 1 << QUEEN

    def __init__(self, order: str = "at_once") -> None:
        self.order = order

    def on(self, ruleset: Ruleset) -> Rule | None:
        return Bomber(ruleset.word("bomber_removal_order")) if ruleset.bool(self.id) else None

    def played(self, s: State) -> int:
        number = min(counted(s), 14)
        if not number or not s.hands[s.actor]:
            return GO_ON
        ordered = self.order == "named_order"
        return ask(s, self.id, [Choice(self.id, s.actor, RANK, RANKS_AND_JOKER, number, number, ordered=ordered)])

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        named = list(answers[0])
        if self.order == "weakest_first":
            named.sort(key=lambda rank: STRENGTH[s.order][rank])
        set_note(s, self.id, TRICK, RANK, tuple(named))
        stages = [[rank] for rank in named] if self.order != "at_once" else [named]
        for stage in stages:
            bomb(s, stage, self.id)
            if settle(s) == END or len(standing(s)) < 2:
                return END
        return GO_ON


def bomb(s: State, ranks: list[int], rule: str) -> None:
    """Let everybody discard all cards of these ranks, the actor first."""
    cards = 0
    for rank in ranks:
        cards |= of_rank(s.program.deck, rank)
    for seat in from_actor(s):
        if not s.gone >> seat & 1:
            discard(s, seat, lost(s, seat, cards), BY_BOMBER if seat == s.actor else BY_OTHERS, rule)


def lost(s: State, seat: int, cards: int) -> int:
    """Return which of some cards a seat has; of a hand that is not seen none, one or all, as shall be supposed."""
    if sees(s, seat):
        return s.hands[seat] & cards
    hand = members(s.hands[seat])
    most = min(len(hand), (unseen(s) & cards).bit_count())
    numbers = [0, *[1 for _ in range(most > 0 and len(hand) > 1)], *[len(hand) for _ in range(0 < most == len(hand))]]
    return as_set(hand[: numbers[guess(s, len(numbers))]])


RULES: tuple[Rule, ...] = (Bomber(),)
