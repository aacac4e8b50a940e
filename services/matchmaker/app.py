"""The matchmaker, put together."""

from __future__ import annotations

import asyncio

import grpc

from daifugo.v1 import matchmaker_pb2, matchmaker_pb2_grpc
from services.common.clocks import Clock, SystemClock
from services.common.config import MEMORY, CannotStart, check_port_file
from services.common.garbage import look_seldom
from services.common.logs import log
from services.common.server import Server, announce, until_told_to_stop
from services.matchmaker.checking import check, check_until_answered
from services.matchmaker.codec import table_request
from services.matchmaker.config import MatchmakerConfig
from services.matchmaker.game import GameClient
from services.matchmaker.metrics import MatchmakerMetrics
from services.matchmaker.office import Office
from services.matchmaker.queues import load
from services.matchmaker.seating import NoAnswer, Seating
from services.matchmaker.servicer import MatchmakerServicer
from services.matchmaker.store import MemoryStore, SqliteStore, Store
from services.matchmaker.token import KeyToken, Token

NAMES = (matchmaker_pb2.DESCRIPTOR.services_by_name["MatchmakerService"].full_name,)


class App:
    """A matchmaker: start it, and stop it cleanly."""

    def __init__(self, config: MatchmakerConfig, clock: Clock | None = None, store: Store | None = None) -> None:
        self.config = config
        self.clock = clock or SystemClock()
        self.metrics = MatchmakerMetrics()
        self.queues = load(config.queues)
        self.store = store or (MemoryStore() if config.store == MEMORY else SqliteStore(config.store))
        self.told = asyncio.Event()
        """Set when it is to stop."""
        self.problem: CannotStart | None = None
        """Why it stops, if not because it was told to."""
        self._checking: asyncio.Task[None] | None = None

    async def start(self) -> str:
        """Go on where the store stands, listen, and return the address."""
        config, kept = self.config, await self.store.load()
        self.game = GameClient(config.game_address, _token(config, kept.token), config.game_call_seconds)
        self.seating = Seating(self.game)
        self.office = Office(
            config, self.clock, self.store, self.queues, self.metrics, table_request, self.seating.begin
        )
        self.seating.office = self.office
        self.servicer = MatchmakerServicer(self.office)
        self.server = Server(config, self.metrics, NAMES, self._register)
        if config.admin_port:
            self.metrics.serve(config.admin_port, config.host)
        ready = await self._is_checked()
        self.office.resume(kept)
        address = await self.server.start(ready)
        if not ready:
            self._checking = asyncio.create_task(self._check())
        log().info("listening", address=address)
        return address

    async def _is_checked(self) -> bool:
        """Say whether the game service has agreed to the queues; raise CannotStart if it refuses one."""
        try:
            await check(self.game, self.queues.values(), self.config.queues)
        except NoAnswer:
            return False
        except CannotStart:
            await self._close()
            raise
        return True

    async def _check(self) -> None:
        """Serve only once the game service has agreed to the queues; stop if it refuses one."""
        try:
            await check_until_answered(self.game, list(self.queues.values()), self.config.queues, self.clock)
            await self.server.become_ready()
        except CannotStart as problem:
            self.problem = problem
            self.told.set()

    def _register(self, server: grpc.aio.Server) -> None:
        matchmaker_pb2_grpc.add_MatchmakerServiceServicer_to_server(self.servicer, server)

    async def stop(self) -> None:
        """Take no new calls, end the streams, leave pairings as they are, and stop."""
        if self._checking is not None:
            self._checking.cancel()
        await self.server.drain()
        self.servicer.stopping.set()
        await self.server.stop(self.config.grace_seconds)
        await self.seating.stop()
        await self.office.stop()
        await self._close()
        log().info("stopped")

    async def _close(self) -> None:
        await self.game.close()
        await self.store.close()
        await self.metrics.close()


def _token(config: MatchmakerConfig, otherwise: str) -> Token:
    """Return who the matchmaker is at the game service."""
    if bool(config.game_key) != bool(config.identity_address):
        raise CannotStart("--game-key and --identity-address go together")
    if config.game_key:
        return KeyToken(config.identity_address, config.game_key, config.game_call_seconds)
    return Token(config.game_token or otherwise)


async def serve(config: MatchmakerConfig) -> None:
    """Run a matchmaker until the process is told to stop."""
    check_port_file(config)
    app = App(config)
    address = await app.start()
    look_seldom()
    announce(config, address)
    await until_told_to_stop(app.told)
    log().info("stopping")
    await app.stop()
    if app.problem is not None:
        raise app.problem
