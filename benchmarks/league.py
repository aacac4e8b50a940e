"""How many games of a league a server carries: instant bots over Drive, beside Act + Watch and a bare batched stream.

    python -m benchmarks.league                            100 tables of five bots by the rules of the contest
    python -m benchmarks.league --tables 20 --rounds 1 --seconds 1

Recorded legal matches are played again: the bots know what they will play, so that every arm spends the same on them.
The game service keeps its tables in a file; over Act + Watch the tables are relaxed. Each server has one processor, and
the bots have another. Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.drives import Stream, lay, numbered, recorded
from benchmarks.load import Played, opened, run
from benchmarks.replay import Script, write
from benchmarks.service import Server, kept, parts_of, running

PRESET: Final = "uecda"
SEATS: Final = 5


@dataclass
class Arm:
    """One way to play, and what was measured of it, a number a run."""

    name: str
    server: Server
    scripts: Sequence[Script]
    relaxed: bool = False
    is_drive: bool = True
    rates: list[float] = field(default_factory=list)
    """Actions a second."""
    cpu: list[float] = field(default_factory=list)
    """Microseconds of the server's CPU time an action."""
    main: list[float] = field(default_factory=list)
    """Those of its event loop's thread."""
    busy: list[float] = field(default_factory=list)
    """How busy the server's processor was."""
    bots: list[float] = field(default_factory=list)
    """How busy the bots' processor was."""
    parts: Counter[str] = field(default_factory=Counter)
    """What the event loop's time goes into."""

    async def run(self, options: argparse.Namespace, sampled: bool = False) -> None:
        """Lay tables and play at all of them for a time."""
        if not self.is_drive:
            tables = await opened(self.server.address, self.scripts, options.tables, self.relaxed)
            await self._measure(lambda: _over_streams(tables, options.seconds), sampled)
            for table in tables:
                await table.close()
            return
        if self.server.kind == "real":
            games = await lay(self.server.address, self.scripts, options.tables, self.relaxed)
        else:
            games = numbered(self.scripts, options.tables)
        drives = [Stream(self.server.address, games[first :: options.streams]) for first in range(options.streams)]
        await asyncio.gather(*[drive.open() for drive in drives])
        await self._measure(lambda: _over_drives(drives, options.seconds), sampled)
        await asyncio.gather(*[drive.close() for drive in drives])

    async def _measure(self, play: Callable[[], Coroutine[Any, Any, int]], sampled: bool) -> None:
        if sampled:
            await self.server.ask("sample")
            await play()
            self.parts = Counter(await self.server.ask("parts"))
            return
        before, own, begun = await self.server.ask("cpu"), time.process_time(), time.perf_counter()
        actions = await play()
        seconds, own = time.perf_counter() - begun, time.process_time() - own
        whole, main = [late - early for early, late in zip(before, await self.server.ask("cpu"))]
        self.rates.append(actions / seconds)
        self.cpu.append(1e6 * whole / actions)
        self.main.append(1e6 * main / actions)
        self.busy.append(whole / seconds)
        self.bots.append(own / seconds)


async def _over_streams(tables: Sequence[Played], seconds: float) -> int:
    return len((await run(tables, seconds)).latencies)


async def _over_drives(drives: Sequence[Stream], seconds: float) -> int:
    until = time.perf_counter() + seconds
    return sum(await asyncio.gather(*[drive.play(until) for drive in drives]))


async def compared(options: argparse.Namespace, folder: Path) -> str:
    """Measure, and lay out the tables."""
    server_processor, bots_processor = sorted(os.sched_getaffinity(0))[:2]
    os.sched_setaffinity(0, {bots_processor})
    # each table that is laid takes the next recorded match
    options.tables -= options.tables % options.matches
    scripts = [write(number, options.games, PRESET, SEATS, eager=True) for number in range(options.matches)]
    seeds = kept(folder / "seeds", [script.root for script in scripts])
    async with running("real", server_processor, seeds) as server:
        told = kept(folder / "told", await recorded(server.address, scripts))
    async with (
        running("real", server_processor, seeds, str(folder / "store")) as real,
        running("driven", server_processor, told) as bare,
    ):
        arms = [
            Arm("Drive, relaxed", real, scripts, relaxed=True),
            Arm("Drive, strict", real, scripts),
            Arm("Act + Watch, relaxed", real, scripts, relaxed=True, is_drive=False),
            Arm("bare batched stream", bare, scripts),
        ]
        for _ in range(options.rounds):
            for arm in arms:
                await arm.run(options)
        for arm in arms:
            await arm.run(options, sampled=True)
    actions = sum([len(script.steps) for script in scripts]) / sum([script.games for script in scripts])
    return "\n\n".join([figures(arms, actions, options), spent(arms)])


def figures(arms: Sequence[Arm], actions: float, options: argparse.Namespace) -> str:
    """Lay out the comparison as a table in Markdown; a game has so many actions."""
    bare = arms[-1]
    head = (
        f"{options.tables} tables of {SEATS} bots, {actions:.0f} actions a game, {options.streams} drives, "
        f"{options.rounds} rounds of {options.seconds:g} s each"
    )
    rows = [
        ("**games/s**", *[f"**{fmean(arm.rates) / actions:.0f}** ({ranged(arm.rates, actions)})" for arm in arms]),
        ("actions/s", *[f"{fmean(arm.rates):.0f}" for arm in arms]),
        ("share of the bare stream", *[f"{fmean(arm.rates) / fmean(bare.rates):.2f}" for arm in arms]),
        ("server CPU, µs an action", *[f"{fmean(arm.cpu):.0f}" for arm in arms]),
        ("the server's processor was busy", *[f"{100 * fmean(arm.busy):.0f} %" for arm in arms]),
        ("the bots' processor was busy", *[f"{100 * fmean(arm.bots):.0f} %" for arm in arms]),
    ]
    lines = [f"| {head} | {' | '.join(arm.name for arm in arms)} |", f"|---|{'---|' * len(arms)}"]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])


def ranged(rates: Sequence[float], actions: float) -> str:
    """Write the lowest and the highest games a second."""
    return f"{min(rates) / actions:.0f}–{max(rates) / actions:.0f}"


def spent(arms: Sequence[Arm]) -> str:
    """Lay out where the microseconds go as a table in Markdown."""
    head = "where the server's microseconds go, an action"
    columns = [parts_of(arm.parts, fmean(arm.main), fmean(arm.cpu)) for arm in arms]
    lines = [f"| {head} | {' | '.join(arm.name for arm in arms)} |", f"|---|{'---|' * len(arms)}"]
    names = {name for column in columns for name in column}
    for name in sorted(names, key=lambda name: -columns[0].get(name, 0.0)):
        lines.append(f"| {name} | {' | '.join([f'{column.get(name, 0.0):.0f}' for column in columns])} |")
    return "\n".join(lines)


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="python -m benchmarks.league", description="How many games a server carries.")
    p.add_argument("--tables", type=int, default=100, help="tables of five bots (default: %(default)s)")
    p.add_argument("--streams", type=int, default=4, help="drives that share them (default: %(default)s)")
    p.add_argument("--rounds", type=int, default=3, help="runs of each arm, in turn (default: %(default)s)")
    p.add_argument("--seconds", type=float, default=3.0, help="seconds of a run (default: %(default)s)")
    p.add_argument("--matches", type=int, default=4, help="recorded matches (default: %(default)s)")
    p.add_argument("--games", type=int, default=40, help="games of a match (default: %(default)s)")
    return p


def main(argv: list[str] | None = None) -> int:
    options = parser().parse_args(argv)
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
    if not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2:
        print("this needs Linux and two processors: one for the server, one for the bots", file=sys.stderr)
        return 2
    with TemporaryDirectory() as folder:
        print(asyncio.run(compared(options, Path(folder))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
