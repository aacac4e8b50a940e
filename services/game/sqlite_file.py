"""The file of the journal: its formats, who may use it, and copies of it."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from services.game import sqlite_matches, sqlite_seal, sqlite_snapshots
from services.game.sealing import Seal

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
    sqlite_seal.LAYOUT,
    sqlite_snapshots.LAYOUT,
)
"""What brings a file from each format to the next; the number of the format is SQLite's user_version."""
FIRST_COMPACT: Final = 6
"""The format from which on nothing lies open, and free pages can be given back: files of earlier ones are wiped."""


def lock(path: str) -> int:
    """Take the file for this process, for as long as it lives; SQLite's own locks come and go."""
    if not Path(path).absolute().parent.is_dir():
        raise OSError(f"there is no folder {Path(path).absolute().parent}")
    taken = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(taken, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(taken)
        raise OSError("another game service is using it") from None
    return taken


def open_file(path: str, keys: str) -> tuple[sqlite3.Connection, Seal]:
    """Open a file, bring it up to date, and return it with what seals it; OSError if it cannot be used."""
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
        seal = sqlite_seal.seal_of(base, path, keys, version)
    except OSError:
        base.close()
        raise
    # a new file has it from now on, another one from its next VACUUM on
    base.execute("PRAGMA auto_vacuum = INCREMENTAL")
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = FULL")
    base.execute(f"PRAGMA application_id = {KIND}")
    for number, migration in enumerate(MIGRATIONS[version:], version + 1):
        base.executescript(f"BEGIN IMMEDIATE; {migration} PRAGMA user_version = {number}; COMMIT;")
    if sqlite_seal.use_newest(base, seal) or 0 < version < FIRST_COMPACT:
        sqlite_seal.wipe(base)
    return base, seal


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
