"""The sum that lets anybody go out."""

from __future__ import annotations

from typing import Final

from engine.cards import ONE_PACK, PACK
from engine.finishing import settle, standing
from engine.plays import POPULATION
from engine.rules.base import END, GO_ON, Rule
from engine.state import State
from engine.steps import from_actor, go_out

FACE: Final = (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 1, 2, 0)
"""What is printed on a card of each rank, with A, J, Q, K as 1, 11, 12, 13; a joker has no number."""


def total(cards: int) -> int:
    """Add up what is printed on cards."""
    found = 0
    for rest in (cards & (ONE_PACK - 1), cards >> PACK):
        rank = 0
        while rest:
            found += POPULATION[rest & 15] * FACE[rank]
            rest >>= 4
            rank += 1
    return found


class Dokan(Rule):
    """どかん: whose hand adds up to the whole field goes out before card effects, never by a foul (000 L233).

    The player itself may be one of them. Of several the nearest to the player comes first.
    """

    id = "dokan"

    def played(self, s: State) -> int:
        field = sum([total(placed.play.cards) for placed in s.trick])
        seats = [seat for seat in from_actor(s) if s.is_in(seat) and total(s.hands[seat]) == field]
        for seat in seats:
            go_out(s, seat, s.cause, self.id)
            s.emptied[-1].after = s.order
        if seats and (settle(s) == END or len(standing(s)) < 2):
            return END
        return GO_ON


RULES: tuple[Rule, ...] = (Dokan(),)
