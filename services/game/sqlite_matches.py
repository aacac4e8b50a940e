"""Records of matches in SQLite; each function is to be called within a transaction, or reads in one statement."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final

from services.game.keeping import Belonging, KeptMatch

LAYOUT: Final = """
    CREATE TABLE match (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        match_id TEXT NOT NULL UNIQUE,
        table_id TEXT NOT NULL,
        time REAL NOT NULL,
        open INTEGER NOT NULL,
        head BLOB NOT NULL,
        games BLOB NOT NULL
    );
    CREATE INDEX match_time ON match (time);
    CREATE TABLE belonging (
        identity TEXT NOT NULL,
        number INTEGER NOT NULL REFERENCES match (number),
        seat INTEGER NOT NULL,
        entry INTEGER NOT NULL,
        PRIMARY KEY (identity, number, seat, entry)
    ) WITHOUT ROWID;
    CREATE INDEX belonging_match ON belonging (number);
"""
"""What a file needs for them."""

COLUMNS: Final = "number, match_id, table_id, time, open, head"


def put(base: sqlite3.Connection, matches: Iterable[KeptMatch]) -> None:
    """Keep records; one that is kept already stays as it is."""
    for each in matches:
        row = (each.match_id, each.table_id, each.time, each.is_open, each.head, each.games)
        added = base.execute(
            "INSERT OR IGNORE INTO match (match_id, table_id, time, open, head, games) VALUES (?, ?, ?, ?, ?, ?)", row
        )
        if added.rowcount:
            number = added.lastrowid
            base.executemany(
                "INSERT OR IGNORE INTO belonging VALUES (?, ?, ?, ?)",
                [(who.identity, number, who.seat, who.entry) for who in each.belonging],
            )


def find(base: sqlite3.Connection, match_id: str) -> KeptMatch | None:
    """Return a record, or None."""
    row = base.execute(f"SELECT {COLUMNS}, games FROM match WHERE match_id = ?", (match_id,)).fetchone()
    return None if row is None else _match(base, *row)


def newest_first(base: sqlite3.Connection, identity: str, mine: bool, before: int | None, most: int) -> list[KeptMatch]:
    """Return the heads of records that somebody may see, or of their own: those with numbers below one."""
    own = "SELECT number FROM belonging WHERE identity = :identity"
    wanted = f"number IN ({own})" if mine else f"(open OR number IN ({own}))"
    rows = base.execute(
        f"SELECT {COLUMNS} FROM match WHERE {wanted} AND (:before IS NULL OR number < :before)"
        " ORDER BY number DESC LIMIT :most",
        {"identity": identity, "before": before, "most": most},
    ).fetchall()
    return [_match(base, *row) for row in rows]


def of(base: sqlite3.Connection, identity: str) -> list[KeptMatch]:
    """Return the heads of records to which somebody belongs."""
    asked = f"SELECT {COLUMNS} FROM match WHERE number IN (SELECT number FROM belonging WHERE identity = ?)"
    return [_match(base, *row) for row in base.execute(asked, (identity,)).fetchall()]


def without(base: sqlite3.Connection, identity: str, matches: Iterable[KeptMatch]) -> None:
    """Put heads in which somebody's name does not stand any more in the place of those in which it does."""
    base.executemany("UPDATE match SET head = ? WHERE number = ?", [(each.head, each.number) for each in matches])
    base.execute("DELETE FROM belonging WHERE identity = ?", (identity,))


def forget(base: sqlite3.Connection, before: float) -> None:
    """Forget records of matches that ended before a time."""
    base.execute("DELETE FROM belonging WHERE number IN (SELECT number FROM match WHERE time < ?)", (before,))
    base.execute("DELETE FROM match WHERE time < ?", (before,))


def _match(
    base: sqlite3.Connection,
    number: int,
    match_id: str,
    table_id: str,
    time: float,
    is_open: int,
    head: bytes,
    games: bytes = b"",
) -> KeptMatch:
    rows = base.execute("SELECT identity, seat, entry FROM belonging WHERE number = ?", (number,))
    belonging = tuple([Belonging(*row) for row in rows])
    return KeptMatch(match_id, table_id, time, bool(is_open), belonging, head, games, number)
