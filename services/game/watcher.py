"""One stream: it has a bounded queue, and nobody ever waits for it."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from services.common.clocks import Timer
from services.common.errors import Refused
from services.common.lifetimes import lifetime
from services.common.logs import log
from services.game.desk import Desk
from services.game.frames import Frame
from services.game.messages import (
    FELL_BEHIND,
    MAX_AGE,
    Frames,
    GoingAway,
    Heartbeat,
    Item,
    Message,
    Snapshot,
)
from services.game.writing import Writing

MOST_TOGETHER: Final = 64
"""How many versions go into one message at most."""

Send = Callable[[Message], Awaitable[None]]
"""Writes a message; it is on its way once that is awaited."""


class Watcher:
    """One stream: what is still to be sent on it."""

    __slots__ = (
        *("_desk", "_ended", "_first", "_gave_up", "_is_last", "_leaving", "_old_at", "_queue", "_send", "_snapshot"),
        *("_timer", "identity", "is_writing", "seat", "sent"),
    )
    is_stream = True
    """Whether it goes on until it is ended."""

    def __init__(self, desk: Desk, identity: str, seat: int) -> None:
        self.identity = identity
        self.seat = seat
        """The seat whose eyes it has, or the eyes of a spectator; see `eyes`."""
        self._desk = desk
        self._queue: list[Item] = []
        self._first = 0
        """How many of the first messages still wait. They do not count as falling behind."""
        self._snapshot: Snapshot | None = None
        self._leaving: GoingAway | None = None
        self._send: Send | None = None
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._timer: Timer | None = None
        self.sent = desk.clock.now()
        """When the last message was sent."""
        self.is_writing = False
        self._is_last = False
        """Whether the stream ends with the message that is on its way."""
        self._gave_up = False
        self._old_at = self.sent + lifetime(desk.config)

    def begin(self, items: Iterable[Item]) -> None:
        """Queue the first messages, however many."""
        self._queue.extend(items)
        self._first = len(self._queue)

    @property
    def is_leaving(self) -> bool:
        """Say whether the stream is about to end."""
        return self._leaving is not None

    @property
    def is_present(self) -> bool:
        """Say whether its caller is there, or will be back at once."""
        return self._leaving is None or self._leaving.reason == MAX_AGE

    @property
    def is_coming_back(self) -> bool:
        """Say whether its caller will be back at once when it ends."""
        return self._leaving is not None and self._leaving.reason == MAX_AGE

    def tell(self, item: Item) -> None:
        """Queue a message; when too many wait, they are put together into a snapshot."""
        if self._leaving is not None or self._snapshot is not None:
            return
        if len(self._queue) - self._first >= self._desk.config.watcher_versions:
            self._desk.metrics.fell_behind.inc()
            self.resync(FELL_BEHIND)
            return
        self._queue.append(item)
        self._go_on()

    def resync(self, reason: str) -> None:
        """Send a snapshot instead of everything that waits; none to a stream that ends, whose eyes may be old."""
        if self._leaving is not None:
            return
        self._queue.clear()
        self._first = 0
        self._snapshot = Snapshot(reason)
        self._go_on()

    def leave(self, reason: str) -> None:
        """End the stream after what already waits. Nothing that happens from now on is shown on it."""
        if self._leaving is None or self._leaving.reason == MAX_AGE:
            self._leaving = GoingAway(reason)
            self._snapshot = None
            self._go_on()

    async def pump(self, send: Send) -> None:
        """Send messages until the stream ends; refuse to go on when nobody reads."""
        self._send = send
        self._arm(self._desk.clock.now() + self._desk.config.heartbeat_seconds)
        self._go_on()
        try:
            await self._ended
        finally:
            self._ended.cancel()
            if self._timer is not None:
                self._timer.cancel()
        if self._gave_up:
            self._desk.metrics.too_slow.inc()
            log().info("slow_reader_closed", seconds=self._desk.config.write_seconds)
            raise Refused("TOO_SLOW", retry_seconds=self._desk.config.reconnect_seconds)

    def _go_on(self) -> None:
        """Send what comes next, unless a message is on its way; then it comes after that."""
        if self.is_writing or self._send is None or self._ended.done():
            return
        message = self._next()
        if message is not None:
            self.is_writing, self.sent = True, self._desk.clock.now()
            self._is_last = isinstance(message, GoingAway)
            self._arm_by(self.sent + self._desk.config.write_seconds)
            try:
                write = self._send(message)
            except Exception as error:
                self._written(error)
            else:
                Writing(write, self._written)

    def _written(self, error: BaseException | None) -> None:
        self.is_writing = False
        if self._ended.done():
            return
        if error is not None:
            self._ended.set_exception(error)
        elif self._is_last:
            self._ended.set_result(None)
        else:
            self._go_on()

    def take(self) -> list[Message]:
        """Take everything that there is to tell."""
        self.sent = self._desk.clock.now()
        messages: list[Message] = []
        while (message := self._next()) is not None:
            messages.append(message)
            if isinstance(message, GoingAway):
                break
        return messages

    def _next(self) -> Message | None:
        if self._snapshot is not None:
            snapshot, self._snapshot = self._snapshot, None
            return snapshot
        return self._take() if self._queue else self._leaving

    def _take(self) -> Message:
        """Take what has waited longest; versions that have waited one after the other are taken together."""
        frames: list[Frame] = []
        for item in self._queue:
            if not isinstance(item, Frame):
                if frames:
                    break
                del self._queue[0]
                self._first = max(0, self._first - 1)
                return item
            frames.append(item)
            if len(frames) == MOST_TOGETHER:
                break
        del self._queue[: len(frames)]
        self._first = max(0, self._first - len(frames))
        return Frames(tuple(frames))

    def _arm_by(self, due: float) -> None:
        if self._timer is None or self._timer.when > due:
            self._arm(due)

    def _arm(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._desk.clock.call_at(min(when, self._old_at), self._tick)

    def _tick(self) -> None:
        """Give up on a stream that does not read; tell a silent one that it is alive; end one that is old."""
        config, now = self._desk.config, self._desk.clock.now()
        if now >= self._old_at:
            self._old_at = math.inf
            self.leave(MAX_AGE)
        due = self.sent + (config.write_seconds if self.is_writing else config.heartbeat_seconds)
        if now < due:
            self._arm(due)
        elif not self.is_writing:
            self._arm(now + config.heartbeat_seconds)
            self.tell(Heartbeat())
        elif not self._ended.done():
            self._gave_up = True
            self._ended.set_result(None)
