"""A game service whose store does not wait for the disk: what the tests of durability have to find out."""

from __future__ import annotations

import sqlite3

from services.game import sqlite
from services.game.__main__ import main as main

properly_opened = sqlite._open


def hastily_opened(path: str) -> sqlite3.Connection:
    base = properly_opened(path)
    base.execute("PRAGMA synchronous = NORMAL")
    return base


sqlite._open = hastily_opened
