"""When a seat passes by itself: it is asked, and has nothing else to do. It sees what the seat sees."""

from __future__ import annotations

from engine.actions import PASS
from engine.legal import legal_moves
from engine.view import View


def can_only_pass(v: View) -> bool:
    """Say whether a pass is all that a seat can do, special plays and counters included."""
    # of all moves a pass comes last
    first = None if v.choice is not None else next(legal_moves(v, v.seat, v.hand, None), None)
    return first is not None and first.kind == PASS
