"""Driving many seats on one stream: what each is told waits at its table, and goes out with the next message."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from typing import Any, Final

from daifugo.v1 import drive_pb2
from services.common.access import PLAY, check_access
from services.common.auth import Caller, Identity
from services.common.clocks import Timer
from services.common.errors import Refused, malformed
from services.common.lifetimes import lifetime
from services.common.logs import log
from services.game.codec.actions import action_from
from services.game.codec.drive import cursor_from, problem_to, result_to
from services.game.codec.legal import refused
from services.game.desk import Desk
from services.game.driven import Driven
from services.game.messages import DRAINING, MAX_AGE
from services.game.table import Table
from services.game.watching import begin, check_open
from services.game.writing import Writing

Write = Callable[[bytes], Coroutine[Any, Any, None]]
Find = Callable[[str, str], Table]
"""Returns the table with an id, if an identity may know of it."""
Identify = Callable[[str], Awaitable[Identity]]
"""Returns who holds a token."""

Count = Callable[[str, float], None]
"""Takes note that somebody has made so many calls, or refuses any more."""

ATTACHED: Final = 0.25
"""How many calls an attached seat counts for. What is refused or repeated counts for one; what is played for none."""


class Drive:
    """One stream of many seats."""

    def __init__(self, desk: Desk, who: Caller, find: Find, identify: Identify, count: Count, write: Write) -> None:
        self._desk, self._who, self._count = desk, who, count
        self._find, self._identify, self._write = find, identify, write
        self._seats: dict[int, Driven] = {}
        self._answers: list[bytes] = []
        self._waiting: dict[Driven, None] = {}
        """Seats with news, in the order in which these came."""
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._is_writing = self._is_due = self._is_read = False
        self._sent = desk.clock.now()
        self._old_at = self._sent + lifetime(desk.config)
        self._timer: Timer | None = None

    async def run(self, requests: AsyncIterator[drive_pb2.DriveRequest]) -> None:
        """Serve requests until there are no more and all is answered, or the stream has to end."""
        self._arm()
        reading = asyncio.create_task(self._read(requests))
        try:
            await asyncio.wait({reading, self._ended}, return_when=asyncio.FIRST_COMPLETED)
            if reading.done():
                reading.result()
                self._is_read = True
                self._write_soon()
            await self._ended
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            self._ended.cancel()
            if self._timer is not None:
                self._timer.cancel()
            for driven in list(self._seats.values()):
                self._detach(driven)

    # --- what is asked ---------------------------------------------------------------------------------------------

    async def _read(self, requests: AsyncIterator[drive_pb2.DriveRequest]) -> None:
        async for request in requests:
            for attach in request.attach:
                await self._answered(attach.handle, 0, self._attach(attach), detached=attach.handle not in self._seats)
            for handle in request.detach:
                if handle in self._seats:
                    self._detach(self._seats[handle])
            await self._act(request.actions)

    async def _answered(self, handle: int, decision: int, what: Awaitable[None], detached: bool = False) -> None:
        """Let something be done for a seat; if it is refused, that is the only thing that fails."""
        try:
            await what
        except Refused as why:
            self._count(self._who.identity, 1.0)
            self._refuse(handle, decision, why, detached)

    def _refuse(self, handle: int, decision: int, why: Refused, detached: bool) -> None:
        self._desk.metrics.refused(why.reason)
        self._answer(problem_to(handle, decision, why, self._who, detached))

    async def _attach(self, request: drive_pb2.Attach) -> None:
        self._count(self._who.identity, ATTACHED)
        if request.handle in self._seats:
            raise malformed("attach.handle", "この番号は使用中です。", "This handle is in use.")
        most = self._desk.config.max_seats_per_stream
        if len(self._seats) >= most:
            raise Refused("TOO_MANY", metadata={"limit": "max_seats_per_stream", "most": str(most)})
        who = await self._identify(request.token) if request.token else self._who.who
        check_access(PLAY, who)
        table = self._find(who.name, request.table_id)
        check_open(table)
        seat = table.seat_shown(who.name)
        if seat < 0:
            raise Refused("NOT_SEATED")
        driven = Driven(self.wake, table, who.name, seat, request)
        if who.until is not None:
            driven.expiry = self._desk.clock.call_at(who.until, lambda: self._expire(driven))
        self._seats[request.handle] = driven
        begin(table, driven, cursor_from(request))
        table.history.watchers.add(driven)
        self.wake(driven)

    def _expire(self, driven: Driven) -> None:
        if self._seats.get(driven.handle) is driven:
            self._detach(driven)
            self._refuse(driven.handle, 0, Refused("TOKEN_EXPIRED"), True)

    def _detach(self, driven: Driven) -> None:
        del self._seats[driven.handle]
        self._waiting.pop(driven, None)
        if driven.expiry is not None:
            driven.expiry.cancel()
        driven.table.history.watchers.remove(driven)

    async def _act(self, actions: Iterable[drive_pb2.DriveAction]) -> None:
        """Take all actions, and then wait for all of them: they become durable together."""
        taken: list[tuple[Driven, int, int, bool]] = []
        not_taken: list[tuple[int, int, Driven | None, Refused]] = []
        for item in actions:
            driven = self._seats.get(item.handle)
            try:
                if driven is None:
                    raise malformed("actions.handle", "この番号の席はありません。", "No seat has this handle.")
                version, repeated = driven.table.act(
                    driven.identity, item.decision_id, action_from(item.action), refused
                )
                taken.append((driven, item.decision_id, version, repeated))
                is_news = not repeated
            except Refused as why:
                not_taken.append((item.handle, item.decision_id, driven, why))
                is_news = False
            if not is_news:
                self._count(self._who.identity, 1.0)
        for driven, decision, version, repeated in taken:
            history = driven.table.history
            try:
                await history.settled(version)
            except Refused as why:
                self._refuse(driven.handle, decision, why, False)
                continue
            self._answer(result_to(driven.handle, decision, version, history.durable_version, repeated))
        for handle, decision, at, problem in not_taken:
            # a refusal waits, as everything does, until what it rests on is durable
            if at is not None and at.table.history.head is not None:
                await self._answered(handle, decision, at.table.history.settled(at.table.history.head.version))
            self._refuse(handle, decision, problem, at is None)

    # --- what is sent ----------------------------------------------------------------------------------------------

    def wake(self, driven: Driven) -> None:
        """Tell of a seat with the next message."""
        self._waiting[driven] = None
        self._write_soon()

    def _answer(self, written: bytes) -> None:
        self._answers.append(written)
        self._write_soon()

    def _write_soon(self) -> None:
        """Write when whatever else happens now has happened too."""
        if not self._is_due and not self._is_writing:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._write_now)

    def _write_now(self) -> None:
        self._is_due = False
        if self._is_writing or self._ended.done():
            return
        parts, self._answers = self._answers, []
        waiting, self._waiting = self._waiting, {}
        for driven in waiting:
            written, is_over = driven.news()
            parts.append(written)
            if is_over:
                self._detach(driven)
            # whatever else there is goes elsewhere too
            self._is_read |= is_over in (DRAINING, MAX_AGE)
        message = b"".join(parts)
        if message:
            self._send(message)
        elif self._is_read:
            self._ended.set_result(None)

    def _send(self, message: bytes) -> None:
        self._is_writing, self._sent = True, self._desk.clock.now()
        self._arm()
        Writing(self._write(message), self._written)

    def _written(self, error: BaseException | None) -> None:
        self._is_writing = False
        if self._ended.done():
            return
        if error is not None:
            self._ended.set_exception(error)
        elif self._answers or self._waiting or self._is_read:
            self._write_soon()

    def _arm(self) -> None:
        """Look again when the message under way should be written, or when a silent stream needs a sign of life."""
        if self._timer is not None:
            self._timer.cancel()
        config = self._desk.config
        seconds = config.write_seconds if self._is_writing else config.heartbeat_seconds
        self._timer = self._desk.clock.call_at(self._sent + seconds, self._tick)

    def _tick(self) -> None:
        if self._ended.done():
            return
        if self._desk.clock.now() >= self._old_at:
            self._grow_old()
        if self._is_writing:
            if self._desk.clock.now() < self._sent + self._desk.config.write_seconds:
                self._arm()
                return
            self._desk.metrics.too_slow.inc()
            log().info("slow_reader_closed", seconds=self._desk.config.write_seconds)
            self._ended.set_exception(Refused("TOO_SLOW", retry_seconds=self._desk.config.reconnect_seconds))
        elif self._desk.clock.now() < self._sent + self._desk.config.heartbeat_seconds:
            self._arm()
        else:
            self._send(b"")

    def _grow_old(self) -> None:
        """End before the connection does."""
        self._old_at = math.inf
        for driven in self._seats.values():
            driven.leave(MAX_AGE)
        if not self._seats:
            self._is_read = True
            self._write_soon()
