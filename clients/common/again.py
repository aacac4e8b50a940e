"""A match seen again: every version of it with its view, ready to go to and fro."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import grpc

from clients.common.errors import refused
from clients.common.fold import fold
from clients.common.session import Session
from daifugo.v1 import game_pb2, record_pb2, view_pb2

FORMATS: Final = {
    "kifu": record_pb2.RECORD_FORMAT_KIFU,
    "json": record_pb2.RECORD_FORMAT_JSON_LINES,
    "binary": record_pb2.RECORD_FORMAT_BINARY,
}


@dataclass
class Seen:
    """A match with somebody's eyes. Version 0 is the table before the match."""

    views: list[view_pb2.View] = field(default_factory=list)
    """The view after each version."""
    events: list[list[view_pb2.Event]] = field(default_factory=list)
    """What happened in it."""

    @property
    def last(self) -> int:
        """The last version."""
        return len(self.views) - 1

    def take(self, message: game_pb2.WatchResponse) -> None:
        """Take the next message of its stream."""
        if message.HasField("snapshot"):
            self.views.append(message.snapshot.view)
            self.events.append([])
        for batch in message.batches.batches:
            view = view_pb2.View.FromString(self.views[-1].SerializeToString())
            for event in batch.events:
                fold(view, event)
            self.views.append(view)
            self.events.append(list(batch.events))

    def beginning_of(self, game: int) -> int | None:
        """Return the version in which a game was dealt, or None."""
        return next((n for n, view in enumerate(self.views) if view.game == game), None)


async def see_again(session: Session, request: record_pb2.StreamRecordRequest) -> Seen:
    """Read a match to its end, or raise Refused."""
    seen = Seen()
    try:
        async for response in session.records.StreamRecord(request):
            seen.take(response.message)
    except grpc.aio.AioRpcError as error:
        raise refused(error) from None
    return seen


async def exported(session: Session, match_ids: Iterable[str], form: record_pb2.RecordFormat) -> bytes:
    """Return a file of records, of all of one's own where none is named; or raise Refused."""
    request = record_pb2.ExportRecordsRequest(match_ids=match_ids, format=form)
    try:
        return b"".join([part.data async for part in session.records.ExportRecords(request)])
    except grpc.aio.AioRpcError as error:
        raise refused(error) from None
