"""The journal at a million actions: how fast it grows, how large it gets, and how long a service takes to start.

    python -m benchmarks.journal                                  a million actions at a thousand tables
    python -m benchmarks.journal --actions 20000 --tables 100

Recorded legal matches are played again at many tables, without clients: by the tables, the writer and the SQLite file
of a real service. That process is killed while it goes on. Then a service reads the file: with its snapshots, and
without them, as a copy of the file has none. At last what is no longer needed is let go of. Linux and macOS.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.replay import chosen
from daifugo.v1 import game_pb2, rules_pb2
from engine.actions import Action
from services.common.logs import configure
from services.game.app import App
from services.game.codec.tables import settings_from
from services.game.config import GameConfig
from services.game.life import ENDED, FILLING, RUNNING, begin, follow
from services.game.records import Acted, Answer, Created, GameStarted, MatchStarted, Occupant, SeatTaken, Settings
from services.game.sqlite import SqliteJournal
from services.game.table import Table

SEATS: Final = 4
GAMES: Final = 4
MATCHES: Final = 16
"""How many recorded matches are played, again and again."""
NEVER: Final = 1e8
"""Seconds: nothing is let go of meanwhile."""
CONFIG: Final = GameConfig(
    port=0, max_tables=10**6, tables_per_identity=10**6, table_idle_seconds=NEVER, closed_table_seconds=NEVER
)

Match = tuple[bytes, tuple[tuple[int, Action], ...]]


def settings() -> Settings:
    """Return what the tables are played by: the official rules, and clocks that do not run out."""
    asked = game_pb2.CreateTableRequest(
        ruleset=rules_pb2.Ruleset(preset="jdf4", seats=SEATS),
        format=game_pb2.MatchFormat(games=GAMES),
        clock=game_pb2.Clock(turn_seconds=86400, choice_seconds=86400),
    )
    return settings_from(asked)


def player(seat: int) -> Occupant:
    return Occupant(f"open:{seat:032x}", f"Player {seat}", True)


def recorded(number: int) -> Match:
    """Play a match; the same number gives the same one."""
    chance = random.Random(f"journal {number}")
    seed, steps = chance.randbytes(32), []
    life = begin(Created(settings(), "host"), 0.0)
    for seat in range(SEATS):
        life, _ = follow(life, SeatTaken(seat, player(seat)))
    life, _ = follow(life, MatchStarted("", seed, GAMES))
    while life.phase == RUNNING:
        seat, decision, action = chosen(life.state, chance, eager=True)
        steps.append((seat, action))
        life, _ = follow(life, Acted(seat, decision, action))
        if life.is_between_games():
            life, _ = follow(life, GameStarted())
    return seed, tuple(steps)


class Replaying:
    """A table at which recorded matches are played one after the other."""

    def __init__(self, table: Table, number: int, matches: list[Match]) -> None:
        self.table = table
        self.played = number
        self.matches = matches
        self.step = 0

    def go_on(self) -> int:
        """Take one action, or do what has to come before it; return how many actions were taken."""
        history = self.table.history
        head = history.head
        assert head is not None
        seed, steps = self.matches[self.played % len(self.matches)]
        if head.phase in (FILLING, ENDED):
            history.accept(MatchStarted(f"{self.table.id}-{self.played}", seed, GAMES))
            self.step = 0
            return 0
        if head.is_between_games():
            history.accept(GameStarted())
            return 0
        seat, action = steps[self.step]
        history.accept(Acted(seat, head.state.decisions[seat], action))
        self.step += 1
        self.played += self.step == len(steps)
        return 1


async def laid(app: App, number: int, matches: list[Match]) -> Replaying:
    """Lay a table with everybody at it."""
    answer = Answer("open:host", "CreateTable", f"create {number}", bytes(32))
    table = await app.tables.create(Created(settings(), "open:host"), answer)
    for seat in range(SEATS):
        table.join(player(seat), seat, Answer(player(seat).identity, "JoinTable", f"join {number}", bytes(32)))
    return Replaying(table, number, matches)


async def fill(store: str, actions: int, tables: int, together: int) -> None:
    """Play until so many actions are in the file, say how that went, and go on until killed."""
    matches = [recorded(number) for number in range(MATCHES)]
    journal = SqliteJournal(store)
    app = App(CONFIG, journal=journal)
    writing = asyncio.create_task(app.writer.run())
    played = [await laid(app, number, matches) for number in range(tables)]
    await app.writer.flushed()
    begun, cpu, taken = time.perf_counter(), time.process_time(), 0
    is_told = False
    while True:
        for first in range(0, tables, together):
            taken += sum([each.go_on() for each in played[first : first + together]])
            await app.writer.flushed()
            if taken >= actions and not is_told:
                is_told = True
                seconds, spent = time.perf_counter() - begun, time.process_time() - cpu
                print(json.dumps({"actions": taken, "seconds": seconds, "cpu": spent}), flush=True)
        assert not writing.done()


async def start(store: str) -> None:
    """Take up all tables, say how long that took, and die without letting go of anything."""
    begun, cpu = time.perf_counter(), time.process_time()
    app = App(CONFIG, journal=SqliteJournal(store))
    await app.tables.begin_again()
    seconds, spent = time.perf_counter() - begun, time.process_time() - cpu
    print(json.dumps({"tables": len(app.tables._by_id), "seconds": seconds, "cpu": spent}), flush=True)
    os._exit(0)


async def compact(store: str) -> None:
    """Let go of what is no longer needed, and say how long that took, and the longest that others waited for it."""
    journal = SqliteJournal(store)
    begun, cpu, waits = time.perf_counter(), time.process_time(), [0.0]

    async def others() -> None:
        while True:
            asked = time.perf_counter()
            await journal.tables()
            waits.append(time.perf_counter() - asked)
            await asyncio.sleep(0.001)

    waiting = asyncio.create_task(others())
    await journal.compact()
    seconds, spent = time.perf_counter() - begun, time.process_time() - cpu
    waiting.cancel()
    await journal.close()
    print(json.dumps({"seconds": seconds, "cpu": spent, "longest": max(waits)}), flush=True)


PARTS: Final[dict[str, Callable[..., Awaitable[None]]]] = {"fill": fill, "start": start, "compact": compact}


def child(part: str, store: Path, *numbers: int) -> subprocess.Popen[str]:
    """Do a part in a process of its own."""
    safe = ["-P"] if sys.flags.safe_path else []
    said = [sys.executable, *safe, "-m", "benchmarks.journal", "--part", part, "--store", str(store)]
    return subprocess.Popen([*said, *map(str, numbers)], stdout=subprocess.PIPE, text=True)


def told(process: subprocess.Popen[str]) -> dict[str, Any]:
    """Return what a part says."""
    assert process.stdout is not None
    found: dict[str, Any] = json.loads(process.stdout.readline())
    return found


def alone(part: str, store: Path) -> dict[str, Any]:
    """Do a part to its end."""
    with child(part, store) as process:
        return told(process)


def size(store: Path) -> int:
    """Return how many bytes the file has, with the log beside it."""
    return sum([path.stat().st_size for path in store.parent.glob(f"{store.name}*") if path.suffix != ".key"])


def copied(store: Path, to: Path) -> None:
    for path in store.parent.glob(f"{store.name}*"):
        if path.suffix != ".lock":
            shutil.copy(path, to.with_name(path.name.replace(store.name, to.name)))


COUNTED: Final = (("record", "body"), ("snapshot", "body"), ("match", "games"))
"""Tables of the file, and what in them is large."""


def counted(base: sqlite3.Connection, name: str, column: str) -> tuple[int, int]:
    """Return how many rows a table of the file has, and their bytes."""
    found: tuple[int, int] = base.execute(f"SELECT count(*), coalesce(sum(length({column})), 0) FROM {name}").fetchone()
    return found


def report(folder: Path, actions: int, tables: int, together: int) -> None:
    """Measure everything, and print it as a table in Markdown."""
    store, bare = folder / "store", folder / "bare"
    filling = child("fill", store, actions, tables, together)
    filled = told(filling)
    time.sleep(0.3)
    filling.kill()
    filling.wait()
    copied(store, bare)
    grown = size(store)
    # the file itself stays as the killed service has left it
    with closing(sqlite3.connect(bare)) as base:
        rows = {name: counted(base, name, column) for name, column in COUNTED}
        base.execute("DELETE FROM snapshot")
        base.commit()
    with_them, without = alone("start", store), alone("start", bare)
    let_go = alone("compact", store)
    smaller = size(store)
    after = alone("start", store)
    count, versions = filled["actions"], rows["record"][0]
    print(f"{count:,} actions at {tables:,} tables, {together} in a transaction\n\n| | |\n|---|--:|")
    for what, figure in (
        ("actions a second, with rules, records and snapshots", f"{count / filled['seconds']:,.0f}"),
        ("CPU, µs an action", f"{1e6 * filled['cpu'] / count:.0f}"),
        ("size of the file", f"{grown / 1e6:,.0f} MB, {grown / versions:.0f} bytes a version"),
        ("of it records of versions", f"{rows['record'][1] / 1e6:,.0f} MB in {rows['record'][0]:,}"),
        ("of it snapshots", f"{rows['snapshot'][1] / 1e6:,.1f} MB in {rows['snapshot'][0]:,}"),
        ("of it games of finished matches", f"{rows['match'][1] / 1e6:,.0f} MB in {rows['match'][0]:,}"),
        ("start after kill -9, with snapshots", f"{with_them['seconds']:.3g} s, {with_them['cpu']:.3g} s of CPU"),
        ("the same without snapshots", f"{without['seconds']:.3g} s, {without['cpu']:.3g} s of CPU"),
        ("letting go of what is not needed", f"{let_go['seconds']:.3g} s, {let_go['cpu']:.3g} s of CPU"),
        ("the longest that others waited meanwhile", f"{1000 * let_go['longest']:.0f} ms"),
        ("size after it", f"{smaller / 1e6:,.0f} MB, {smaller / versions:.0f} bytes a version"),
        ("start then", f"{after['seconds']:.3g} s, {after['cpu']:.3g} s of CPU"),
    ):
        print(f"| {what} | {figure} |")


def main() -> None:
    p = argparse.ArgumentParser(prog="benchmarks.journal", description=__doc__.splitlines()[0] if __doc__ else "")
    p.add_argument("--actions", type=int, default=1_000_000)
    p.add_argument("--tables", type=int, default=1000)
    p.add_argument("--together", type=int, default=100, help="tables that act at a time: records in a transaction")
    p.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    p.add_argument("--store", help=argparse.SUPPRESS)
    p.add_argument("numbers", type=int, nargs="*", help=argparse.SUPPRESS)
    options = p.parse_args()
    configure("warning")
    if options.part:
        asyncio.run(PARTS[options.part](options.store, *options.numbers))  # type: ignore[arg-type]  # each is a coroutine
        return
    with TemporaryDirectory() as folder:
        report(Path(folder), options.actions, options.tables, options.together)


if __name__ == "__main__":
    main()
