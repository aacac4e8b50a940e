"""How rules reverse the order of strength: the revolution flag for the rest of the game, backs for a while."""

from __future__ import annotations

from engine.state import Back, Public, State
from engine.steps import set_order


def can_revolt(p: Public) -> bool:
    """Say whether a revolution set turns the order now: nothing is frozen, and going back is allowed or not needed."""
    if p.freeze:
        return False
    return p.program.revolutions_return or not (p.revolution or p.reserved_revolutions)


def revolt(s: State, rule: str) -> None:
    """Turn the revolution flag if it can turn; where the ruleset wants that, it is reserved for after the flush."""
    if not can_revolt(s):
        return
    s.revolted = s.run_number
    if s.program.revolutions_wait:
        s.reserved_revolutions += 1
        set_order(s, rule)
    else:
        turn_over(s, rule)


def turn_over(s: State, rule: str) -> None:
    """Turn the revolution flag at once."""
    s.revolution = not s.revolution
    s.turned_over = s.run_number
    set_order(s, rule)


def turn_back(s: State, rule: str, flushes: int = 1) -> None:
    """Reverse the order until the flush, or through more of them."""
    s.backs.append(Back(rule, flushes))
    set_order(s, rule)
