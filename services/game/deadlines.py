"""When the time of each open decision is up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from services.common.clocks import Timer
from services.game.desk import Desk
from services.game.life import RUNNING, Life
from services.game.records import Settings

NOTHING: Final[Mapping[int, float]] = MappingProxyType({})


class Deadline:
    """The time of one decision."""

    def __init__(self, decision: int, when: float, told: float | None, is_vacant: bool, timer: Timer) -> None:
        self.decision = decision
        self.when = when
        self.told = told
        """What players are shown, if a clock runs. It stays as it was told when the seat loses its occupant."""
        self.is_vacant = is_vacant
        """Whether nobody sits there."""
        self.timer = timer


class Deadlines:
    """The deadlines of one table, by seat. `time_out(seat, decision)` is called when one has come."""

    def __init__(self, desk: Desk, time_out: Callable[[int, int], None]) -> None:
        self._desk = desk
        self._time_out = time_out
        self._by_seat: dict[int, Deadline] = {}

    def of(self, seat: int) -> float | None:
        """Return when a seat's time is up, if a clock runs."""
        deadline = self._by_seat.get(seat)
        return deadline.told if deadline is not None else None

    def follow(self, life: Life, spent: Mapping[int, float] = NOTHING) -> dict[int, float]:
        """Let the clocks of closed decisions stop and those of new ones run; return the new deadlines by decision.

        `spent` is how long decisions had been open when the service stopped.
        """
        fresh = {}
        for seat, decision in enumerate(life.state.decisions):
            wanted = decision if life.phase == RUNNING else 0
            vacant = life.seats[seat].occupant is None
            now = self._by_seat.get(seat)
            if now is not None and (now.decision, now.is_vacant) == (wanted, vacant):
                continue
            if now is not None:
                now.timer.cancel()
                del self._by_seat[seat]
            if not wanted:
                continue
            if now is not None and now.decision == wanted:
                self._by_seat[seat] = self._start(life, seat, vacant, now.told)
                continue
            made = self._by_seat[seat] = self._start(life, seat, vacant, spent=spent.get(wanted, 0.0))
            if made.told is not None:
                fresh[wanted] = made.told
        return fresh

    def ring_again(self) -> None:
        """Let every clock that has rung, and whose decision is open all the same, ring once more in a little while."""
        soon = self._desk.clock.now() + self._desk.config.store_retry_seconds
        for seat, deadline in self._by_seat.items():
            if not deadline.timer.is_set():
                deadline.timer = self._set(seat, deadline.decision, max(deadline.when, soon))

    def _start(self, life: Life, seat: int, vacant: bool, told: float | None = None, spent: float = 0.0) -> Deadline:
        now, decision = self._desk.clock.now(), life.state.decisions[seat]
        if vacant:
            when = now + self._desk.config.vacant_seconds
        else:
            seconds, is_told = time_for(life, life.settings)
            when = now + max(seconds - spent, min(seconds, self._desk.config.return_seconds))
            told = when if is_told else None
        return Deadline(decision, when, told, vacant, self._set(seat, decision, when))

    def _set(self, seat: int, decision: int, when: float) -> Timer:
        return self._desk.clock.call_at(when, lambda: self._time_out(seat, decision))


def time_for(life: Life, settings: Settings) -> tuple[int, bool]:
    """Return the seconds that seats have for what they are asked now, and whether that is a clock they are shown."""
    state = life.state
    if state.asking_rule or state.window_seats:
        return settings.choice_seconds, True
    if settings.turn_seconds:
        return settings.turn_seconds, True
    return settings.idle_seconds, False
