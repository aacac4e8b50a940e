"""The screen looks as it did: as text in `pictures/` for reviewers, and as the pictures in `docs/`.

`make pictures` takes them anew; look at the difference before committing it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from clients.screen.app import FullScreen
from clients.screen.clock import Clock
from tests.clients.screen.conftest import Open, shown
from tests.clients.screen.situations import SITUATIONS, Told, book

PICTURES = Path(__file__).parent / "pictures"
DOCS = Path(__file__).parents[3] / "docs"
SIZES = [(80, 24), (120, 40)]
IS_TAKING = os.environ.get("DAIFUGO_PICTURES") == "take"


def compare(path: Path, now: str) -> None:
    if IS_TAKING:
        path.parent.mkdir(exist_ok=True)
        path.write_text(now, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == now, f"{path.name} has changed: make pictures, and look at it"


async def show(app: FullScreen, service: Any, name: str, language: str) -> None:
    """Bring about a situation, with a clock that stands still."""
    service.speaks = language
    app.player.clock = Clock(lambda: 0.0, lambda: 1_800_000_000.0)
    await SITUATIONS[name](Told(app.player, service, language))
    app.paint()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("name", SITUATIONS)
async def test_the_screen_looks_as_it_did(
    name: str, language: str, size: tuple[int, int], open_screen: Open, service: Any
) -> None:
    async with open_screen(service.address, language, size, book(language)) as (app, pilot):
        await show(app, service, name, language)
        await pilot.pause()
        rows = shown(app)
    compare(PICTURES / f"{name}.{language}.{size[0]}x{size[1]}.txt", "\n".join(rows) + "\n")


@pytest.mark.parametrize("language", ["ja", "en"])
async def test_the_picture_in_the_docs_is_what_the_screen_shows(language: str, open_screen: Open, service: Any) -> None:
    async with open_screen(service.address, language, (80, 24), book(language)) as (app, pilot):
        await show(app, service, "own_turn", language)
        await pilot.pause()
        compare(DOCS / f"screen.{language}.svg", without_addresses(app.export_screenshot(title="daifugo play")))


def without_addresses(svg: str) -> str:
    """Let a picture use the reader's own fonts, instead of fetching one from somewhere."""
    svg = re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    return re.sub(r"[ \t]+$", "", svg.replace("Fira Code, monospace", "monospace"), flags=re.MULTILINE)
