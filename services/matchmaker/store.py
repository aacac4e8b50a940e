"""Where tickets and pairings are kept: in memory, or in one SQLite file that survives a crash."""

from __future__ import annotations

import asyncio
import json
import secrets
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from services.common.config import CannotStart
from services.matchmaker.tickets import Change, Pairing, Ticket

T = TypeVar("T")

VERSION: Final = 2
"""Of the tables in the file."""


@dataclass(frozen=True)
class Kept:
    """Everything that a store holds."""

    tickets: tuple[Ticket, ...]
    pairings: tuple[Pairing, ...]
    token: str
    """Who the matchmaker is at the game service, unless it is told: the same after a restart."""


class Store(Protocol):
    """Keeps tickets and pairings."""

    async def load(self) -> Kept:
        """Return everything."""
        ...

    async def save(self, change: Change) -> None:
        """Make a change durable, whole or not at all. If it raises, it is unknown which."""
        ...

    async def close(self) -> None:
        """Let go of it."""
        ...


class MemoryStore:
    """Keeps everything until the process ends."""

    def __init__(self) -> None:
        self.tickets: dict[str, Ticket] = {}
        self.pairings: dict[str, Pairing] = {}
        self.token = secrets.token_urlsafe()

    async def load(self) -> Kept:
        """Return everything."""
        return Kept(tuple(self.tickets.values()), tuple(self.pairings.values()), self.token)

    async def save(self, change: Change) -> None:
        """Make a change."""
        self.tickets |= {ticket.id: ticket for ticket in change.tickets}
        self.pairings |= {pairing.id: pairing for pairing in change.pairings}
        for ticket_id in change.forgotten:
            self.tickets.pop(ticket_id, None)
        for pairing_id in change.done:
            self.pairings.pop(pairing_id, None)

    async def close(self) -> None:
        """There is nothing to let go of."""


class SqliteStore:
    """Keeps everything in a file that belongs to this process alone; it is written in a thread of its own."""

    def __init__(self, path: str) -> None:
        self._thread = ThreadPoolExecutor(1, "store")
        try:
            self._base = self._thread.submit(_open, path).result()
        except (sqlite3.Error, OSError) as problem:
            self._thread.shutdown()
            said = "another matchmaker is using it" if "locked" in str(problem) else str(problem)
            raise CannotStart(f"--store {path}: {said}") from None

    async def load(self) -> Kept:
        """Return everything."""
        return await self._in_thread(lambda: _load(self._base))

    async def save(self, change: Change) -> None:
        """Make a change durable."""
        await self._in_thread(lambda: _save(self._base, change))

    async def close(self) -> None:
        """Close the file."""
        await self._in_thread(self._base.close)
        self._thread.shutdown()

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


def _open(path: str) -> sqlite3.Connection:
    if not Path(path).parent.is_dir():
        raise OSError(f"there is no folder {Path(path).parent}")
    # it holds who waits, and who the matchmaker is
    Path(path).touch(0o600)
    base = sqlite3.connect(path, timeout=1.0, isolation_level=None, check_same_thread=False)
    base.execute("PRAGMA locking_mode = EXCLUSIVE")
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = FULL")
    base.execute("BEGIN EXCLUSIVE")
    (version,) = base.execute("PRAGMA user_version").fetchone()
    if version not in (0, VERSION):
        raise OSError(f"it was written by another version (format {version}, this one reads {VERSION})")
    if not version:
        base.execute(f"CREATE TABLE ticket ({_columns(Ticket)}, PRIMARY KEY (id)) WITHOUT ROWID")
        base.execute(f"CREATE TABLE pairing ({_columns(Pairing)}, PRIMARY KEY (id)) WITHOUT ROWID")
        base.execute("CREATE TABLE matchmaker (token)")
        base.execute("INSERT INTO matchmaker VALUES (?)", (secrets.token_urlsafe(),))
        base.execute(f"PRAGMA user_version = {VERSION}")
    base.execute("COMMIT")
    return base


def _columns(kind: type[Ticket] | type[Pairing]) -> str:
    return ", ".join([f'"{field.name}"' for field in fields(kind)])


def _load(base: sqlite3.Connection) -> Kept:
    tickets = [Ticket(**row) for row in _rows(base, Ticket)]
    pairings = [Pairing(**row | {"tickets": tuple(json.loads(row["tickets"]))}) for row in _rows(base, Pairing)]
    (token,) = base.execute("SELECT token FROM matchmaker").fetchone()
    return Kept(tuple(tickets), tuple(pairings), token)


def _rows(base: sqlite3.Connection, kind: type[Ticket] | type[Pairing]) -> list[dict[str, Any]]:
    names = [field.name for field in fields(kind)]
    found = base.execute(f"SELECT {_columns(kind)} FROM {kind.__name__.lower()}").fetchall()
    rows = [dict(zip(names, values)) for values in found]
    for row in rows:
        if "bot" in row:
            row["bot"] = bool(row["bot"])
    return rows


def _save(base: sqlite3.Connection, change: Change) -> None:
    base.execute("BEGIN IMMEDIATE")
    try:
        for table, values in (("ticket", change.tickets), ("pairing", change.pairings)):
            for value in values:
                row = [json.dumps(column) if isinstance(column, tuple) else column for column in astuple(value)]
                base.execute(f"REPLACE INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        for table, ids in (("ticket", change.forgotten), ("pairing", change.done)):
            base.executemany(f"DELETE FROM {table} WHERE id = ?", [(each,) for each in ids])
        base.execute("COMMIT")
    except BaseException:
        if base.in_transaction:
            base.execute("ROLLBACK")
        raise
