"""Tables that nobody needs any more end, and cost little until then."""

from __future__ import annotations

import random
from collections.abc import Awaitable
from typing import Any

import pytest

from daifugo.v1 import game_pb2, view_pb2
from services.game.answers import Answers
from services.game.messages import DRAINING, GoingAway, Message
from services.game.records import Answer
from services.game.watcher import Watcher
from tests.services.folder import Folder, plain
from tests.services.harness import FakeClock, refusal, world
from tests.services.test_actions import PASS, play
from tests.services.test_clocks import rest
from tests.services.test_durability import settle
from tests.services.test_successors import leave, start_again
from tests.services.test_tables import create, get, joining

# --- how long a match may be -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"rounds": 1000}, "format.rounds"),
        ({"sets": 1000}, "format.sets"),
        ({"sets": 1000, "rounds": 900}, "format.sets"),
    ],
)
async def test_rounds_and_sets_cannot_multiply_to_a_match_without_end(form: dict[str, Any], field: str) -> None:
    async with world() as w:
        request = create(format=game_pb2.MatchFormat(**form))
        failure = await refusal(w.caller("p0").call("CreateTable", request))
        assert failure.reason == "MALFORMED"
        assert [each.field for each in failure.details["BadRequest"].field_violations] == [field]
        assert not w.journal.owners


async def test_whichever_ends_first_counts() -> None:
    async with world() as w:
        request = create(format=game_pb2.MatchFormat(rounds=1000, games=7))
        assert (await w.caller("p0").call("CreateTable", request)).table.id


# --- matches that nobody plays ---------------------------------------------------------------------------------------


async def test_who_has_gone_out_may_leave_without_moving_the_turn_and_anybody_after_the_end() -> None:
    async with world() as w:
        table = await w.table(format=game_pb2.MatchFormat(games=1))
        await w.start(table)
        rng = random.Random(1)
        out: list[int] = []
        while not out:
            assert await w.step(table, rng)
            before = (await w.caller("spectator").view(table)).view
            out = [n for n, seat in enumerate(before.seats) if seat.standing == view_pb2.STANDING_FINISHED]
        await leave(w, table, f"p{out[0]}")
        after = (await w.caller("spectator").view(table)).view
        assert after.asked == before.asked
        assert after.seats[out[0]].standing == view_pb2.STANDING_FINISHED
        await w.play(table, most=1000)
        ended = (await w.caller("spectator").view(table)).view
        assert ended.state == view_pb2.TABLE_STATE_ENDED
        assert ended.seats[out[0]].place == 1
        for seat in range(4):
            await leave(w, table, f"p{seat}")


async def test_a_match_ends_when_the_last_one_leaves() -> None:
    async with world() as w:
        table = await w.table(clock=game_pb2.Clock(turn_seconds=30))
        await w.start(table)
        stream, folder = w.caller("spectator").watch(table), Folder()
        folder.take(await stream.read())
        for seat in range(4):
            assert (await get(w, table)).state == view_pb2.TABLE_STATE_RUNNING
            await leave(w, table, f"p{seat}")
        view = await rest(w, table)
        assert view.state == view_pb2.TABLE_STATE_ENDED
        assert not view.asked
        version = (await get(w, table)).cursor.version
        w.clock.advance(1000)
        assert (await rest(w, table)) == view
        assert (await get(w, table)).cursor.version == version
        for message in await stream.until(version):
            folder.take(message)
        assert plain(folder.view) == plain((await w.caller("spectator").view(table)).view)


async def test_another_match_can_follow_one_that_was_left() -> None:
    async with world() as w:
        table = await w.table()
        await w.start(table)
        _, asked = await w.asked(table)
        for seat in range(4):
            await leave(w, table, f"p{seat}")
        for seat in range(4):
            await w.join(table, f"p{(seat + 1) % 4}", seat)
        newcomer = w.caller(f"p{(asked.seat + 1) % 4}")
        assert not (await newcomer.view(table)).view.hand
        for decision in (0, asked.decision.id):
            action = play(asked.hand[0])
            failure = await refusal(newcomer.act(table, decision, action))
            assert failure.reason == ("DECISION_CLOSED" if decision else "NO_GAME")
        await start_again(w, table)
        view = await rest(w, table)
        assert (view.state, view.game, view.asked[0].decision_id > asked.decision.id) == (2, 1, True)


async def test_a_match_that_only_clocks_play_is_closed_though_somebody_watches() -> None:
    async with world(table_idle_seconds=3600, closed_table_seconds=1200, connection_seconds=9000) as w:
        used, idle = [
            await w.table(format=game_pb2.MatchFormat(games=100), clock=game_pb2.Clock(turn_seconds=60))
            for _ in range(2)
        ]
        streams = [w.caller(token).watch(idle) for token in ("p0", "spectator")]
        for table in (used, idle):
            await w.start(table)
        rng = random.Random(1)
        for _ in range(65):
            for table in (used, idle):
                await w.advance(table, 30)
                await rest(w, table)
            await w.step(used, rng)
        assert (await get(w, idle)).state == view_pb2.TABLE_STATE_CLOSED
        assert (await get(w, used)).state == view_pb2.TABLE_STATE_RUNNING
        for stream in streams:
            going = (await stream.notice("going_away")).going_away
            assert going.reason == game_pb2.GOING_AWAY_REASON_TABLE_CLOSED


async def test_spectators_do_not_keep_a_table_open_and_strangers_neither() -> None:
    async with world(table_idle_seconds=3600, closed_table_seconds=600, connection_seconds=9000) as w:
        table = await w.table(seats=0)
        stream = w.caller("spectator").watch(table)
        await stream.read()
        for _ in range(8):
            await w.advance(table, 500)
            await refusal(w.caller("stranger").act(table, 1, PASS))
        going = (await stream.notice("going_away")).going_away
        assert going.reason == game_pb2.GOING_AWAY_REASON_TABLE_CLOSED


async def test_the_deadline_that_was_told_stays_when_the_seat_is_left() -> None:
    async with world() as w:
        table = await w.table(clock=game_pb2.Clock(turn_seconds=30))
        await w.start(table)
        who, view = await w.asked(table)
        stream, folder = w.caller("spectator").watch(table), Folder()
        folder.take(await stream.read())
        await leave(w, table, who.token)
        now = await w.caller("spectator").view(table)
        for message in await stream.until(now.cursor.version):
            folder.take(message)
        assert folder.view.asked == now.view.asked == view.asked
        assert now.view.asked[0].HasField("deadline")


# --- tidying up ------------------------------------------------------------------------------------------------------


@pytest.mark.sources
async def test_a_mistake_at_one_table_does_not_keep_others_from_being_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with world(table_idle_seconds=100, closed_table_seconds=1000) as w:
        first, second = await w.table(seats=0), await w.table(seats=0)
        monkeypatch.setattr(w.app.tables.find(first), "reap", lambda _: [][0])
        w.clock.advance(250)
        w.mistakes = 2
        await settle(w)
        assert (await get(w, second)).state == view_pb2.TABLE_STATE_CLOSED


async def test_a_request_does_not_make_a_second_table_when_the_first_is_forgotten() -> None:
    async with world(table_idle_seconds=100, closed_table_seconds=100) as w:
        table = (await w.caller("p0").call("CreateTable", create())).table.id
        await w.caller("p1").call("JoinTable", joining(table, "j"))
        for _ in range(5):
            w.clock.advance(100)
            await settle(w)
        assert (await refusal(w.caller("p0").call("CreateTable", create()))).reason == "TABLE_CLOSED"
        assert not (await w.caller("p0").call("ListTables", game_pb2.ListTablesRequest())).tables
        assert len(w.app.desk.answers) == 1, "only what made the table"
        w.clock.advance(86_400)
        assert (await w.caller("p0").call("CreateTable", create())).table.id


def test_answers_do_not_grow_without_end() -> None:
    answers = Answers(100.0, most=10)
    asked = [Answer("me", "JoinTable", str(number), b"") for number in range(30)]
    for number, each in enumerate(asked):
        answers.keep(each, f"table {number % 3}", number, 0.0)
    assert len(answers) == 10
    assert answers.find(asked[0], 0.0) is None
    assert answers.find(asked[29], 0.0) is not None
    answers.forget_after("table 0", 25)
    assert len(answers) == 9
    answers.keep(Answer("me", "JoinTable", "late", b""), "table 0", 1, 100.0)
    assert len(answers) == 1


def test_timers_that_are_cancelled_do_not_pile_up() -> None:
    clock, rung = FakeClock(), list[int]()
    kept = [clock.call_at(clock.now() + 50 + number, lambda n=number: rung.append(n)) for number in range(20)]  # type: ignore[misc]
    for _ in range(10_000):
        clock.call_at(clock.now() + 3600, lambda: rung.append(-1)).cancel()
        assert len(clock._heap) < 200
    kept[3].cancel()
    kept[3].cancel()
    clock.advance(100)
    assert rung == [number for number in range(20) if number != 3]
    kept[4].cancel()
    assert len(clock._heap) < 200


# --- stopping --------------------------------------------------------------------------------------------------------


async def test_a_stream_that_comes_while_the_server_stops_goes_away() -> None:
    async with world() as w:
        table = await w.table()
        w.app.tables.drain()
        stream = w.caller("p0").watch(table)
        assert (await stream.notice("going_away")).going_away.reason == game_pb2.GOING_AWAY_REASON_DRAINING
        watcher = Watcher(w.app.desk, "late", -1)
        w.app.tables.find(table).history.watchers.add(watcher)
        sent = []

        async def write() -> None:
            pass

        def send(message: Message) -> Awaitable[None]:
            sent.append(message)
            return write()

        await watcher.pump(send)
        assert sent == [GoingAway(DRAINING)]
