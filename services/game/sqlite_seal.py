"""How a file knows by which keys it is sealed, and comes to another one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from services.game.sealing import Seal, make_key, read_keys

FIRST_SEALED: Final = 5
"""The format from which on records are sealed."""
LAYOUT: Final = """
    CREATE TABLE seal_key (id BLOB PRIMARY KEY) WITHOUT ROWID;
    INSERT INTO seal_key VALUES (newest_key());
    UPDATE record SET body = sealed(body, 'record', table_id, version);
"""
"""What a file needs for it; what was written before is sealed on the way."""


def about(kind: str, table_id: str, version: int) -> str:
    """Say what a sealed body is."""
    return f"{kind} {version} of table {table_id}"


def seal_of(base: sqlite3.Connection, path: str, keys: str, version: int) -> Seal:
    """Read the keys of a file, or make one beside it where nothing is sealed yet; OSError if one is missing."""
    file = Path(keys or f"{path}.key")
    used: Iterable[tuple[bytes]] = base.execute("SELECT id FROM seal_key") if version >= FIRST_SEALED else ()
    ids = {each for (each,) in used}
    seal = make_key(file) if not (ids or keys or file.exists()) else read_keys(file)
    if not ids <= seal.ids:
        raise OSError(f"it is sealed with a key that {file} does not have")
    base.create_function("newest_key", 0, lambda: seal.newest)
    base.create_function("sealed", 4, lambda body, *what: seal.close(body, about(*what)))
    base.create_function("sealed_anew", 4, lambda body, *what: seal.close(seal.open(body, about(*what)), about(*what)))
    return seal


def use_newest(base: sqlite3.Connection, seal: Seal) -> bool:
    """Seal everything with the newest key that is sealed with another; return whether there was one."""
    ids = {each for (each,) in base.execute("SELECT id FROM seal_key")}
    if ids == {seal.newest}:
        return False
    base.executescript(
        """
        BEGIN IMMEDIATE;
        UPDATE record SET body = sealed_anew(body, 'record', table_id, version);
        UPDATE snapshot SET body = sealed_anew(body, 'snapshot', table_id, version);
        DELETE FROM seal_key;
        INSERT INTO seal_key VALUES (newest_key());
        COMMIT;
        """
    )
    return True


def wipe(base: sqlite3.Connection) -> None:
    """Leave nothing in the file of what it held before."""
    base.execute("VACUUM")
    base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
