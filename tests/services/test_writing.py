"""What is written is on its way before anybody waits for it, and how it ended is told."""

from __future__ import annotations

import asyncio

import pytest

from services.game.writing import begin


async def test_a_write_begins_at_once_and_its_end_is_told() -> None:
    said: list[object] = []
    way: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def write() -> None:
        said.append("begun")
        await way
        await asyncio.sleep(0)
        said.append("written")

    begin(write(), said.append)
    assert said == ["begun"]
    way.set_result(None)
    for _ in range(3):
        await asyncio.sleep(0)
    assert said == ["begun", "written", None]


@pytest.mark.parametrize("waits", [False, True])
async def test_what_went_wrong_is_told(waits: bool) -> None:
    said: list[BaseException | None] = []
    way: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    if not waits:
        way.set_exception(EOFError("gone"))

    async def write() -> None:
        await way

    begin(write(), said.append)
    if waits:
        assert not said
        way.set_exception(EOFError("gone"))
        await asyncio.sleep(0)
    (error,) = said
    assert isinstance(error, EOFError)
