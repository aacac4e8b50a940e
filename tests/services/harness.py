"""A real server on a free port with a clock that stands still, and callers to talk to it."""

from __future__ import annotations

import asyncio
import random
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from io import StringIO
from itertools import count
from typing import Any

import grpc
from google.protobuf import duration_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from daifugo.v1 import (
    game_pb2,
    game_pb2_grpc,
    record_pb2,
    record_pb2_grpc,
    rules_pb2,
    rules_pb2_grpc,
    view_pb2,
)
from services.common.clocks import Heap, Timer
from services.common.logs import configure
from services.game.app import App
from services.game.config import GameConfig
from services.game.journal import Journal, MemoryJournal
from services.game.records import Record

START = 1_800_000_000.0


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class FakeClock:
    """A clock that goes only when told to."""

    def __init__(self) -> None:
        self._now = START
        self._heap = Heap()
        self._timers: list[Timer] = []

    def now(self) -> float:
        return self._now

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        timer = self._heap.add(when, callback)
        self._timers.append(timer)
        return timer

    def times(self) -> list[float]:
        """Return when each timer will ring that is set."""
        return sorted([timer.when for timer in self._timers if timer.is_set()])

    def advance(self, seconds: float) -> None:
        """Let time go by; timers ring at their own times, in order."""
        end = self._now + seconds
        while self.ring(end):
            pass

    def ring(self, end: float) -> bool:
        """Let time go by until the next timer rings, but no further than to `end`; return whether one rang."""
        first = self._heap.next_time()
        if first is None or first > end:
            self._now = end
            return False
        self._now = max(self._now, first)
        self._heap.run_due(self._now)
        return True


class HeldJournal(MemoryJournal):
    """A journal that can be held back, or made to fail."""

    def __init__(self) -> None:
        super().__init__()
        self.open = asyncio.Event()
        self.open.set()
        self.asked = asyncio.Event()
        """Set while an append is being held."""
        self.failing = False
        self.fails_after_writing = False

    async def append(self, owner: str, records: Sequence[Record]) -> frozenset[str]:
        self.asked.set()
        await self.open.wait()
        self.asked.clear()
        if self.failing:
            self.failing = False
            if self.fails_after_writing:
                await super().append(owner, records)
            raise OSError("no space left on device")
        return await super().append(owner, records)


class Failure(Exception):
    """What a refused call says."""

    def __init__(self, error: grpc.aio.AioRpcError) -> None:
        self.code = error.code()
        self.message = error.details() or ""
        self.details: dict[str, Any] = {}
        metadata = dict(error.trailing_metadata() or ())
        status = status_pb2.Status.FromString(metadata.get("grpc-status-details-bin", b""))
        self.status = status
        for detail in status.details:
            for kind in DETAILS:
                message = kind()
                if detail.Unpack(message):
                    self.details[kind.DESCRIPTOR.name] = message
        self.reason = self.details["ErrorInfo"].reason if "ErrorInfo" in self.details else ""
        super().__init__(f"{self.code} {self.reason} {self.message}")


DETAILS: tuple[type[Message], ...] = (
    error_details_pb2.ErrorInfo,
    error_details_pb2.LocalizedMessage,
    error_details_pb2.BadRequest,
    error_details_pb2.RetryInfo,
    game_pb2.Refusal,
)


async def refusal(call: Awaitable[Any]) -> Failure:
    """Return what a call that is refused says."""
    try:
        got = await call
    except Failure as failure:
        return failure
    raise AssertionError(f"not refused: {got}")


class Stream:
    """A stream of a table, read message by message."""

    def __init__(self, call: Any) -> None:
        self.call = call

    async def read(self) -> game_pb2.WatchResponse:
        """Return the next message; raise EOFError at the end, or Failure."""
        try:
            message = await self.call.read()
        except grpc.aio.AioRpcError as error:
            raise Failure(error) from None
        if message is grpc.aio.EOF:
            if await self.call.code() != grpc.StatusCode.OK:
                raise Failure(
                    grpc.aio.AioRpcError(
                        await self.call.code(),
                        await self.call.initial_metadata(),
                        await self.call.trailing_metadata(),
                        await self.call.details(),
                    )
                )
            raise EOFError
        assert isinstance(message, game_pb2.WatchResponse)
        return message

    async def until(self, version: int) -> list[game_pb2.WatchResponse]:
        """Read up to and including a version."""
        found = []
        while True:
            message = await self.read()
            found.append(message)
            kind = message.WhichOneof("message")
            if kind == "batches" and message.batches.batches[-1].cursor.version >= version:
                return found
            if kind == "snapshot" and message.snapshot.cursor.version >= version:
                return found

    async def notice(self, kind: str) -> game_pb2.Notice:
        """Read up to a notice of a kind."""
        while True:
            message = await self.read()
            if message.WhichOneof("message") == "notice" and message.notice.WhichOneof("notice") == kind:
                return message.notice

    def cancel(self) -> None:
        self.call.cancel()


class Caller:
    """Somebody with a token. Calls return the response, or raise Failure."""

    def __init__(self, address: str, token: str, language: str = "en", options: Sequence[tuple[str, Any]] = ()) -> None:
        self.token = token
        self.channel = grpc.aio.insecure_channel(
            address, [("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0), *options]
        )
        self.game = game_pb2_grpc.GameServiceStub(self.channel)
        self.rules = rules_pb2_grpc.RulesServiceStub(self.channel)
        self.records = record_pb2_grpc.RecordServiceStub(self.channel)
        self.metadata = [("accept-language", language)]
        if token:
            self.metadata.append(("authorization", f"Bearer {token}"))

    async def call(self, method: str, request: Message) -> Any:
        stubs = (self.game, self.rules, self.records)
        stub = next(stub for stub in stubs if hasattr(stub, method))
        try:
            return await getattr(stub, method)(request, metadata=self.metadata, timeout=20)
        except grpc.aio.AioRpcError as error:
            raise Failure(error) from None

    def watch(self, table_id: str, after: game_pb2.Cursor | None = None) -> Stream:
        request = game_pb2.WatchRequest(table_id=table_id, after=after)
        return Stream(self.game.Watch(request, metadata=self.metadata))

    async def again(self, match_id: str, **more: Any) -> list[game_pb2.WatchResponse]:
        """Return everything that is told of a match from its record."""
        request = record_pb2.StreamRecordRequest(match_id=match_id, **more)
        try:
            call = self.records.StreamRecord(request, metadata=self.metadata, timeout=20)
            return [response.message async for response in call]
        except grpc.aio.AioRpcError as error:
            raise Failure(error) from None

    async def events(
        self, table_id: str, after: game_pb2.Cursor | None = None, seconds: int = 0
    ) -> game_pb2.ListEventsResponse:
        wait = duration_pb2.Duration(seconds=seconds)
        request = game_pb2.ListEventsRequest(table_id=table_id, after=after, wait=wait)
        response: game_pb2.ListEventsResponse = await self.call("ListEvents", request)
        return response

    async def act(self, table_id: str, decision: int, action: view_pb2.Action) -> game_pb2.ActResponse:
        request = game_pb2.ActRequest(table_id=table_id, decision_id=decision, action=action)
        response: game_pb2.ActResponse = await self.call("Act", request)
        return response

    async def view(self, table_id: str) -> game_pb2.GetViewResponse:
        response: game_pb2.GetViewResponse = await self.call("GetView", game_pb2.GetViewRequest(table_id=table_id))
        return response

    async def legal(self, table_id: str, decision: int, **more: Any) -> game_pb2.GetLegalActionsResponse:
        request = game_pb2.GetLegalActionsRequest(table_id=table_id, decision_id=decision, **more)
        response: game_pb2.GetLegalActionsResponse = await self.call("GetLegalActions", request)
        return response


@dataclass
class World:
    """A running server, its clock, its journal and the callers so far."""

    app: App
    address: str
    clock: FakeClock
    journal: HeldJournal
    """The server's own, unless it was given another."""
    callers: dict[tuple[str, str], Caller]
    ids: Any
    logs: StringIO
    """Every log line."""
    mistakes: int = 0
    """How many mistakes of the server the test provokes."""

    def caller(self, token: str, language: str = "en", options: Sequence[tuple[str, Any]] = ()) -> Caller:
        key = (token, language)
        if options or key not in self.callers:
            self.callers[key] = Caller(self.address, token, language, options)
        return self.callers[key]

    def request_id(self) -> str:
        return f"request-{next(self.ids)}"

    async def table(self, preset: str = "jdf4", seats: int = 4, bots: bool = False, **more: Any) -> str:
        """Create a table hosted by p0, with p0, p1 … on its seats; return its id."""
        more.setdefault("ruleset", rules_pb2.Ruleset(preset=preset))
        more.setdefault("format", game_pb2.MatchFormat(games=2))
        request = game_pb2.CreateTableRequest(request_id=self.request_id(), **more)
        table_id: str = (await self.caller("p0").call("CreateTable", request)).table.id
        for number in range(seats):
            await self.join(table_id, f"p{number}", number, bots)
        return table_id

    async def join(self, table_id: str, token: str, seat: int | None = None, bot: bool = False) -> int:
        request = game_pb2.JoinTableRequest(
            request_id=self.request_id(), table_id=table_id, seat=seat, display_name=token.upper(), bot=bot
        )
        joined: int = (await self.caller(token).call("JoinTable", request)).seat
        return joined

    async def advance(self, table_id: str, seconds: float) -> None:
        """Let time go by while nothing is on its way to any table's watchers, or they would seem not to read."""
        end, rang = self.clock.now() + seconds, True
        while rang:
            while any(table.history.watchers.are_writing() for table in self.app.tables._by_id.values()):
                await self.caller("p0").view(table_id)
            rang = self.clock.ring(end)

    async def start(self, table_id: str) -> None:
        request = game_pb2.StartMatchRequest(request_id=self.request_id(), table_id=table_id)
        await self.caller("p0").call("StartMatch", request)

    async def asked(self, table_id: str) -> tuple[Caller, view_pb2.View]:
        """Return a seat that is asked something, and its view."""
        view = (await self.caller("p0").view(table_id)).view
        who = self.caller(f"p{view.asked[0].seat}")
        return who, (await who.view(table_id)).view

    async def step(self, table_id: str, rng: random.Random) -> bool:
        """Let a seat that is asked do something legal; return whether there was one."""
        decisions = self.app.tables.find(table_id).shown.state.decisions
        asked = [seat for seat, decision in enumerate(decisions) if decision]
        if not asked:
            await self.caller("p0").view(table_id)  # lets the server do what it can
            return False
        seat = rng.choice(asked)
        who, decision = self.caller(f"p{seat}"), decisions[seat]
        legal = (await who.legal(table_id, decision, page_size=200)).actions
        # a player that passes too often never comes to an end
        plays = [each.action for each in legal if each.action.WhichOneof("action") != "pass"]
        await who.act(table_id, decision, rng.choice(plays or [each.action for each in legal]))
        return True

    async def play(self, table_id: str, seed: int = 1, most: int = 5000) -> None:
        """Play until the match is over, with random legal actions."""
        rng = random.Random(seed)
        for _ in range(most):
            if not await self.step(table_id, rng):
                view = (await self.caller("p0").view(table_id)).view
                if view.state != view_pb2.TABLE_STATE_RUNNING:
                    return
                if not view.playing:
                    self.clock.advance(10)
                    # no more time goes by while the disk is slow, or nobody seems to use the table
                    history = self.app.tables.find(table_id).history
                    while history.head is not history.shown:
                        await self.caller("p0").view(table_id)
        raise AssertionError("the match does not end")


@asynccontextmanager
async def world(
    clock: FakeClock | None = None, journal: Journal | None = None, **settings: Any
) -> AsyncIterator[World]:
    """Run a server for a test, with a clock and a journal of its own unless it is given one."""
    clock, logs, held = clock or FakeClock(), StringIO(), HeldJournal()
    journal = journal or held
    configure("debug", logs)
    # a test asks faster than any player
    usual = GameConfig(port=0, grace_seconds=0.2, calls_per_second=1e6, calls_burst=10**6, snapshot_versions=3)
    config = replace(usual, **settings)
    app = App(config, clock, journal)
    address = await app.start()
    made = World(app, address, clock, held, {}, count(), logs)
    try:
        yield made
    finally:
        held.open.set()
        for caller in made.callers.values():
            await caller.channel.close()
        await app.stop()
        await journal.close()
        mistakes = app.metrics.registry.get_sample_value("daifugo_bugs_total")
        assert mistakes == made.mistakes, logs.getvalue()
