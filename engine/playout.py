"""Games with random moves or stepped by a number, on a state of one's own and without events: for simulations."""

from __future__ import annotations

from engine.game import advance, begin_game, is_match_over, new_match
from engine.moves import Move
from engine.options import Options
from engine.program import Program
from engine.randomness import Chance
from engine.state import State


class Simulator:
    """Match after match, stepped a decision at a time; the same seed deals the same cards.

    `seat` is asked and has `options` legal moves, numbered from 0; of several asked seats the lowest comes first.
    """

    def __init__(self, program: Program, seed: int = 0) -> None:
        self.program = program
        self.chance = Chance(seed)
        self.known = Options(program)
        self.state: State = new_match(program)
        self.state.chance = self.chance
        self.seat = -1
        self.options = 0

    def begin(self) -> int:
        """Deal the next game, of a new match if this one is over; return the number of options."""
        if is_match_over(self.state):
            self.state = new_match(self.program)
            self.state.chance = self.chance
        begin_game(self.state, b"", (), 0, None)
        return self.look()

    def move(self, n: int) -> Move:
        """Return what option `n` is."""
        if not 0 <= n < self.options:
            raise IndexError(f"there are {self.options} options, none is number {n}")
        return self.known.move(n)

    def take(self, n: int) -> int:
        """Take option `n`; return the number of options of the next decision, 0 when the game is over."""
        advance(self.state, self.seat, self.move(n))
        return self.look()

    def look(self) -> int:
        """Find the seat that is asked, and count what it may do."""
        s = self.state
        self.options = 0
        if s.playing:
            self.seat = asked_seat(s)
            self.options = self.known.look(s, self.seat)
        return self.options

    def play_out(self) -> int:
        """Play the game to its end, each asked seat drawing evenly among its options; return its number of actions."""
        s = self.state
        while s.playing:
            seat = asked_seat(s)
            number = self.known.look(s, seat)
            advance(s, seat, self.known.move(self.chance.below(number)))
        self.options = 0
        return s.actions


def asked_seat(s: State) -> int:
    """Return the lowest seat that has something to decide."""
    if s.turn >= 0 and s.decisions[s.turn] and s.group is None:
        return s.turn
    for seat in range(s.seats):
        if s.decisions[seat]:
            return seat
    raise ValueError("nobody is asked")
