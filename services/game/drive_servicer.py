"""DriveService: many seats on one stream."""

from __future__ import annotations

from collections.abc import AsyncIterator

from daifugo.v1 import drive_pb2, drive_pb2_grpc
from services.common.access import PLAY, check_access
from services.common.auth import Identity, caller
from services.common.context import Context
from services.game.driving import Count, Drive, Identify
from services.game.tables import Tables


class DriveServicer(drive_pb2_grpc.DriveServiceServicer):
    """Many seats of many tables."""

    def __init__(self, tables: Tables, identify: Identify, count: Count) -> None:
        self.tables = tables
        self.identify = identify
        self.count = count

    async def Drive(  # type: ignore[override]  # noqa: N802  # it writes its messages itself, as Watch does
        self, requests: AsyncIterator[drive_pb2.DriveRequest], context: Context
    ) -> None:
        """Drive seats until the caller has had enough."""
        await context.send_initial_metadata(())
        drive = Drive(self.tables.desk, caller(), self.tables.seen_by, self._player, self.count, context.write)
        await drive.run(requests)

    async def _player(self, token: str) -> Identity:
        who = await self.identify(token)
        check_access(PLAY, who)
        return who
