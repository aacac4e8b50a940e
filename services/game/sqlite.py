"""The journal in one SQLite file: what is acknowledged is on the disk, and a crash at any moment loses nothing else."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from engine.version import ENGINE_VERSION
from services.common.config import CannotStart
from services.game import sqlite_matches, sqlite_snapshots
from services.game.answers import Kept
from services.game.codec.kept import kept_of, without_name
from services.game.codec.records import record_from, record_to, result_from, result_to
from services.game.keeping import KeptMatch
from services.game.records import Answer, KeptSnapshot, Posted, Record
from services.game.sealing import Seal
from services.game.sqlite_file import lock, open_file
from services.game.sqlite_seal import about

T = TypeVar("T")


class SqliteJournal:
    """Keeps records in a file that belongs to this process alone; it is written in a thread of its own.

    Others may read the file meanwhile, to back it up. Raises CannotStart if it cannot be used.
    """

    def __init__(self, path: str, now: Callable[[], float] = time.time, keys: str = "") -> None:
        """Open the file; `keys` names the one with its keys, if that is not beside it."""
        self._now = now
        self._thread = ThreadPoolExecutor(1, "journal")
        try:
            self._lock = lock(path)
            try:
                self._base, self._seal = self._thread.submit(open_file, path, keys).result()
            except BaseException:
                os.close(self._lock)
                raise
        except (sqlite3.Error, OSError) as problem:
            self._thread.shutdown()
            raise CannotStart(f"--store {path}: {problem}") from None

    async def claim(self, table_id: str, owner: str) -> int:
        """Make `owner` the owner of a table.

        No epoch comes twice, also not after a backup was brought back: clients may know what it has forgotten.
        """
        return await self._in_thread(lambda: _claim(self._base, table_id, owner, int(self._now())))

    async def claim_all(self, owner: str) -> dict[str, int]:
        """Make `owner` the owner of all tables, in one transaction."""
        return await self._in_thread(lambda: _claim_all(self._base, owner, int(self._now())))

    async def append(self, owner: str, records: Sequence[Record]) -> frozenset[str]:
        """Make records durable, all of them in one transaction."""
        return await self._in_thread(lambda: _append(self._base, self._seal, owner, records))

    async def load(self, table_id: str, after: int = -1) -> list[Record]:
        """Return the records of a table after a version."""
        return await self._in_thread(lambda: _load(self._base, self._seal, table_id, after))

    async def snapshot(self, table_id: str) -> KeptSnapshot | None:
        """Return the last snapshot of a table."""
        return await self._in_thread(lambda: sqlite_snapshots.find(self._base, self._seal, table_id))

    async def compact(self) -> None:
        """Delete records that are not needed, a few at a time: whoever waits for the disk comes in between."""
        while await self._in_thread(lambda: _forget_some(self._base)):
            pass
        while await self._in_thread(lambda: sqlite_snapshots.give_back(self._base)):
            pass

    async def tables(self) -> list[str]:
        """Return the tables that this version of the engine can go on with, in the order of their creation."""
        asked = "SELECT id FROM game_table WHERE engine = ? ORDER BY number"
        return await self._in_thread(lambda: [row[0] for row in self._base.execute(asked, (ENGINE_VERSION,))])

    async def forget(self, owner: str, table_id: str, never_was: bool = False) -> None:
        """Delete a table."""
        await self._in_thread(lambda: _forget(self._base, owner, table_id, never_was))

    async def created(self) -> list[Kept]:
        """Return which requests have created tables."""
        return await self._in_thread(lambda: _created(self._base))

    async def forget_created(self, before: float) -> None:
        """Forget old requests."""
        await self._in_thread(lambda: self._base.execute("DELETE FROM created WHERE time < ?", (before,)))

    async def results(self, after: int, most: int) -> list[Posted]:
        """Return results after a number."""
        return await self._in_thread(lambda: _results(self._base, after, most))

    async def forget_results(self, before: float) -> None:
        """Forget old results."""
        await self._in_thread(lambda: self._base.execute("DELETE FROM outbox WHERE time < ?", (before,)))

    async def match(self, match_id: str) -> KeptMatch | None:
        """Return the record of a match."""
        return await self._in_thread(lambda: sqlite_matches.find(self._base, match_id))

    async def matches(self, identity: str, mine: bool, before: int | None, most: int) -> Sequence[KeptMatch]:
        """Return the heads of records."""
        return await self._in_thread(lambda: sqlite_matches.newest_first(self._base, identity, mine, before, most))

    async def forget_matches(self, before: float) -> None:
        """Forget old records."""
        await self._in_thread(lambda: _forget_matches(self._base, before))

    async def forget_player(self, identity: str) -> None:
        """Take somebody's names out of all records."""
        await self._in_thread(lambda: _forget_player(self._base, identity))

    async def close(self) -> None:
        """Close the file."""
        await self._in_thread(self._base.close)
        self._thread.shutdown()
        os.close(self._lock)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


class _Transaction:
    """Everything or nothing."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base

    def __enter__(self) -> None:
        self._base.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._base.execute("COMMIT")
        finally:
            if self._base.in_transaction:
                self._base.execute("ROLLBACK")


def _claim_all(base: sqlite3.Connection, owner: str, least: int) -> dict[str, int]:
    with _Transaction(base):
        base.execute(
            "UPDATE game_table SET owner = ?, epoch = max(epoch + 1, ?) WHERE engine = ?",
            (owner, least, ENGINE_VERSION),
        )
        asked = "SELECT id, epoch FROM game_table WHERE engine = ? ORDER BY number"
        return dict(base.execute(asked, (ENGINE_VERSION,)).fetchall())


def _claim(base: sqlite3.Connection, table_id: str, owner: str, least: int) -> int:
    with _Transaction(base):
        base.execute(
            "INSERT INTO game_table (id, owner, epoch, engine) VALUES (:id, :owner, :least, :engine)"
            " ON CONFLICT (id) DO UPDATE SET owner = :owner, epoch = max(epoch + 1, :least)",
            {"id": table_id, "owner": owner, "least": least, "engine": ENGINE_VERSION},
        )
        epoch: int = base.execute("SELECT epoch FROM game_table WHERE id = ?", (table_id,)).fetchone()[0]
    return epoch


def _append(base: sqlite3.Connection, seal: Seal, owner: str, records: Sequence[Record]) -> frozenset[str]:
    with _Transaction(base):
        asked = "SELECT epoch FROM game_table WHERE id = ? AND owner = ?"
        owned = {id_: base.execute(asked, (id_, owner)).fetchone() for id_ in {r.table_id for r in records}}
        fenced = frozenset([r.table_id for r in records if owned[r.table_id] != (r.epoch,)])
        rows = [(r.table_id, r.version, r.epoch, _sealed(seal, r)) for r in records if r.table_id not in fenced]
        base.executemany("INSERT INTO record VALUES (?, ?, ?, ?)", rows)
        for r in records:
            if r.snapshot is not None and r.table_id not in fenced:
                sqlite_snapshots.put(base, seal, r.table_id, r.snapshot)
        created = [
            (a.identity, a.method, a.request_id, a.fingerprint, r.table_id, r.time)
            for r in records
            if not r.version and (a := r.answer) is not None and r.table_id not in fenced
        ]
        base.executemany("INSERT OR REPLACE INTO created VALUES (?, ?, ?, ?, ?, ?)", created)
        ended = [
            (each.match_id, r.table_id, r.time, result_to(each))
            for r in records
            if (each := r.result) is not None and r.table_id not in fenced
        ]
        base.executemany("INSERT OR IGNORE INTO outbox (match_id, table_id, time, body) VALUES (?, ?, ?, ?)", ended)
        for r in records:
            if r.ended is not None and r.table_id not in fenced:
                sqlite_matches.put(base, kept_of(r.ended, _load(base, seal, r.table_id, r.ended.first - 1)))
    return fenced


def _sealed(seal: Seal, record: Record) -> bytes:
    return seal.close(record_to(record), about("record", record.table_id, record.version))


def _load(base: sqlite3.Connection, seal: Seal, table_id: str, after: int) -> list[Record]:
    asked = "SELECT epoch, version, body FROM record WHERE table_id = ? AND version > ? ORDER BY version"
    return [
        record_from(table_id, epoch, version, seal.open(body, about("record", table_id, version)))
        for epoch, version, body in base.execute(asked, (table_id, after))
    ]


def _forget(base: sqlite3.Connection, owner: str, table_id: str, never_was: bool) -> None:
    with _Transaction(base):
        if base.execute("DELETE FROM game_table WHERE id = ? AND owner = ?", (table_id, owner)).rowcount:
            base.execute("DELETE FROM record WHERE table_id = ?", (table_id,))
            base.execute("DELETE FROM snapshot WHERE table_id = ?", (table_id,))
            if never_was:
                base.execute("DELETE FROM created WHERE table_id = ?", (table_id,))


def _forget_matches(base: sqlite3.Connection, before: float) -> None:
    with _Transaction(base):
        sqlite_matches.forget(base, before)


def _forget_player(base: sqlite3.Connection, identity: str) -> None:
    with _Transaction(base):
        named = [without_name(match, identity) for match in sqlite_matches.of(base, identity)]
        sqlite_matches.without(base, identity, named)


def _forget_some(base: sqlite3.Connection) -> bool:
    with _Transaction(base):
        return sqlite_snapshots.forget_some(base)


def _created(base: sqlite3.Connection) -> list[Kept]:
    asked = "SELECT identity, method, request_id, fingerprint, table_id, time FROM created ORDER BY time"
    return [Kept(Answer(*answer), table_id, 0, time) for *answer, table_id, time in base.execute(asked)]


def _results(base: sqlite3.Connection, after: int, most: int) -> list[Posted]:
    asked = "SELECT number, table_id, time, body FROM outbox WHERE number > ? ORDER BY number LIMIT ?"
    rows = base.execute(asked, (after, most))
    return [Posted(number, table_id, time, result_from(body)) for number, table_id, time, body in rows]
