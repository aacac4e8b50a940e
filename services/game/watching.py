"""Following a table: where a stream begins, and how its messages are written."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from services.common.errors import Refused
from services.game.codec.streams import message_to
from services.game.frames import NOT_KEPT
from services.game.life import CLOSED
from services.game.table import Table
from services.game.watchers import NO_CURSOR, Message, Presence, Resumed, Watcher

Write = Callable[[bytes], Awaitable[None]]


async def watch(table: Table, identity: str, after: tuple[int, int] | None, write: Write) -> None:
    """Write a table's messages until the stream ends. It begins at a cursor, (epoch, version), if it can."""
    if table.history.is_lost:
        table.history.check_ready()
    if table.shown.phase == CLOSED:
        raise Refused("TABLE_CLOSED")
    watcher = Watcher(table.desk, identity, table.seat_shown(identity))
    begin(table, watcher, after)
    watchers = table.history.watchers

    async def send(message: Message) -> None:
        await write(message_to(message, table, watcher))

    watchers.add(watcher)
    try:
        await watcher.pump(send)
    finally:
        watchers.remove(watcher)


def begin(table: Table, watcher: Watcher, after: tuple[int, int] | None) -> None:
    """Queue what comes first: the versions after the cursor and who is there, or a snapshot.

    Whoever sat down after the cursor gets a snapshot: versions before that are told as the seat's former occupant saw
    them.
    """
    found = table.history.recent.after(*after) if after is not None else NO_CURSOR
    if after is not None and watcher.seat >= 0 and after[1] < table.shown.seats[watcher.seat].since:
        found = NOT_KEPT
    if after is None or isinstance(found, str):
        watcher.resync(found if isinstance(found, str) else NO_CURSOR)
        return
    watchers = table.history.watchers
    presence = [
        Presence(number, number == watcher.seat or watchers.connected(number))
        for number, seat in enumerate(table.shown.seats)
        if seat.occupant is not None
    ]
    watcher.begin([Resumed(*after), *found, *presence])
