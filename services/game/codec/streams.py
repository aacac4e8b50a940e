"""The messages of a stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from daifugo.v1 import game_pb2
from services.common.errors import malformed
from services.common.times import duration_to, seconds_of, time_to, write_duration, write_time
from services.game.codec.events import seeing_more, write_event, write_more
from services.game.codec.views import view_to
from services.game.eyes import BEHIND, OPEN
from services.game.frames import Frame, Written
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

SAME_TIME_SECONDS: Final = 0.001
"""Times on the wire are no finer than this."""


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
    return b"".join([_as_seen(frame, seat, now) for frame in frames])


def _as_seen(frame: Frame, seat: int, now: float) -> bytes:
    """Return a version as a seat may know it, written by the first who asks."""
    written = frame.written
    if written is None:
        written = frame.written = _written(frame, now)
        frame.told = None
    own = written.own.get(OPEN if seat == BEHIND else seat)
    if own is None:
        return written.public
    return own if now - written.time < SAME_TIME_SECONDS else _with_time_left(own, now)


def _written(frame: Frame, now: float) -> Written:
    """Write a version for all who see no more of it than a spectator, and for each of the other seats."""
    assert frame.told is not None
    events, told, more = frame.told.events, frame.told, dict[int, list[int]]()
    message = game_pb2.WatchResponse()
    batch = message.batches.batches.add()
    batch.cursor.epoch, batch.cursor.version = frame.epoch, frame.version
    write_time(batch.time, frame.time)
    for index, event in enumerate(events):
        write_event(batch.events.add(), index, told)
        for seat in seeing_more(event, told.shows_hands):
            more.setdefault(seat, []).append(index)
    public, own = message.SerializeToString(), dict[int, bytes]()
    for seat, indices in more.items():
        if own:
            message = game_pb2.WatchResponse.FromString(public)
        written = message.batches.batches[0].events
        for index in indices:
            write_more(written[index], index, told, seat, now)
        own[seat] = message.SerializeToString()
    return Written(public, own, now)


def _with_time_left(written: bytes, now: float) -> bytes:
    """Return a message that is sent later than it was written, with the time that is left by now."""
    message = game_pb2.WatchResponse.FromString(written)
    for event in message.batches.batches[0].events:
        decision = event.decision_opened.decision
        if decision.HasField("deadline"):
            write_duration(decision.remaining, seconds_of(decision.deadline) - now)
    return message.SerializeToString()


def _snapshot(item: Snapshot, table: Table, watcher: Watcher, now: float) -> game_pb2.Snapshot:
    return game_pb2.Snapshot(
        reason=SNAPSHOT_REASONS[item.reason],
        cursor=cursor_to(table, watcher.seat),
        view=view_to(table, watcher.seat),
        time=time_to(now),
    )
