"""A game service whose store does not wait for the disk: what the tests of durability have to find out."""

from __future__ import annotations

import sqlite3

from services.game import sqlite, sqlite_file
from services.game.__main__ import main as main
from services.game.sealing import Seal

properly_opened = sqlite_file.open_file


def hastily_opened(path: str, keys: str) -> tuple[sqlite3.Connection, Seal]:
    base, seal = properly_opened(path, keys)
    base.execute("PRAGMA synchronous = NORMAL")
    return base, seal


vars(sqlite)["open_file"] = hastily_opened
