"""Who is there: a stand-in plays for whoever has been gone for too long, or sleeps, until they are back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from services.common.clocks import Timer
from services.game.desk import Desk
from services.game.history import History
from services.game.life import RUNNING, Life
from services.game.records import AWAY, IDLE, StandInCame, StandInLeft

ByItself = Callable[[Callable[[Life], None]], None]
"""Does something with the head of a table that nobody has asked for, if there is one."""


class Absence:
    """Somebody who had a stream open and has none."""

    def __init__(self, since: float, sat: int) -> None:
        self.since = since
        self.sat = sat
        """The version at which they sat down: the next one there is not gone because of that."""
        self.timer: Timer | None = None


class Attendance:
    """Who of one table is gone, and who is back.

    Who never had a stream is not missed: such a client acts without, and its clock runs.
    """

    def __init__(self, desk: Desk, history: History, by_itself: ByItself) -> None:
        self._desk = desk
        self._history = history
        self._by_itself = by_itself
        self._absent: dict[int, Absence] = {}
        self._back: set[int] = set()
        """Seats whose owners are back, as long as it is not shown that they have them again."""
        history.watchers.on_came, history.watchers.on_gone = self._came, self._gone

    def expect(self, life: Life) -> None:
        """Wait for everybody after a restart, which has ended their streams."""
        self._miss(life, range(len(life.seats)))

    def acts(self, head: Life, seat: int) -> None:
        """Take note that somebody does something, and give the seat back to them."""
        self.forget(seat)
        if head.seats[seat].stand_in:
            self._history.accept(StandInLeft(seat))

    def forget(self, seat: int) -> None:
        """Miss somebody no longer."""
        absence = self._absent.pop(seat, None)
        if absence is not None and absence.timer is not None:
            absence.timer.cancel()

    def take_over(self, seat: int, why: int) -> int:
        """Let a stand-in play for somebody; return the version."""
        self._back.discard(seat)
        self._desk.metrics.took_over[why].inc()
        return self._history.accept(StandInCame(seat, why))

    def timed_out(self, head: Life, seat: int) -> None:
        """Let a stand-in play for somebody who has let their time run out too often."""
        most = self._desk.config.most_time_outs if head.settings.turn_seconds else 1
        if head.phase == RUNNING and has_stand_ins(head) and head.conduct[seat].in_a_row >= most:
            self.take_over(seat, IDLE)

    def follow(self, life: Life, least_seconds: float) -> None:
        """Let time run for those who are missed while a match is played, and for whom nobody stands in yet."""
        if not self._back and not self._absent:
            return
        self._back = {number for number in self._back if life.seats[number].stand_in}
        soon = self._desk.clock.now() + least_seconds
        if least_seconds:
            for number in self._back:
                self._desk.clock.call_at(soon, partial(self._hand_back, number))
        for number, absence in list(self._absent.items()):
            seat = life.seats[number]
            if seat.occupant is None or seat.since != absence.sat:
                self.forget(number)
            elif life.phase != RUNNING or seat.stand_in or not has_stand_ins(life):
                self._stop(absence)
            elif absence.timer is None or not absence.timer.is_set():
                when = max(absence.since + self._desk.config.away_seconds, soon)
                absence.timer = self._desk.clock.call_at(when, partial(self._is_away, number))

    def _stop(self, absence: Absence) -> None:
        if absence.timer is not None:
            absence.timer.cancel()
            absence.timer = None

    def _miss(self, life: Life, seats: Iterable[int]) -> None:
        now = self._desk.clock.now()
        for seat in seats:
            self.forget(seat)
            self._absent[seat] = Absence(now, life.seats[seat].since)

    def _gone(self, seat: int) -> None:
        life = self._history.shown
        if life is not None:
            self._miss(life, [seat])
            self.follow(life, 0.0)

    def _came(self, seat: int) -> None:
        self.forget(seat)
        self._back.add(seat)
        self._hand_back(seat)

    def _hand_back(self, seat: int) -> None:
        def hand_back(head: Life) -> None:
            if seat in self._back and head.seats[seat].stand_in:
                self._history.accept(StandInLeft(seat))

        self._by_itself(hand_back)

    def _is_away(self, seat: int) -> None:
        def take_over(head: Life) -> None:
            now = head.seats[seat]
            if head.phase == RUNNING and now.occupant is not None and not now.stand_in and seat in self._absent:
                self.take_over(seat, AWAY)

        self._by_itself(take_over)


def has_stand_ins(life: Life) -> bool:
    """Say whether stand-ins play for those who are away, as the ruleset says."""
    return life.program.ruleset.bool("reconnect")
