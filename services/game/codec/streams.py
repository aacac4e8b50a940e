"""The messages of a stream."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from daifugo.v1 import game_pb2
from engine.program import Program
from services.common.errors import malformed
from services.common.times import duration_to, time_to, write_time
from services.game.codec.events import seeing_more, write_event
from services.game.codec.views import view_to
from services.game.frames import Frame
from services.game.table import Table
from services.game.watchers import Frames, GoingAway, Heartbeat, Message, Presence, Resumed, Snapshot, Watcher

SNAPSHOT_REASONS = {
    "no_cursor": game_pb2.SNAPSHOT_REASON_NO_CURSOR,
    "other_history": game_pb2.SNAPSHOT_REASON_OTHER_HISTORY,
    "compacted": game_pb2.SNAPSHOT_REASON_COMPACTED,
    "fell_behind": game_pb2.SNAPSHOT_REASON_FELL_BEHIND,
}
GOING_AWAY_REASONS = {
    "draining": game_pb2.GOING_AWAY_REASON_DRAINING,
    "moved": game_pb2.GOING_AWAY_REASON_MOVED,
    "superseded": game_pb2.GOING_AWAY_REASON_SUPERSEDED,
    "table_closed": game_pb2.GOING_AWAY_REASON_TABLE_CLOSED,
    "seat_lost": game_pb2.GOING_AWAY_REASON_SEAT_LOST,
}


def cursor_from(request: game_pb2.WatchRequest) -> tuple[int, int] | None:
    """Return the cursor that a stream is to go on from, as (epoch, version)."""
    if not request.HasField("after"):
        return None
    if not request.after.epoch:
        raise malformed("after.epoch", "カーソルに epoch がありません。", "The cursor lacks its epoch.")
    return request.after.epoch, request.after.version


def cursor_to(table: Table) -> game_pb2.Cursor:
    """Write where a table's history stands."""
    return game_pb2.Cursor(epoch=table.history.epoch, version=table.shown.version)


def message_to(item: Message, table: Table, watcher: Watcher) -> bytes:
    """Write one message of a stream."""
    if isinstance(item, Frames):
        return frames_to(item.frames, table.shown.program, watcher.seat, table.desk.clock.now())
    return _other(item, table, watcher).SerializeToString()


def _other(item: Message, table: Table, watcher: Watcher) -> game_pb2.WatchResponse:
    now = table.desk.clock.now()
    if isinstance(item, Snapshot):
        return game_pb2.WatchResponse(snapshot=_snapshot(item, table, watcher, now))
    if isinstance(item, Resumed):
        cursor = game_pb2.Cursor(epoch=item.epoch, version=item.version)
        return game_pb2.WatchResponse(resumed=game_pb2.Resumed(cursor=cursor))
    notice = game_pb2.Notice(time=time_to(now))
    if isinstance(item, Presence):
        notice.presence.seat = item.seat
        notice.presence.connected = item.connected
    elif isinstance(item, Heartbeat):
        notice.heartbeat.cursor.CopyFrom(cursor_to(table))
    elif isinstance(item, GoingAway):
        notice.going_away.reason = GOING_AWAY_REASONS[item.reason]
        notice.going_away.reconnect_after.CopyFrom(duration_to(table.desk.config.reconnect_seconds))
    return game_pb2.WatchResponse(notice=notice)


def frames_to(frames: Sequence[Frame], program: Program, seat: int, now: float) -> bytes:
    """Write versions as one message, as a seat may know them. Messages are joined by joining their bytes."""
    return b"".join([_written(frame, program, seat, now) for frame in frames])


def _written(frame: Frame, program: Program, seat: int, now: float) -> bytes:
    """Write a version: what is public of it, in which the events of which the seat sees more are written anew."""
    public, more = _public(frame, program)
    if seat not in more:
        return public
    message = game_pb2.WatchResponse.FromString(public)
    events = message.batches.batches[0].events
    for index in more[seat]:
        events[index].Clear()
        write_event(events[index], index, frame, program, seat, now)
    return message.SerializeToString()


@lru_cache(maxsize=256)
def _public(frame: Frame, program: Program) -> tuple[bytes, dict[int, list[int]]]:
    """Write a version for all who see no more of it than a spectator; it is the same for each, and at any time.

    Say also of which of its events each of the other seats sees more.
    """
    message, more = game_pb2.WatchResponse(), dict[int, list[int]]()
    batch = message.batches.batches.add()
    batch.cursor.epoch, batch.cursor.version = frame.epoch, frame.version
    write_time(batch.time, frame.time)
    for index, event in enumerate(frame.events):
        write_event(batch.events.add(), index, frame, program, -1, frame.time)
        for seat in seeing_more(event):
            more.setdefault(seat, []).append(index)
    return message.SerializeToString(), more


def _snapshot(item: Snapshot, table: Table, watcher: Watcher, now: float) -> game_pb2.Snapshot:
    return game_pb2.Snapshot(
        reason=SNAPSHOT_REASONS[item.reason],
        cursor=cursor_to(table),
        view=view_to(table, watcher.seat),
        time=time_to(now),
    )
