"""Spectators: what they see is what the table says, and nobody changes eyes while a match runs."""

from __future__ import annotations

import random
from typing import Any

import grpc
import pytest

from clients.common.fold import fold
from daifugo.v1 import cards_pb2, game_pb2, view_pb2
from engine.cards import members
from services.game.codec.views import view_to
from services.game.eyes import BEHIND, OPEN
from services.game.life import RUNNING
from services.game.table import Table
from tests.services.folder import Folder, plain
from tests.services.harness import FakeClock, HeldJournal, Stream, World, refusal, world
from tests.services.test_streams import RULESETS
from tests.services.test_successors import leave

NONE, PUBLIC = game_pb2.SPECTATORS_NONE, game_pb2.SPECTATORS_PUBLIC
DELAYED, ALL_HANDS = game_pb2.SPECTATORS_DELAYED, game_pb2.SPECTATORS_OPEN


async def step(w: World, table: str, rng: random.Random) -> None:
    """Let something happen: a seat acts, or time goes by for one that nobody has, or until the next game."""
    life = w.app.tables.find(table).shown
    waits_for = [life.seats[seat].occupant for seat, decision in enumerate(life.state.decisions) if decision]
    if None in waits_for or not await w.step(table, rng):
        await w.advance(table, 3)
        await w.caller("p0").view(table)


async def play_on(w: World, table: str, until: Any, seed: int = 1) -> Table:
    """Play until something is so."""
    rng, found = random.Random(seed), w.app.tables.find(table)
    while not until(found.shown):
        await step(w, table, rng)
    return found


async def leave_table(w: World, table: str, token: str) -> None:
    await w.caller(token).call("LeaveTable", game_pb2.LeaveTableRequest(table_id=table))


def hands(view: view_pb2.View) -> list[list[int]]:
    return [sorted(seat.hand) for seat in view.seats]


# --- what the table says ---------------------------------------------------------------------------------------------


async def test_as_it_comes_spectators_see_the_public_part_only() -> None:
    async with world() as w:
        table = await w.table()
        shown = (await w.caller("eve").call("GetTable", game_pb2.GetTableRequest(table_id=table))).table
        assert shown.spectators == PUBLIC
        await w.start(table)
        view = (await w.caller("eve").view(table)).view
        assert (view.hands_shown, view.HasField("seat"), hands(view)) == (False, False, [[]] * 4)


async def test_a_table_without_spectators_is_for_its_seats_and_its_host() -> None:
    async with world() as w:
        table = await w.table(seats=3, spectators=NONE)
        for call in (
            w.caller("eve").watch(table).read(),
            w.caller("eve").events(table),
            w.caller("eve").view(table),
        ):
            failure = await refusal(call)
            assert (failure.code, failure.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NO_SPECTATORS")
        assert (await w.caller("p2").view(table)).view.seat == 2
        await w.caller("eve").call("GetTable", game_pb2.GetTableRequest(table_id=table))
        await leave_table(w, table, "p2")
        assert (await refusal(w.caller("p2").view(table))).reason == "NO_SPECTATORS"
        empty = await w.table(seats=0, spectators=NONE)
        assert not (await w.caller("p0").view(empty)).view.HasField("seat")


async def test_open_hands_are_all_hands_as_they_are() -> None:
    async with world() as w:
        table = await w.table(spectators=ALL_HANDS)
        await w.start(table)
        view = (await w.caller("eve").view(table)).view
        state = w.app.tables.find(table).shown.state
        assert view.hands_shown
        assert hands(view) == [sorted(members(hand)) for hand in state.hands]
        assert not view.HasField("decision")
        mine = (await w.caller("p1").view(table)).view
        assert (mine.hands_shown, hands(mine)) == (False, [[]] * 4)


@pytest.mark.parametrize("ruleset", ["jdf4", "everything", "two packs"])
async def test_folded_events_are_the_view_of_a_spectator_who_sees_hands(ruleset: str) -> None:

    asked, seats = RULESETS[ruleset]
    async with world(watcher_versions=1000) as w:
        table = await w.table(seats=seats, ruleset=asked, spectators=ALL_HANDS, format=game_pb2.MatchFormat(games=3))
        folder, stream, found = Folder(), w.caller("eve").watch(table), w.app.tables.find(table)
        folder.take(await stream.read())
        await w.start(table)
        rng = random.Random(7)
        while found.shown.phase == RUNNING:
            await step(w, table, rng)
            while folder.cursor.version < found.shown.version:
                folder.take(await stream.read())
            assert plain(folder.view) == plain(view_to(found, OPEN))
        assert folder.batches > 100


async def test_there_is_no_such_value_is_said() -> None:
    async with world() as w:
        assert (await refusal(w.table(spectators=99))).reason == "MALFORMED"
        relaxed = w.table(spectators=DELAYED, durability=game_pb2.DURABILITY_RELAXED)
        assert (await refusal(relaxed)).reason == "MALFORMED"


# --- a game late -----------------------------------------------------------------------------------------------------


async def folded(stream: Stream, folder: Folder, version: int) -> None:
    while folder.cursor.version < version:
        folder.take(await stream.read())


async def test_hands_a_game_late_come_whole_when_the_game_is_over_and_nothing_of_it_before() -> None:
    async with world() as w:
        table = await w.table(spectators=DELAYED, format=game_pb2.MatchFormat(games=3))
        folder, stream = Folder(), w.caller("eve").watch(table)
        folder.take(await stream.read())
        await w.start(table)
        rng, found = random.Random(2), w.app.tables.find(table)
        for game in range(1, 4):
            before = found.seen(BEHIND).version
            while found.shown.state.playing or found.shown.state.game < game:
                assert found.seen(BEHIND).version == before
                seen = await w.caller("eve").view(table)
                assert (seen.cursor.version, seen.view.game) == (before, game - 1)
                answer = await w.caller("eve").events(table, seen.cursor)
                assert not [message for message in answer.messages if message.HasField("batches")]
                await step(w, table, rng)
            version = found.shown.version
            assert found.seen(BEHIND).version == version
            batches = folder.batches
            await folded(stream, folder, version)
            assert folder.batches - batches == version - before, "every version of it"
            assert plain(folder.view) == plain(view_to(found, BEHIND))
            assert folder.view.hands_shown


async def test_hands_a_game_late_show_every_card_that_was_held() -> None:
    async with world() as w:
        table = await w.table(spectators=DELAYED)
        cursor = (await w.caller("eve").events(table)).cursor
        await w.start(table)
        dealt = [sorted(members(hand)) for hand in w.app.tables.find(table).shown.state.hands]
        await play_on(w, table, lambda life: not life.state.playing)
        answer = await w.caller("eve").events(table, cursor)
        start = next(message.batches.batches[0] for message in answer.messages if message.HasField("batches"))
        moved = [event.cards_moved for event in start.events if event.HasField("cards_moved")]
        assert [sorted(each.cards) for each in sorted(moved, key=lambda each: each.to_seat)] == dealt


async def test_after_a_restart_in_the_middle_of_a_game_it_is_still_a_game_late() -> None:
    clock, journal = FakeClock(), HeldJournal()
    async with world(clock, journal) as w:
        table = await w.table(spectators=DELAYED)
        await w.start(table)
        await play_on(w, table, lambda life: life.state.game == 2 and life.state.trick)
        before = await w.caller("eve").view(table)
        live = w.app.tables.find(table).shown.version
    async with world(clock, journal) as w:
        now = await w.caller("eve").view(table)
        assert now.view == before.view
        assert now.cursor.version == before.cursor.version < live
        first = await w.caller("eve").watch(table, before.cursor).read()
        assert first.snapshot.reason == game_pb2.SNAPSHOT_REASON_COMPACTED
        stream, folder = w.caller("eve").watch(table, now.cursor), Folder()
        assert (await stream.read()).resumed.cursor == now.cursor
        folder.view.CopyFrom(now.view)
        folder.cursor.CopyFrom(now.cursor)
        found = await play_on(w, table, lambda life: not life.state.playing)
        message = await stream.read()
        assert message.snapshot.reason == game_pb2.SNAPSHOT_REASON_COMPACTED
        assert plain(message.snapshot.view) == plain(view_to(found, BEHIND))


# --- nobody changes eyes ---------------------------------------------------------------------------------------------


async def test_whoever_gives_up_a_seat_sees_no_hand_until_the_match_is_over() -> None:
    for mode in (DELAYED, ALL_HANDS):
        async with world() as w:
            table = await w.table(spectators=mode)
            stream = w.caller("p3").watch(table)
            await stream.read()
            await w.start(table)
            await leave(w, table, "p3")
            going = (await stream.notice("going_away")).going_away
            assert going.reason == game_pb2.GOING_AWAY_REASON_SEAT_LOST
            shown = await w.caller("p3").view(table)
            assert (shown.view.hands_shown, hands(shown.view)) == (False, [[]] * 4)
            first = await w.caller("p3").watch(table, game_pb2.Cursor(epoch=shown.cursor.epoch, version=4)).read()
            assert first.snapshot.reason == game_pb2.SNAPSHOT_REASON_COMPACTED, "it was told to other eyes"
            assert not first.snapshot.view.hands_shown
            await play_on(w, table, lambda life: life.phase != RUNNING)
            after = await w.caller("p3").view(table)
            assert after.view.hands_shown
            again = await w.caller("p3").watch(table, shown.cursor).read()
            assert again.snapshot.view.hands_shown, "no cursor of the other eyes is gone on from"


async def test_whoever_has_seen_hands_gets_no_seat_in_that_match() -> None:
    for mode in (DELAYED, ALL_HANDS):
        async with world() as w:
            table = await w.table(spectators=mode)
            await w.start(table)
            await leave(w, table, "p3")
            await w.caller("eve").view(table)
            assert (await refusal(w.join(table, "eve"))).reason == "MATCH_RUNNING"
            await play_on(w, table, lambda life: life.is_between_games())
            assert (await refusal(w.join(table, "eve"))).reason == "MATCH_RUNNING"
            assert (await refusal(w.join(table, "eve", 3))).reason == "MATCH_RUNNING"
            assert await w.join(table, "p3") == 3, "who has had a seat has seen no hand"
            assert not (await w.caller("p3").view(table)).view.hands_shown


async def test_another_setting_between_matches_ends_the_streams_of_spectators_and_no_cursor_outlives_it() -> None:
    async with world() as w:
        table = await w.table(spectators=ALL_HANDS)
        stream, seated = w.caller("eve").watch(table), w.caller("p1").watch(table)
        cursor = (await stream.read()).snapshot.cursor
        await seated.read()
        changed = game_pb2.UpdateTableRequest(request_id="u", table_id=table, spectators=PUBLIC)
        answer = (await w.caller("p0").call("UpdateTable", changed)).table
        assert answer.spectators == PUBLIC
        assert (await stream.notice("going_away")).going_away.reason == game_pb2.GOING_AWAY_REASON_EYES_CHANGED
        first = await w.caller("eve").watch(table, cursor).read()
        assert first.snapshot.reason == game_pb2.SNAPSHOT_REASON_COMPACTED
        assert not first.snapshot.view.hands_shown
        await seated.until(answer.cursor.version)
        public = w.caller("eve").watch(table)
        await public.read()
        changed = game_pb2.UpdateTableRequest(request_id="v", table_id=table, spectators=DELAYED)
        await w.caller("p0").call("UpdateTable", changed)
        assert (await public.notice("going_away")).going_away.reason == game_pb2.GOING_AWAY_REASON_EYES_CHANGED
        await w.start(table)
        changed = game_pb2.UpdateTableRequest(request_id="w", table_id=table, spectators=ALL_HANDS)
        assert (await refusal(w.caller("p0").call("UpdateTable", changed))).reason == "MATCH_RUNNING"
        await play_on(w, table, lambda life: not life.state.playing)
        assert (await w.caller("eve").view(table)).view.hands_shown


async def test_whoever_sits_down_sees_hands_no_more() -> None:
    for mode in (DELAYED, ALL_HANDS):
        async with world() as w:
            table = await w.table(seats=3, spectators=mode)
            stream = w.caller("eve").watch(table)
            cursor = (await stream.read()).snapshot.cursor
            await w.join(table, "eve", 3)
            going = (await stream.notice("going_away")).going_away
            assert going.reason == game_pb2.GOING_AWAY_REASON_EYES_CHANGED
            with pytest.raises(EOFError):
                await stream.read()
            await w.start(table)
            first = await w.caller("eve").watch(table, cursor).read()
            assert first.snapshot.view.seat == 3
            assert (first.snapshot.view.hands_shown, hands(first.snapshot.view)) == (False, [[]] * 4)


async def test_a_stream_of_a_player_shows_no_other_hand_at_any_table() -> None:
    for mode in (PUBLIC, DELAYED, ALL_HANDS):
        async with world(watcher_versions=1000) as w:
            table = await w.table(spectators=mode, format=game_pb2.MatchFormat(games=1))
            stream = w.caller("p1").watch(table)
            await stream.read()
            await w.start(table)
            found = await play_on(w, table, lambda life: life.phase != RUNNING)
            for message in await stream.until(found.shown.version):
                for batch in message.batches.batches:
                    for event in batch.events:
                        moved = event.cards_moved
                        if event.HasField("cards_moved") and moved.to_zone == cards_pb2.ZONE_HAND:
                            assert moved.hidden == (1 not in (moved.to_seat, moved.from_seat))


# --- clients ---------------------------------------------------------------------------------------------------------


async def test_the_client_folds_what_spectators_see() -> None:

    async with world(watcher_versions=1000) as w:
        table = await w.table(spectators=ALL_HANDS, format=game_pb2.MatchFormat(games=2))
        stream, found = w.caller("eve").watch(table), w.app.tables.find(table)
        view, version = (await stream.read()).snapshot.view, found.shown.version
        await w.start(table)
        rng = random.Random(3)
        while found.shown.phase == RUNNING:
            await step(w, table, rng)
            while version < found.shown.version:
                for batch in (await stream.read()).batches.batches:
                    for event in batch.events:
                        fold(view, event)
                    version = batch.cursor.version
            assert hands(view) == hands(view_to(found, OPEN))
