"""How a seat is played whose player is away: a rule of thumb that sees what the seat sees, and no more."""

from __future__ import annotations

from itertools import islice
from typing import Final

from engine.actions import PLAY, Action
from engine.cards import ranks_of
from engine.legal import default_move, legal_moves
from engine.strength import strongest, weakest
from engine.view import View

MOST_LOOKED_AT: Final = 200
"""How many moves are looked at, however many more there are: it must not take the server's time."""


def stand_in_action(v: View) -> Action:
    """Return what a stand-in does: the weakest play that will do, with as many cards as possible.

    With two ranks left it plays the stronger, to lead with the other: many rulesets forbid a strong last card. It
    neither counters nor beats its own play. Choices are answered as for a seat whose time is up.
    """
    if v.choice is None and not v.window_seats and (not v.trick or v.owner != v.seat):
        moves = islice(legal_moves(v, v.seat, v.hand, None), MOST_LOOKED_AT)
        plays = [move for move in moves if move.kind == PLAY]
        if plays and len(ranks_of(v.hand)) == 2:
            return max(plays, key=lambda move: (strongest(v.order, move.play), move.play.size)).action()
        if plays:
            return min(plays, key=lambda move: (weakest(v.order, move.play), -move.play.size)).action()
    return default_move(v, v.seat, v.hand, v.choice).action()
