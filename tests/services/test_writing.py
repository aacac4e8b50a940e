"""What is written is on its way before anybody waits for it, and how it ended is told."""

from __future__ import annotations

import asyncio
import gc

import pytest

from services.game.writing import Writing


async def test_a_write_begins_at_once_and_its_end_is_told() -> None:
    said: list[object] = []
    way: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def write() -> None:
        said.append("begun")
        await way
        await asyncio.sleep(0)
        said.append("written")

    Writing(write(), said.append)
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

    Writing(write(), said.append)
    if waits:
        assert not said
        way.set_exception(EOFError("gone"))
        await asyncio.sleep(0)
    (error,) = said
    assert isinstance(error, EOFError)


def writings() -> int:
    """Count those that there are."""
    return sum([isinstance(each, Writing) for each in gc.get_objects()])


async def test_a_write_that_has_ended_is_gone_without_a_search_for_garbage() -> None:
    async def write() -> None:
        await asyncio.sleep(0)

    gc.collect()
    others = writings()  # on their way for ever, where nobody reads
    gc.disable()
    try:
        said: list[object] = []
        for _ in range(10):
            Writing(write(), said.append)
        await asyncio.sleep(0)
        assert said == [None] * 10
        assert writings() == others
    finally:
        gc.enable()
