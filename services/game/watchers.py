"""Streams: each has a bounded queue, and nobody ever waits for one."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from services.common.clocks import Timer
from services.common.errors import Refused
from services.common.logs import log
from services.game.desk import Desk
from services.game.frames import Frame
from services.game.seats import Seat, seat_of
from services.game.writing import Writing

# why a snapshot comes
NO_CURSOR: Final = "no_cursor"
FELL_BEHIND: Final = "fell_behind"

MOST_TOGETHER: Final = 64
"""How many versions go into one message at most."""

# why a stream ends
DRAINING: Final = "draining"
MOVED: Final = "moved"
SUPERSEDED: Final = "superseded"
TABLE_CLOSED: Final = "table_closed"
SEAT_LOST: Final = "seat_lost"


@dataclass(frozen=True)
class Resumed:
    """The stream goes on after this cursor."""

    epoch: int
    version: int


@dataclass(frozen=True)
class Snapshot:
    """Send the whole view as it is when this is sent."""

    reason: str


@dataclass(frozen=True)
class Presence:
    """An occupant opened a stream, or has none left."""

    seat: int
    connected: bool


@dataclass(frozen=True)
class Heartbeat:
    """The stream is alive."""


@dataclass(frozen=True)
class GoingAway:
    """The stream ends."""

    reason: str


@dataclass(frozen=True)
class Frames:
    """Versions that have waited together."""

    frames: tuple[Frame, ...]


Item = Frame | Resumed | Snapshot | Presence | Heartbeat | GoingAway
"""What can wait for a stream."""
Message = Frames | Resumed | Snapshot | Presence | Heartbeat | GoingAway
"""What is sent on it."""


Send = Callable[[Message], Coroutine[Any, Any, None]]


class Watcher:
    """One stream: what is still to be sent on it."""

    def __init__(self, desk: Desk, identity: str, seat: int) -> None:
        self.identity = identity
        self.seat = seat
        """The seat whose eyes it has; -1 for a spectator."""
        self._desk = desk
        self._queue: deque[Item] = deque()
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
        self._gave_up = False

    def begin(self, items: Iterable[Item]) -> None:
        """Queue the first messages, however many."""
        self._queue.extend(items)
        self._first = len(self._queue)

    @property
    def is_leaving(self) -> bool:
        """Say whether the stream is about to end."""
        return self._leaving is not None

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
        if self._leaving is None:
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
            self._arm_by(self.sent + self._desk.config.write_seconds)
            Writing(self._send(message), partial(self._written, message))

    def _written(self, message: Message, error: BaseException | None) -> None:
        self.is_writing = False
        if self._ended.done():
            return
        if error is not None:
            self._ended.set_exception(error)
        elif isinstance(message, GoingAway):
            self._ended.set_result(None)
        else:
            self._go_on()

    def _next(self) -> Message | None:
        if self._snapshot is not None:
            snapshot, self._snapshot = self._snapshot, None
            return snapshot
        return self._take() if self._queue else self._leaving

    def _take(self) -> Message:
        """Take what has waited longest; versions that have waited one after the other are taken together."""
        item = self._queue.popleft()
        self._first = max(0, self._first - 1)
        if not isinstance(item, Frame):
            return item
        frames = [item]
        while self._queue and len(frames) < MOST_TOGETHER and isinstance(item := self._queue[0], Frame):
            self._queue.popleft()
            self._first = max(0, self._first - 1)
            frames.append(item)
        return Frames(tuple(frames))

    def _arm_by(self, due: float) -> None:
        if self._timer is None or self._timer.when > due:
            self._arm(due)

    def _arm(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._desk.clock.call_at(when, self._tick)

    def _tick(self) -> None:
        """Give up on a stream that does not read; tell a silent one that it is alive."""
        config, now = self._desk.config, self._desk.clock.now()
        due = self.sent + (config.write_seconds if self.is_writing else config.heartbeat_seconds)
        if now < due:
            self._arm(due)
        elif not self.is_writing:
            self._arm(now + config.heartbeat_seconds)
            self.tell(Heartbeat())
        elif not self._ended.done():
            self._gave_up = True
            self._ended.set_result(None)


class Watchers:
    """The streams of one table."""

    def __init__(self) -> None:
        self._all: list[Watcher] = []
        self._draining = False

    def __len__(self) -> int:
        return len(self._all)

    def connected(self, seat: int) -> bool:
        """Say whether a seat's occupant has a stream open."""
        return any(watcher.seat == seat and not watcher.is_leaving for watcher in self._all)

    def are_writing(self) -> bool:
        """Say whether a message is on its way on some stream."""
        return any(watcher.is_writing for watcher in self._all)

    def connected_seats(self) -> frozenset[int]:
        """Return the seats whose occupants have a stream open."""
        return frozenset([watcher.seat for watcher in self._all if watcher.seat >= 0 and not watcher.is_leaving])

    def add(self, watcher: Watcher) -> None:
        """Add a stream; an older one of the same caller and seat ends. The others are told who is there."""
        was = self.connected(watcher.seat)
        for other in self._all:
            if (other.identity, other.seat) == (watcher.identity, watcher.seat):
                other.leave(SUPERSEDED)
        if watcher.seat >= 0 and not was:
            self.tell(Presence(watcher.seat, True))
        self._all.append(watcher)
        if self._draining:
            watcher.leave(DRAINING)

    def remove(self, watcher: Watcher) -> None:
        """Remove a stream that has ended."""
        self._all.remove(watcher)
        if watcher.seat >= 0 and not watcher.is_leaving and not self.connected(watcher.seat):
            self.tell(Presence(watcher.seat, False))

    def tell(self, item: Item) -> None:
        """Tell every stream."""
        for watcher in self._all:
            watcher.tell(item)

    def resync(self, reason: str) -> None:
        """Send every stream a snapshot."""
        for watcher in self._all:
            watcher.resync(reason)

    def leave(self, reason: str) -> None:
        """End every stream."""
        for watcher in self._all:
            watcher.leave(reason)

    def drain(self) -> None:
        """End every stream, and those of calls that are still under way."""
        self._draining = True
        self.leave(DRAINING)

    def are_there(self, identities: Collection[str]) -> bool:
        """Say whether one of these callers has a stream open."""
        return any(watcher.identity in identities for watcher in self._all)

    def lose_seats(self, seats: Sequence[Seat]) -> None:
        """End every stream whose caller does not have the seat any more with whose eyes it sees."""
        for watcher in self._all:
            if watcher.seat >= 0 and watcher.seat != seat_of(seats, watcher.identity):
                watcher.leave(SEAT_LOST)
