"""Snapshots of tables in SQLite; each function is to be called within a transaction, or reads in one statement."""

from __future__ import annotations

import sqlite3
from typing import Final

from services.game.records import KeptSnapshot
from services.game.sealing import Seal
from services.game.sqlite_seal import about

LAYOUT: Final = """
    CREATE TABLE snapshot (
        table_id TEXT PRIMARY KEY,
        version INTEGER NOT NULL,
        first INTEGER NOT NULL,
        body BLOB NOT NULL
    );
"""
"""What a file needs for them."""


TABLES_AT_A_TIME: Final = 10
RECORDS_AT_A_TIME: Final = 200
PAGES_AT_A_TIME: Final = 500
"""So much is deleted, or given back, before others have their turn."""


def put(base: sqlite3.Connection, seal: Seal, table_id: str, snapshot: KeptSnapshot) -> None:
    """Keep a snapshot in the place of the one before."""
    body = seal.close(snapshot.body, about("snapshot", table_id, snapshot.version))
    row = (table_id, snapshot.version, snapshot.first, body)
    base.execute("INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?)", row)


def find(base: sqlite3.Connection, seal: Seal, table_id: str) -> KeptSnapshot | None:
    """Return the snapshot of a table, or None."""
    asked = "SELECT version, first, body FROM snapshot WHERE table_id = ?"
    row = base.execute(asked, (table_id,)).fetchone()
    if row is None:
        return None
    version, first, body = row
    return KeptSnapshot(version, first, seal.open(body, about("snapshot", table_id, version)))


def forget_some(base: sqlite3.Connection) -> bool:
    """Delete records of some tables that are not needed beside their snapshots; return whether there were any."""
    old = "EXISTS (SELECT 1 FROM record WHERE record.table_id = snapshot.table_id AND version < first)"
    found = base.execute(f"SELECT table_id, first FROM snapshot WHERE {old} LIMIT ?", (TABLES_AT_A_TIME,)).fetchall()
    for table_id, first in found:
        few = "SELECT version FROM record WHERE table_id = ? AND version < ? ORDER BY version LIMIT ?"
        row = (table_id, table_id, first, RECORDS_AT_A_TIME)
        base.execute(f"DELETE FROM record WHERE table_id = ? AND version IN ({few})", row)
    return bool(found)


def give_back(base: sqlite3.Connection) -> bool:
    """Give some of the pages that are free back to the disk; return whether that went."""
    (before,) = base.execute("PRAGMA freelist_count").fetchone()
    base.execute(f"PRAGMA incremental_vacuum({PAGES_AT_A_TIME})").fetchall()
    (after,) = base.execute("PRAGMA freelist_count").fetchone()
    return bool(after < before)
