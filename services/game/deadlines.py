"""When the time of each open decision is up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.view import view
from services.common.clocks import Timer
from services.game.auto_pass import can_only_pass
from services.game.desk import Desk
from services.game.life import RUNNING, Life
from services.game.records import BY_AUTO_PASS, BY_CLOCK, BY_STAND_IN
from services.game.seats import Seat

NOTHING: Final[Mapping[int, float]] = MappingProxyType({})


class Limit(NamedTuple):
    """The time of one decision, as players are shown it."""

    until: float
    """When it is up, the time bank included."""
    bank: int | None = None
    """How many milliseconds of it are from the seat's time bank; None if that does not count here."""


class Deadline:
    """The time of one decision, and what will ring."""

    def __init__(self, decision: int, limit: Limit, is_told: bool, used: int, by: str, timer: Timer) -> None:
        self.decision = decision
        self.limit = limit
        self.is_told = is_told
        """Whether a clock runs. It stays as it was told when a stand-in takes over."""
        self.used = used
        """How many milliseconds of the seat's time bank the decision had taken before a restart."""
        self.by = by
        """Who answers when the timer rings. A stand-in that has begun also ends, whoever comes back meanwhile."""
        self.timer = timer

    def bank_used(self, now: float) -> int:
        """Return how many milliseconds of the seat's time bank the decision has taken by now."""
        bank = self.limit.bank
        return 0 if bank is None else self.used + min(bank, max(0, bank - round(1000 * (self.limit.until - now))))


class Deadlines:
    """The deadlines of one table, by seat. `time_out(seat, decision, by)` is called when one has come."""

    def __init__(self, desk: Desk, time_out: Callable[[int, int, str], None]) -> None:
        self._desk = desk
        self._time_out = time_out
        self._by_seat: dict[int, Deadline] = {}
        self._seats: tuple[Seat, ...] = ()
        """Who had the seats when the clocks were last looked at."""

    def of(self, seat: int) -> Limit | None:
        """Return the time of the decision that a seat has open, if a clock runs."""
        deadline = self._by_seat.get(seat)
        return deadline.limit if deadline is not None and deadline.is_told else None

    def bank_used(self, seat: int, decision: int) -> int:
        """Return how many milliseconds of a seat's time bank a decision has taken by now."""
        deadline = self._by_seat.get(seat)
        if deadline is None or deadline.decision != decision:
            return 0
        return deadline.bank_used(self._desk.clock.now())

    def follow(self, life: Life, spent: Mapping[int, float] = NOTHING) -> dict[int, Limit]:
        """Let the clocks of closed decisions stop and those of new ones run; return the new limits by decision.

        `spent` is how long decisions had been open when the service stopped.
        """
        fresh = {}
        running = life.phase == RUNNING
        same = life.seats is self._seats
        self._seats = life.seats
        for seat, decision in enumerate(life.state.decisions):
            wanted = decision if running else 0
            now = self._by_seat.get(seat)
            if same and wanted == (0 if now is None else now.decision):
                continue
            by = answering(life, seat) if wanted else BY_CLOCK
            if now is not None and now.decision == wanted and now.by in (by, BY_STAND_IN):
                continue
            if now is not None:
                now.timer.cancel()
                del self._by_seat[seat]
            if not wanted:
                continue
            if now is None or now.decision != wanted:
                now = self._begin(life, seat, by, spent.get(wanted, 0.0))
                if now.is_told:
                    fresh[wanted] = now.limit
            else:
                now.by = by
                now.timer = self._set(seat, wanted, by, self._rings(self._desk.clock.now(), life, seat, now.limit, by))
            self._by_seat[seat] = now
        return fresh

    def ring_again(self) -> None:
        """Let every clock that has rung, and whose decision is open all the same, ring once more in a little while."""
        soon = self._desk.clock.now() + self._desk.config.store_retry_seconds
        for seat, deadline in self._by_seat.items():
            if not deadline.timer.is_set():
                deadline.timer = self._set(seat, deadline.decision, deadline.by, max(deadline.timer.when, soon))

    def _begin(self, life: Life, seat: int, by: str, spent: float) -> Deadline:
        """Begin a decision's time; nobody's is less than people need to come back after a restart."""
        decision = life.state.decisions[seat]
        seconds, is_told, bank = time_for(life, seat)
        used = 0
        if bank is not None:
            used = min(bank, max(0, round(1000 * (spent - seconds))))
            bank -= used
        left, now = max(seconds - spent, min(seconds, self._desk.config.return_seconds)), self._desk.clock.now()
        limit = Limit(now + left + (bank or 0) / 1000, bank)
        timer = self._set(seat, decision, by, self._rings(now, life, seat, limit, by))
        return Deadline(decision, limit, is_told and by != BY_STAND_IN, used, by, timer)

    def _rings(self, now: float, life: Life, seat: int, limit: Limit, by: str) -> float:
        if by == BY_CLOCK:
            return limit.until
        if by == BY_AUTO_PASS:
            return min(now + self._desk.config.auto_pass_seconds, limit.until)
        own = life.seats[seat]
        has_bot = own.policy and not own.stand_in and self._desk.config.bot_processes
        return now + (self._desk.config.bot_seconds if has_bot else self._desk.config.stand_in_seconds)

    def _set(self, seat: int, decision: int, by: str, when: float) -> Timer:
        return self._desk.clock.call_at(when, lambda: self._time_out(seat, decision, by))


def answering(life: Life, seat: int) -> str:
    """Return who answers for a seat whose player does not."""
    if life.seats[seat].has_stand_in or life.seats[seat].policy:
        return BY_STAND_IN
    if not life.seats[seat].auto_pass or not life.program.ruleset.bool("auto_pass"):
        return BY_CLOCK
    return BY_AUTO_PASS if life.state.decisions[seat] and can_only_pass(view(life.state, seat)) else BY_CLOCK


def time_for(life: Life, seat: int) -> tuple[int, bool, int | None]:
    """Return the seconds that a seat has for what is asked now, whether it is shown them, and its time bank besides.

    The bank is in milliseconds, and None where none counts: a choice or a window has time of its own.
    """
    settings, state = life.settings, life.state
    if state.asking_rule or state.window_seats:
        return settings.choice_seconds, True, None
    if settings.turn_seconds:
        return settings.turn_seconds, True, life.banks[seat] if life.banks else None
    return settings.idle_seconds, False, None
