"""What a table does by itself: clocks run out, games follow each other, streams of lost seats end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.events import Event, GameEnded, MatchEnded
from engine.game import default_action
from engine.view import view
from services.common.clocks import Timer
from services.common.logs import log, log_bug
from services.game.attendance import Attendance
from services.game.changes import SeatChanged, TableChanged
from services.game.deadlines import NOTHING, Deadlines, Limit
from services.game.desk import Desk
from services.game.history import History
from services.game.house import house_bot
from services.game.life import CLOSED, ENDED, RUNNING, Life
from services.game.messages import TABLE_CLOSED
from services.game.opening import next_step
from services.game.records import BY_CLOCK, BY_STAND_IN, Acted, GameStarted, MatchStarted, SeatTaken
from services.game.seats import Seat
from services.game.stand_in import stand_in_action

PHASES: Final = {RUNNING: "match_started", ENDED: "match_ended", CLOSED: "table_closed"}
"""What a log line says when a table comes to do something else."""
NOTED: Final = frozenset({SeatChanged, TableChanged, GameEnded, MatchEnded})
"""Events that a table itself goes by."""


class Course:
    """The course of one table. It goes by what is shown, and acts on the head."""

    def __init__(self, desk: Desk, history: History) -> None:
        self.deadlines = Deadlines(desk, self._time_out)
        self.attendance = Attendance(desk, history, self._by_itself)
        self._desk = desk
        self._history = history
        self._pause: tuple[str, int] | None = None
        """The match and its game after which a pause is running, or was last."""
        self._opening: Timer | None = None
        self._seats: tuple[Seat, ...] = ()
        self._phase = 0
        """What bots of the service were told of last."""

    def follow(self, life: Life, events: Sequence[Event]) -> dict[int, Limit]:
        """Follow what is shown now; return the limits of new decisions."""
        if not life.version:
            self._log("table_created", seats=len(life.seats))
        if not NOTED.isdisjoint(map(type, events)):
            for event in events:
                self._note(life, event)
        return self._go_on(life, 0.0)

    def _note(self, life: Life, event: Event) -> None:
        if isinstance(event, TableChanged) and event.phase in PHASES:
            self._log(PHASES[event.phase], games=life.state.games, seats=len(life.seats))
        elif isinstance(event, GameEnded):
            self._desk.metrics.games.inc()
            self._log("game_ended", game=life.state.game, games=life.state.games, seats=len(life.seats))
        elif isinstance(event, MatchEnded):
            self._desk.metrics.matches.inc()

    def _log(self, what: str, **fields: int) -> None:
        log().info(what, **fields, **self._history.about())

    def resume(self, life: Life) -> None:
        """Go on from here, wherever that is. What rang may have come to nothing, so it rings again, a little later."""
        self._pause = None
        self._go_on(life, self._desk.config.store_retry_seconds)
        self.deadlines.ring_again()

    def begin_again(self, life: Life, spent: Mapping[int, float]) -> None:
        """Go on after a restart, before which decisions had been open for so many seconds."""
        self.attendance.expect(life)
        self._go_on(life, self._desk.config.return_seconds, spent)

    def _go_on(self, life: Life, least_seconds: float, spent: Mapping[int, float] = NOTHING) -> dict[int, Limit]:
        if life.phase == CLOSED:
            self._history.watchers.leave(TABLE_CLOSED)
        if life.is_between_games():
            self._pause_once(life, least_seconds)
        if life.seats is not self._seats or life.phase != self._phase:
            self._seats, self._phase = life.seats, life.phase
            self._desk.house.follow(self._history.table_id, life)
        self._open_later(life, least_seconds)
        self.attendance.follow(life, least_seconds)
        return self.deadlines.follow(life, spent)

    def _open_later(self, life: Life, least_seconds: float) -> None:
        """Do in its time what brings a table that begins by itself to its match."""
        if self._opening is not None:
            self._opening.cancel()
            self._opening = None
        step = next_step(life)
        if step is not None:
            when = max(step.when, self._desk.clock.now() + least_seconds)
            self._opening = self._desk.clock.call_at(when, lambda: self._by_itself(self._open))

    def _open(self, head: Life) -> None:
        step = next_step(head)
        if step is not None and step.when <= self._desk.clock.now():
            if isinstance(step.operation, MatchStarted):
                self._fill(head)
            self._history.accept(step.operation)
            if isinstance(step.operation, MatchStarted):
                self._desk.metrics.acted["system"].inc()

    def _fill(self, head: Life) -> None:
        """Let bots of the service have the seats that are free, if they are to."""
        if self._desk.config.bot_fill:
            for number, seat in enumerate(head.seats):
                if seat.occupant is None:
                    self._history.accept(SeatTaken(number, house_bot(self._desk.config.bot_fill, number)))

    def _pause_once(self, life: Life, least_seconds: float) -> None:
        """Deal the next game after a pause; tables of bots need none."""
        pause = life.match_id, life.state.game
        if self._pause == pause:
            return
        self._pause = pause
        people = any(seat.occupant is not None and not seat.occupant.bot for seat in life.seats)
        seconds = self._desk.config.between_games_seconds if people else 0.0

        def deal(head: Life) -> None:
            if head.is_between_games() and pause == (head.match_id, head.state.game):
                self._history.accept(GameStarted())
                self._desk.metrics.acted["system"].inc()

        self._call_later(max(seconds, least_seconds), deal)

    def _time_out(self, seat: int, decision: int, by: str) -> None:
        """Answer for a seat whose time is up: a stand-in plays, the clock takes the default."""

        def answer(head: Life) -> None:
            if head.phase != RUNNING or head.state.decisions[seat] != decision:
                return
            action = stand_in_action(view(head.state, seat)) if by == BY_STAND_IN else default_action(head.state, seat)
            self._history.accept(Acted(seat, decision, action, by, self.deadlines.bank_used(seat, decision)))
            if head.seats[seat].policy:
                self._desk.house.fell_back(self._history.table_id, seat)
            self._desk.metrics.acted[by].inc()
            if by == BY_CLOCK:
                self._desk.metrics.timed_out[head.seats[seat].who].inc()
                assert self._history.head is not None
                self.attendance.timed_out(self._history.head, seat)

        self._by_itself(answer)

    def _call_later(self, seconds: float, what: Callable[[Life], None]) -> None:
        self._desk.clock.call_at(self._desk.clock.now() + seconds, lambda: self._by_itself(what))

    def _by_itself(self, what: Callable[[Life], None]) -> None:
        """Do something that nobody has asked for. If that is impossible now or fails, `resume` lets it come again."""
        history = self._history
        if history.is_loading or history.head is None:
            return
        try:
            what(history.head)
        except Exception as error:
            self._desk.metrics.bugs.inc()
            log_bug("bug", error, **history.about())
            if history.shown is not None:
                self.resume(history.shown)
