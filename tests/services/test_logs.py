"""What the log tells of tables, and at which level."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
from typing import Any

import pytest

from daifugo.v1 import game_pb2
from tests.services.harness import World, refusal, world
from tests.services.test_recovery import fail_next


def lines(w: World, *fields: str) -> list[tuple[Any, ...]]:
    """Return these fields of every line of the log."""
    return [tuple(map(line.get, fields)) for line in map(json.loads, w.logs.getvalue().splitlines())]


async def test_the_life_of_a_table_is_told() -> None:
    async with world() as w:
        table = await w.table(format=game_pb2.MatchFormat(games=1))
        await w.start(table)
        assert w.app.tables.running_matches() == 1
        await w.play(table)
        assert w.app.tables.running_matches() == 0
        w.app.tables.find(table).close()
        await w.app.writer.flushed()
        told = [what for what, of in lines(w, "event", "table_id") if of == table]
        assert told == ["table_created", "match_started", "game_ended", "match_ended", "table_closed"]


async def test_a_refusal_is_told_for_those_who_look_for_it() -> None:
    async with world() as w:
        await refusal(w.caller("p0").call("GetTable", game_pb2.GetTableRequest(table_id="none")))
        assert ("refused", "debug", "GetTable", "TABLE_NOT_FOUND") in lines(w, "event", "level", "method", "reason")


async def test_a_table_that_was_read_again_is_told() -> None:
    async with world() as w:
        table = await w.table(clock=game_pb2.Clock(turn_seconds=15))
        await w.start(table)
        await fail_next(w, table, 16)
        assert ("table_reloaded", "info", table) in lines(w, "event", "level", "table_id")


async def test_what_a_library_says_is_not_repeated_only_where_it_was_said(capfd: pytest.CaptureFixture[str]) -> None:
    async def fails() -> None:
        raise ValueError("the hand is S3 JK")

    async with world() as w:
        task = asyncio.create_task(fails())
        await asyncio.wait([task])
        del task
        gc.collect()  # asyncio logs a mistake that nobody asked for when its task goes
        logging.getLogger("some.library").warning("no answer to %s", "Bearer secret")
        first, second = [each for each in lines(w, "event", "level", "error_type", "where") if each[0] == "library"]
        assert first[:3] == ("library", "error", "ValueError")
        assert first[3][-1].endswith(" fails")
        assert second[:3] == ("library", "warning", None)
        assert second[3][0].startswith("some.library:")
    said = w.logs.getvalue() + "".join(capfd.readouterr())
    assert "S3" not in said
    assert "secret" not in said


async def test_what_is_written_of_a_match_does_not_show_its_seed() -> None:
    async with world() as w:
        table = await w.table()
        await w.start(table)
        life = w.app.tables.find(table).shown
        assert life.seed
        for written in (repr(life), repr(w.journal.records[table])):
            assert repr(life.seed)[2:-1] not in written
            assert life.seed.hex() not in written
