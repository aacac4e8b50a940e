"""Cards that let their player throw cards away."""

from __future__ import annotations

from typing import Final

from engine.cards import QUEEN, SEVEN, TEN, as_set, count
from engine.choices import HAND, NUMBER, Group, of_cards
from engine.rules.base import GO_ON, Rule
from engine.rules.ranks import counted
from engine.state import BY_DISCARDING, TRICK, State
from engine.steps import ask, discard, forget, note_of, set_note

SEVEN_ATTACH: Final = "seven_attach"


class Discard(Rule):
    """A single or group of a rank lets its player discard up to as many cards (10捨て: 000 L126, L178-179)."""

    def __init__(self, id: str, rank: int) -> None:
        self.id = id
        self.ranks = 1 << rank

    def played(self, s: State) -> int:
        return self.ask_for(s, 0, counted(s))

    def ask_for(self, s: State, least: int, most: int) -> int:
        """Ask the player for cards, as far as the hand has them."""
        hand = s.hands[s.actor]
        most = min(most, count(hand))
        if not most:
            return GO_ON
        return ask(s, self.id, [of_cards(self.id, s.actor, hand, min(least, most), most, HAND)])

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        discard(s, group.choices[0].seat, as_set(answers[0]), BY_DISCARDING, self.id)
        return GO_ON


class SevenDiscard(Discard):
    """7捨て: sevens let their player discard up to as many cards; then nothing is attached (000 L178, L245)."""

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        if answers[0] and SEVEN_ATTACH in s.program.rules:
            set_note(s, SEVEN_ATTACH, TRICK, NUMBER, (0,))
        return super().settled(s, group, answers)


class SevenAttach(Discard):
    """7付け: as many cards as 7s are thrown off without effect, unless 7捨て has discarded any (000 L245)."""

    def played(self, s: State) -> int:
        if note_of(s, self.id):
            forget(s, self.id)
            return GO_ON
        return self.ask_for(s, counted(s), counted(s))


RULES: tuple[Rule, ...] = (
    SevenDiscard("seven_discard", SEVEN),
    SevenAttach(SEVEN_ATTACH, SEVEN),
    Discard("ten_discard", TEN),
    Discard("queen_discard", QUEEN),
)
