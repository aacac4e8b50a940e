"""What a table does by itself: clocks run out, games follow each other, streams of lost seats end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.events import Event, GameEnded, MatchEnded
from engine.game import default_action
from services.common.logs import log, log_bug
from services.game.deadlines import Deadlines
from services.game.desk import Desk
from services.game.history import History
from services.game.life import CLOSED, RUNNING, Life
from services.game.records import BY_CLOCK, Acted, GameStarted
from services.game.seats import SeatChanged
from services.game.watchers import SEAT_LOST, TABLE_CLOSED


class Course:
    """The course of one table. It goes by what is shown, and acts on the head."""

    def __init__(self, desk: Desk, history: History) -> None:
        self.deadlines = Deadlines(desk, self._time_out)
        self._desk = desk
        self._history = history
        self._paused_at = -1
        """The version whose pause is running, or was last."""

    def follow(self, life: Life, events: Sequence[Event]) -> dict[int, float]:
        """Follow what is shown now; return the deadlines of new decisions."""
        watchers = self._history.watchers
        for event in events:
            if isinstance(event, SeatChanged) and event.now.occupant is None:
                watchers.leave(SEAT_LOST, event.seat)
            elif isinstance(event, GameEnded):
                self._desk.metrics.games.inc()
                state = life.state
                log().info("game_ended", game=state.game, games=state.games, seats=state.seats, **self._history.about())
            elif isinstance(event, MatchEnded):
                self._desk.metrics.matches.inc()
        if life.phase == CLOSED:
            watchers.leave(TABLE_CLOSED)
        if life.is_between_games():
            self._pause(life)
        return self.deadlines.follow(life)

    def _pause(self, life: Life) -> None:
        """Deal the next game after a pause; tables of bots need none."""
        if self._paused_at == life.version:
            return
        self._paused_at = life.version
        people = any(seat.occupant is not None and not seat.occupant.bot for seat in life.seats)
        self._call_later(self._desk.config.between_games_seconds if people else 0.0, self._next_game)

    def _next_game(self, head: Life) -> None:
        if head.is_between_games():
            self._history.accept(GameStarted())
            self._desk.metrics.acted["system"].inc()

    def _time_out(self, seat: int, decision: int) -> None:
        """Take the default for a seat whose time is up."""

        def take_default(head: Life) -> None:
            if head.phase == RUNNING and head.state.decisions[seat] == decision:
                self._history.accept(Acted(seat, decision, default_action(head.state, seat), BY_CLOCK))
                self._desk.metrics.acted["clock"].inc()

        self._by_itself(take_default)

    def _call_later(self, seconds: float, what: Callable[[Life], None]) -> None:
        self._desk.clock.call_at(self._desk.clock.now() + seconds, lambda: self._by_itself(what))

    def _by_itself(self, what: Callable[[Life], None]) -> None:
        """Do something that nobody has asked for; while the history is being read, a little later."""
        history = self._history
        if history.is_loading:
            self._call_later(self._desk.config.store_retry_seconds, what)
        elif history.head is not None:
            try:
                what(history.head)
            except Exception as error:
                self._desk.metrics.bugs.inc()
                log_bug("bug", error, **history.about())
