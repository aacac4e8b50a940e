"""Cards that turn the direction of play."""

from __future__ import annotations

from engine.cards import NINE, QUEEN, SEVEN, TEN
from engine.rules.base import GO_ON, Rule
from engine.rules.ranks import counted
from engine.state import BY_NINE, BY_QUEEN, BY_SEVEN, BY_TEN, State
from engine.steps import turn_round


class Reverse(Rule):
    """A single or group of a rank turns the direction once, while enough seats hold cards (9リバース: 000 L140).

    `cause` is the bit of the direction that it turns: that of queens ends with the trick (000 L180-181, L249).
    """

    def __init__(self, id: str, rank: int, cause: int, least_seats: int = 3) -> None:
        self.id = id
        self.ranks = 1 << rank
        self.cause = cause
        self.least_seats = least_seats

    def played(self, s: State) -> int:
        if counted(s) and sum(s.is_in(seat) for seat in s.seating) >= self.least_seats:
            turn_round(s, self.cause, self.id)
        return GO_ON


RULES: tuple[Rule, ...] = (
    Reverse("seven_reverse", SEVEN, BY_SEVEN),
    Reverse("nine_reverse", NINE, BY_NINE),
    Reverse("ten_reverse", TEN, BY_TEN),
    Reverse("queen_reverse", QUEEN, BY_QUEEN, 0),
)
