"""A journal that fails again and again: the match ends all the same, and everybody is told one and the same history."""

from __future__ import annotations

import asyncio
import random

import pytest

from daifugo.v1 import game_pb2
from services.game.life import RUNNING, Life, begin, follow
from services.game.records import Created, Record
from tests.services.folder import Folder, plain
from tests.services.harness import Failure, Stream, World, world
from tests.services.test_recovery import all_loaded

HARMLESS = {"NOT_STORED", "DECISION_CLOSED", "DECISION_UNKNOWN", "NOT_YOUR_SEAT", "NOT_SEATED"}


async def keep_reading(stream: Stream, folder: Folder) -> None:
    while True:
        folder.take(await stream.read())


async def something(w: World, table: str, rng: random.Random) -> None:
    """Let somebody act, time go by, or rarely somebody leave; often the journal fails, with or without writing."""
    if rng.random() < 0.15:
        w.journal.failing, w.journal.fails_after_writing = True, rng.random() < 0.5
    chance = rng.random()
    try:
        if chance < 0.5:
            await w.step(table, rng)
        elif chance < 0.7:
            await w.advance(table, rng.choice([0.1, 1, 5, 21]))
        elif chance < 0.705:
            request = game_pb2.LeaveTableRequest(table_id=table)
            await w.caller(f"p{rng.randrange(1, 4)}").call("LeaveTable", request)
    except Failure as failure:
        if failure.reason not in HARMLESS:
            raise
    for _ in range(rng.randrange(4)):
        await asyncio.sleep(0)


def replayed(records: list[Record]) -> Life:
    """What the records make of a table, from the first on."""
    first = records[0].operation
    assert isinstance(first, Created)
    life = begin(first, records[0].time)
    for record in records[1:]:
        life, _ = follow(life, record.operation)
    return life


def told(life: Life) -> tuple[object, ...]:
    state = life.state
    return life.version, life.phase, life.seats, state.hands, state.decisions, state.last_decision, state.totals


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("durability", [game_pb2.DURABILITY_STRICT, game_pb2.DURABILITY_RELAXED])
async def test_a_match_comes_to_its_end_though_the_journal_fails(durability: game_pb2.Durability, seed: int) -> None:
    rng = random.Random(seed)
    # nothing is let go of: the journal is to have all of it
    async with world(closed_table_seconds=1e6, table_idle_seconds=1e6) as w:
        clock, bots = game_pb2.Clock(turn_seconds=20), bool(seed % 2)
        table = await w.table(durability=durability, clock=clock, bots=bots)
        await w.start(table)
        folders = {token: Folder() for token in ("p0", "spectator")}
        reading = [asyncio.create_task(keep_reading(w.caller(t).watch(table), f)) for t, f in folders.items()]
        found = w.app.tables.find(table)
        for _ in range(3000):
            if found.shown.phase != RUNNING:
                break
            await something(w, table, rng)
        assert found.shown.phase != RUNNING, "it hangs"
        w.journal.failing = False
        await all_loaded(w, table)
        await w.app.writer.flushed()
        assert found.history.durable_version == found.shown.version
        assert told(replayed(w.journal.records[table])) == told(found.shown)
        for token, folder in folders.items():
            while folder.cursor.version < found.shown.version:
                await w.caller("p0").view(table)
            assert plain(folder.view) == plain((await w.caller(token).view(table)).view)
        for task in reading:
            task.cancel()
        assert all(
            isinstance(each, asyncio.CancelledError) for each in await asyncio.gather(*reading, return_exceptions=True)
        )
