"""Records of matches: what the journal has of one makes it again."""

from __future__ import annotations

import random
from collections.abc import Sequence

from daifugo.v1 import game_pb2, record_pb2, view_pb2
from engine.record import replay
from services.game import records as r
from services.game.codec.kept import whole
from services.game.codec.matches import record_to, replayable
from services.game.history import _after
from services.game.life import Life
from services.game.results import ended_of
from tests.services.harness import World, world
from tests.services.test_durability import settle
from tests.services.test_successors import leave


def derived(versions: Sequence[r.Record]) -> list[tuple[record_pb2.Record, Life]]:
    """Return the record of every match that has ended in a table's history, and the table after it."""
    found = []
    life: Life | None = None
    for version in versions:
        before = life
        life, _ = _after(life, version.operation, version.time)
        ended = ended_of(before, version.operation, life)
        if ended is not None:
            found.append((record_to(ended, versions[ended.first : version.version + 1]), life))
    return found


def check(record: record_pb2.Record, life: Life) -> None:
    """Hold a record against the table that its match was played at."""
    moments = list(replay(replayable(record)))
    assert moments[-1].state.hands == life.state.hands
    assert moments[-1].state.totals == life.state.totals == list(record.result.totals)
    assert len(moments) == sum(len(game.steps) for game in record.games) + len(record.games)
    played = life.state.game - life.state.playing
    assert [len(game.places) for game in record.games if game.places] == [life.state.seats] * played


async def the_record(w: World, table_id: str) -> record_pb2.Record:
    """Return the record of a table's one match: what is kept is what its versions make."""
    ((record, life),) = derived(w.journal.records[table_id])
    check(record, life)
    kept = await w.journal.match(record.match_id)
    assert kept is not None
    assert whole(kept) == record
    return record


async def test_a_match_becomes_a_record() -> None:
    async with world() as w:
        table_id = await w.table(name="卓", clock=game_pb2.Clock(turn_seconds=7))
        began = w.clock.now()
        await w.start(table_id)
        w.clock.advance(1.5)
        await w.play(table_id)
        record = await the_record(w, table_id)
        assert record.match_id == w.app.tables.find(table_id).shown.match_id
        assert (record.table_id, record.table_name, record.games_planned) == (table_id, "卓", 2)
        assert record.clock.turn_seconds == 7
        assert record.start_time.ToSeconds() == int(began)
        assert record.end_time.ToSeconds() == int(w.clock.now())
        assert [[who.display_name for who in seat.players] for seat in record.seats] == [["P0"], ["P1"], ["P2"], ["P3"]]
        assert record.result.is_whole
        assert record.games[0].steps[0].after_ms == 1500
        assert sorted(record.result.ranks)[0] == 1
        # the pause between the games
        assert record.games[1].after_ms >= 3000


async def test_a_record_says_who_took_a_step_and_who_had_a_seat() -> None:
    async with world(between_games_seconds=0.0) as w:
        clock, form = game_pb2.Clock(turn_seconds=7), game_pb2.MatchFormat(games=1)
        table_id = await w.table(clock=clock, format=form)
        await w.start(table_id)
        await w.advance(table_id, 7)
        await leave(w, table_id, "p3")
        while (await w.caller("p0").view(table_id)).view.state == view_pb2.TABLE_STATE_RUNNING:
            await w.advance(table_id, 7)
        record = await the_record(w, table_id)
        steps = [step for game in record.games for step in game.steps]
        assert (steps[0].by, steps[0].after_ms) == (record_pb2.STEP_BY_CLOCK, 7000)
        had = record.seats[3].players
        assert [who.kind for who in had] == [record_pb2.RecordPlayer.KIND_PERSON, record_pb2.RecordPlayer.KIND_NOBODY]
        assert had[1].from_step == 1
        assert {step.by for step in steps[1:] if step.seat == 3} == {record_pb2.STEP_BY_STAND_IN}


async def test_a_match_that_its_host_ends_between_two_games_is_recorded_as_it_was_played() -> None:
    async with world() as w:
        table_id = await w.table(format=game_pb2.MatchFormat(until_host_ends=True))
        await w.start(table_id)
        while (await w.caller("p0").view(table_id)).view.playing:
            await w.step(table_id, random.Random(1))
        await w.caller("p0").call("EndMatch", game_pb2.EndMatchRequest(request_id="end", table_id=table_id))
        record = await the_record(w, table_id)
        assert (len(record.games), record.games_planned, record.result.is_whole) == (1, 0, True)


async def test_a_match_that_everybody_leaves_is_recorded_as_far_as_it_went() -> None:
    async with world() as w:
        table_id = await w.table()
        await w.start(table_id)
        for _ in range(5):
            await w.step(table_id, random.Random(1))
        for token in ("p0", "p1", "p2", "p3"):
            await leave(w, table_id, token)
        record = await the_record(w, table_id)
        assert (len(record.games), len(record.games[0].steps), record.result.is_whole) == (1, 5, False)
        assert not record.games[0].places


async def test_a_match_that_only_clocks_play_is_recorded_when_its_table_is_closed() -> None:
    async with world(table_idle_seconds=20.0) as w:
        table_id = await w.table(clock=game_pb2.Clock(turn_seconds=30))
        await w.start(table_id)
        await w.advance(table_id, 20)
        assert (await w.caller("p0").view(table_id)).view.state == view_pb2.TABLE_STATE_CLOSED
        record = await the_record(w, table_id)
        assert not record.games[0].places
        assert not record.result.is_whole


async def test_every_match_of_a_table_has_a_record_of_its_own() -> None:
    async with world() as w:
        table_id = await w.table(format=game_pb2.MatchFormat(games=1))
        for seed in (1, 2):
            await w.start(table_id)
            await w.play(table_id, seed)
        found = derived(w.journal.records[table_id])
        for record, life in found:
            check(record, life)
        assert len({record.match_id for record, _ in found}) == len({record.seed for record, _ in found}) == 2


async def test_records_are_kept_for_so_many_days() -> None:
    async with world(record_days=2, table_idle_seconds=86400.0, closed_table_seconds=86400.0) as w:
        table_id = await w.table(format=game_pb2.MatchFormat(games=1))
        await w.start(table_id)
        await w.play(table_id)
        match_id = (await the_record(w, table_id)).match_id
        await w.advance(table_id, 86400)
        await settle(w)
        assert await w.journal.match(match_id)
        w.clock.advance(2 * 86400)
        await settle(w)
        assert await w.journal.match(match_id) is None


async def test_a_service_can_keep_no_records() -> None:
    async with world(record_days=0) as w:
        table_id = await w.table(format=game_pb2.MatchFormat(games=1))
        await w.start(table_id)
        await w.play(table_id)
        assert await w.journal.matches("", False, None, 10) == []
