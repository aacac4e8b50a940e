"""When the time of each open decision is up."""

from __future__ import annotations

from collections.abc import Callable

from services.game.clocks import Timer
from services.game.desk import Desk
from services.game.life import RUNNING, Life
from services.game.records import Settings


class Deadline:
    """The time of one decision."""

    def __init__(self, decision: int, when: float, is_told: bool, is_vacant: bool, timer: Timer) -> None:
        self.decision = decision
        self.when = when
        self.is_told = is_told
        """Whether players are shown it: not where no clock runs."""
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
        return deadline.when if deadline is not None and deadline.is_told else None

    def follow(self, life: Life) -> dict[int, float]:
        """Let the clocks of closed decisions stop and those of new ones run; return the new deadlines by decision."""
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
            if wanted:
                made = self._by_seat[seat] = self._start(life, seat, wanted, vacant)
                if made.is_told:
                    fresh[wanted] = made.when
        return fresh

    def _start(self, life: Life, seat: int, decision: int, vacant: bool) -> Deadline:
        seconds, is_told = (0, False) if vacant else time_for(life, life.settings)
        when = self._desk.clock.now() + seconds
        timer = self._desk.clock.call_at(when, lambda: self._time_out(seat, decision))
        return Deadline(decision, when, is_told, vacant, timer)


def time_for(life: Life, settings: Settings) -> tuple[int, bool]:
    """Return the seconds that seats have for what they are asked now, and whether that is a clock they are shown."""
    state = life.state
    if state.asking_rule or state.window_seats:
        return settings.choice_seconds, True
    if settings.turn_seconds:
        return settings.turn_seconds, True
    return settings.idle_seconds, False
