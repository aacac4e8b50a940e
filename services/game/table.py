"""A table: who may do what at it. Everything here is synchronous on the head; only callers wait, for durability."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

from engine import events as ev
from engine.actions import Action
from engine.game import apply, default_action
from engine.version import ENGINE_VERSION
from services.common.errors import Refused, malformed
from services.common.logs import log, log_bug
from services.game.deadlines import Deadlines
from services.game.desk import Desk
from services.game.history import History
from services.game.life import CLOSED, RUNNING, Life, games_of
from services.game.records import (
    BY_CLOCK,
    BY_SEAT,
    Acted,
    Answer,
    Closed,
    Created,
    GameStarted,
    MatchStarted,
    Occupant,
    SeatLeft,
    SeatSet,
    SeatTaken,
    Settings,
)
from services.game.seats import SeatChanged, existing, next_host, seat_for, seat_of
from services.game.watchers import SEAT_LOST, TABLE_CLOSED


class Table:
    """One table. Methods that change it return the version that they made; await `history.settled` before answering."""

    def __init__(self, desk: Desk, table_id: str, epoch: int, number: int) -> None:
        self.desk = desk
        self.id = table_id
        self.number = number
        """Its place in the order of creation."""
        self.deadlines = Deadlines(desk, self._time_out)
        self.history = History(desk, table_id, epoch, self._on_shown)
        self._pause_for = -1
        self._used = desk.clock.now()

    # --- as it is --------------------------------------------------------------------------------------------------

    @property
    def head(self) -> Life:
        """Everything accepted."""
        self.history.check_ready()
        assert self.history.head is not None
        return self.history.head

    @property
    def shown(self) -> Life:
        """Everything that may be told."""
        assert self.history.shown is not None
        return self.history.shown

    def about(self) -> dict[str, str | int]:
        """Return what log lines say of the table."""
        shown = self.shown
        return {
            "table_id": self.id,
            "version": shown.version,
            "ruleset_hash": shown.settings.ruleset_hash,
            "engine_version": ENGINE_VERSION,
        }

    def seat_shown(self, identity: str) -> int:
        """Return a caller's seat as far as that may be told, or -1."""
        return seat_of(self.shown.seats, identity)

    # --- what people do --------------------------------------------------------------------------------------------

    def create(self, settings: Settings, host: str, answer: Answer) -> int:
        """Come to be."""
        return self.history.accept(Created(settings, host), answer)

    def join(self, occupant: Occupant, wanted: int | None, answer: Answer) -> tuple[int, int]:
        """Give somebody a seat; return version and seat."""
        head = self._open_head()
        if seat_of(head.seats, occupant.identity) >= 0:
            raise Refused("ALREADY_SEATED")
        if wanted is not None:
            existing(head.seats, wanted)
        self._check_not_running(head)
        seat = seat_for(head.seats, wanted, occupant.bot)
        kept = Answer(answer.identity, answer.method, answer.request_id, answer.fingerprint, seat)
        return self.history.accept(SeatTaken(seat, occupant), kept), seat

    def leave(self, identity: str) -> int:
        """Take somebody's seat back; a running match goes on with defaults for it."""
        head = self._open_head()
        return self._vacate(head, self._seat(head, identity))

    def set_seat(self, identity: str, number: int, kind: int, remove_occupant: bool) -> int:
        """Say who a seat is for."""
        head = self._open_head()
        self._check_host(head, identity)
        existing(head.seats, number)
        self._check_not_running(head)
        if head.seats[number].occupant is not None:
            if not remove_occupant:
                raise Refused("SEAT_TAKEN")
            self._vacate(head, number)
        return self.history.accept(SeatSet(number, kind))

    def start(self, identity: str, answer: Answer) -> int:
        """Begin a match."""
        head = self._open_head()
        self._check_host(head, identity)
        self._check_not_running(head)
        empty = [str(n) for n, seat in enumerate(head.seats) if seat.occupant is None]
        if empty:
            raise Refused("SEATS_EMPTY", metadata={"seats": ",".join(empty)})
        started = MatchStarted(secrets.token_hex(16), secrets.token_bytes(32), games_of(head))
        version = self.history.accept(started, answer)
        self.desk.metrics.acted["system"].inc()
        return version

    def act(self, identity: str, decision: int, action: Action) -> tuple[int, bool]:
        """Answer a decision; return the version that it made, and whether that was some time ago."""
        head = self._open_head()
        seat = self._seat(head, identity)
        if not decision:
            self._check_unasked(head, seat, action)
        made = self.history.decisions.find(head, seat, decision, action)
        if made is not None:
            return made, True
        version = self.history.accept(Acted(seat, decision, action, BY_SEAT))
        self.desk.metrics.acted["seat"].inc()
        return version, False

    def close(self) -> None:
        """Be no more."""
        if self.history.head is not None and self.history.head.phase != CLOSED:
            self.history.accept(Closed())

    def _vacate(self, head: Life, seat: int) -> int:
        return self.history.accept(SeatLeft(seat, next_host(head.seats, seat, head.host)))

    # --- who may ---------------------------------------------------------------------------------------------------

    def _open_head(self) -> Life:
        head = self.head
        self._used = self.desk.clock.now()
        if head.phase == CLOSED:
            raise Refused("TABLE_CLOSED")
        return head

    def _seat(self, head: Life, identity: str) -> int:
        seat = seat_of(head.seats, identity)
        if seat < 0:
            raise Refused("NOT_SEATED")
        return seat

    def _check_host(self, head: Life, identity: str) -> None:
        if identity != head.host:
            raise Refused("NOT_HOST")

    def _check_not_running(self, head: Life) -> None:
        if head.phase == RUNNING:
            raise Refused("MATCH_RUNNING")

    def _check_unasked(self, head: Life, seat: int, action: Action) -> None:
        """Refuse an action without a decision: what the rules say of a seat that is not asked, or that it is needed."""
        if not head.state.decisions[seat]:
            apply(head.state, seat, action)
        raise malformed("decision_id", "決定の番号が必要です。", "The number of the open decision is needed.")

    # --- what happens by itself ------------------------------------------------------------------------------------

    def _on_shown(self, events: Sequence[ev.Event]) -> dict[int, float]:
        """Let clocks and watchers follow what is shown; return the deadlines of new decisions."""
        life = self.shown
        for event in events:
            if isinstance(event, SeatChanged) and event.now.occupant is None:
                self.history.watchers.leave(SEAT_LOST, event.seat)
            elif isinstance(event, ev.GameEnded):
                self._log_game(life)
            elif isinstance(event, ev.MatchEnded):
                self.desk.metrics.matches.inc()
        if life.phase == CLOSED:
            self.history.watchers.leave(TABLE_CLOSED)
        if life.is_between_games():
            self._pause(life)
        return self.deadlines.follow(life)

    def _pause(self, life: Life) -> None:
        """Deal the next game after a pause; tables of bots need none."""
        if self._pause_for == life.version:
            return
        self._pause_for = life.version
        people = any(seat.occupant is not None and not seat.occupant.bot for seat in life.seats)
        seconds = self.desk.config.between_games_seconds if people else 0.0
        self._call_later(seconds, self._next_game)

    def _next_game(self) -> None:
        head = self.history.head
        assert head is not None
        if head.is_between_games():
            self.history.accept(GameStarted())
            self.desk.metrics.acted["system"].inc()

    def _time_out(self, seat: int, decision: int) -> None:
        """Take the default for a seat whose time is up."""

        def take_default() -> None:
            head = self.history.head
            assert head is not None
            if head.phase == RUNNING and head.state.decisions[seat] == decision:
                self.history.accept(Acted(seat, decision, default_action(head.state, seat), BY_CLOCK))
                self.desk.metrics.acted["clock"].inc()

        self._by_itself(take_default)

    def _call_later(self, seconds: float, what: Callable[[], None]) -> None:
        self.desk.clock.call_at(self.desk.clock.now() + seconds, lambda: self._by_itself(what))

    def _by_itself(self, what: Callable[[], None]) -> None:
        """Do something that nobody has asked for; while the history is being read, a little later."""
        if self.history.is_loading:
            self._call_later(self.desk.config.store_retry_seconds, what)
        elif not self.history.is_lost:
            try:
                what()
            except Exception as error:
                self.desk.metrics.bugs.inc()
                log_bug("bug", error, **self.about())

    def reap(self, now: float) -> None:
        """Close a table that nobody watches or uses."""
        head = self.history.head
        if head is None or head.phase == RUNNING or len(self.history.watchers):
            self._used = now
        elif now - self._used >= self.desk.config.table_idle_seconds:
            self.close()

    def _log_game(self, life: Life) -> None:
        self.desk.metrics.games.inc()
        state = life.state
        log().info("game_ended", game=state.game, games=state.games, seats=state.seats, **self.about())
