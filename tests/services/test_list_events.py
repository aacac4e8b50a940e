"""Following a table call by call: the same messages as on a stream, and no call is in vain for long."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable

import pytest

from daifugo.v1 import game_pb2
from services.game.codec.views import view_to
from services.game.life import RUNNING
from services.game.watching import MOST_LISTED
from tests.services.folder import Folder, plain
from tests.services.harness import World, refusal, world


def kinds(answer: game_pb2.ListEventsResponse) -> list[str]:
    """The kinds of messages, and of notices."""
    found = [str(message.WhichOneof("message")) for message in answer.messages]
    notices = [str(message.notice.WhichOneof("notice")) for message in answer.messages]
    return [notice if kind == "notice" else kind for kind, notice in zip(found, notices)]


async def waiting(
    w: World, table: str, call: Awaitable[game_pb2.ListEventsResponse]
) -> asyncio.Future[game_pb2.ListEventsResponse]:
    """Let a call reach the server, where it waits."""
    watchers = w.app.tables.find(table).history.watchers
    before = len(watchers._all)
    under_way = asyncio.ensure_future(call)
    while len(watchers._all) == before:
        await w.caller("p0").view(table)
    return under_way


async def test_whoever_calls_sees_what_whoever_watches_sees() -> None:
    async with world() as w:
        table = await w.table(format=game_pb2.MatchFormat(games=3))
        await w.start(table)
        tokens = ["p0", "p1", "p2", "p3", "spectator"]
        called = {token: Folder() for token in tokens}
        watched = {token: Folder() for token in tokens}
        streams = {token: w.caller(token).watch(table) for token in tokens}
        rng, found = random.Random(4), w.app.tables.find(table)
        while found.shown.phase == RUNNING:
            if not await w.step(table, rng):
                await w.advance(table, 3)
            token = rng.choice(tokens)
            folder = called[token]
            answer = await w.caller(token).events(table, folder.cursor if folder.cursor.version else None)
            for message in answer.messages:
                folder.take(message)
            assert folder.cursor == answer.cursor
            while watched[token].cursor.version < folder.cursor.version:
                watched[token].take(await streams[token].read())
            assert plain(folder.view) == plain(watched[token].view)
            if folder.cursor.version == found.shown.version:
                seat = int(token[1:]) if token != "spectator" else -1
                assert plain(folder.view) == plain(view_to(found, seat))
        assert all(folder.batches > 30 for folder in called.values())


async def test_without_a_cursor_it_begins_with_a_snapshot() -> None:
    async with world() as w:
        table = await w.table()
        answer = await w.caller("p1").events(table, None, 20)
        assert kinds(answer) == ["snapshot"]
        assert answer.messages[0].snapshot.reason == game_pb2.SNAPSHOT_REASON_NO_CURSOR
        assert answer.cursor == answer.messages[0].snapshot.cursor


async def test_it_answers_at_once_with_what_there_is_and_waits_for_what_there_is_not() -> None:
    async with world() as w:
        table = await w.table()
        cursor = (await w.caller("p1").events(table)).cursor
        under_way = await waiting(w, table, w.caller("p1").events(table, cursor, 20))
        await w.start(table)
        answer = await under_way
        assert kinds(answer) == ["resumed", *["presence"] * 4, "batches"]
        assert answer.cursor.version == cursor.version + 1
        assert "batches" in kinds(await w.caller("p1").events(table, cursor, 20))


async def test_a_wait_in_vain_ends_with_a_heartbeat_in_the_time_that_a_stream_may_be_silent() -> None:
    async with world(heartbeat_seconds=20) as w:
        table = await w.table()
        cursor = (await w.caller("p1").events(table)).cursor
        assert kinds(await w.caller("p1").events(table, cursor))[-1] == "heartbeat"
        for asked, waited in ((5, 5), (3600, 20)):
            under_way = await waiting(w, table, w.caller("p1").events(table, cursor, asked))
            w.clock.advance(waited - 0.1)
            assert not under_way.done()
            w.clock.advance(0.1)
            answer = await under_way
            assert kinds(answer)[-1] == "heartbeat"
            assert answer.cursor == cursor


async def test_a_call_waits_less_long_than_calls_may_take() -> None:
    async with world(heartbeat_seconds=60, call_seconds=10) as w:
        table = await w.table()
        cursor = (await w.caller("p1").events(table)).cursor
        under_way = await waiting(w, table, w.caller("p1").events(table, cursor, 60))
        w.clock.advance(8)
        assert kinds(await under_way)[-1] == "heartbeat"


async def test_a_call_supersedes_nobody_and_nobody_supersedes_it() -> None:
    async with world() as w:
        table = await w.table()
        stream = w.caller("p1").watch(table)
        cursor = (await stream.read()).snapshot.cursor
        under_way = await waiting(w, table, w.caller("p1").events(table, cursor, 20))
        other = w.caller("p1").watch(table, cursor)
        await other.read()
        assert (await stream.notice("going_away")).going_away.reason == game_pb2.GOING_AWAY_REASON_SUPERSEDED
        await w.start(table)
        await other.until(5)
        assert kinds(await under_way)[-1] == "batches"


async def test_between_two_calls_the_caller_counts_as_connected_for_a_while() -> None:
    async with world(heartbeat_seconds=20) as w:
        table = await w.table()
        stream = w.caller("p0").watch(table)
        await stream.read()
        cursor = (await w.caller("p1").events(table)).cursor
        presence = (await stream.notice("presence")).presence
        assert (presence.seat, presence.connected) == (1, True)
        await w.advance(table, 19)
        await w.caller("p1").events(table, cursor)
        await w.advance(table, 19)
        assert (await w.caller("p0").view(table)).view.seats[1].seat.connected
        await w.advance(table, 1)
        presence = (await stream.notice("presence")).presence
        assert (presence.seat, presence.connected) == (1, False)
        assert not (await w.caller("p0").view(table)).view.seats[1].seat.connected


async def test_whoever_leaves_between_two_calls_is_not_waited_for() -> None:
    async with world(heartbeat_seconds=20) as w:
        table = await w.table()
        await w.caller("p3").events(table)
        await w.caller("p3").call("LeaveTable", game_pb2.LeaveTableRequest(table_id=table))
        await w.join(table, "p4", 3)
        assert not (await w.caller("p0").view(table)).view.seats[3].seat.connected


async def test_a_call_whose_seat_is_lost_says_so() -> None:
    async with world() as w:
        table = await w.table()
        cursor = (await w.caller("p3").events(table)).cursor
        under_way = await waiting(w, table, w.caller("p3").events(table, cursor, 20))
        await w.caller("p3").call("LeaveTable", game_pb2.LeaveTableRequest(table_id=table))
        answer = await under_way
        assert answer.messages[-1].notice.going_away.reason == game_pb2.GOING_AWAY_REASON_SEAT_LOST
        assert answer.cursor == cursor


async def test_a_call_that_waits_while_the_server_stops_says_so() -> None:
    async with world() as w:
        table = await w.table()
        cursor = (await w.caller("p3").events(table)).cursor
        under_way = await waiting(w, table, w.caller("p3").events(table, cursor, 20))
        w.app.tables.drain()
        answer = await under_way
        assert answer.messages[-1].notice.going_away.reason == game_pb2.GOING_AWAY_REASON_DRAINING


async def test_a_call_that_is_given_up_leaves_nothing_behind() -> None:
    async with world() as w:
        table = await w.table()
        cursor = (await w.caller("p3").events(table)).cursor
        under_way = await waiting(w, table, w.caller("p3").events(table, cursor, 20))
        under_way.cancel()
        with pytest.raises(asyncio.CancelledError):
            await under_way
        while w.app.tables.find(table).history.watchers._all:
            await w.caller("p0").view(table)


async def test_no_answer_has_more_than_so_many_versions() -> None:
    async with world(recent_versions=1000) as w:
        table = await w.table(format=game_pb2.MatchFormat(games=20))
        cursor = (await w.caller("spectator").events(table)).cursor
        await w.start(table)
        rng, found = random.Random(1), w.app.tables.find(table)
        while found.shown.version < cursor.version + MOST_LISTED + 10:
            if not await w.step(table, rng):
                await w.advance(table, 3)
        answer = await w.caller("spectator").events(table, cursor)
        assert answer.cursor.version == cursor.version + MOST_LISTED
        answer = await w.caller("spectator").events(table, answer.cursor)
        assert answer.cursor.version == found.shown.version


async def test_a_table_that_is_closed_is_not_followed() -> None:
    async with world(table_idle_seconds=100) as w:
        table = await w.table()
        cursor = (await w.caller("p1").events(table)).cursor
        under_way = await waiting(w, table, w.caller("p1").events(table, cursor, 20))
        w.app.tables.find(table).close()
        answer = await under_way
        assert answer.messages[-1].notice.going_away.reason == game_pb2.GOING_AWAY_REASON_TABLE_CLOSED
        failure = await refusal(w.caller("p1").events(table, answer.cursor))
        assert failure.reason == "TABLE_CLOSED"
