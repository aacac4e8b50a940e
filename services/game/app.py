"""The game service, put together."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress

import grpc

from daifugo.v1 import (
    drive_pb2,
    drive_pb2_grpc,
    game_pb2,
    game_pb2_grpc,
    record_pb2,
    record_pb2_grpc,
    rules_pb2,
    rules_pb2_grpc,
)
from services.common.clocks import Clock, SystemClock
from services.common.config import MEMORY, check_port_file
from services.common.garbage import look_seldom
from services.common.logs import log
from services.common.server import Server, announce, until_told_to_stop
from services.game.answers import Answers
from services.game.codec import catalogue
from services.game.config import GameConfig
from services.game.desk import Desk
from services.game.drive_servicer import DriveServicer
from services.game.house import House, HouseDoor, check_bots
from services.game.invites import Invites
from services.game.journal import Journal, MemoryJournal, Writer
from services.game.metrics import GameMetrics
from services.game.record_servicer import RecordServicer
from services.game.rules_servicer import RulesServicer
from services.game.servicer import GameServicer
from services.game.sqlite import SqliteJournal
from services.game.tables import Tables

NAMES = (
    game_pb2.DESCRIPTOR.services_by_name["GameService"].full_name,
    drive_pb2.DESCRIPTOR.services_by_name["DriveService"].full_name,
    record_pb2.DESCRIPTOR.services_by_name["RecordService"].full_name,
    rules_pb2.DESCRIPTOR.services_by_name["RulesService"].full_name,
)


class App:
    """A game server: start it, and stop it cleanly."""

    def __init__(self, config: GameConfig, clock: Clock | None = None, journal: Journal | None = None) -> None:
        self.config = config
        self.metrics = GameMetrics()
        kept = journal or MemoryJournal()
        self.writer = Writer(kept, secrets.token_hex(8), self.metrics)
        answers = Answers(config.request_id_seconds)
        clock = clock or SystemClock()
        self.house = House(config, clock, self.metrics)
        self.desk = Desk(config, clock, self.metrics, kept, self.writer, answers, Invites(), self.house)
        self.tables = Tables(self.desk)
        self.server = Server(config, self.metrics, NAMES, self._register)
        self.server.edge.door = HouseDoor(self.server.door, self.house)
        self._writing: asyncio.Task[None] | None = None

    def _register(self, server: grpc.aio.Server) -> None:
        game_pb2_grpc.add_GameServiceServicer_to_server(GameServicer(self.tables), server)
        # the server, and its door, are made by now when it is called
        drive = DriveServicer(
            self.tables,
            lambda token: self.server.edge.who_has(token),
            lambda who, calls: self.server.edge.calls.take(who, calls),
        )
        drive_pb2_grpc.add_DriveServiceServicer_to_server(drive, server)
        records = RecordServicer(self.tables, lambda who, calls: self.server.edge.calls.charge(who, calls))
        record_pb2_grpc.add_RecordServiceServicer_to_server(records, server)
        rules_pb2_grpc.add_RulesServiceServicer_to_server(RulesServicer(), server)

    async def start(self) -> str:
        """Take up the tables that there were, listen, and return the address."""
        catalogue.read()
        self._writing = asyncio.create_task(self.writer.run())
        await self.tables.begin_again()
        if self.config.admin_port:
            self.metrics.serve(self.config.admin_port, self.config.host)
        address = await self.server.start()
        self.house.open(address)
        log().info("listening", address=address)
        return address

    async def stop(self) -> None:
        """Take no new calls, end the streams, let calls under way end, and stop."""
        await self.server.drain()
        await self.house.close()
        self.tables.drain()
        await self.server.stop(self.config.grace_seconds)
        if self._writing is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.config.grace_seconds):
                    await self.writer.flushed()
            self._writing.cancel()
        await self.metrics.close()
        log().info("stopped")


async def serve(config: GameConfig) -> None:
    """Run a game server until the process is told to stop."""
    check_port_file(config)
    check_bots(config)
    journal = MemoryJournal() if config.store == MEMORY else SqliteJournal(config.store, keys=config.store_keys)
    try:
        app = App(config, journal=journal)
        address = await app.start()
        look_seldom()
        announce(config, address)
        await until_told_to_stop()
        log().info("stopping", running_matches=app.tables.running_matches())
        await app.stop()
    finally:
        await journal.close()
