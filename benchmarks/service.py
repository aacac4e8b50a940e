"""What the game service costs beside a grpc.aio server that does nothing: Act and Watch, four seats a table.

    python -m benchmarks.service                       100 tables, four rounds of both servers
    python -m benchmarks.service --tables 20 --rounds 2 --seconds 2

Recorded legal matches are played again at many tables, first at the game service, then with the same messages at a bare
server, and so on in turn. Each server has a processor of its own, and the load has another. Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import pickle
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.load import Played, Tally, opened, record, run
from benchmarks.replay import SEATS, Script, write


@dataclass
class Server:
    """A server in a process of its own."""

    kind: str
    address: str
    process: asyncio.subprocess.Process

    async def ask(self, command: str) -> Any:
        """Ask its probe."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{command}\n".encode())
        return json.loads(await self.process.stdout.readline())


@asynccontextmanager
async def running(kind: str, processor: int, file: Path, store: str = "memory") -> AsyncIterator[Server]:
    """Run a server on one processor."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *(["-P"] if sys.flags.safe_path else []), "-m", "benchmarks.servers"),
        *(kind, str(file), store, str(processor)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        address = (await process.stdout.readline()).decode().strip()
        if not address:
            raise RuntimeError(f"the {kind} server ended with status {await process.wait()} before it listened")
        yield Server(kind, address, process)
    finally:
        process.stdin.close()
        await process.wait()


@dataclass
class Arm:
    """What was measured at one server."""

    server: Server
    tables: list[Played]
    kib_per_seat: float
    runs: list[Tally] = field(default_factory=list)
    server_cpu: list[float] = field(default_factory=list)
    """Microseconds of the server's CPU time an action, a number a run."""
    main_cpu: list[float] = field(default_factory=list)
    """Those of its event loop's thread."""
    client_share: list[float] = field(default_factory=list)
    """How busy the load's processor was."""

    async def measure(self, seconds: float, rate: float | None) -> None:
        """Add a run."""
        before, own = await self.server.ask("cpu"), time.process_time()
        tally = await run(self.tables, seconds, rate)
        after, own = await self.server.ask("cpu"), time.process_time() - own
        actions = len(tally.latencies)
        self.runs.append(tally)
        self.server_cpu.append(1e6 * (after[0] - before[0]) / actions)
        self.main_cpu.append(1e6 * (after[1] - before[1]) / actions)
        self.client_share.append(own / tally.seconds)

    def rates(self) -> list[float]:
        """Return the actions a second, a number a run."""
        return [len(tally.latencies) / tally.seconds for tally in self.runs]

    def messages(self) -> float:
        """Return how many messages there were on streams for each action."""
        return sum([t.messages for t in self.runs]) / sum([len(t.latencies) for t in self.runs])

    def percentile(self, percent: float) -> float:
        """Return the milliseconds within which so many of a hundred actions were told to everybody."""
        every = sorted([latency for tally in self.runs for latency in tally.latencies])
        return 1000 * every[min(len(every) - 1, int(len(every) * percent / 100))]


@asynccontextmanager
async def opened_arm(server: Server, scripts: Sequence[Script], options: argparse.Namespace) -> AsyncIterator[Arm]:
    """Open the tables, and see what they take when nobody plays."""
    warm = await opened(server.address, scripts, len(scripts))
    before = await server.ask("memory")
    tables = await opened(server.address, scripts, options.tables)
    after = await server.ask("memory")
    try:
        yield Arm(server, tables, (after - before) / 1024 / (SEATS * options.tables))
    finally:
        for table in (*warm, *tables):
            await table.close()


def again(arm: Arm) -> Arm:
    """Go on at the same tables with figures of their own."""
    return Arm(arm.server, arm.tables, arm.kib_per_seat)


def kept(file: Path, recorded: Any) -> Path:
    """Keep what was recorded for a server to read."""
    file.write_bytes(pickle.dumps(recorded))
    return file


async def compared(options: argparse.Namespace, folder: Path) -> str:
    """Measure, and lay out the tables."""
    server_processor, load_processor = sorted(os.sched_getaffinity(0))[:2]
    os.sched_setaffinity(0, {load_processor})
    scripts = [write(number, options.games) for number in range(options.matches)]
    seeds = kept(folder / "seeds", [script.root for script in scripts])
    async with running("real", server_processor, seeds) as server:
        told = kept(folder / "told", await record(server.address, scripts))
    async with (
        running("real", server_processor, seeds, str(folder / "store") if options.durable else "memory") as real,
        running("bare", server_processor, told) as bare,
        opened_arm(real, scripts, options) as one,
        opened_arm(bare, scripts, options) as other,
    ):
        full = [one, other]
        moderate = [again(arm) for arm in full]
        for _ in range(options.rounds):
            for arm in full:
                await arm.measure(options.seconds, None)
        rate = min(fmean(arm.rates()) for arm in full) * options.load
        for _ in range(options.rounds):
            for arm in moderate:
                await arm.measure(options.seconds, rate)
        parts = [await sampled(arm, options.seconds) for arm in full]
    return "\n\n".join([figures(full, moderate, rate, options), spent(full, parts)])


async def sampled(arm: Arm, seconds: float) -> Counter[str]:
    """See what a server's CPU time goes into, in a run that does not count."""
    await arm.server.ask("sample")
    await run(arm.tables, seconds)
    return Counter(await arm.server.ask("parts"))


def figures(full: Sequence[Arm], moderate: Sequence[Arm], rate: float, options: argparse.Namespace) -> str:
    """Lay out the comparison as a table in Markdown."""
    (real, bare), at_rate = full, f"{rate:.0f} actions/s"
    rows = [
        ("actions/s, as fast as it goes", *[f"{fmean(a.rates()):.0f} ({_range(a.rates())})" for a in full]),
        ("server CPU, µs an action", *[f"{fmean(a.server_cpu):.0f} ({_range(a.server_cpu)})" for a in full]),
        ("messages on streams an action", *[f"{a.messages():.2f}" for a in full]),
        ("p50 / p99, as fast as it goes", *[f"{a.percentile(50):.1f} / {a.percentile(99):.1f} ms" for a in full]),
        (
            f"p50 / p99 at {at_rate}",
            *[f"{a.percentile(50):.1f} / {a.percentile(99):.1f} ms" for a in moderate],
        ),
        (
            f"server CPU at {at_rate}, µs an action",
            *[f"{fmean(a.server_cpu):.0f} ({_range(a.server_cpu)})" for a in moderate],
        ),
        ("memory of an idle seat with its stream", *[f"{a.kib_per_seat:.1f} KiB" for a in full]),
        ("the load's processor was busy", *[f"{100 * fmean(a.client_share):.0f} %" for a in full]),
    ]
    head = (
        f"Act + Watch, {options.tables} tables of {SEATS} seats, {options.rounds} rounds of {options.seconds:g} s each"
    )
    lines = [f"| {head} | game service | bare grpc.aio |", "|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    for what, shares in (
        ("actions/s, as fast as it goes", [one / other for one, other in zip(real.rates(), bare.rates())]),
        (f"CPU at {at_rate}", cheaper(moderate)),
        ("CPU, as fast as it goes", cheaper(full)),
    ):
        lines.append(f"| **share of the ceiling**: {what} | **{fmean(shares):.2f}** ({_range(shares, 2)}) | 1 |")
    return "\n".join(lines)


def cheaper(arms: Sequence[Arm]) -> list[float]:
    """Return what share of the first one's CPU time an action the second one needs, a number a round."""
    real, bare = arms
    return [other / one for one, other in zip(real.server_cpu, bare.server_cpu)]


def spent(full: Sequence[Arm], parts: Sequence[Counter[str]]) -> str:
    """Lay out where the microseconds go as a table in Markdown."""
    lines = ["| where the server's microseconds go, an action | game service | bare grpc.aio |", "|---|---|---|"]
    cells = [parts_of(part, fmean(arm.main_cpu), fmean(arm.server_cpu)) for arm, part in zip(full, parts)]
    for name in sorted(cells[0] | cells[1], key=lambda name: -cells[0].get(name, 0.0)):
        lines.append(f"| {name} | {cells[0].get(name, 0.0):.0f} | {cells[1].get(name, 0.0):.0f} |")
    return "\n".join(lines)


def parts_of(samples: Counter[str], main: float, whole: float) -> dict[str, float]:
    """Divide the event loop's microseconds by what samples of it were in; the rest of the whole is the gRPC core's."""
    parts = {name: main * number / samples.total() for name, number in samples.items()}
    return {**parts, "threads of the gRPC core": whole - main}


def _range(values: Sequence[float], digits: int = 0) -> str:
    return f"{min(values):.{digits}f}–{max(values):.{digits}f}"


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="python -m benchmarks.service", description="Compare Act + Watch with bare gRPC.")
    p.add_argument("--tables", type=int, default=100, help="tables of four seats (default: %(default)s)")
    p.add_argument("--rounds", type=int, default=4, help="runs of each server, in turn (default: %(default)s)")
    p.add_argument("--seconds", type=float, default=5.0, help="seconds of a run (default: %(default)s)")
    p.add_argument("--load", type=float, default=0.8, help="load that both can take, as a share (default: %(default)s)")
    p.add_argument("--durable", action="store_true", help="the game service keeps its tables in a SQLite file")
    p.add_argument("--matches", type=int, default=4, help="recorded matches (default: %(default)s)")
    p.add_argument("--games", type=int, default=20, help="games of a match (default: %(default)s)")
    return p


def main(argv: list[str] | None = None) -> int:
    options = parser().parse_args(argv)
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
    if not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2:
        print("this needs Linux and two processors: one for the server, one for the load", file=sys.stderr)
        return 2
    with TemporaryDirectory() as folder:
        print(asyncio.run(compared(options, Path(folder))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
