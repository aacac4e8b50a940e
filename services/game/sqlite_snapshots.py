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
