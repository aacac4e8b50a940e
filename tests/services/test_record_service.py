"""Matches seen again: who may, with which eyes, and that it is what was told then."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import grpc
import pytest

from daifugo.v1 import game_pb2, record_pb2, view_pb2
from engine.record import replay
from services.game.codec.exports import BINARY, JSON_LINES
from services.game.codec.exports import exported as bytes_of
from services.game.codec.matches import replayable
from services.game.eyes import BEHIND, OPEN
from tests.services.folder import Folder, plain
from tests.services.harness import Failure, FakeClock, HeldJournal, World, refusal, world
from tests.services.test_durability import settle
from tests.services.test_spectators import play_on
from tests.services.test_streams import RULESETS
from tests.services.test_successors import leave

S = record_pb2
PRIVATE = game_pb2.TABLE_VISIBILITY_PRIVATE
PUBLIC, ALL, SEAT = S.RECORD_EYES_PUBLIC, S.RECORD_EYES_ALL, S.RECORD_EYES_SEAT


async def seated(w: World, seats: int = 4, **more: Any) -> str:
    """Create a table, which may be private, and let everybody sit down."""
    table = await w.table(seats=1, **more)
    code = (await w.caller("p0").call("GetTable", game_pb2.GetTableRequest(table_id=table))).table.invite_code
    for number in range(1, seats):
        request = game_pb2.JoinTableRequest(
            request_id=w.request_id(), table_id=table, seat=number, display_name=f"P{number}", invite_code=code
        )
        await w.caller(f"p{number}").call("JoinTable", request)
    return table


async def a_match(w: World, games: int = 1, seed: int = 1, **more: Any) -> tuple[str, str]:
    """Play a match; return the ids of its table and of itself."""
    table = await seated(w, format=game_pb2.MatchFormat(games=games), **more)
    await w.start(table)
    await w.play(table, seed)
    return table, w.app.tables.find(table).shown.match_id


async def record_of(w: World, match_id: str, token: str = "p0") -> S.Record:
    record: S.Record = (await w.caller(token).call("GetRecord", S.GetRecordRequest(match_id=match_id))).record
    return record


async def listed(w: World, token: str, **more: Any) -> list[str]:
    response = await w.caller(token).call("ListRecords", S.ListRecordsRequest(**more))
    return [record.match_id for record in response.records]


def batches(messages: Iterable[game_pb2.WatchResponse]) -> list[game_pb2.Batch]:
    return [batch for message in messages for batch in message.batches.batches]


def timeless(batch: game_pb2.Batch) -> list[view_pb2.Event]:
    """Return the events of a batch, but for deadlines and what is promised of the next match."""
    events = []
    for event in batch.events:
        kept = view_pb2.Event.FromString(event.SerializeToString())
        if kept.HasField("table_changed"):
            kept.table_changed.shuffle.ClearField("next_commitment")
        if kept.HasField("decision_opened"):
            kept.decision_opened.asked.ClearField("deadline")
            if kept.decision_opened.HasField("decision"):
                kept.decision_opened.decision.ClearField("deadline")
                kept.decision_opened.decision.ClearField("remaining")
        events.append(kept)
    return events


# --- who may -------------------------------------------------------------------------------------------------------


async def test_a_record_is_found_by_whoever_may_see_it_and_replays() -> None:
    async with world() as w:
        _, match_id = await a_match(w, games=2)
        for token in ("p0", "p3", "stranger"):
            record = await record_of(w, match_id, token)
            assert record.match_id == match_id
            assert sum(1 for _ in replay(replayable(record))) > 50
            assert await listed(w, token) == [match_id]
        assert await listed(w, "p3", mine=True) == [match_id]
        assert await listed(w, "stranger", mine=True) == []


async def test_there_is_no_record_before_the_match_is_over() -> None:
    async with world() as w:
        table = await w.table()
        await w.start(table)
        match_id = w.app.tables.find(table).shown.match_id
        failure = await refusal(record_of(w, match_id))
        assert (failure.code, failure.reason) == (grpc.StatusCode.NOT_FOUND, "RECORD_NOT_FOUND")
        assert await listed(w, "p0", mine=True) == []


@pytest.mark.parametrize("closed", [{"visibility": PRIVATE}, {"spectators": game_pb2.SPECTATORS_NONE}], ids=str)
async def test_what_was_not_for_others_is_not_for_them_afterwards(closed: dict[str, int]) -> None:
    async with world() as w:
        _, match_id = await a_match(w, **closed)
        for token in ("p0", "p3"):
            assert (await record_of(w, match_id, token)).match_id == match_id
            assert await listed(w, token) == [match_id]
            assert len(await w.caller(token).again(match_id)) > 10
        nothing = await refusal(record_of(w, "no such match", "stranger"))
        for refused in (
            await refusal(record_of(w, match_id, "stranger")),
            await refusal(w.caller("stranger").again(match_id)),
        ):
            assert refused.status == nothing.status, "as if there were none"
        assert await listed(w, "stranger") == []


async def test_records_come_in_pages_the_newest_first() -> None:
    async with world() as w:
        ids = [(await a_match(w, seed=seed))[1] for seed in (1, 2, 3)][::-1]
        request = S.ListRecordsRequest(page_size=2)
        first = await w.caller("p0").call("ListRecords", request)
        assert [record.match_id for record in first.records] == ids[:2]
        assert [list(record.games) for record in first.records] == [[], []]
        assert [record.result.is_whole for record in first.records] == [True, True]
        request.page_token = first.next_page_token
        second = await w.caller("p0").call("ListRecords", request)
        assert [record.match_id for record in second.records] == ids[2:]
        assert not second.next_page_token
        request.mine = True
        assert (await refusal(w.caller("p0").call("ListRecords", request))).reason == "BAD_PAGE_TOKEN"


async def test_whoever_was_there_and_has_left_may_see_it_still() -> None:
    async with world() as w:
        table = await seated(w, format=game_pb2.MatchFormat(games=1), visibility=PRIVATE)
        await w.start(table)
        await leave(w, table, "p2")
        await play_on(w, table, lambda life: life.phase != 2)
        assert await listed(w, "p2", mine=True) == [w.app.tables.find(table).shown.match_id]


async def test_a_record_is_there_after_a_restart_without_its_table() -> None:
    clock, journal = FakeClock(), HeldJournal()
    async with world(clock, journal) as w:
        table, match_id = await a_match(w)
        record = await record_of(w, match_id)
        for _ in range(10):
            w.clock.advance(600)
            await settle(w)
        assert (await refusal(w.caller("p0").view(table))).reason == "TABLE_NOT_FOUND"
    async with world(clock, journal) as w:
        assert await record_of(w, match_id, "p1") == record


# --- what is seen --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RULESETS)
async def test_the_eyes_of_a_seat_see_again_what_it_was_told(name: str) -> None:
    async with world() as w:
        ruleset, seats = RULESETS[name]
        table = await seated(w, seats, ruleset=ruleset, format=game_pb2.MatchFormat(games=2))
        streams = {token: w.caller(token).watch(table) for token in ("p1", "eve")}
        for stream in streams.values():
            await stream.read()
        await w.start(table)
        await w.play(table)
        life = w.app.tables.find(table).shown
        for token, eyes in (("p1", {"eyes": SEAT, "seat": 1}), ("eve", {"eyes": PUBLIC})):
            then = batches(await streams[token].until(life.version))
            again = batches(await w.caller("p0").again(life.match_id, **eyes))
            assert [timeless(batch) for batch in again] == [timeless(batch) for batch in then]
            assert [batch.time for batch in again] == [batch.time for batch in then]


def folded(messages: list[game_pb2.WatchResponse]) -> view_pb2.View:
    folder = Folder()
    for message in messages:
        folder.take(message)
    return plain(folder.view)


async def test_a_match_can_be_seen_from_any_version_on_and_comes_to_the_same() -> None:
    async with world() as w:
        _, match_id = await a_match(w, games=2)
        who = w.caller("stranger")
        for eyes in ({}, {"eyes": SEAT, "seat": 2}, {"eyes": PUBLIC}):
            whole = await who.again(match_id, **eyes)
            assert [batch.cursor.version for batch in batches(whole)] == list(range(1, len(whole)))
            for first in (1, 17, len(whole) - 2, len(whole) - 1):
                part = await who.again(match_id, from_version=first, **eyes)
                assert part[0].snapshot.cursor.version == first
                assert part[1:] == whole[first + 1 :]
                assert folded(part) == folded(whole)
            assert (await who.again(match_id, from_version=10**6, **eyes))[0].snapshot.cursor.version == len(whole) - 1


async def test_afterwards_every_hand_is_open() -> None:
    async with world() as w:
        _, match_id = await a_match(w)
        messages = await w.caller("stranger").again(match_id, from_version=1)
        view = messages[0].snapshot.view
        assert view.hands_shown
        first = next(replay(replayable(await record_of(w, match_id)))).state
        assert [sum(1 << card for card in seat.hand) for seat in view.seats] == first.hands
        assert (await refusal(w.caller("p0").again(match_id, eyes=SEAT, seat=4))).reason == "NO_SUCH_SEAT"
        assert (await refusal(w.caller("p0").again(match_id, eyes=9))).reason == "MALFORMED"


async def test_who_came_later_is_seen_to_come() -> None:
    async with world(between_games_seconds=5.0) as w:
        table = await w.table(format=game_pb2.MatchFormat(games=2))
        await w.start(table)
        await leave(w, table, "p2")
        found = await play_on(w, table, lambda life: life.is_between_games())
        await w.join(table, "late", 2)
        await w.advance(table, 5)
        w.callers[("p2", "en")] = w.caller("late")
        await w.play(table)
        record = await record_of(w, found.shown.match_id)
        assert [who.display_name for who in record.seats[2].players] == ["P2", "", "LATE"]
        whole = await w.caller("p0").again(found.shown.match_id)
        changes = [
            (event.seat_changed.seat.occupied, event.seat_changed.seat.display_name)
            for batch in batches(whole)
            for event in batch.events
            if event.HasField("seat_changed")
        ]
        assert changes == [(False, ""), (True, "LATE")]
        assert folded(whole).seats[2].total == record.result.totals[2]


# --- while the match runs ------------------------------------------------------------------------------------------


async def running(w: World, steps: int = 12, **more: Any) -> tuple[str, str]:
    table = await w.table(**more)
    await w.start(table)
    rng = random.Random(1)
    for _ in range(steps):
        await w.step(table, rng)
    return table, w.app.tables.find(table).shown.match_id


async def test_while_it_runs_everybody_sees_again_what_they_may_see_at_the_table() -> None:
    async with world() as w:
        table, match_id = await running(w)
        for token in ("p0", "p1", "p2", "p3", "eve"):
            who = w.caller(token)
            seen = folded(await who.again(match_id, table_id=table))
            now = plain((await who.view(table)).view)
            assert (seen.hand, seen.decision.id, seen.field, seen.discard_pile) == (
                now.hand,
                now.decision.id,
                now.field,
                now.discard_pile,
            )
            assert not seen.hands_shown
            assert seen.HasField("seat") == (token != "eve")


async def test_while_it_runs_nobody_has_the_eyes_of_another() -> None:
    async with world() as w:
        table, match_id = await running(w)
        for token, eyes in (
            ("p0", {"eyes": SEAT, "seat": 1}),
            ("p0", {"eyes": ALL}),
            ("eve", {"eyes": SEAT, "seat": 0}),
            ("eve", {"eyes": ALL}),
        ):
            failure = await refusal(w.caller(token).again(match_id, table_id=table, **eyes))
            assert (failure.code, failure.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOUR_SEAT")
        for token in ("p0", "eve"):
            assert not folded(await w.caller(token).again(match_id, table_id=table, eyes=PUBLIC)).hand
        assert folded(await w.caller("p0").again(match_id, table_id=table, eyes=SEAT, seat=0)).hand
        # without the table it is a match of which there is no record
        assert (await refusal(w.caller("p0").again(match_id))).reason == "RECORD_NOT_FOUND"
        assert (await refusal(w.caller("p0").again("another", table_id=table))).reason == "RECORD_NOT_FOUND"


async def test_whoever_has_taken_over_a_seat_does_not_learn_what_it_was_told_before() -> None:
    async with world(between_games_seconds=5.0) as w:
        table = await w.table(format=game_pb2.MatchFormat(games=3))
        await w.start(table)
        await leave(w, table, "p2")
        found = await play_on(w, table, lambda life: life.is_between_games())
        await w.join(table, "late", 2)
        await w.advance(table, 5)
        match_id = found.shown.match_id
        assert (await w.caller("late").view(table)).view.hand
        seen = folded(await w.caller("late").again(match_id, table_id=table))
        assert not seen.HasField("seat")
        assert (await refusal(w.caller("late").again(match_id, table_id=table, eyes=SEAT, seat=2))).reason == (
            "NOT_YOUR_SEAT"
        )
        # whoever has left sees no more than a spectator
        assert not folded(await w.caller("p2").again(match_id, table_id=table)).HasField("seat")


async def test_a_table_that_spectators_may_not_look_at_shows_them_nothing_again() -> None:
    async with world() as w:
        table, match_id = await running(w, spectators=game_pb2.SPECTATORS_NONE)
        assert (await refusal(w.caller("eve").again(match_id, table_id=table))).reason == "NO_SPECTATORS"
        assert folded(await w.caller("p1").again(match_id, table_id=table)).hand


@pytest.mark.parametrize("eyes", [OPEN, BEHIND])
async def test_spectators_of_open_hands_see_them_again_as_far_as_they_are_open(eyes: int) -> None:
    spectators = game_pb2.SPECTATORS_OPEN if eyes == OPEN else game_pb2.SPECTATORS_DELAYED
    async with world() as w:
        table = await w.table(spectators=spectators)
        await w.start(table)
        found = await play_on(w, table, lambda life: life.state.game == 2 and life.state.playing)
        seen = folded(await w.caller("eve").again(found.shown.match_id, table_id=table))
        now = plain((await w.caller("eve").view(table)).view)
        assert seen.hands_shown
        assert (seen.game, seen.playing) == ((2, True) if eyes == OPEN else (1, False))
        assert [list(seat.hand) for seat in seen.seats] == [list(seat.hand) for seat in now.seats]
        assert not folded(await w.caller("eve").again(found.shown.match_id, table_id=table, eyes=PUBLIC)).hands_shown
        mine = folded(await w.caller("p0").again(found.shown.match_id, table_id=table))
        assert not mine.hands_shown


# --- files -----------------------------------------------------------------------------------------------------------


async def exported(w: World, token: str, *match_ids: str, form: int = S.RECORD_FORMAT_KIFU) -> bytes:
    who = w.caller(token)
    request = S.ExportRecordsRequest(match_ids=match_ids, format=form)  # type: ignore[arg-type]  # numbers
    try:
        call = who.records.ExportRecords(request, metadata=who.metadata, timeout=20)
        return b"".join([response.data async for response in call])
    except grpc.aio.AioRpcError as error:
        raise Failure(error) from None


@pytest.mark.parametrize("form", [S.RECORD_FORMAT_JSON_LINES, S.RECORD_FORMAT_BINARY, S.RECORD_FORMAT_KIFU])
async def test_records_are_exported_and_read_again(form: int) -> None:
    async with world() as w:
        ids = [(await a_match(w, seed=seed))[1] for seed in (1, 2)]
        records = [await record_of(w, match_id) for match_id in ids]
        data = await exported(w, "stranger", *ids, form=form)
        assert list((await imported(w, data)).records) == records
        own = await exported(w, "p1", form=form)
        assert list((await imported(w, own)).records) == records[::-1], "all of one's own, the newest first"
        assert await exported(w, "stranger", form=form) == b""


async def imported(w: World, data: bytes, language: str = "en") -> S.ImportRecordsResponse:
    who = w.caller("stranger", language)
    response: S.ImportRecordsResponse = await who.call("ImportRecords", S.ImportRecordsRequest(data=data))
    return response


async def test_a_file_is_seen_again_as_the_match_of_its_record_is() -> None:
    async with world() as w:
        ids = [(await a_match(w, seed=seed))[1] for seed in (1, 2)]
        who = w.caller("stranger")
        for eyes in ({}, {"eyes": SEAT, "seat": 3}, {"eyes": PUBLIC}):
            told = await who.again(ids[0], **eyes)
            for form in (S.RECORD_FORMAT_JSON_LINES, S.RECORD_FORMAT_BINARY, S.RECORD_FORMAT_KIFU):
                assert await who.again("", data=await exported(w, "p0", ids[0], form=form), **eyes) == told
        assert (await refusal(who.again("", data=b"nothing"))).reason == "NOT_A_RECORD"
        both = await exported(w, "p0", *ids)
        assert "One record is wanted" in (await refusal(who.again("", data=both))).message


async def test_what_cannot_be_exported_or_read_is_refused_by_name() -> None:
    async with world() as w:
        _, match_id = await a_match(w)
        assert (await refusal(exported(w, "p0", "no such match"))).reason == "RECORD_NOT_FOUND"
        assert (await refusal(exported(w, "p0", match_id, form=0))).reason == "MALFORMED"
        assert (await refusal(exported(w, "p0", *[match_id] * 201))).reason == "MALFORMED"
        text = (await exported(w, "p0", match_id)).decode()
        failure = await refusal(imported(w, text.replace("試合：", "試し：", 1).encode()))
        assert (failure.code, failure.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "NOT_A_RECORD")
        assert "line 2: there is no field 試し" in failure.message
        failure = await refusal(imported(w, text.replace("試合：", "試し：", 1).encode(), "ja"))
        assert "2行目：「試し」という項目はありません" in failure.message
        (places,) = [line for line in text.splitlines() if line.startswith("順位：")]
        other = f"順位：{' '.join(places.removeprefix('順位：').split()[::-1])}"
        failure = await refusal(imported(w, text.replace(places, other).encode()))
        assert (failure.code, failure.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "RECORD_NOT_REPLAYABLE")
        assert "game 1 ends otherwise" in failure.message


def twice(record: S.Record) -> None:
    """Let a game begin when the match is over."""
    record.games.append(record.games[-1])


def crowded(record: S.Record) -> None:
    """Let somebody come to a seat that there is not."""
    seat = record.seats.add()
    seat.players.extend([S.RecordPlayer(kind=S.RecordPlayer.KIND_PERSON, from_step=step) for step in (0, 1)])


def before_time(record: S.Record) -> None:
    record.start_time.seconds = -(10**9)


def unknown(record: S.Record) -> None:
    """Let somebody have taken a step in a way of which nobody knows."""
    record.games[0].steps[0].by = 99  # type: ignore[assignment]  # what a later version may write


def late(record: S.Record) -> None:
    """Let somebody come after more steps than there are."""
    record.seats[0].players.add(kind=S.RecordPlayer.KIND_NOBODY, from_step=10**6)


@pytest.mark.parametrize("change", [crowded, unknown, late], ids=lambda each: each.__name__)
async def test_a_file_that_says_more_than_can_be_is_seen_again(change: Callable[[S.Record], None]) -> None:
    async with world() as w:
        _, match_id = await a_match(w)
        record = await record_of(w, match_id)
        change(record)
        for form in (BINARY, JSON_LINES):
            assert len(await w.caller("p0").again("", data=bytes_of(record, form))) > 10


@pytest.mark.parametrize("change", [twice, before_time], ids=lambda each: each.__name__)
async def test_a_file_that_says_what_cannot_be_is_refused_by_name(change: Callable[[S.Record], None]) -> None:
    async with world() as w:
        _, match_id = await a_match(w)
        record = await record_of(w, match_id)
        change(record)
        for form in (BINARY, JSON_LINES):
            data = bytes_of(record, form)
            assert (await refusal(w.caller("p0").again("", data=data))).reason == "RECORD_NOT_REPLAYABLE"
            assert (await refusal(imported(w, data))).reason == "RECORD_NOT_REPLAYABLE"


# --- what it costs, and what is forgotten --------------------------------------------------------------------------


async def test_a_stream_counts_for_as_many_calls_as_it_costs() -> None:
    async with world(calls_per_second=0.001, calls_burst=1000) as w:
        _, match_id = await a_match(w)
        bucket = w.app.server.edge.calls
        before = dict(bucket._full_at)
        messages = await w.caller("p0").again(match_id)
        spent = [
            1000 * 0 + (full - before[who]) * 0.001 for who, full in bucket._full_at.items() if full != before[who]
        ]
        assert spent == [pytest.approx(1 + (len(messages) - 1) / 4, abs=0.01)]


async def test_whoever_asks_to_be_forgotten_is_in_no_record_any_more() -> None:
    async with world() as w:
        _, match_id = await a_match(w, visibility=PRIVATE)
        await w.caller("p1").call("ForgetMe", S.ForgetMeRequest())
        assert await listed(w, "p1") == []
        assert (await refusal(record_of(w, match_id, "p1"))).reason == "RECORD_NOT_FOUND"
        record = await record_of(w, match_id)
        assert [seat.players[0].display_name for seat in record.seats] == ["P0", "", "P2", "P3"]
        assert len(await w.caller("p0").again(match_id)) > 10


async def test_a_record_of_another_engine_is_shown_but_not_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with world() as w:
        _, match_id = await a_match(w)
        monkeypatch.setattr("engine.record.ENGINE_VERSION", "2")
        assert (await record_of(w, match_id)).ruleset.engine_version == "1"
        failure = await refusal(w.caller("p0").again(match_id))
        assert (failure.code, failure.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "RECORD_NOT_REPLAYABLE")
        assert "engine version 1; this is version 2" in failure.message
        assert "版 1" in (await refusal(w.caller("p0", "ja").again(match_id))).message
