"""A table: who may do what at it. Everything here is synchronous on the head; only callers wait, for durability."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.actions import Action
from engine.events import Event
from engine.game import apply
from engine.reasons import IllegalAction, Reason
from engine.view import View, view
from services.common.errors import Refused, malformed
from services.game.course import Course
from services.game.cycle import EVENTS, check, check_caller, check_state, state_of
from services.game.deadlines import Limit
from services.game.desk import Desk
from services.game.eyes import BEHIND, has_seen_hands
from services.game.history import History
from services.game.knowing import belongs
from services.game.life import CLOSED, RUNNING, Life
from services.game.opening import start_of_match
from services.game.records import (
    ASKED,
    BY_SEAT,
    Acted,
    Answer,
    AutoPassSet,
    Closed,
    Created,
    Occupant,
    Operation,
    Record,
    SeatLeft,
    SeatsReleased,
    SeatTaken,
)
from services.game.seats import existing, has_seat_for, left_by, next_host, promised_to, seat_for, seat_of
from services.game.snapshots import Snapshot

Refusing = Callable[[IllegalAction, View, Action], Refused]


class Table:
    """One table. Methods that change it return the version that they made; await `history.settled` before answering."""

    def __init__(self, desk: Desk, table_id: str, epoch: int, number: int) -> None:
        self.desk = desk
        self.id = table_id
        self.number = number
        """Its place in the order of creation."""
        self.history = History(desk, table_id, epoch, self._on_shown, self._on_resumed)
        self._course = Course(desk, self.history)
        self.deadlines = self._course.deadlines
        self._used = desk.clock.now()
        """When somebody last did something at it."""
        self._invited_by = ""
        """The code that leads here."""

    def begin_again(
        self, epoch: int, records: Sequence[Record], snapshot: Snapshot | None = None
    ) -> Callable[[float], None]:
        """Become, after a restart, what the records say; return what lets the table go on from when the service died.

        Nobody's clock ran while the service did not.
        """
        asked = self.history.begin_again(epoch, records, snapshot)
        self._invite(self.shown)

        def go_on(died: float) -> None:
            self._course.begin_again(self.shown, {decision: died - since for decision, since in asked.items()})

        return go_on

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

    def seat_shown(self, identity: str) -> int:
        """Return a caller's seat as far as that may be told, or -1."""
        return seat_of(self.shown.seats, identity)

    def seen(self, viewer: int) -> Life:
        """Return the table as somebody sees it; see `eyes`."""
        behind = self.history.behind
        return behind.shown if viewer == BEHIND and behind is not None and behind.shown is not None else self.shown

    def now(self) -> float:
        """Return what time it is."""
        return self.desk.clock.now()

    def connected(self, seat: int) -> bool:
        """Say whether a seat's occupant has a stream open."""
        return self.history.watchers.connected(seat)

    def limit_of(self, seat: int) -> Limit | None:
        """Return how long a seat that is asked has."""
        return self.deadlines.of(seat)

    def is_known_to(self, identity: str) -> bool:
        """Say whether a caller may know of the table without its code, as far as that may be told."""
        life = self.history.shown
        return life is not None and (not life.settings.private or belongs(life, identity))

    def is_of(self, identity: str) -> bool:
        """Say whether a caller is its host or has a seat."""
        return self.shown.host == identity or self.seat_shown(identity) >= 0

    def counts_for(self, host: str, is_auto: bool) -> bool:
        """Say whether it is one of the tables that a host has open: that begin by themselves, or of the others."""
        life = self.history.head
        return (
            life is not None and life.host == host and life.phase != CLOSED and (life.auto_start is not None) == is_auto
        )

    def is_joinable(self, identity: str) -> bool:
        """Say whether a caller could sit down now."""
        life = self.shown
        if life.auto_start is not None and life.phase == RUNNING:
            return False
        return state_of(life) in EVENTS["JoinTable"].leads and has_seat_for(life.seats, identity)

    def bank_shown(self, seat: int) -> int:
        """Return what a seat's time bank holds, in milliseconds; of one that is asked, what it held at first."""
        limit = self.deadlines.of(seat)
        return self.shown.banks[seat] if limit is None or limit.bank is None else limit.bank

    # --- what people do --------------------------------------------------------------------------------------------

    def create(self, created: Created, answer: Answer) -> int:
        """Come to be."""
        return self.accept(created, answer)

    def join(self, occupant: Occupant, wanted: int | None, answer: Answer) -> tuple[int, int]:
        """Give somebody a seat, or their own one back; return version and seat."""
        head, identity = self.head, occupant.identity
        check_caller("JoinTable", head, identity)
        if seat_of(head.seats, identity) >= 0:
            raise Refused("ALREADY_SEATED")
        if wanted is not None:
            existing(head.seats, wanted)
        seat = self._left_by(head, identity)
        if seat < 0 or wanted not in (None, seat):
            self._check_newcomer(head, identity)
            seat = seat_for(head.seats, wanted, occupant)
        kept = replace(answer, seat=seat)
        return self.accept(SeatTaken(seat, occupant), kept), seat

    def _left_by(self, head: Life, identity: str) -> int:
        """Return the seat that somebody may come back to, or -1."""
        may = head.phase == RUNNING and head.program.ruleset.bool("reconnect")
        return left_by(head.seats, identity) if may else -1

    def _check_newcomer(self, head: Life, identity: str) -> None:
        """Refuse whoever cannot sit down now, or is not welcome."""
        if identity in head.removed:
            raise Refused("REMOVED")
        if head.phase == RUNNING and promised_to(head.seats, identity) >= 0:
            raise Refused("RESERVATION_OVER")
        if head.phase == RUNNING and (head.auto_start is not None or has_seen_hands(head, identity)):
            raise Refused("MATCH_RUNNING")
        check_state("JoinTable", head)

    def leave(self, identity: str) -> int:
        """Take somebody's seat back, if they have one or are to have one; in a running match a stand-in plays it."""
        head = self.may("LeaveTable", identity)
        seat = seat_of(head.seats, identity)
        if seat < 0:
            promised = promised_to(head.seats, identity)
            if promised >= 0 and head.seats[promised].is_kept:
                return self.accept(SeatsReleased((promised,)))
            return head.version
        return self.accept(SeatLeft(seat, next_host(head.seats, seat, head.host)))

    def set_options(self, identity: str, stand_in: bool | None, auto_pass: bool | None) -> int:
        """Let a stand-in play for somebody or no longer, and their seat pass by itself or not; None changes nothing."""
        head = self.may("SetSeatOptions", identity)
        seat, attendance = seat_of(head.seats, identity), self._course.attendance
        comes = stand_in is not None and stand_in != bool(head.seats[seat].stand_in)
        if comes and head.phase != RUNNING:
            raise Refused("MATCH_NOT_RUNNING")
        if auto_pass is not None and auto_pass != head.seats[seat].auto_pass:
            self.accept(AutoPassSet(seat, auto_pass))
        if not comes:
            return self.head.version
        if stand_in:
            return attendance.take_over(seat, ASKED)
        attendance.acts(head, seat)
        return self.head.version

    def start(self, identity: str, answer: Answer) -> int:
        """Begin a match."""
        head = self.may("StartMatch", identity)
        empty = [str(n) for n, seat in enumerate(head.seats) if seat.occupant is None]
        if empty:
            raise Refused("SEATS_EMPTY", metadata={"seats": ",".join(empty)})
        version = self.accept(start_of_match(head), answer)
        self.desk.metrics.acted["system"].inc()
        return version

    def act(self, identity: str, decision: int, action: Action, refused: Refusing) -> tuple[int, bool]:
        """Answer a decision; return the version that it made, and whether that was some time ago.

        What the rules say against it is put into words by `refused`, from the view of the caller's seat.
        """
        head = self.head
        check_caller("Act", head, identity)
        seat = seat_of(head.seats, identity)
        self._course.attendance.acts(head, seat)
        head = self.head
        try:
            return self._act(head, seat, decision, action)
        except IllegalAction as illegal:
            raise refused(illegal, view(head.state, seat), action) from None

    def _act(self, head: Life, seat: int, decision: int, action: Action) -> tuple[int, bool]:
        if not decision:
            self._check_unasked(head, seat, action)
        made = self.history.decisions.find(head, seat, decision, action)
        if made is not None:
            return made, True
        bank = self.deadlines.bank_used(seat, decision)
        acted = Acted(seat, decision, action, BY_SEAT, bank)
        # that bots of the service play is nobody's use of it: they would for ever
        version = self.history.accept(acted) if head.seats[seat].policy else self.accept(acted)
        self.desk.metrics.acted["seat"].inc()
        return version, False

    def close(self) -> None:
        """Be no more."""
        if self.history.head is not None and self.history.head.phase != CLOSED:
            self.history.accept(Closed())

    def accept(self, operation: Operation, answer: Answer | None = None) -> int:
        """Take an operation, which somebody has asked for; return its version."""
        version = self.history.accept(operation, answer)
        self._used = self.desk.clock.now()
        return version

    # --- who may ---------------------------------------------------------------------------------------------------

    def may(self, event: str, identity: str) -> Life:
        """Return the head, if a caller may do this now."""
        head = self.head
        check(event, head, identity)
        return head

    def _check_unasked(self, head: Life, seat: int, action: Action) -> None:
        """Refuse an action without a decision: what the rules say of a seat that is not asked, or that it is needed."""
        if head.phase != RUNNING:
            raise IllegalAction(Reason.NO_GAME)
        if not head.state.decisions[seat]:
            apply(head.state, seat, action)
        raise malformed("decision_id", "決定の番号が必要です。", "The number of the open decision is needed.")

    # --- what happens by itself ------------------------------------------------------------------------------------

    def _on_shown(self, life: Life, events: Sequence[Event]) -> dict[int, Limit]:
        self._invite(life)
        return self._course.follow(life, events)

    def _on_resumed(self, life: Life) -> None:
        self._invite(life)
        self._course.resume(life)

    def _invite(self, life: Life) -> None:
        """Let the code that is shown lead here."""
        code = life.code if life.phase != CLOSED else ""
        if code != self._invited_by:
            self.desk.invites.put(self.id, code)
            self._invited_by = code

    def reap(self, now: float) -> None:
        """Close a table at which nobody does anything, or would: a match that only clocks play, or only bots of the
        service, a room without people.

        Whoever waits at a table for a match to begin uses it by watching, and its host by watching such bots;
        spectators do not.
        """
        head = self.history.head
        if head is None:
            return
        if head.phase != RUNNING or not any([seat.is_visited for seat in head.seats]):
            belonging = [seat.occupant.identity for seat in head.seats if seat.occupant is not None and not seat.policy]
            if self.history.watchers.are_there([*belonging, head.host]):
                self._used = now
        if now - self._used >= self.desk.config.table_idle_seconds:
            self.close()
