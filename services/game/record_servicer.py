"""RecordService: matches that are over, to be seen again."""

from __future__ import annotations

from collections.abc import Callable

from daifugo.v1 import record_pb2, record_pb2_grpc
from services.common.auth import caller
from services.common.context import Context
from services.common.errors import Refused, malformed
from services.common.logs import log_bug
from services.common.pages import MOST, position_in, size_of, token_for
from services.game.codec.kept import whole
from services.game.record_files import again_from, export, read
from services.game.reviewing import VERSIONS_OF_ONE_CALL, kept_for, seen_again, stream, with_eyes
from services.game.tables import Tables

Charge = Callable[[str, float], None]


class RecordServicer(record_pb2_grpc.RecordServiceServicer):
    """Records of matches. `charge` lets what a call has cost count as so many calls of somebody."""

    def __init__(self, tables: Tables, charge: Charge) -> None:
        self.tables = tables
        self.charge = charge

    async def GetRecord(  # noqa: N802
        self, request: record_pb2.GetRecordRequest, context: Context
    ) -> record_pb2.GetRecordResponse:
        """Return a record."""
        kept = await kept_for(self.tables, caller().identity, request.match_id)
        return record_pb2.GetRecordResponse(record=whole(kept))

    async def ListRecords(  # noqa: N802
        self, request: record_pb2.ListRecordsRequest, context: Context
    ) -> record_pb2.ListRecordsResponse:
        """List records."""
        size = size_of(request.page_size)
        listing: list[str | int] = ["records", int(request.mine)]
        before = position_in(listing, request.page_token)
        found = await self.tables.desk.journal.matches(caller().identity, request.mine, before, size + 1)
        token = token_for(listing, found[size - 1].number) if len(found) > size else ""
        return record_pb2.ListRecordsResponse(records=[whole(kept) for kept in found[:size]], next_page_token=token)

    async def StreamRecord(  # type: ignore[override]  # noqa: N802  # it writes its messages itself, as Watch does
        self, request: record_pb2.StreamRecordRequest, context: Context
    ) -> None:
        """Play a match again."""
        if request.eyes not in record_pb2.RecordEyes.values():
            raise malformed("eyes", "その値はありません。", "There is no such value.")
        await context.send_initial_metadata(())
        identity = caller().identity
        if request.data:
            again, viewer = with_eyes(again_from(request.data), request.eyes, request.seat)
        else:
            again, viewer = await seen_again(
                self.tables, identity, request.match_id, request.table_id, request.eyes, request.seat
            )
        # before it is spent, so that nobody has it spent many times at once
        self.charge(identity, again.size / VERSIONS_OF_ONE_CALL)
        await stream(again, viewer, request.from_version, context.write, self.tables)

    async def ExportRecords(  # type: ignore[override]  # noqa: N802  # the same
        self, request: record_pb2.ExportRecordsRequest, context: Context
    ) -> None:
        """Write a file of records."""
        if request.format not in record_pb2.RecordFormat.values() or not request.format:
            raise malformed("format", "形式を指定してください。", "It must say in which form.")
        if len(request.match_ids) > MOST:
            raise malformed("match_ids", f"{MOST}個までです。", f"There are more than {MOST}.")
        await context.send_initial_metadata(())
        identity = caller().identity
        await export(
            self.tables,
            identity,
            list(request.match_ids),
            request.format,
            context.write,
            lambda size: self.charge(identity, size / VERSIONS_OF_ONE_CALL),
        )

    async def ImportRecords(  # noqa: N802
        self, request: record_pb2.ImportRecordsRequest, context: Context
    ) -> record_pb2.ImportRecordsResponse:
        """Read a file of records."""
        identity = caller().identity
        records = await read(request.data, lambda size: self.charge(identity, size / VERSIONS_OF_ONE_CALL))
        return record_pb2.ImportRecordsResponse(records=records)

    async def ForgetMe(  # noqa: N802
        self, request: record_pb2.ForgetMeRequest, context: Context
    ) -> record_pb2.ForgetMeResponse:
        """Take the caller out of all records."""
        try:
            await self.tables.desk.journal.forget_player(caller().identity)
        except Exception as error:
            log_bug("forget_failed", error)
            raise Refused("NOT_STORED", retry_seconds=self.tables.desk.config.store_retry_seconds) from None
        return record_pb2.ForgetMeResponse()
