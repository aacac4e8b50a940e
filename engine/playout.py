"""Whole games with random moves, on a state of one's own and without events: for simulations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.game import advance
from engine.legal import legal_moves
from engine.moves import Move
from engine.state import State
from engine.view import open_choice

WIDEST_CHOICE: Final = 200
"""Of more moves than this, one is drawn among the first ones listed."""


def play_out(s: State, chance: Callable[[], float]) -> int:
    """Play a game to its end, each asked seat drawing evenly among its legal moves; return the number of actions.

    `chance` returns numbers from 0 up to 1. Changes `s`.
    """
    while s.playing:
        for seat in range(s.seats):
            if s.decisions[seat]:
                moves = some_moves(s, seat)
                advance(s, seat, moves[int(chance() * len(moves))])
                break
    return s.actions


def some_moves(s: State, seat: int) -> list[Move]:
    """List a seat's legal moves, but no more than WIDEST_CHOICE."""
    moves: list[Move] = []
    for move in legal_moves(s, seat, s.hands[seat], open_choice(s, seat)):
        moves.append(move)
        if len(moves) == WIDEST_CHOICE:
            break
    return moves
