"""Nothing that is not durable leaves the process; and what the journal loses never was."""

from __future__ import annotations

import asyncio

import grpc

from daifugo.v1 import game_pb2, rules_pb2, view_pb2
from services.game.journal import MemoryJournal
from services.game.records import Closed, Record
from tests.services.harness import World, refusal, world
from tests.services.test_actions import play, running


async def settle(w: World) -> None:
    """Let the server do everything that it can do by now."""
    for _ in range(3):
        await w.caller("p0").call("ListReasons", rules_pb2.ListReasonsRequest())


async def test_while_the_journal_is_held_nothing_is_answered_streamed_or_shown() -> None:
    async with world() as w:
        table, who, view = await running(w)
        stream = w.caller("p1").watch(table)
        await stream.read()
        w.journal.open.clear()
        reading = asyncio.create_task(stream.read())
        acting = asyncio.create_task(who.act(table, view.decision.id, play(view.hand[0])))
        await w.journal.asked.wait()
        again = asyncio.create_task(who.act(table, view.decision.id, play(view.hand[0])))
        await settle(w)
        assert not reading.done()
        assert not acting.done()
        assert not again.done()
        shown = await who.view(table)
        assert shown.cursor.version == 5
        assert shown.view.decision.id == view.decision.id
        assert (await who.legal(table, view.decision.id)).actions
        late = w.caller("spectator").watch(table)
        assert (await late.read()).snapshot.cursor.version == 5

        w.journal.open.set()
        assert (await acting).version == 6
        assert (await again).repeated
        assert (await reading).batches.batches[-1].cursor.version == 6
        assert (await late.until(6))[-1].batches.batches[-1].cursor.version == 6


async def test_a_refusal_that_rests_on_what_is_not_durable_waits_too() -> None:
    async with world() as w:
        table, who, view = await running(w)
        w.journal.open.clear()
        acting = asyncio.create_task(who.act(table, view.decision.id, play(view.hand[0])))
        await w.journal.asked.wait()
        refused = asyncio.create_task(refusal(who.act(table, view.decision.id, play(view.hand[1]))))
        await settle(w)
        assert not refused.done()
        w.journal.open.set()
        await acting
        assert (await refused).reason == "DECISION_CLOSED"


async def test_a_refusal_that_rested_on_what_was_lost_says_so() -> None:
    async with world() as w:
        table, who, view = await running(w)
        w.journal.open.clear()
        acting = asyncio.create_task(refusal(who.act(table, view.decision.id, play(view.hand[0]))))
        await w.journal.asked.wait()
        refused = asyncio.create_task(refusal(who.act(table, view.decision.id, play(view.hand[1]))))
        await settle(w)
        w.journal.failing = True
        w.journal.open.set()
        assert (await acting).reason == (await refused).reason == "NOT_STORED"
        await settle(w)
        assert (await who.act(table, view.decision.id, play(view.hand[1]))).version == 6


async def test_no_clock_runs_for_a_question_that_nobody_has_seen() -> None:
    async with world() as w:
        table = await w.table(clock=game_pb2.Clock(turn_seconds=30))
        await w.start(table)
        who, view = await w.asked(table)
        w.journal.open.clear()
        acting = asyncio.create_task(who.act(table, view.decision.id, play(view.hand[0])))
        await w.journal.asked.wait()
        w.clock.advance(100)
        w.journal.open.set()
        await acting
        _, next_view = await w.asked(table)
        assert next_view.decision.remaining.ToSeconds() == 30
        assert (await who.view(table)).cursor.version == 6


async def test_a_failed_append_throws_the_head_away_and_the_action_can_be_sent_again() -> None:
    async with world() as w:
        table, who, view = await running(w)
        stream = w.caller("p1").watch(table)
        await stream.read()
        w.journal.failing = True
        failure = await refusal(who.act(table, view.decision.id, play(view.hand[0])))
        assert (failure.code, failure.reason) == (grpc.StatusCode.UNAVAILABLE, "NOT_STORED")
        assert failure.details["RetryInfo"].retry_delay.ToMilliseconds() > 0
        await settle(w)
        assert (await who.view(table)).view.decision.id == view.decision.id
        # nothing was taken, so even another action is welcome
        done = await who.act(table, view.decision.id, play(view.hand[1]))
        assert (done.version, done.repeated) == (6, False)
        batch = (await stream.until(6))[-1].batches.batches[-1]
        assert (batch.cursor.epoch, batch.cursor.version) == (2, 6)


async def test_an_append_that_failed_after_writing_counts() -> None:
    async with world() as w:
        table, who, view = await running(w)
        stream = w.caller("p1").watch(table)
        await stream.read()
        w.journal.failing = w.journal.fails_after_writing = True
        await refusal(who.act(table, view.decision.id, play(view.hand[0])))
        await stream.until(6)
        again = await who.act(table, view.decision.id, play(view.hand[0]))
        assert (again.version, again.repeated) == (6, True)


async def test_a_cursor_survives_a_reload() -> None:
    async with world() as w:
        table, who, view = await running(w)
        w.journal.failing = True
        await refusal(who.act(table, view.decision.id, play(view.hand[0])))
        await settle(w)
        first = await w.caller("p1").watch(table, game_pb2.Cursor(epoch=1, version=3)).read()
        assert first.resumed.cursor.version == 3


async def test_a_table_that_cannot_be_created_was_never_there() -> None:
    async with world() as w:
        w.journal.failing = True
        request = game_pb2.CreateTableRequest(request_id="r", ruleset=rules_pb2.Ruleset(preset="jdf4"))
        assert (await refusal(w.caller("p0").call("CreateTable", request))).reason == "NOT_STORED"
        assert not (await w.caller("p0").call("ListTables", game_pb2.ListTablesRequest())).tables
        assert (await w.caller("p0").call("CreateTable", request)).table.id


async def test_a_table_that_is_not_durable_cannot_be_found() -> None:
    async with world() as w:
        w.journal.open.clear()
        request = game_pb2.CreateTableRequest(request_id="r", ruleset=rules_pb2.Ruleset(preset="jdf4"))
        creating = asyncio.create_task(w.caller("p0").call("CreateTable", request))
        await w.journal.asked.wait()
        assert not (await w.caller("p0").call("ListTables", game_pb2.ListTablesRequest())).tables
        again = asyncio.create_task(w.caller("p0").call("CreateTable", request))
        await settle(w)
        w.journal.open.set()
        assert (await creating).table.id == (await again).table.id


async def test_a_fenced_table_goes_away() -> None:
    async with world() as w:
        table, who, view = await running(w)
        stream = w.caller("p1").watch(table)
        await stream.read()
        await w.journal.claim(table, "another server")
        failure = await refusal(who.act(table, view.decision.id, play(view.hand[0])))
        assert (failure.code, failure.reason) == (grpc.StatusCode.UNAVAILABLE, "MOVED")
        going = (await stream.notice("going_away")).going_away
        assert going.reason == game_pb2.GOING_AWAY_REASON_MOVED
        assert (await refusal(who.act(table, view.decision.id, play(view.hand[0])))).reason == "MOVED"
        assert (await refusal(w.caller("p1").watch(table).read())).reason == "MOVED"


async def test_a_relaxed_table_answers_at_once_and_says_what_is_durable() -> None:
    async with world() as w:
        table = await w.table(durability=game_pb2.DURABILITY_RELAXED)
        await w.start(table)
        await settle(w)
        who, view = await w.asked(table)
        stream = w.caller("p1").watch(table)
        await stream.read()
        w.journal.open.clear()
        done = await who.act(table, view.decision.id, play(view.hand[0]))
        assert (done.version, done.durable_version) == (6, 5)
        await stream.until(6)
        w.journal.failing = True
        w.journal.open.set()
        snapshot = (await stream.read()).snapshot
        assert snapshot.reason == game_pb2.SNAPSHOT_REASON_OTHER_HISTORY
        assert snapshot.cursor.version == 5
        assert (await who.view(table)).view.decision.id == view.decision.id
        # 6 says that the numbers of the decisions that were lost are not used again
        assert (await who.act(table, view.decision.id, play(view.hand[1]))).version == 7


async def test_records_tell_the_whole_history() -> None:
    async with world() as w:
        table = await w.table()
        await w.start(table)
        await w.play(table)
        records = w.journal.records[table]
        assert [record.version for record in records] == list(range(len(records)))
        before = (await w.caller("p0").view(table)).view
        found = w.app.tables.find(table)
        found.history.fail()
        while found.history.is_loading:
            await settle(w)
        after = (await w.caller("p0").view(table)).view
        assert after == before
        assert after.state == view_pb2.TABLE_STATE_ENDED


async def test_the_memory_journal_fences_an_owner_that_lost_a_table() -> None:
    journal = MemoryJournal()
    first = await journal.claim("t", "a")
    second = await journal.claim("t", "b")
    assert second > first
    old = Record("t", first, 0, 0.0, Closed())
    new = Record("t", second, 0, 0.0, Closed())
    assert await journal.append("a", [old]) == {"t"}
    assert await journal.append("a", [new]) == {"t"}
    assert not await journal.append("b", [new])
    assert await journal.load("t") == [new]
