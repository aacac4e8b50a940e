"""Screens without a terminal, and what they show as plain text."""

from __future__ import annotations

import html
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest
from rich.cells import cell_len
from textual.app import App
from textual.pilot import Pilot

from clients.cli.rulebook import Rulebook
from clients.common.session import Session
from clients.screen.app import FullScreen
from clients.screen.player import Player

COLUMN, ROW = 12.2, 24.4
"""Size of a character in an SVG of rich."""


def shown(app: App[Any]) -> list[str]:
    """Return the rows of the screen as text."""
    svg = app.export_screenshot()
    rows: list[str] = [""] * app.size.height
    for x, line, text in re.findall(r'<text [^>]* x="([\d.]+)" [^>]*line-(\d+)\)">(.*?)</text>', svg):
        row = rows[int(line)]
        column = round(float(x) / COLUMN)
        rows[int(line)] = row + " " * (column - cell_len(row)) + html.unescape(text).replace("\xa0", " ")
    return [row.rstrip() for row in rows]


async def until(pilot: Pilot[Any], condition: Callable[[], object]) -> None:
    """Let the screen work until something is so; the test's own time limit is the bound."""
    while not condition():
        await pilot.pause()


Open = Callable[..., AbstractAsyncContextManager[tuple[FullScreen, Pilot[None]]]]


@pytest.fixture
def open_screen() -> Open:
    """Opens a full screen at a table of an address."""

    @asynccontextmanager
    async def opened(
        address: str,
        language: str = "en",
        size: tuple[int, int] = (80, 24),
        book: Rulebook | None = None,
        table: str = "t",
    ) -> AsyncIterator[tuple[FullScreen, Pilot[None]]]:
        async with Session(address, "me", language) as session:
            player = Player(session, table, lambda: app.changed())
            app = FullScreen(player, book or Rulebook(language), "symbols", language)
            async with app.run_test(size=size) as pilot:
                yield app, pilot

    return opened
