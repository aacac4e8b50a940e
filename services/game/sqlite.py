"""The journal in one SQLite file: what is acknowledged is on the disk, and a crash at any moment loses nothing else."""

from __future__ import annotations

import asyncio
import fcntl
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Final, TypeVar

from engine.version import ENGINE_VERSION
from services.common.config import CannotStart
from services.game import sqlite_matches
from services.game.answers import Kept
from services.game.codec.kept import kept_of, without_name
from services.game.codec.records import record_from, record_to, result_from, result_to
from services.game.keeping import KeptMatch
from services.game.records import Answer, Posted, Record

T = TypeVar("T")

KIND: Final = 0x44464755
"""SQLite's application_id of these files."""

MIGRATIONS: Final = (
    """
    CREATE TABLE game_table (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        owner TEXT NOT NULL,
        epoch INTEGER NOT NULL,
        engine TEXT NOT NULL
    );
    CREATE TABLE record (
        table_id TEXT NOT NULL,
        version INTEGER NOT NULL,
        epoch INTEGER NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (table_id, version)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE created (
        identity TEXT NOT NULL,
        method TEXT NOT NULL,
        request_id TEXT NOT NULL,
        fingerprint BLOB NOT NULL,
        table_id TEXT NOT NULL,
        time REAL NOT NULL,
        PRIMARY KEY (identity, method, request_id)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE outbox (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        match_id TEXT NOT NULL UNIQUE,
        table_id TEXT NOT NULL,
        time REAL NOT NULL,
        body BLOB NOT NULL
    );
    """,
    sqlite_matches.LAYOUT,
)
"""What brings a file from each format to the next; the number of the format is SQLite's user_version."""


class SqliteJournal:
    """Keeps records in a file that belongs to this process alone; it is written in a thread of its own.

    Others may read the file meanwhile, to back it up. Raises CannotStart if it cannot be used.
    """

    def __init__(self, path: str, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._thread = ThreadPoolExecutor(1, "journal")
        try:
            self._lock = _lock(path)
            self._base = self._thread.submit(_open, path).result()
        except (sqlite3.Error, OSError) as problem:
            self._thread.shutdown()
            raise CannotStart(f"--store {path}: {problem}") from None

    async def claim(self, table_id: str, owner: str) -> int:
        """Make `owner` the owner of a table.

        No epoch comes twice, also not after a backup was brought back: clients may know what it has forgotten.
        """
        return await self._in_thread(lambda: _claim(self._base, table_id, owner, int(self._now())))

    async def append(self, owner: str, records: Sequence[Record]) -> frozenset[str]:
        """Make records durable, all of them in one transaction."""
        return await self._in_thread(lambda: _append(self._base, owner, records))

    async def load(self, table_id: str, after: int = -1) -> list[Record]:
        """Return the records of a table after a version."""
        return await self._in_thread(lambda: _load(self._base, table_id, after))

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


def _lock(path: str) -> int:
    """Take the file for this process, for as long as it lives; SQLite's own locks come and go."""
    if not Path(path).absolute().parent.is_dir():
        raise OSError(f"there is no folder {Path(path).absolute().parent}")
    lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise OSError("another game service is using it") from None
    return lock


def _open(path: str) -> sqlite3.Connection:
    # it holds everybody's cards
    Path(path).touch(0o600)
    base = sqlite3.connect(path, timeout=5.0, isolation_level=None, check_same_thread=False)
    (version,) = base.execute("PRAGMA user_version").fetchone()
    (kind,) = base.execute("PRAGMA application_id").fetchone()
    (others,) = base.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    try:
        if kind != KIND and (kind or others):
            raise OSError("it is something else than the store of a game service")
        if version > len(MIGRATIONS):
            raise OSError(f"a newer version wrote it (format {version}, this one reads up to {len(MIGRATIONS)})")
    except OSError:
        base.close()
        raise
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = FULL")
    base.execute(f"PRAGMA application_id = {KIND}")
    for number, migration in enumerate(MIGRATIONS[version:], version + 1):
        base.executescript(f"BEGIN IMMEDIATE; {migration} PRAGMA user_version = {number}; COMMIT;")
    return base


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


def _claim(base: sqlite3.Connection, table_id: str, owner: str, least: int) -> int:
    with _Transaction(base):
        base.execute(
            "INSERT INTO game_table (id, owner, epoch, engine) VALUES (:id, :owner, :least, :engine)"
            " ON CONFLICT (id) DO UPDATE SET owner = :owner, epoch = max(epoch + 1, :least)",
            {"id": table_id, "owner": owner, "least": least, "engine": ENGINE_VERSION},
        )
        epoch: int = base.execute("SELECT epoch FROM game_table WHERE id = ?", (table_id,)).fetchone()[0]
    return epoch


def _append(base: sqlite3.Connection, owner: str, records: Sequence[Record]) -> frozenset[str]:
    with _Transaction(base):
        asked = "SELECT epoch FROM game_table WHERE id = ? AND owner = ?"
        owned = {id_: base.execute(asked, (id_, owner)).fetchone() for id_ in {r.table_id for r in records}}
        fenced = frozenset([r.table_id for r in records if owned[r.table_id] != (r.epoch,)])
        rows = [(r.table_id, r.version, r.epoch, record_to(r)) for r in records if r.table_id not in fenced]
        base.executemany("INSERT INTO record VALUES (?, ?, ?, ?)", rows)
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
                sqlite_matches.put(base, kept_of(r.ended, _load(base, r.table_id, r.ended.first - 1)))
    return fenced


def _load(base: sqlite3.Connection, table_id: str, after: int) -> list[Record]:
    asked = "SELECT epoch, version, body FROM record WHERE table_id = ? AND version > ? ORDER BY version"
    return [record_from(table_id, *row) for row in base.execute(asked, (table_id, after))]


def _forget(base: sqlite3.Connection, owner: str, table_id: str, never_was: bool) -> None:
    with _Transaction(base):
        if base.execute("DELETE FROM game_table WHERE id = ? AND owner = ?", (table_id, owner)).rowcount:
            base.execute("DELETE FROM record WHERE table_id = ?", (table_id,))
            if never_was:
                base.execute("DELETE FROM created WHERE table_id = ?", (table_id,))


def _forget_matches(base: sqlite3.Connection, before: float) -> None:
    with _Transaction(base):
        sqlite_matches.forget(base, before)


def _forget_player(base: sqlite3.Connection, identity: str) -> None:
    with _Transaction(base):
        named = [without_name(match, identity) for match in sqlite_matches.of(base, identity)]
        sqlite_matches.without(base, identity, named)


def _created(base: sqlite3.Connection) -> list[Kept]:
    asked = "SELECT identity, method, request_id, fingerprint, table_id, time FROM created ORDER BY time"
    return [Kept(Answer(*answer), table_id, 0, time) for *answer, table_id, time in base.execute(asked)]


def _results(base: sqlite3.Connection, after: int, most: int) -> list[Posted]:
    asked = "SELECT number, table_id, time, body FROM outbox WHERE number > ? ORDER BY number LIMIT ?"
    rows = base.execute(asked, (after, most))
    return [Posted(number, table_id, time, result_from(body)) for number, table_id, time, body in rows]


def back_up(source: str, target: str) -> None:
    """Copy a store to a new file, also while a service writes it. The copy is a moment of it, whole.

    Raises FileExistsError, FileNotFoundError or sqlite3.Error; then there is no copy.
    """
    if not Path(source).is_file():
        raise FileNotFoundError(source)
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        # read only, and whole: a service may be writing it
        origin = f"{Path(source).absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(origin, uri=True)) as base, closing(sqlite3.connect(target)) as copy:
            base.backup(copy)
            # a file alone, without a write-ahead log beside it
            copy.execute("PRAGMA journal_mode = DELETE")
    except BaseException:
        Path(target).unlink()
        raise
