"""Following a table: where a stream begins, and how its messages are written."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import islice
from typing import Final

from services.common.errors import Refused
from services.game.codec.streams import message_to
from services.game.eyes import BEHIND, eyes_or_refuse
from services.game.frames import NOT_KEPT, Frame
from services.game.life import CLOSED
from services.game.messages import NO_CURSOR, Frames, Message, Presence, Resumed, Snapshot
from services.game.poll import Poll
from services.game.table import Table
from services.game.watcher import Watcher

MOST_LISTED: Final = 200
"""How many versions one call tells at most."""

Write = Callable[[bytes], Awaitable[None]]
Position = tuple[int, int]
"""A cursor: (epoch, version)."""


async def watch(table: Table, identity: str, after: Position | None, write: Write) -> None:
    """Write a table's messages until the stream ends. It begins at a cursor if it can."""
    check_open(table)
    watcher = Watcher(table.desk, identity, eyes_or_refuse(table.shown, identity))
    begin(table, watcher, after)
    watchers = table.history.watchers

    def send(message: Message) -> Awaitable[None]:
        return write(message_to(message, table, watcher))

    watchers.add(watcher)
    try:
        await watcher.pump(send)
    finally:
        watchers.remove(watcher)


async def poll(table: Table, identity: str, after: Position | None, seconds: float) -> tuple[list[bytes], Position]:
    """Return what a stream would tell next, having waited so long if need be, and the cursor after that."""
    check_open(table)
    watcher = Poll(table.desk, identity, eyes_or_refuse(table.shown, identity))
    begin(table, watcher, after, MOST_LISTED)
    table.history.watchers.add(watcher)
    try:
        await watcher.wait(min(seconds, longest_wait(table)))
    finally:
        table.history.watchers.remove(watcher)
    messages = watcher.take()
    return [message_to(message, table, watcher) for message in messages], _reached(messages, table, watcher, after)


def longest_wait(table: Table) -> float:
    """Return how long a call may wait: as long as a stream may be silent, but less than calls may take."""
    return min(table.desk.config.heartbeat_seconds, 0.8 * table.desk.config.call_seconds)


def _reached(messages: list[Message], table: Table, watcher: Watcher, after: Position | None) -> Position:
    """Return the cursor after all of the messages."""
    reached = after
    for message in messages:
        if isinstance(message, Frames):
            reached = message.frames[-1].epoch, message.frames[-1].version
        elif isinstance(message, Snapshot):
            reached = table.history.epoch, table.seen(watcher.seat).version
    assert reached is not None
    return reached


def check_open(table: Table) -> None:
    """Refuse to follow a table at which nothing will happen any more, or that is elsewhere."""
    if table.history.is_lost:
        table.history.check_ready()
    if table.shown.phase == CLOSED:
        raise Refused("TABLE_CLOSED")


def begin(table: Table, watcher: Watcher, after: Position | None, most: int | None = None) -> None:
    """Queue what comes first: the versions after the cursor, so many at most, and who is there; or a snapshot."""
    found = frames_after(table, watcher, after)
    if after is None or isinstance(found, str):
        watcher.resync(found if isinstance(found, str) else NO_CURSOR)
        return
    watchers = table.history.watchers
    presence = [
        Presence(number, number == watcher.seat or watchers.connected(number))
        for number, seat in enumerate(table.shown.seats)
        if seat.occupant is not None and watcher.seat != BEHIND
    ]
    watcher.begin([Resumed(*after), *islice(found, most), *presence])


def frames_after(table: Table, watcher: Watcher, after: Position | None) -> list[Frame] | str:
    """Return the versions after a cursor, or why a snapshot has to come instead.

    One comes to whoever saw with other eyes at the cursor, and to who has a seat that was somebody else's then.
    """
    if after is None:
        return NO_CURSOR
    history = table.history
    recent = history.behind.recent if watcher.seat == BEHIND and history.behind is not None else history.recent
    found = recent.after(*after)
    if isinstance(found, str):
        return found
    frames, seat = list(found), watcher.seat
    if seat >= 0 and after[1] < table.shown.seats[seat].since:
        return NOT_KEPT
    had = next((frame.changed[watcher.identity] for frame in frames if watcher.identity in frame.changed), seat)
    return frames if had == seat else NOT_KEPT
