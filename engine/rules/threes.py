"""What 3s do."""

from __future__ import annotations

from engine.cards import THREE
from engine.choices import DISCARD, SEAT, Group, of_cards
from engine.rules.base import GO_ON, Rule
from engine.rules.ranks import count_in
from engine.state import TRICK, State
from engine.steps import ask, note_of, retrieve, set_note


class Salvage(Rule):
    """サルベージ: after the flush of a trick with a single or group of 3s, their player takes a discarded card.

    Several players of 3s take one card each, in the order of their plays; whoever is out does not.
    """

    id = "salvage"

    def flushed(self, s: State) -> int:
        if not any(placed.play.ranks >> THREE & 1 for placed in s.last_trick):
            return GO_ON
        seats: list[int] = []
        for placed in s.last_trick:
            play, seat = placed.play, placed.seat
            if play.ranks >> THREE & 1 and count_in(s, play) and not s.gone >> seat & 1 and seat not in seats:
                seats.append(seat)
        return self.ask_next(s, seats)

    def ask_next(self, s: State, seats: list[int]) -> int:
        """Ask the first of these seats; remember the others."""
        if not seats or not s.discard:
            return GO_ON
        set_note(s, self.id, TRICK, SEAT, tuple(seats[1:]))
        return ask(s, self.id, [of_cards(self.id, seats[0], s.discard, 1, 1, DISCARD)])

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        retrieve(s, group.choices[0].seat, 1 << answers[0][0], self.id)
        return self.ask_next(s, list(note_of(s, self.id)))


RULES: tuple[Rule, ...] = (Salvage(),)
