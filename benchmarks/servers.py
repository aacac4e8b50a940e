"""The servers that are compared: `python -m benchmarks.servers KIND FILE STORE CPU`.

The `real` one is the game service, whose matches are dealt from the seeds in the file, and which keeps its tables in
the store. The `bare` one is a grpc.aio server without a game: it answers the same calls with the recorded bytes in the
file, and writes as many messages of the same sizes to the streams. The `driven` one does so for a drive.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import secrets
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from itertools import count, cycle
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import grpc

from benchmarks.probe import Probe
from benchmarks.replay import DRIVE_SERVICE, SERVICE, Driven, Part, Told, field_of, handle_of
from daifugo.v1 import drive_pb2, game_pb2
from services.common.config import MEMORY
from services.common.context import Context
from services.common.descriptors import allow_connections
from services.common.garbage import look_seldom
from services.common.logs import configure
from services.game.app import App
from services.game.config import GameConfig
from services.game.journal import MemoryJournal
from services.game.sqlite import SqliteJournal

MANY: Final = 1_000_000
MOST_CONNECTIONS: Final = 15_000
CONFIG: Final = GameConfig(port=0, max_tables=MANY, max_connections=MOST_CONNECTIONS, tables_per_identity=MANY)
ID_BYTES: Final = 24
SEED_BYTES: Final = 32
RESUMED: Final = game_pb2.WatchResponse(resumed=game_pb2.Resumed(cursor=game_pb2.Cursor(epoch=1, version=5)))
RESUMED_BYTES: Final = RESUMED.SerializeToString()


class BareTable:
    """A table without a game: it knows what was recorded, and how far it has got."""

    def __init__(self, told: Told) -> None:
        self.told = told
        self.at = 0
        self.streams = [BareStream() for _ in told.begun]


class BareStream:
    """The messages that wait for a stream."""

    def __init__(self) -> None:
        self.waiting: list[bytes] = []
        self.wake = asyncio.Event()


class Bare:
    """Answers calls with recorded bytes."""

    def __init__(self, told: Sequence[Told]) -> None:
        self._told = cycle(told)
        self._numbers = count()
        self._tables: dict[bytes, BareTable] = {}

    async def create(self, _request: bytes, _context: Context) -> bytes:
        table_id = f"{next(self._numbers):0{ID_BYTES}}"
        self._tables[table_id.encode()] = BareTable(next(self._told))
        answer = game_pb2.CreateTableResponse()
        answer.table.id = table_id
        return answer.SerializeToString()

    async def nothing(self, _request: bytes, _context: Context) -> bytes:
        return b""

    async def act(self, request: bytes, _context: Context) -> bytes:
        table = self._tables[request[2 : 2 + ID_BYTES]]
        answer, messages = table.told.steps[table.at]
        table.at += 1
        for stream, mine in zip(table.streams, messages):
            stream.waiting += mine
            stream.wake.set()
        return answer

    async def watch(self, request: bytes, context: Context) -> None:
        table = self._tables[request[2 : 2 + ID_BYTES]]
        seat = int(dict(context.invocation_metadata() or ())["seat"])
        stream = table.streams[seat]
        # whoever comes back has what they have
        await context.write(RESUMED_BYTES if len(request) > 2 + ID_BYTES else table.told.begun[seat])
        while True:
            await stream.wake.wait()
            stream.wake.clear()
            messages, stream.waiting = stream.waiting, []
            for message in messages:
                await context.write(message)

    def handlers(self) -> dict[str, Any]:
        """Return the methods, with neither reading nor writing of messages around them."""
        unary = grpc.unary_unary_rpc_method_handler
        return {
            "CreateTable": unary(self.create),
            "JoinTable": unary(self.nothing),
            "StartMatch": unary(self.nothing),
            "Act": unary(self.act),
            "Watch": grpc.unary_stream_rpc_method_handler(self.watch),
        }


class BareDrive:
    """Answers drives with recorded bytes."""

    def __init__(self, told: Sequence[Driven]) -> None:
        self._told = told

    async def drive(self, requests: AsyncIterator[bytes], context: Context) -> None:
        """Answer each message with one."""
        tables: dict[int, Iterator[tuple[Part, ...]]] = {}
        prefixes: dict[int, bytes] = {}
        async for data in requests:
            request, parts = drive_pb2.DriveRequest.FromString(data), []
            for attach in request.attach:
                told = self._told[int(attach.table_id)]
                seats = len(told.begun)
                prefixes[attach.handle] = handle_of(attach.handle)
                first = attach.handle - attach.handle % seats
                tables.setdefault(first, iter(told.steps))
                field, _, body = told.begun[attach.handle % seats]
                parts.append(field_of(field, prefixes[attach.handle] + body))
            for action in request.actions:
                first = action.handle - action.handle % seats
                for field, seat, body in next(tables[first]):
                    parts.append(field_of(field, prefixes[first + seat] + body))
            await context.write(b"".join(parts))

    def handlers(self) -> dict[str, Any]:
        """Return the method, with neither reading nor writing of messages around it."""
        return {"Drive": grpc.stream_stream_rpc_method_handler(self.drive)}


async def serve_bare(service: str, bare: Bare | BareDrive, started: Callable[[str], Any]) -> None:
    """Run a bare server."""
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, bare.handlers()),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    await started(f"127.0.0.1:{port}")
    await server.stop(0)


async def serve_real(recorded: Sequence[bytes], store: str, started: Callable[[str], Any]) -> None:
    """Run the game service; matches are dealt from the recorded seeds, in turn."""
    seeds, draw = cycle(recorded), secrets.token_bytes

    def dealt(size: int | None = None) -> bytes:
        return next(seeds) if size == SEED_BYTES else draw(size)

    configure("warning")
    journal = MemoryJournal() if store == MEMORY else SqliteJournal(store)
    # made before the seeds are dealt out: it draws keys of its own
    app = App(CONFIG, journal=journal)
    try:
        with patch("secrets.token_bytes", dealt):
            await started(await app.start())
            await app.stop()
    finally:
        await journal.close()


async def main(kind: str, recorded: Any, store: str) -> None:
    """Say where the server listens, and run until the standard input ends."""
    probe, loop, ended = Probe(), asyncio.get_running_loop(), asyncio.Event()

    def stop() -> None:
        loop.call_soon_threadsafe(ended.set)

    async def started(address: str) -> None:
        look_seldom()
        print(address, flush=True)
        probe.listen(stop)
        await ended.wait()

    allow_connections(MOST_CONNECTIONS)
    if kind == "real":
        await serve_real(recorded, store, started)
    elif kind == "bare":
        await serve_bare(SERVICE, Bare(recorded), started)
    else:
        await serve_bare(DRIVE_SERVICE, BareDrive(recorded), started)


if __name__ == "__main__":
    # Before any thread: each inherits its processor. A hook between fork and exec would do so too, and is not safe in a
    # load process that has threads of the gRPC core.
    os.sched_setaffinity(0, {int(sys.argv[4])})
    asyncio.run(main(sys.argv[1], pickle.loads(Path(sys.argv[2]).read_bytes()), sys.argv[3]))
