"""The messages of a stream."""

from __future__ import annotations

from collections.abc import Sequence

from daifugo.v1 import game_pb2
from services.common.errors import malformed
from services.common.times import duration_to, time_to
from services.game.codec.versions import as_seen
from services.game.codec.views import view_to
from services.game.frames import Frame
from services.game.messages import MAX_AGE, Frames, GoingAway, Heartbeat, Message, Presence, Resumed, Snapshot
from services.game.table import Table
from services.game.watcher import Watcher

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
    "max_age": game_pb2.GOING_AWAY_REASON_MAX_AGE,
    "eyes_changed": game_pb2.GOING_AWAY_REASON_EYES_CHANGED,
}


def cursor_from(request: game_pb2.WatchRequest | game_pb2.ListEventsRequest) -> tuple[int, int] | None:
    """Return the cursor that a stream is to go on from, as (epoch, version)."""
    if not request.HasField("after"):
        return None
    if not request.after.epoch:
        raise malformed("after.epoch", "カーソルに epoch がありません。", "The cursor lacks its epoch.")
    return request.after.epoch, request.after.version


def cursor_to(table: Table, viewer: int) -> game_pb2.Cursor:
    """Write where a table's history stands for somebody."""
    return game_pb2.Cursor(epoch=table.history.epoch, version=table.seen(viewer).version)


def listed(messages: Sequence[bytes], reached: tuple[int, int]) -> game_pb2.ListEventsResponse:
    """Write what a call tells of a stream, and the cursor after that."""
    response = game_pb2.ListEventsResponse(cursor=game_pb2.Cursor(epoch=reached[0], version=reached[1]))
    for message in messages:
        response.messages.add().MergeFromString(message)
    return response


def message_to(item: Message, table: Table, watcher: Watcher) -> bytes:
    """Write one message of a stream."""
    if isinstance(item, Frames):
        return frames_to(item.frames, watcher.seat, watcher.sent)
    return _other(item, table, watcher).SerializeToString()


def _other(item: Message, table: Table, watcher: Watcher) -> game_pb2.WatchResponse:
    now = watcher.sent
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
        notice.heartbeat.cursor.CopyFrom(cursor_to(table, watcher.seat))
    elif isinstance(item, GoingAway):
        notice.going_away.reason = GOING_AWAY_REASONS[item.reason]
        wait = 0.0 if item.reason == MAX_AGE else table.desk.config.reconnect_seconds
        notice.going_away.reconnect_after.CopyFrom(duration_to(wait))
    return game_pb2.WatchResponse(notice=notice)


def frames_to(frames: Sequence[Frame], seat: int, now: float) -> bytes:
    """Write versions as one message, as a seat may know them. Messages are joined by joining their bytes."""
    return b"".join([as_seen(frame, seat, now) for frame in frames])


def _snapshot(item: Snapshot, table: Table, watcher: Watcher, now: float) -> game_pb2.Snapshot:
    return game_pb2.Snapshot(
        reason=SNAPSHOT_REASONS[item.reason],
        cursor=cursor_to(table, watcher.seat),
        view=view_to(table, watcher.seat),
        time=time_to(now),
    )
