"""Whoever sits down where somebody sat before inherits none of their secrets, and none of their streams."""

from __future__ import annotations

import random

from daifugo.v1 import game_pb2
from services.game.codec.actions import action_to
from services.game.life import RUNNING
from services.game.messages import SEAT_LOST, GoingAway
from services.game.records import Acted
from services.game.watcher import Watcher
from tests.services.harness import Stream, World, refusal, world
from tests.services.test_clocks import rest


async def leave(w: World, table: str, token: str) -> None:
    await w.caller(token).call("LeaveTable", game_pb2.LeaveTableRequest(table_id=table))


async def start_again(w: World, table: str) -> None:
    """Start another match, whoever is host by now."""
    request = game_pb2.GetTableRequest(table_id=table)
    hosts = [f"p{n}" for n in range(4) if (await w.caller(f"p{n}").call("GetTable", request)).table.you_are_host]
    start = game_pb2.StartMatchRequest(table_id=table, request_id=w.request_id())
    await w.caller(hosts[0]).call("StartMatch", start)


async def played(w: World) -> str:
    """A table at which a match of one game has ended, with cards left in a hand."""
    table = await w.table(format=game_pb2.MatchFormat(games=1))
    await w.start(table)
    rng = random.Random(5)
    while w.app.tables.find(table).shown.phase == RUNNING:
        await w.step(table, rng)
    return table


async def test_the_cards_that_somebody_had_left_are_not_their_successors() -> None:
    async with world() as w:
        table = await played(w)
        hands = w.app.tables.find(table).shown.state.hands
        seat = next(seat for seat in range(4) if hands[seat])
        before = (await w.caller(f"p{seat}").view(table)).view
        assert before.hand
        await leave(w, table, f"p{seat}")
        await w.join(table, "new", seat)
        after = (await w.caller("new").view(table)).view
        assert after.seat == seat
        assert not after.hand
        assert after.seats[seat].hand_count == len(before.hand)
        snapshot = (await w.caller("new").watch(table).read()).snapshot
        assert not snapshot.view.hand
        other = (seat + 1) % 4
        still = (await w.caller(f"p{other}").view(table)).view
        assert len(still.hand) == still.seats[other].hand_count
        await start_again(w, table)
        assert len((await w.caller("new").view(table)).view.hand) >= 13


async def test_what_was_told_before_somebody_sat_down_is_not_told_to_them() -> None:
    async with world(recent_versions=500) as w:
        table = await played(w)
        cursor = (await w.caller("p3").view(table)).cursor
        cursor.version = 4
        first = await w.caller("p3").watch(table, cursor).read()
        assert first.resumed.cursor == cursor
        await leave(w, table, "p3")
        await w.join(table, "new", 3)
        first = await w.caller("new").watch(table, cursor).read()
        assert first.snapshot.reason == game_pb2.SNAPSHOT_REASON_COMPACTED
        now = first.snapshot.cursor
        assert (await w.caller("new").watch(table, now).read()).resumed.cursor == now
        # spectators may go on from anywhere
        assert (await w.caller("spectator").watch(table, cursor).read()).resumed.cursor == cursor


async def test_old_decisions_tell_a_successor_nothing() -> None:
    async with world() as w:
        table = await played(w)
        acted = [each.operation for each in w.journal.records[table] if isinstance(each.operation, Acted)]
        for seat in range(4):
            await leave(w, table, f"p{seat}")
            await w.join(table, f"n{seat}", seat)
        said = set()
        for old in (acted[0], acted[-1]):
            for seat in range(4):
                for action in (old.action, acted[1].action):
                    failure = await refusal(w.caller(f"n{seat}").act(table, old.decision, action_to(action)))
                    said.add((failure.reason, failure.message))
        assert [reason for reason, _ in said] == ["DECISION_CLOSED"]


async def test_a_stream_that_ends_gets_no_snapshot_any_more() -> None:
    async with world() as w:
        desk = w.app.desk
        watcher = Watcher(desk, "somebody", 1)
        watcher.leave(SEAT_LOST)
        watcher.resync("other_history")
        assert watcher._next() == GoingAway(SEAT_LOST)


async def test_an_occupant_who_is_removed_leaves_in_one_version() -> None:
    async with world() as w:
        table = await w.table()
        host = await w.caller("p2").call("GetTable", game_pb2.GetTableRequest(table_id=table))
        request = game_pb2.KickSeatRequest(table_id=table, seat=0, request_id="k")
        stream = w.caller("p0").watch(table)
        await stream.read()
        done = (await w.caller("p0").call("KickSeat", request)).table
        assert done.cursor.version == host.table.cursor.version + 1
        assert not done.seats[0].occupied
        assert done.seats[1].host, "a host who removes themselves hands over"
        assert (await stream.notice("going_away")).going_away.reason == game_pb2.GOING_AWAY_REASON_SEAT_LOST


# --- who is there ----------------------------------------------------------------------------------------------------


async def presence(stream: Stream) -> dict[int, bool]:
    """Read what a stream that goes on tells of who is there, at first."""
    told: dict[int, bool] = {}
    assert (await stream.read()).HasField("resumed")
    while len(told) < 4:
        one = (await stream.notice("presence")).presence
        told[one.seat] = one.connected
    return told


async def test_whoever_goes_on_is_told_that_they_are_there_themselves() -> None:
    async with world() as w:
        table = await w.table()
        cursor = (await w.caller("p1").view(table)).cursor
        # on a device that was away when the other one came
        await w.caller("p1").watch(table).read()
        told = await presence(w.caller("p1").watch(table, cursor))
        assert told == {0: False, 1: True, 2: False, 3: False}


async def test_a_stream_that_is_leaving_does_not_count_for_the_next_occupant() -> None:
    async with world() as w:
        table = await w.table()
        found = w.app.tables.find(table)
        # a stream of p3 whose last words nobody has read yet
        stuck = Watcher(found.desk, w.app.tables.find(table).shown.seats[3].occupant.identity, 3)  # type: ignore[union-attr]
        found.history.watchers.add(stuck)
        assert (await rest(w, table)).seats[3].seat.connected
        await leave(w, table, "p3")
        await w.join(table, "new", 3)
        assert not (await rest(w, table)).seats[3].seat.connected
        found.history.watchers.remove(stuck)


async def test_a_long_way_back_is_no_falling_behind() -> None:
    async with world(watcher_versions=4, recent_versions=64) as w:
        table = await w.table()
        await w.start(table)
        cursor = (await w.caller("p1").view(table)).cursor
        rng = random.Random(1)
        for _ in range(20):
            assert await w.step(table, rng)
        stream = w.caller("p1").watch(table, cursor)
        assert (await stream.read()).resumed.cursor == cursor
        messages = await stream.until(cursor.version + 20)
        assert not [message for message in messages if message.HasField("snapshot")]
