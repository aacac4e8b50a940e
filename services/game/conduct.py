"""What is counted against a seat in a match: when its time was up, and when a stand-in played for it."""

from __future__ import annotations

from dataclasses import replace

from services.game.records import BY_CLOCK, BY_SEAT, BY_STAND_IN, Conduct


def after_answer(conduct: Conduct, by: str) -> Conduct:
    """Return how a seat has been played once a decision was answered."""
    if by == BY_CLOCK:
        return replace(conduct, time_outs=conduct.time_outs + 1, in_a_row=conduct.in_a_row + 1)
    if by == BY_STAND_IN:
        return replace(conduct, stood_in=conduct.stood_in + 1)
    return replace(conduct, in_a_row=0) if by == BY_SEAT and conduct.in_a_row else conduct


def after_take_over(conduct: Conduct) -> Conduct:
    """Return how a seat has been played once a stand-in took it over."""
    return replace(conduct, take_overs=conduct.take_overs + 1, in_a_row=0)
