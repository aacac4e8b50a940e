"""One table as a watch sees it: the view so far, the cursor reached, and how the next message changes them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass, field
from typing import Final

from clients.common.fold import FOLDS, fold
from daifugo.v1 import game_pb2, game_pb2_grpc, view_pb2

NO_CURSOR: Final = game_pb2.SNAPSHOT_REASON_NO_CURSOR
SILENCE_SECONDS: Final = 120.0
"""A stream without even a heartbeat for so long is taken for dead."""


class WatchEnded(Exception):
    """The watch is over for good: another one took its place, or the table is closed."""

    def __init__(self, reason: game_pb2.GoingAwayReason) -> None:
        super().__init__(game_pb2.GoingAwayReason.Name(reason))
        self.reason = reason


@dataclass(frozen=True)
class Update:
    """What a watch has learned: the view as it is now, and the events that led to it."""

    view: view_pb2.View
    """The view now. It belongs to the watch and changes with the next update."""
    before: view_pb2.View | None = None
    """The view before the events. None when no events are told: a snapshot, a notice, a heartbeat, a new connection."""
    events: list[view_pb2.Event] = field(default_factory=list)
    snapshot: game_pb2.SnapshotReason | None = None
    """Why a snapshot came, when one came."""
    missed: bool = False
    """Events are left out: those before the snapshot, which stands for them."""
    lost: bool = False
    """The connection was lost, and is being made again."""


class Watch:
    """Follows one table through as many streams as it takes."""

    def __init__(self, table_id: str, code: str = "") -> None:
        self.table_id = table_id
        self.code = code
        """The invite code, for a private table at which one has no seat."""
        self.view: view_pb2.View | None = None
        self.cursor: game_pb2.Cursor | None = None
        self.going_away: game_pb2.GoingAway | None = None
        """What the server said before it ended the stream."""

    def forget(self) -> None:
        """Begin with a snapshot next time."""
        self.view, self.cursor = None, None

    async def follow(self, game: game_pb2_grpc.GameServiceAsyncStub) -> AsyncGenerator[Update]:
        """Read one stream from the cursor reached until it ends, or falls silent."""
        self.going_away = None
        request = game_pb2.WatchRequest(table_id=self.table_id, after=self.cursor, invite_code=self.code)
        call = game.Watch(request)
        try:
            messages = call.__aiter__()
            while True:
                async with asyncio.timeout(SILENCE_SECONDS):
                    message = await anext(messages)
                was_on_track = self.view is not None
                for update in self.take(message):
                    yield update
                if was_on_track and self.view is None:
                    return  # after a gap, or an event that it does not know, only a snapshot can help
        except (StopAsyncIteration, TimeoutError):
            pass
        finally:
            call.cancel()

    def take(self, message: game_pb2.WatchResponse) -> Iterator[Update]:
        """Let a message change view and cursor, one update at a time."""
        kind = message.WhichOneof("message")
        if kind == "snapshot":
            reason, reached = message.snapshot.reason, self.cursor
            self.view, self.cursor = message.snapshot.view, message.snapshot.cursor
            is_news = reached is None or reached.version != self.cursor.version
            yield Update(self.view, snapshot=reason, missed=is_news and reason != NO_CURSOR)
        elif self.view is None:
            return
        elif kind == "batches":
            for batch in message.batches.batches:
                yield from self._take_batch(batch)
        elif kind == "notice":
            yield from self._take_notice(message.notice)
        elif kind == "resumed":
            yield Update(self.view)

    def _take_batch(self, batch: game_pb2.Batch) -> Iterator[Update]:
        if self.view is None or self.cursor is None:
            return
        if (batch.cursor.epoch, batch.cursor.version) <= (self.cursor.epoch, self.cursor.version):
            return
        kinds = [event.WhichOneof("event") for event in batch.events]
        if batch.cursor.version != self.cursor.version + 1 or not all(kind in FOLDS for kind in kinds):
            self.forget()
            return
        before = view_pb2.View()
        before.CopyFrom(self.view)
        for event in batch.events:
            fold(self.view, event)
        self.cursor = batch.cursor
        yield Update(self.view, before, list(batch.events))

    def _take_notice(self, notice: game_pb2.Notice) -> Iterator[Update]:
        assert self.view is not None
        kind = notice.WhichOneof("notice")
        if kind == "going_away":
            self.going_away = notice.going_away
        elif kind == "presence":
            self.view.seats[notice.presence.seat].seat.connected = notice.presence.connected
            yield Update(self.view)
        elif kind == "deadline_changed":
            _change_deadline(self.view, notice.deadline_changed)
            yield Update(self.view)
        elif kind == "heartbeat":
            yield Update(self.view)


def _change_deadline(view: view_pb2.View, change: game_pb2.DeadlineChanged) -> None:
    for asked in view.asked:
        if asked.decision_id == change.decision_id:
            asked.deadline.CopyFrom(change.deadline)
    if view.decision.id == change.decision_id:
        view.decision.deadline.CopyFrom(change.deadline)
        view.decision.remaining.CopyFrom(change.remaining)
