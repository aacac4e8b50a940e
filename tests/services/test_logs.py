"""What the log tells of tables, and at which level."""

from __future__ import annotations

import json
from typing import Any

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
