"""What was lost does not stop a table: clocks ring again, games follow each other, streams see only what they may."""

from __future__ import annotations

import asyncio
import random

import pytest

from daifugo.v1 import game_pb2
from services.game import journal
from services.game.records import Closed, Record
from tests.services.harness import Stream, World, refusal, world
from tests.services.test_actions import play, running
from tests.services.test_clocks import between_games, rest
from tests.services.test_durability import settle

RELAXED = game_pb2.DURABILITY_RELAXED


async def all_loaded(w: World, table: str) -> None:
    """Wait until the history has been read again."""
    while w.app.tables.find(table).history.is_loading:
        await settle(w)


async def fail_next(w: World, table: str, seconds: float) -> None:
    """Let the next append fail, which is what comes within so many seconds."""
    w.journal.failing = True
    w.clock.advance(seconds)
    await settle(w)
    assert not w.journal.failing
    await all_loaded(w, table)


# --- what a table does by itself -------------------------------------------------------------------------------------


async def test_a_default_that_could_not_be_stored_is_taken_again() -> None:
    async with world(store_retry_seconds=1) as w:
        table = await w.table(clock=game_pb2.Clock(turn_seconds=15))
        await w.start(table)
        _, view = await w.asked(table)
        await fail_next(w, table, 16)
        after = (await rest(w, table)).asked
        assert after == view.asked, "the same question, and the deadline that was told"
        w.clock.advance(0.9)
        assert (await rest(w, table)).asked == view.asked, "a journal that fails is not asked without end"
        w.clock.advance(0.2)
        assert (await rest(w, table)).asked[0].decision_id == view.decision.id + 1


async def test_a_default_that_could_not_be_stored_though_it_was_written_is_not_taken_twice() -> None:
    async with world() as w:
        table = await w.table(clock=game_pb2.Clock(turn_seconds=15))
        await w.start(table)
        _, view = await w.asked(table)
        w.journal.fails_after_writing = True
        await fail_next(w, table, 16)
        assert (await rest(w, table)).asked[0].decision_id == view.decision.id + 1
        w.clock.advance(2)
        assert (await rest(w, table)).asked[0].decision_id == view.decision.id + 1


async def test_the_next_game_that_could_not_be_stored_is_dealt_again() -> None:
    for bots in (False, True):
        async with world(between_games_seconds=3, store_retry_seconds=1) as w:
            table = await w.table(bots=bots)
            await w.start(table)
            await between_games(w, table)
            await fail_next(w, table, 3.1)
            assert not (await rest(w, table)).playing
            w.clock.advance(3.1)
            view = await rest(w, table)
            assert (view.playing, view.game) == (True, 2)


async def test_another_loss_during_the_pause_does_not_deal_twice() -> None:
    async with world(between_games_seconds=3) as w:
        table = await w.table(format=game_pb2.MatchFormat(games=3))
        await w.start(table)
        await between_games(w, table)
        found = w.app.tables.find(table)
        for _ in range(3):
            found.history.fail()
            await all_loaded(w, table)
        w.clock.advance(10)
        view = await rest(w, table)
        assert (view.playing, view.game) == (True, 2)


async def test_time_that_runs_out_while_the_history_is_read_again_is_not_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with world(store_retry_seconds=1) as w:
        table = await w.table(clock=game_pb2.Clock(turn_seconds=30))
        await w.start(table)
        who, view = await w.asked(table)
        reading = asyncio.Event()
        load = w.journal.load

        async def slow(table_id: str, after: int = -1) -> list[Record]:
            await reading.wait()
            return await load(table_id, after)

        monkeypatch.setattr(w.journal, "load", slow)
        w.journal.failing = True
        await refusal(who.act(table, view.decision.id, play(view.hand[0])))
        w.clock.advance(30.5)
        assert (await rest(w, table)).asked[0].decision_id == view.decision.id
        reading.set()
        await all_loaded(w, table)
        w.clock.advance(1)
        assert (await rest(w, table)).asked[0].decision_id == view.decision.id + 1


async def test_a_mistake_in_a_default_does_not_stop_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    async with world(store_retry_seconds=1) as w:
        table = await w.table(clock=game_pb2.Clock(turn_seconds=15))
        await w.start(table)
        _, view = await w.asked(table)
        with monkeypatch.context() as patch:
            patch.setattr("services.game.course.default_action", lambda *_: [][0])
            w.clock.advance(15.5)
            assert (await rest(w, table)).asked == view.asked
        w.mistakes = 1
        w.clock.advance(1)
        assert (await rest(w, table)).asked[0].decision_id == view.decision.id + 1


# --- what a relaxed table loses --------------------------------------------------------------------------------------


async def hands_told(stream: Stream, seat: int) -> list[int]:
    """Read a stream to its end; return the cards that it tells of a seat's hand."""
    told: list[int] = []
    while True:
        try:
            message = await asyncio.wait_for(stream.read(), 1)
        except (EOFError, TimeoutError):
            return told
        told += message.snapshot.view.hand
        for batch in message.batches.batches:
            for event in batch.events:
                moved = event.cards_moved
                told += moved.cards if event.HasField("cards_moved") and moved.to_seat == seat else []


async def test_whoever_sat_down_in_a_version_that_was_lost_does_not_see_the_next_occupants_hand() -> None:
    async with world() as w:
        table = await w.table(seats=3, durability=RELAXED)
        await settle(w)
        w.journal.open.clear()
        w.journal.failing = True
        await w.join(table, "eve", 3)
        stream = w.caller("eve").watch(table)
        assert (await stream.read()).snapshot.view.seat == 3
        w.journal.open.set()
        await all_loaded(w, table)
        assert (await stream.notice("going_away")).going_away.reason == game_pb2.GOING_AWAY_REASON_SEAT_LOST
        await w.join(table, "victim", 3)
        await w.start(table)
        assert not await hands_told(stream, 3)
        spectating = await w.caller("eve").watch(table).read()
        assert not spectating.snapshot.view.HasField("seat")


async def test_numbers_of_decisions_that_were_told_and_lost_are_not_used_again() -> None:
    async with world() as w:
        table = await w.table(durability=RELAXED)
        await w.start(table)
        await settle(w)
        first, view = await w.asked(table)
        w.journal.open.clear()
        w.journal.failing = True
        await first.act(table, view.decision.id, play(view.hand[0]))
        _, lost = await w.asked(table)
        w.journal.open.set()
        await all_loaded(w, table)
        await first.act(table, view.decision.id, play(view.hand[1]))
        _, again = await w.asked(table)
        assert again.decision.id == lost.decision.id + 1
        # and whoever reads the history later comes to the same numbers
        await settle(w)
        found = w.app.tables.find(table)
        found.history._durable = None
        found.history.fail()
        await all_loaded(w, table)
        assert (await w.asked(table))[1].decision.id == again.decision.id


# --- reading it again ------------------------------------------------------------------------------------------------


@pytest.mark.sources
async def test_a_mistake_while_the_history_is_read_leaves_nothing_half_done(monkeypatch: pytest.MonkeyPatch) -> None:
    async with world(store_retry_seconds=1) as w:
        table, who, view = await running(w)
        with monkeypatch.context() as patch:
            w.journal.open.clear()
            w.journal.failing = w.journal.fails_after_writing = True
            acting = asyncio.create_task(refusal(who.act(table, view.decision.id, play(view.hand[0]))))
            await w.journal.asked.wait()
            patch.setattr("services.game.history.follow", lambda *_: [][0])
            w.journal.open.set()
            assert (await acting).reason == "NOT_STORED"
            await settle(w)
            assert (await refusal(who.act(table, view.decision.id, play(view.hand[0])))).reason == "NOT_STORED"
            assert w.app.tables.find(table).history.is_loading
        w.clock.advance(1.1)
        await all_loaded(w, table)
        done = await who.act(table, view.decision.id, play(view.hand[0]))
        assert (done.version, done.repeated) == (6, True)


async def test_only_what_came_after_the_last_durable_version_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    async with world() as w:
        table, who, view = await running(w)
        asked: list[int] = []
        load = w.journal.load

        async def watched(table_id: str, after: int = -1) -> list[Record]:
            asked.append(after)
            return await load(table_id, after)

        monkeypatch.setattr(w.journal, "load", watched)
        w.journal.failing = True
        await refusal(who.act(table, view.decision.id, play(view.hand[0])))
        await all_loaded(w, table)
        assert asked == [5]


@pytest.mark.sources
async def test_a_version_that_cannot_be_told_becomes_a_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    async with world() as w:
        table, who, view = await running(w)
        stream = w.caller("p1").watch(table)
        await stream.read()
        with monkeypatch.context() as patch:
            patch.setattr("services.game.frames.public_for", lambda *_: [][0])
            assert (await who.act(table, view.decision.id, play(view.hand[0]))).version == 6
        w.mistakes = 1
        snapshot = (await stream.read()).snapshot
        assert snapshot.cursor.version == 6
        # no stream goes on over the gap
        late = await w.caller("p2").watch(table, game_pb2.Cursor(epoch=1, version=5)).read()
        assert late.snapshot.cursor.version == 6
        assert await w.step(table, random.Random(1))
        await stream.until(7)


async def test_a_closing_whose_outcome_was_unknown_ends_the_streams() -> None:
    async with world(table_idle_seconds=100, closed_table_seconds=50) as w:
        table = await w.table(seats=0)
        stream = w.caller("spectator").watch(table)
        await stream.read()
        w.journal.failing = w.journal.fails_after_writing = True
        w.app.tables.find(table).close()
        going = (await stream.notice("going_away")).going_away
        assert going.reason == game_pb2.GOING_AWAY_REASON_TABLE_CLOSED
        for _ in range(3):
            w.clock.advance(60)
            await settle(w)
        assert not w.journal.records
        assert not w.journal.owners


async def test_a_table_that_could_not_be_created_leaves_nothing_in_the_journal() -> None:
    for after_writing in (False, True):
        async with world() as w:
            w.journal.failing, w.journal.fails_after_writing = True, after_writing
            assert (await refusal(w.table(seats=0))).reason == "NOT_STORED"
            await settle(w)
            assert not w.journal.records
            assert not w.journal.owners


async def test_the_memory_journal_forgets_for_its_owner_only() -> None:
    kept = journal.MemoryJournal()
    epoch = await kept.claim("t", "a")
    await kept.append("a", [Record("t", epoch, 0, 0.0, Closed())])
    await kept.forget("b", "t")
    assert len(await kept.load("t")) == 1
    assert await kept.load("t", 0) == []
    await kept.forget("a", "t")
    assert await kept.load("t") == []
    assert not kept.owners
