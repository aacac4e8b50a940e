"""Streams: the fold of events is the snapshot, nothing is left out, and nobody sees what is not theirs."""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import pytest

from daifugo.v1 import game_pb2, rules_pb2
from services.game.codec.views import view_to
from services.game.life import RUNNING
from services.game.servicer import GameServicer
from tests.services.folder import Folder, plain
from tests.services.harness import Failure, Stream, World, refusal, world

EVERYTHING: Mapping[str, bool] = {
    "seven_pass": True,
    "four_stop": True,
    "reverend_king": True,
    "salvage": True,
    "queen_bomber": True,
}


def ruleset(preset: str, flags: Mapping[str, bool], words: Mapping[str, str]) -> rules_pb2.Ruleset:
    settings = [rules_pb2.Setting(id=name, flag=flag) for name, flag in flags.items()]
    settings += [rules_pb2.Setting(id=name, word=word) for name, word in words.items()]
    return rules_pb2.Ruleset(preset=preset, settings=settings)


async def follow(w: World, table: str, streams: Mapping[str, Stream], folders: Mapping[str, Folder]) -> None:
    """Let every folder catch up with the table, and compare it with the view."""
    found = w.app.tables.find(table)
    version = found.shown.version
    for token, stream in streams.items():
        folder = folders[token]
        while folder.cursor.version < version:
            folder.take(await stream.read())
        if folder.cursor.version == found.shown.version:
            seat = int(token[1:]) if token != "spectator" else -1
            assert plain(folder.view) == plain(view_to(found, seat)), token


RULESETS = {
    "jdf4": (ruleset("jdf4", {}, {}), 4),
    "jdf3": (ruleset("jdf3", {}, {}), 3),
    "jdf5": (ruleset("jdf5", {}, {}), 5),
    "everything": (ruleset("jdf4", EVERYTHING, {}), 4),
    "two packs": (ruleset("jdf4", EVERYTHING, {"deal_method": "two_packs"}), 4),
}


@pytest.mark.parametrize("name", RULESETS)
async def test_folded_events_are_the_view_for_every_seat_and_for_spectators(name: str) -> None:
    asked, seats = RULESETS[name]
    async with world() as w:
        table = await w.table(seats=0, ruleset=asked, format=game_pb2.MatchFormat(games=3))
        tokens = [f"p{number}" for number in range(seats)]
        folders = {token: Folder() for token in [*tokens, "spectator"]}
        streams = {"spectator": w.caller("spectator").watch(table)}
        for number, token in enumerate(tokens):
            await w.join(table, token, number)
            streams[token] = w.caller(token).watch(table)
            await follow(w, table, streams, folders)
        await w.start(table)
        rng = random.Random(7)
        while w.app.tables.find(table).shown.phase == RUNNING:
            if not await w.step(table, rng):
                await w.advance(table, 3)
            await follow(w, table, streams, folders)
        assert folders["p0"].batches > 100
        assert folders["spectator"].view.game == 3


async def test_a_stream_goes_on_after_its_cursor_without_gaps() -> None:
    async with world() as w:
        table = await w.table()
        await w.start(table)
        rng = random.Random(3)
        tokens = ["p0", "p1", "p2", "p3", "spectator"]
        folders = {token: Folder() for token in tokens}
        for _ in range(60):
            await w.step(table, rng)
            token = rng.choice(tokens)
            folder = folders[token]
            after = folder.cursor if folder.cursor.version else None
            stream = w.caller(token).watch(table, after)
            first = await stream.read()
            if after is None:
                assert first.snapshot.reason == game_pb2.SNAPSHOT_REASON_NO_CURSOR
            else:
                assert first.resumed.cursor == after
            folder.take(first)
            await follow(w, table, {token: stream}, {token: folder})
            stream.cancel()


async def test_a_cursor_of_another_history_gets_a_snapshot() -> None:
    async with world() as w:
        table = await w.table()
        for cursor in (game_pb2.Cursor(epoch=1, version=99), game_pb2.Cursor(epoch=7, version=1)):
            first = await w.caller("p0").watch(table, cursor).read()
            assert first.snapshot.reason == game_pb2.SNAPSHOT_REASON_OTHER_HISTORY
            assert first.snapshot.cursor.version == 4


async def test_a_cursor_that_is_too_old_gets_a_snapshot() -> None:
    async with world(recent_versions=2) as w:
        table = await w.table()
        first = await w.caller("p0").watch(table, game_pb2.Cursor(epoch=1, version=1)).read()
        assert first.snapshot.reason == game_pb2.SNAPSHOT_REASON_COMPACTED
        first = await w.caller("p0").watch(table, game_pb2.Cursor(epoch=1, version=2)).read()
        assert first.resumed.cursor.version == 2


async def test_a_cursor_without_epoch_is_malformed() -> None:
    async with world() as w:
        table = await w.table()
        failure = await refusal(w.caller("p0").watch(table, game_pb2.Cursor(version=1)).read())
        assert failure.reason == "MALFORMED"


async def test_a_newer_stream_of_the_same_seat_supersedes_the_older() -> None:
    async with world() as w:
        table = await w.table()
        old = w.caller("p1").watch(table)
        await old.read()
        other = w.caller("p2").watch(table)
        await other.read()
        new = w.caller("p1").watch(table)
        await new.read()
        going = (await old.notice("going_away")).going_away
        assert going.reason == game_pb2.GOING_AWAY_REASON_SUPERSEDED
        with pytest.raises(EOFError):
            await old.read()
        await w.start(table)
        await new.until(5)
        await other.until(5)


async def test_presence_is_told_without_a_version() -> None:
    async with world() as w:
        table = await w.table()
        mine = w.caller("p0").watch(table)
        first = await mine.read()
        assert [seat.seat.connected for seat in first.snapshot.view.seats] == [True, False, False, False]
        other = w.caller("p2").watch(table)
        await other.read()
        told = (await mine.notice("presence")).presence
        assert (told.seat, told.connected) == (2, True)
        other.cancel()
        told = (await mine.notice("presence")).presence
        assert (told.seat, told.connected) == (2, False)


async def test_a_silent_stream_is_told_that_it_is_alive() -> None:
    async with world(heartbeat_seconds=20) as w:
        table = await w.table()
        stream = w.caller("p0").watch(table)
        await stream.read()
        await w.advance(table, 20)
        notice = await stream.notice("heartbeat")
        assert notice.heartbeat.cursor.version == 4
        await w.advance(table, 20)
        await stream.notice("heartbeat")


async def test_whoever_loses_the_seat_sees_no_more_through_it() -> None:
    async with world() as w:
        table = await w.table()
        stream = w.caller("p3").watch(table)
        await stream.read()
        await w.caller("p3").call("LeaveTable", game_pb2.LeaveTableRequest(table_id=table))
        going = (await stream.notice("going_away")).going_away
        assert going.reason == game_pb2.GOING_AWAY_REASON_SEAT_LOST
        with pytest.raises(EOFError):
            await stream.read()


async def stall(w: World, table: str, watcher: Any) -> None:
    """Play on until a stream that nobody reads has fallen behind."""
    rng = random.Random(5)
    await watcher.read()
    for _ in range(3000):
        if not await w.step(table, rng):
            w.clock.advance(3)
        if w.app.metrics.registry.get_sample_value("daifugo_watchers_fell_behind_total"):
            return
    raise AssertionError("it never falls behind")


SMALL_WINDOW = (("grpc.http2.lookahead_bytes", 1024), ("grpc.http2.bdp_probe", 0))


async def test_a_slow_stream_is_put_together_into_a_snapshot() -> None:
    async with world(watcher_versions=4) as w:
        table = await w.table(format=game_pb2.MatchFormat(games=100))
        await w.start(table)
        slow = w.caller("spectator", options=SMALL_WINDOW).watch(table)
        await stall(w, table, slow)
        folder = Folder()
        while True:
            message = await slow.read()
            if message.WhichOneof("message") == "snapshot":
                assert message.snapshot.reason == game_pb2.SNAPSHOT_REASON_FELL_BEHIND
                folder.take(message)
                break
        assert plain(folder.view) == plain((await w.caller("spectator").view(table)).view)


async def test_a_stream_that_does_not_read_is_closed_and_the_table_goes_on() -> None:
    async with world(watcher_versions=4, write_seconds=10) as w:
        table = await w.table(format=game_pb2.MatchFormat(games=100))
        await w.start(table)
        slow = w.caller("spectator", options=SMALL_WINDOW).watch(table)
        await stall(w, table, slow)
        w.clock.advance(11)
        failure = await refusal(slow.notice("going_away"))
        assert failure.reason == "TOO_SLOW"
        assert '"event": "slow_reader_closed"' in w.logs.getvalue()
        assert failure.details["RetryInfo"].retry_delay.ToMilliseconds() > 0
        assert await w.step(table, random.Random(1))


async def test_streams_that_break_off_are_no_mistake_and_leave_nothing_behind() -> None:
    async with world() as w:
        table = await w.table(format=game_pb2.MatchFormat(games=100))
        await w.start(table)
        rng = random.Random(9)
        watchers = w.app.tables.find(table).history.watchers
        for number in range(30):
            streams = [w.caller(f"p{seat}").watch(table) for seat in range(4)]
            for stream in streams[: number % 5]:
                await stream.read()
            await w.step(table, rng)
            for stream in streams:
                stream.cancel()
            await w.step(table, rng)
        while len(watchers):
            await w.caller("p0").view(table)


# --- streams that are old --------------------------------------------------------------------------------------------


async def test_a_stream_ends_by_itself_before_its_connection_is_too_old_and_nobody_seems_to_have_left() -> None:
    async with world(connection_seconds=100, heartbeat_seconds=20) as w:
        table = await w.table()
        other = w.caller("p0").watch(table)
        await other.read()
        stream = w.caller("p1").watch(table)
        cursor = (await stream.read()).snapshot.cursor
        assert (await other.notice("presence")).presence.connected
        await w.advance(table, 79)
        other.cancel()
        other = w.caller("p0").watch(table)
        await other.read()
        await w.advance(table, 12)
        going = (await stream.notice("going_away")).going_away
        assert going.reason == game_pb2.GOING_AWAY_REASON_MAX_AGE
        assert not going.reconnect_after.ToMilliseconds()
        with pytest.raises(EOFError):
            await stream.read()
        again = w.caller("p1").watch(table, cursor)
        assert (await again.read()).resumed.cursor == cursor
        while len(w.app.tables.find(table).history.watchers) > 2:
            await w.caller("p0").view(table)
        await w.start(table)
        told = [message.notice.WhichOneof("notice") for message in await other.until(5)]
        assert "presence" not in told


async def test_whoever_does_not_come_back_to_an_old_stream_is_gone_after_a_while() -> None:
    async with world(connection_seconds=100, heartbeat_seconds=20) as w:
        table = await w.table()
        stream = w.caller("p1").watch(table)
        await stream.read()
        await w.advance(table, 91)
        await stream.notice("going_away")
        other = w.caller("p0").watch(table)
        assert (await other.read()).snapshot.view.seats[1].seat.connected
        await w.advance(table, 20)
        presence = (await other.notice("presence")).presence
        assert (presence.seat, presence.connected) == (1, False)


async def test_streams_that_began_together_do_not_end_together() -> None:
    async with world(connection_seconds=3600) as w:
        table = await w.table()
        streams = [w.caller(f"watcher {number}").watch(table) for number in range(20)]
        for stream in streams:
            await stream.read()
        ends = {watcher._old_at - w.clock.now() for watcher in w.app.tables.find(table).history.watchers._all}
        assert len(ends) == 20
        assert all(0.8 * 3600 <= end <= 0.9 * 3600 for end in ends)


async def test_calls_go_on_over_another_connection_when_one_is_old(monkeypatch: pytest.MonkeyPatch) -> None:
    peers: set[str] = set()
    get_view = GameServicer.GetView

    async def noted(self: GameServicer, request: game_pb2.GetViewRequest, context: Any) -> game_pb2.GetViewResponse:
        peers.add(context.peer())
        return await get_view(self, request, context)

    monkeypatch.setattr(GameServicer, "GetView", noted)
    async with world(connection_seconds=0.2) as w:
        table = await w.table()
        while len(peers) < 3:
            # on a slow machine a call can take longer than an old connection is kept for it
            with suppress(Failure):
                await w.caller("p0").view(table)


# --- eyes that have changed ------------------------------------------------------------------------------------------


async def test_whoever_lost_the_seat_while_away_begins_anew_as_a_spectator() -> None:
    async with world() as w:
        table = await w.table()
        stream = w.caller("p3").watch(table)
        cursor = (await stream.read()).snapshot.cursor
        stream.cancel()
        kicked = game_pb2.KickSeatRequest(request_id="k", table_id=table, seat=3)
        await w.caller("p0").call("KickSeat", kicked)
        first = await w.caller("p3").watch(table, cursor).read()
        assert first.snapshot.reason == game_pb2.SNAPSHOT_REASON_COMPACTED
        assert not first.snapshot.view.HasField("seat")
        assert (await w.caller("p2").watch(table, cursor).read()).resumed.cursor == cursor
