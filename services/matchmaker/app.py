"""The matchmaker, put together."""

from __future__ import annotations

import grpc

from daifugo.v1 import matchmaker_pb2, matchmaker_pb2_grpc
from services.common.clocks import Clock, SystemClock
from services.common.config import check_port_file
from services.common.logs import log
from services.common.server import Server, announce, until_told_to_stop
from services.matchmaker.codec import table_request
from services.matchmaker.config import MatchmakerConfig
from services.matchmaker.game import GameClient
from services.matchmaker.metrics import MatchmakerMetrics
from services.matchmaker.office import Office
from services.matchmaker.queues import load
from services.matchmaker.seating import Seating
from services.matchmaker.servicer import MatchmakerServicer
from services.matchmaker.store import MemoryStore, SqliteStore, Store

NAMES = (matchmaker_pb2.DESCRIPTOR.services_by_name["MatchmakerService"].full_name,)


class App:
    """A matchmaker: start it, and stop it cleanly."""

    def __init__(self, config: MatchmakerConfig, clock: Clock | None = None, store: Store | None = None) -> None:
        self.config = config
        self.clock = clock or SystemClock()
        self.metrics = MatchmakerMetrics()
        self.queues = load(config.queues)
        self.store = store or (SqliteStore(config.store) if config.store else MemoryStore())

    async def start(self) -> str:
        """Go on where the store stands, listen, and return the address."""
        config, kept = self.config, await self.store.load()
        self.game = GameClient(config.game_address, config.game_token or kept.token, config.game_call_seconds)
        self.seating = Seating(self.game)
        self.office = Office(
            config, self.clock, self.store, self.queues, self.metrics, table_request, self.seating.begin
        )
        self.seating.office = self.office
        self.servicer = MatchmakerServicer(self.office)
        self.server = Server(config, self.metrics, NAMES, self._register)
        if config.admin_port:
            self.metrics.serve(config.admin_port, config.host)
        self.office.resume(kept)
        address = await self.server.start()
        log().info("listening", address=address)
        return address

    def _register(self, server: grpc.aio.Server) -> None:
        matchmaker_pb2_grpc.add_MatchmakerServiceServicer_to_server(self.servicer, server)

    async def stop(self) -> None:
        """Take no new calls, end the streams, leave pairings as they are, and stop."""
        await self.server.drain()
        self.servicer.stopping.set()
        await self.server.stop(self.config.grace_seconds)
        await self.seating.stop()
        await self.office.stop()
        await self.game.close()
        await self.store.close()
        log().info("stopped")


async def serve(config: MatchmakerConfig) -> None:
    """Run a matchmaker until the process is told to stop."""
    check_port_file(config)
    app = App(config)
    announce(config, await app.start())
    await until_told_to_stop()
    log().info("stopping")
    await app.stop()
