"""Where accounts are kept: in one SQLite file, or in memory, which is the same without a file."""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar

from services.common.config import MEMORY, CannotStart
from services.identity.accounts import FRESH, REPEATED, Account, BotKey, Session, meaning
from services.identity.signing import SigningKey

T = TypeVar("T")

VERSION: Final = 1
"""Of the tables in the file."""
TABLES: Final = """
    CREATE TABLE account (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, created REAL NOT NULL, secret_hash BLOB NOT NULL UNIQUE
    ) WITHOUT ROWID;
    CREATE TABLE session (
        id TEXT PRIMARY KEY,
        account TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
        number INTEGER NOT NULL,
        turned REAL NOT NULL,
        until REAL NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX session_account ON session (account);
    CREATE INDEX session_until ON session (until);
    CREATE TABLE bot_key (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        owner TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
        name TEXT NOT NULL,
        created REAL NOT NULL,
        key_hash BLOB NOT NULL,
        scopes TEXT NOT NULL,
        used REAL
    );
    CREATE INDEX bot_key_owner ON bot_key (owner);
    CREATE TABLE signing_key (id TEXT PRIMARY KEY, created REAL NOT NULL, private BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE own (secret BLOB NOT NULL);
"""


class Gone(Exception):
    """The account has been deleted meanwhile."""


class Store:
    """Keeps accounts in a file that belongs to this process alone; it is written in a thread of its own."""

    def __init__(self, path: str) -> None:
        self._thread = ThreadPoolExecutor(1, "store")
        try:
            self._base = self._thread.submit(_open, path).result()
        except (sqlite3.Error, OSError) as problem:
            self._thread.shutdown()
            said = "another identity service is using it" if "locked" in str(problem) else str(problem)
            raise CannotStart(f"--store {path}: {said}") from None

    async def close(self) -> None:
        """Close the file."""
        await self._in_thread(self._base.close)
        self._thread.shutdown()

    async def secret(self) -> bytes:
        """Return what this service tells its own refresh tokens by."""
        return bytes((await self._rows("SELECT secret FROM own"))[0][0])

    # --- signing keys ----------------------------------------------------------------------------------------------

    async def signing_keys(self) -> list[SigningKey]:
        """Return the keys that sign tokens, the oldest first."""
        rows = await self._rows("SELECT id, created, private FROM signing_key ORDER BY created, id")
        return [SigningKey(*row) for row in rows]

    async def add_signing_key(self, key: SigningKey) -> None:
        """Keep a key."""
        await self._run("INSERT INTO signing_key VALUES (?, ?, ?)", key.id, key.created, key.private)

    async def drop_signing_key(self, key: SigningKey) -> None:
        """Forget a key whose tokens have all ended."""
        await self._run("DELETE FROM signing_key WHERE id = ?", key.id)

    # --- accounts and sessions -------------------------------------------------------------------------------------

    async def account_of(self, secret_hash: bytes) -> Account | None:
        """Return the account of a device."""
        return _account(await self._rows("SELECT id, name, created FROM account WHERE secret_hash = ?", secret_hash))

    async def account(self, account_id: str) -> Account | None:
        """Return an account."""
        return _account(await self._rows("SELECT id, name, created FROM account WHERE id = ?", account_id))

    async def add_account(self, account: Account, secret_hash: bytes) -> Account:
        """Keep an account, unless the device has one already; return the device's account."""
        await self._run(
            "INSERT INTO account (id, name, created, secret_hash) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (secret_hash) DO NOTHING",
            *(account.id, account.name, account.created, secret_hash),
        )
        found = await self.account_of(secret_hash)
        assert found is not None
        return found

    async def rename(self, account_id: str, name: str) -> None:
        """Give an account another name."""
        await self._run("UPDATE account SET name = ? WHERE id = ?", name, account_id)

    async def delete_account(self, account_id: str) -> None:
        """Forget an account with all that belongs to it."""
        await self._run("DELETE FROM account WHERE id = ?", account_id)

    async def add_session(self, session: Session) -> None:
        """Keep a session, and forget those that are over; raise Gone if its account is no more."""
        values = (session.id, session.account, session.number, session.turned, session.until)

        def work() -> None:
            with _transaction(self._base):
                self._base.execute("DELETE FROM session WHERE until <= ?", (session.turned,))
                self._base.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?)", values)

        await self._in_thread(work)

    async def session(self, session_id: str) -> Session | None:
        """Return a session."""
        return _session(await self._rows(SESSION, session_id))

    async def turn(self, session_id: str, number: int, now: float, until: float) -> tuple[Session | None, str]:
        """Take a refresh token of a session: raise its number, or end it if the token means that it is in wrong hands.

        Returns the session as it is now, or None, and what the token meant.
        """

        def work() -> tuple[Session | None, str]:
            with _transaction(self._base):
                found = _session(self._base.execute(SESSION, (session_id,)).fetchall())
                if found is None:
                    return None, ""
                what = meaning(found, number, now)
                if what == FRESH:
                    found = replace(found, number=number + 1, turned=now, until=until)
                    change = "UPDATE session SET number = ?, turned = ?, until = ? WHERE id = ?"
                    self._base.execute(change, (found.number, now, until, session_id))
                elif what != REPEATED:
                    self._base.execute("DELETE FROM session WHERE id = ?", (session_id,))
                    found = None
                return found, what

        return await self._in_thread(work)

    async def end_session(self, session_id: str) -> None:
        """Forget a session."""
        await self._run("DELETE FROM session WHERE id = ?", session_id)

    async def end_sessions(self, account_id: str) -> None:
        """Forget every session of an account."""
        await self._run("DELETE FROM session WHERE account = ?", account_id)

    # --- keys of bots ----------------------------------------------------------------------------------------------

    async def add_bot_key(self, key: BotKey, most: int) -> bool:
        """Keep a key; return whether its owner may have one more. Raise Gone if there is no such account any more."""
        values = (key.bot.id, key.owner, key.bot.name, key.bot.created, key.hash, " ".join(key.scopes))

        def work() -> bool:
            with _transaction(self._base):
                (count,) = self._base.execute("SELECT count(*) FROM bot_key WHERE owner = ?", (key.owner,)).fetchone()
                if count >= most:
                    return False
                into = "INSERT INTO bot_key (id, owner, name, created, key_hash, scopes) VALUES (?, ?, ?, ?, ?, ?)"
                self._base.execute(into, values)
                return True

        return await self._in_thread(work)

    async def bot_key(self, bot_id: str) -> BotKey | None:
        """Return the key of a bot."""
        rows = await self._rows(f"{BOT_KEYS} WHERE id = ?", bot_id)
        return _bot_key(rows[0]) if rows else None

    async def bot_keys(self, owner: str) -> list[BotKey]:
        """Return the keys of somebody's bots, the oldest first."""
        return [_bot_key(row) for row in await self._rows(f"{BOT_KEYS} WHERE owner = ? ORDER BY number", owner)]

    async def use_bot_key(self, bot_id: str, now: float) -> None:
        """Take note that a key has been used."""
        await self._run("UPDATE bot_key SET used = ? WHERE id = ?", now, bot_id)

    async def drop_bot_key(self, owner: str, bot_id: str) -> bool:
        """Forget a key; return whether there was such a one of this owner."""
        return await self._run("DELETE FROM bot_key WHERE owner = ? AND id = ?", owner, bot_id) > 0

    # ---------------------------------------------------------------------------------------------------------------

    async def _rows(self, question: str, *values: Any) -> list[tuple[Any, ...]]:
        return await self._in_thread(lambda: self._base.execute(question, values).fetchall())

    async def _run(self, change: str, *values: Any) -> int:
        """Make a change durable; return how many rows it touched."""
        return await self._in_thread(lambda: self._base.execute(change, values).rowcount)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except sqlite3.IntegrityError:
            # sessions and keys belong to an account, and nothing else can be broken
            raise Gone from None


SESSION: Final = "SELECT id, account, number, turned, until FROM session WHERE id = ?"
BOT_KEYS: Final = "SELECT id, name, created, owner, key_hash, scopes, used FROM bot_key"


def _account(rows: list[tuple[Any, ...]]) -> Account | None:
    return Account(*rows[0]) if rows else None


def _session(rows: list[tuple[Any, ...]]) -> Session | None:
    return Session(*rows[0]) if rows else None


def _bot_key(row: tuple[Any, ...]) -> BotKey:
    bot_id, name, created, owner, key_hash, scopes, used = row
    return BotKey(Account(bot_id, name, created, True), owner, key_hash, tuple(scopes.split()), used)


@contextmanager
def _transaction(base: sqlite3.Connection) -> Iterator[None]:
    """Everything or nothing."""
    base.execute("BEGIN IMMEDIATE")
    try:
        yield
        base.execute("COMMIT")
    finally:
        if base.in_transaction:
            base.execute("ROLLBACK")


def _open(path: str) -> sqlite3.Connection:
    if path != MEMORY:
        if not Path(path).absolute().parent.is_dir():
            raise OSError(f"there is no folder {Path(path).absolute().parent}")
        # it holds what signs tokens
        Path(path).touch(0o600)
    where = ":memory:" if path == MEMORY else path
    base = sqlite3.connect(where, timeout=1.0, isolation_level=None, check_same_thread=False)
    base.execute("PRAGMA locking_mode = EXCLUSIVE")
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = FULL")
    base.execute("PRAGMA foreign_keys = ON")
    # what is deleted is overwritten: nothing of an account stays in the file
    base.execute("PRAGMA secure_delete = ON")
    base.execute("BEGIN EXCLUSIVE")
    (version,) = base.execute("PRAGMA user_version").fetchone()
    (others,) = base.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if version != VERSION and (version or others):
        base.close()
        raise OSError(f"it was written by something else, or another version (format {version}; this reads {VERSION})")
    if not version:
        for statement in TABLES.split(";")[:-1]:
            base.execute(statement)
        base.execute("INSERT INTO own VALUES (?)", (secrets.token_bytes(32),))
        base.execute(f"PRAGMA user_version = {VERSION}")
    base.execute("COMMIT")
    return base
