"""How much time is left for a question, whatever the clock of this machine says."""

from __future__ import annotations

import time
from collections.abc import Callable

from daifugo.v1 import view_pb2


class Clock:
    """Counts down from what the service said was left when the question came."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time) -> None:
        self.monotonic = monotonic
        self.wall = wall
        self.until = 0.0
        self.ahead = 0.0
        """How many seconds the service's clock is ahead of this machine's, as far as it is known."""
        self.heard: tuple[int, float, float] | None = None

    def hear(self, view: view_pb2.View) -> None:
        """Take in what a view says about the time left; a view that says the same again is old news."""
        decision = view.decision
        if not decision.HasField("remaining"):
            return
        left, deadline = decision.remaining.ToTimedelta().total_seconds(), seconds_of(decision)
        if self.heard != (decision.id, left, deadline):
            self.heard = (decision.id, left, deadline)
            self.until = self.monotonic() + left
            self.ahead = deadline - left - self.wall()

    def left(self, view: view_pb2.View) -> float | None:
        """Return the seconds left for whoever is asked, the viewer before others; None if no clock runs."""
        if view.decision.HasField("remaining"):
            return max(0.0, self.until - self.monotonic())
        first = first_asked(view)
        return max(0.0, seconds_of(first) - self.wall() - self.ahead) if first is not None else None

    def bank(self, view: view_pb2.View) -> float:
        """Return how many of the seconds left may come from a time bank; 0 where none counts."""
        if view.decision.HasField("remaining"):
            return view.decision.bank.ToMilliseconds() / 1000
        first = first_asked(view)
        if first is None or first.kind != view_pb2.DECISION_KIND_TURN:
            return 0.0
        return view.seats[first.seat].bank.ToMilliseconds() / 1000


def first_asked(view: view_pb2.View) -> view_pb2.Asked | None:
    """Return the question whose time is up first; None if no clock runs."""
    timed = [asked for asked in view.asked if asked.HasField("deadline")]
    return min(timed, key=seconds_of) if timed else None


def seconds_of(timed: view_pb2.Decision | view_pb2.Asked) -> float:
    return timed.deadline.seconds + timed.deadline.nanos / 1e9
