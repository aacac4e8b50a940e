"""No wait is endless: whatever a table is set to, and whoever does nothing, its match ends by the clock alone."""

from __future__ import annotations

import random

import pytest

from daifugo.v1 import game_pb2, rules_pb2
from engine.available import PRESETS
from services.game.life import ENDED, FILLING, RUNNING
from services.game.table import Table
from tests.services.harness import Stream, World, world

MOST_RINGS = 20_000


def drawn_clock(rng: random.Random) -> game_pb2.Clock:
    """Any clock, also none, and a few seconds for some of it."""
    clock = game_pb2.Clock(
        turn_seconds=rng.choice([0, 0, 1, 15, 60, 86_400]),
        choice_seconds=rng.choice([1, 30, 86_400]),
        idle_seconds=rng.choice([1, 180, 86_400]),
    )
    if clock.turn_seconds and rng.random() < 0.7:
        clock.bank_seconds, clock.bank_each_game = rng.choice([1, 60, 86_400]), rng.random() < 0.5
    return clock


def drawn_request(rng: random.Random) -> game_pb2.CreateTableRequest:
    """Any table."""
    request = game_pb2.CreateTableRequest(
        request_id="r",
        ruleset=rules_pb2.Ruleset(preset=rng.choice(PRESETS)),
        format=game_pb2.MatchFormat(games=rng.choice([1, 2])),
        clock=drawn_clock(rng),
        durability=rng.choice([game_pb2.DURABILITY_STRICT, game_pb2.DURABILITY_RELAXED]),
    )
    for setting in ("auto_pass", "reconnect"):
        request.ruleset.settings.add(id=setting, flag=rng.random() < 0.5)
    if rng.random() < 0.4:
        request.auto_start.reserved_seconds = rng.choice([1, 3600])
        request.auto_start.bot_seconds = rng.choice([0, 3600])
    return request


def longest_wait(request: game_pb2.CreateTableRequest, w: World) -> float:
    """The longest that a table may do nothing once its match runs."""
    clock, config = request.clock, w.app.config
    turn = clock.turn_seconds + clock.bank_seconds if clock.turn_seconds else clock.idle_seconds
    own = (config.between_games_seconds, config.stand_in_seconds, config.auto_pass_seconds, config.away_seconds)
    return max(turn, clock.choice_seconds, *own)


async def settled(w: World, table: Table) -> None:
    """Let everything be stored and told."""
    await w.app.writer.flushed()
    while table.history.head is not table.history.shown:
        await w.caller("p0").view(table.id)


async def begun(w: World, request: game_pb2.CreateTableRequest, rng: random.Random) -> tuple[Table, list[Stream]]:
    """A table whose match runs, with some who are there, some who are not, and some bots."""
    table_id = (await w.caller("p0").call("CreateTable", request)).table.id
    table = w.app.tables.find(table_id)
    seats = len(table.shown.seats)
    sitting = rng.randrange(1, seats + 1) if request.HasField("auto_start") else seats
    for seat in range(sitting):
        await w.join(table_id, f"p{seat}", seat, bot=seat > 0 and rng.random() < 0.3)
    streams = [w.caller(f"p{seat}").watch(table_id) for seat in range(sitting) if rng.random() < 0.4]
    for stream in streams:
        await stream.read()
    if not request.HasField("auto_start"):
        await w.start(table_id)
    await settled(w, table)
    while table.shown.phase == FILLING:
        assert w.clock.ring(w.clock.now() + 7200), "it never begins"
        await settled(w, table)
    return table, streams


@pytest.mark.parametrize("seed", range(12))
async def test_a_match_at_which_nobody_does_anything_ends(seed: int) -> None:
    rng = random.Random(seed)
    request = drawn_request(rng)
    async with world(table_idle_seconds=2e9, closed_table_seconds=2e9, heartbeat_seconds=1e9, write_seconds=1e9) as w:
        table, streams = await begun(w, request, rng)
        assert table.shown.phase == RUNNING, request
        for stream in streams:
            if rng.random() < 0.5:
                stream.cancel()
        version, since, longest = table.shown.version, w.clock.now(), longest_wait(request, w)
        for _ in range(MOST_RINGS):
            if table.shown.phase == ENDED:
                break
            assert w.clock.ring(since + longest), f"nothing will happen any more: {request}"
            await settled(w, table)
            if table.shown.version > version:
                version, since = table.shown.version, w.clock.now()
        assert table.shown.phase == ENDED, request
        assert table.shown.state.game == request.format.games
