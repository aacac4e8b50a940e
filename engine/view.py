"""What one seat may know of a state: built here and nowhere else."""

from __future__ import annotations

from engine.choices import Choice
from engine.events import OPEN
from engine.state import Public, State


class View(Public):
    """The public part, the seat's own hand and its own open choice. The type has no room for other hands.

    `seat` is -1 for spectators, who see no hand at all.
    """

    def __init__(self, s: State, seat: int) -> None:
        super().__init__(s.program, s.seats)
        self.copy_public(s)
        self.seat = seat
        self.sizes: list[int] = [h.bit_count() for h in s.hands]
        self.hand = s.hands[seat] if seat >= 0 else 0
        self.choice = open_choice(s, seat) if seat >= 0 else None

    def size(self, seat: int) -> int:
        """Count the cards in a seat's hand."""
        return self.sizes[seat]


class OpenView(View):
    """The public part and every hand: for spectators where the table allows it. Nobody acts by it."""

    def __init__(self, s: State) -> None:
        super().__init__(s, OPEN)
        self.hands: list[int] = s.hands[:]


def view(s: State, seat: int) -> View:
    """Return what `seat` (-1: a spectator; OPEN: one who sees every hand) may know."""
    return OpenView(s) if seat == OPEN else View(s, seat)


def open_choice(s: State, seat: int) -> Choice | None:
    """Return the choice that a seat has to answer now, without what it has already named in the group."""
    group = s.group
    if group is None:
        return None
    if len(group.choices) == 1:
        return group.choices[0] if group.choices[0].seat == seat else None
    for choice, given in zip(group.choices, s.held):
        if choice.seat == seat and given is None:
            named = named_before(s, choice)
            return choice.without(named) if named else choice
    return None


def named_before(s: State, asked: Choice) -> tuple[int, ...]:
    """Return what a seat has named in the open group, of the same kind and from the same zone."""
    named: tuple[int, ...] = ()
    if s.group is not None:
        for choice, given in zip(s.group.choices, s.held):
            if given and choice.seat == asked.seat and choice.of == asked.of and choice.zone == asked.zone:
                named += given
    return named
