"""The load: recorded matches played again at many tables; an action is sent once all were told of the one before."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import grpc

from benchmarks.replay import SERVICE, Script, Told, addressed
from daifugo.v1 import game_pb2

OWN_CONNECTION: Final = [("grpc.use_local_subchannel_pool", 1)]
"""Players do not share connections."""


class Player:
    """A seat's player: a connection of its own, and a stream."""

    def __init__(self, address: str, seat: int) -> None:
        self.channel = grpc.aio.insecure_channel(address, options=OWN_CONNECTION)
        self.metadata = (("authorization", f"Bearer {secrets.token_hex(8)}"), ("seat", str(seat)))
        self.act: Any = self.channel.unary_unary(f"/{SERVICE}/Act")
        self.version = -1
        """The last version that was told on the stream."""
        self.messages: list[bytes] = []
        """What was told since the last action, if it is to be kept."""

    async def ask(self, method: str, request: Any) -> bytes:
        """Make a call."""
        call: Any = self.channel.unary_unary(f"/{SERVICE}/{method}")
        answer: bytes = await call(request.SerializeToString(), metadata=self.metadata)
        return answer


@dataclass
class Tally:
    """What was seen in a run."""

    seconds: float = 0.0
    messages: int = 0
    latencies: list[float] = field(default_factory=list)
    """Seconds from sending each action to the last message that tells of it."""


class Played:
    """A table at which a recorded match is played again."""

    def __init__(self, address: str, script: Script, relaxed: bool = False) -> None:
        self.script = script
        self.relaxed = relaxed
        self.players = [Player(address, seat) for seat in range(script.seats)]
        self.id = ""
        self.at = 0
        self.keeps = False
        self.messages = 0
        self._wanted = 0
        self._told: asyncio.Future[None] | None = None
        self._front = b""
        self._streams: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Create the table, sit down, begin the match and follow it."""
        host = self.players[0]
        creation = self.script.creation(secrets.token_hex(8), self.relaxed)
        made = game_pb2.CreateTableResponse.FromString(await host.ask("CreateTable", creation))
        self._front, table_id = addressed(made.table.id), made.table.id
        self.id = table_id
        for player in self.players:
            joining = game_pb2.JoinTableRequest(request_id=secrets.token_hex(8), table_id=table_id, bot=True)
            await player.ask("JoinTable", joining)
        await host.ask("StartMatch", game_pb2.StartMatchRequest(request_id=secrets.token_hex(8), table_id=table_id))
        watching = game_pb2.WatchRequest(table_id=table_id).SerializeToString()
        for player in self.players:
            begun = asyncio.get_running_loop().create_future()
            self._streams.append(asyncio.create_task(self._follow(player, watching, begun)))
            await begun

    async def close(self) -> None:
        """Leave."""
        for stream in self._streams:
            stream.cancel()
        await asyncio.gather(*self._streams, return_exceptions=True)
        for player in self.players:
            await player.channel.close()

    async def _follow(self, player: Player, request: bytes, begun: asyncio.Future[None]) -> None:
        watch: Any = player.channel.unary_stream(f"/{SERVICE}/Watch")
        call = watch(request, metadata=player.metadata)
        while (data := await call.read()) is not grpc.aio.EOF:
            self.messages += 1
            said = game_pb2.WatchResponse.FromString(data)
            if said.HasField("batches"):
                player.version = said.batches.batches[-1].cursor.version
                self._check()
            if self.keeps and not said.HasField("notice"):
                player.messages.append(data)
            if not begun.done():
                begun.set_result(None)
        if self._told is not None:
            self._told.set_exception(EOFError("the server ended a stream"))

    def _check(self) -> None:
        if self._told is not None and all([player.version >= self._wanted for player in self.players]):
            self._told.set_result(None)
            self._told = None

    async def act(self) -> bytes:
        """Play the next action; return once it was answered and told to everybody."""
        if self.at == len(self.script.steps):
            raise EOFError("the recorded matches are too short for this run: record more games")
        step = self.script.steps[self.at]
        self.at, self._wanted = self.at + 1, step.version
        told = self._told = asyncio.get_running_loop().create_future()
        player = self.players[step.seat]
        answer: bytes = await player.act(self._front + step.request, metadata=player.metadata)
        await told
        return answer


async def opened(address: str, scripts: Sequence[Script], number: int, relaxed: bool = False) -> list[Played]:
    """Open tables one after the other; they take the recorded matches in turn."""
    tables = [Played(address, scripts[i % len(scripts)], relaxed) for i in range(number)]
    for table in tables:
        await table.open()
    return tables


async def run(tables: Sequence[Played], seconds: float, rate: float | None = None) -> Tally:
    """Play at all tables for a time: as fast as each can, or so many actions a second altogether."""
    begun, tally = time.perf_counter(), Tally()
    before = sum([table.messages for table in tables])
    pause = len(tables) / rate if rate else 0.0

    async def play(table: Played, number: int) -> None:
        due = begun + pause * number / len(tables)
        while True:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            now = time.perf_counter()
            if now - begun >= seconds:
                return
            await table.act()
            tally.latencies.append(time.perf_counter() - now)
            due += pause

    await asyncio.gather(*[play(table, number) for number, table in enumerate(tables)])
    tally.seconds = time.perf_counter() - begun
    tally.messages = sum([table.messages for table in tables]) - before
    return tally


async def record(address: str, scripts: Sequence[Script]) -> list[Told]:
    """Play each match once, and keep what the server says."""
    tables = [Played(address, script) for script in scripts]
    for table in tables:
        table.keeps = True
        await table.open()
    return await asyncio.gather(*[_recorded(table) for table in tables])


async def _recorded(table: Played) -> Told:
    begun = tuple([player.messages[0] for player in table.players])
    steps = []
    for _ in table.script.steps:
        for player in table.players:
            player.messages.clear()
        answer = await table.act()
        steps.append((answer, tuple([tuple(player.messages) for player in table.players])))
    await table.close()
    return Told(begun, tuple(steps))
