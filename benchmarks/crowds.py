"""What crowds cost beside a grpc.aio server that does nothing: idle seats, a resume storm, and connections at once.

    python -m benchmarks.crowds            10,000 idle seats, 1,000 that come back, 2,000 connections
    python -m benchmarks.crowds --seats 400 --storm 100 --connections 200

Every seat has a connection and a stream of its own. The game service keeps its tables in a file, as it does by default.
Each server has a processor of its own, and the load has another. Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import grpc

from benchmarks.load import OWN_CONNECTION, Played, Player, opened, record
from benchmarks.replay import SEATS, SERVICE, write
from benchmarks.service import Server, kept, running
from daifugo.v1 import game_pb2
from services.common.descriptors import allow_connections

GAMES = 8
MATCHES = 4
BEGUN = SEATS + 1
"""The version that a match begins with: everybody has sat down."""
WARM = 4
"""Tables that are opened before anything is measured."""


@dataclass
class Crowd:
    """What was measured at one server."""

    kib_per_seat: float = 0.0
    came_back: list[float] = field(default_factory=list)
    """Seconds until each stream of the storm had its first message."""
    storm_cpu: float = 0.0
    """Microseconds of the server's CPU time for each of them."""
    connected: list[float] = field(default_factory=list)
    """Seconds until each connection was ready."""
    tried: int = 0


async def crowded(server: Server, scripts: Sequence[Any], options: argparse.Namespace) -> Crowd:
    """Open seats, let some of them come back at once, and open connections at once."""
    found = Crowd(tried=options.connections)
    tables = await opened(server.address, scripts, WARM)
    try:
        before = await server.ask("memory")
        wanted = options.seats // SEATS
        for done in range(0, wanted, 100):
            tables += await opened(server.address, scripts, min(100, wanted - done))
        found.kib_per_seat = (await server.ask("memory") - before) / 1024 / (SEATS * wanted)
        await storm(server, tables[WARM:], options.storm, found)
        await crowd_in(server, options.connections, found)
    finally:
        for table in tables:
            await table.close()
    return found


async def storm(server: Server, tables: Sequence[Played], number: int, found: Crowd) -> None:
    """Cut the connections of so many seats; let all come back at once, each from its cursor."""
    chosen = tables[: number // SEATS]
    for table in chosen:
        await table.close()
    before, begun = await server.ask("cpu"), time.perf_counter()
    players = [(table, old) for table in chosen for old in table.players]
    back = await asyncio.gather(*[_come_back(server.address, table, old, begun) for table, old in players])
    after = await server.ask("cpu")
    found.came_back = sorted([seconds for _, seconds in back])
    found.storm_cpu = 1e6 * (after[0] - before[0]) / len(back)
    for channel, _ in back:
        await channel.close()


async def _come_back(address: str, table: Played, old: Player, begun: float) -> tuple[Any, float]:
    channel = grpc.aio.insecure_channel(address, options=OWN_CONNECTION)
    cursor = game_pb2.Cursor(epoch=1, version=BEGUN)
    request = game_pb2.WatchRequest(table_id=table.id, after=cursor).SerializeToString()
    watch: Any = channel.unary_stream(f"/{SERVICE}/Watch")
    call = watch(request, metadata=old.metadata)
    if await call.read() is grpc.aio.EOF:
        raise EOFError("a stream that came back ended at once")
    return channel, time.perf_counter() - begun


async def crowd_in(server: Server, number: int, found: Crowd) -> None:
    """Open so many connections at once."""
    channels = [grpc.aio.insecure_channel(server.address, options=OWN_CONNECTION) for _ in range(number)]
    begun = time.perf_counter()

    async def ready(channel: grpc.aio.Channel) -> float | None:
        try:
            async with asyncio.timeout(60):
                await channel.channel_ready()
        except TimeoutError:
            return None
        return time.perf_counter() - begun

    times = await asyncio.gather(*[ready(channel) for channel in channels])
    found.connected = sorted([each for each in times if each is not None])
    for channel in channels:
        await channel.close()


def figures(real: Crowd, bare: Crowd, options: argparse.Namespace) -> str:
    """Lay out the comparison as a table in Markdown."""
    both = (real, bare)
    rows = [
        (f"memory of a seat, {options.seats} idle ones", [f"{c.kib_per_seat:.1f} KiB" for c in both]),
        (f"p50 / p99 until one of {len(real.came_back)} has come back", [_quantiles(c.came_back) for c in both]),
        ("server CPU for each of them", [f"{c.storm_cpu:.0f} µs" for c in both]),
        (f"ready of {options.connections} connections", [str(len(c.connected)) for c in both]),
        ("p50 / p99 until one is ready", [_quantiles(c.connected) for c in both]),
    ]
    lines = ["| crowds | game service | bare grpc.aio |", "|---|---|---|"]
    lines += [f"| {' | '.join([name, *cells])} |" for name, cells in rows]
    lines.append(f"| **memory beside that of bare streams** | **{real.kib_per_seat / bare.kib_per_seat:.2f}** | 1 |")
    lines.append(
        f"| **CPU of coming back beside that of bare streams** | **{real.storm_cpu / bare.storm_cpu:.2f}** | 1 |"
    )
    return "\n".join(lines)


def _quantiles(seconds: Sequence[float]) -> str:
    if not seconds:
        return "none"
    p50, p99 = [seconds[min(len(seconds) - 1, int(len(seconds) * part))] for part in (0.5, 0.99)]
    return f"{1000 * p50:.0f} / {1000 * p99:.0f} ms"


async def compared(options: argparse.Namespace, folder: Path) -> str:
    """Measure both servers one after the other, so that neither has the other's memory beside it."""
    server_processor, load_processor = sorted(os.sched_getaffinity(0))[:2]
    os.sched_setaffinity(0, {load_processor})
    scripts = [write(number, GAMES) for number in range(MATCHES)]
    seeds = kept(folder / "seeds", [script.root for script in scripts])
    async with running("real", server_processor, seeds) as server:
        told = kept(folder / "told", await record(server.address, scripts))
    async with running("real", server_processor, seeds, str(folder / "store")) as server:
        real = await crowded(server, scripts, options)
    async with running("bare", server_processor, told) as server:
        bare = await crowded(server, scripts, options)
    return figures(real, bare, options)


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="python -m benchmarks.crowds", description="Compare crowds with bare gRPC.")
    p.add_argument("--seats", type=int, default=10_000, help="idle seats, each with a stream (default: %(default)s)")
    p.add_argument("--storm", type=int, default=1000, help="seats that come back at once (default: %(default)s)")
    p.add_argument("--connections", type=int, default=2000, help="connections opened at once (default: %(default)s)")
    return p


def main(argv: list[str] | None = None) -> int:
    options = parser().parse_args(argv)
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
    if not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2:
        print("this needs Linux and two processors: one for the server, one for the load", file=sys.stderr)
        return 2
    allow_connections(options.seats + options.connections)
    with TemporaryDirectory() as folder:
        print(asyncio.run(compared(options, Path(folder))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
