"""A stand-in plays for whoever is away or sleeps, and the owner gets the seat back. It is told, counted and kept."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from daifugo.v1 import game_pb2, rules_pb2, view_pb2
from engine.actions import PASS as PASSES
from engine.actions import PLAY
from engine.game import apply
from engine.view import view as seen_by
from services.game.stand_in import stand_in_action
from tests.engine.tables import EXTRAS, program
from tests.secrecy.worlds import record
from tests.services.folder import Folder, plain
from tests.services.harness import FakeClock, Stream, World, refusal, world
from tests.services.test_actions import PASS, play
from tests.services.test_clocks import rest
from tests.services.test_restart import File, later
from tests.services.test_secrets import permuted

CLOCK = game_pb2.Clock(turn_seconds=300)
AWAY, IDLE, ASKED = view_pb2.STAND_IN_AWAY, view_pb2.STAND_IN_IDLE, view_pb2.STAND_IN_ASKED


async def watched(w: World, **more: Any) -> tuple[str, list[Stream]]:
    """A match at which everybody has a stream."""
    table = await w.table(clock=more.pop("clock", CLOCK), **more)
    await w.start(table)
    streams = [w.caller(f"p{seat}").watch(table) for seat in range(4)]
    for stream in streams:
        await stream.read()
    return table, streams


async def hang_up(w: World, table: str, stream: Stream, seat: int) -> None:
    """End a stream, and let the server notice."""
    stream.cancel()
    watchers = w.app.tables.find(table).history.watchers
    while watchers.connected(seat):
        await w.caller("p0").view(table)


async def options(w: World, table: str, token: str, stand_in: bool) -> game_pb2.Table:
    request = game_pb2.SetSeatOptionsRequest(table_id=table, stand_in=stand_in)
    changed: game_pb2.Table = (await w.caller(token).call("SetSeatOptions", request)).table
    return changed


def stands_in(view: view_pb2.View) -> dict[int, int]:
    return {number: seat.seat.stand_in for number, seat in enumerate(view.seats) if seat.seat.stand_in}


async def test_a_stand_in_plays_for_whoever_has_been_gone_for_too_long() -> None:
    async with world() as w:
        table, streams = await watched(w)
        _, view = await w.asked(table)
        await hang_up(w, table, streams[view.seat], view.seat)
        await w.advance(table, 29.9)
        assert (await rest(w, table)).asked == view.asked, "a tunnel is not the end"
        await w.advance(table, 0.2)
        after = await rest(w, table)
        assert stands_in(after) == {view.seat: AWAY}
        assert after.asked == view.asked, "a stand-in does not play at once"
        await w.advance(table, 1)
        after = await rest(w, table)
        assert after.asked[0].decision_id == view.decision.id + 1
        assert (after.seats[view.seat].conduct.take_overs, after.seats[view.seat].conduct.stood_in) == (1, 1)
        numbers = w.app.metrics.registry
        assert numbers.get_sample_value("daifugo_take_overs_total", {"why": "away"}) == 1
        assert numbers.get_sample_value("daifugo_actions_total", {"by": "stand_in"}) == 1


async def test_whoever_comes_back_in_time_keeps_the_seat() -> None:
    async with world() as w:
        table, streams = await watched(w)
        _, view = await w.asked(table)
        await hang_up(w, table, streams[view.seat], view.seat)
        await w.advance(table, 20)
        again = w.caller(f"p{view.seat}").watch(table)
        await again.read()
        await w.advance(table, 60)
        assert not stands_in(await rest(w, table))
        await hang_up(w, table, again, view.seat)
        await w.advance(table, 29)
        assert not stands_in(await rest(w, table))
        await w.advance(table, 2)
        assert stands_in(await rest(w, table))


async def test_everybody_is_told_who_plays_and_when_the_owner_is_back() -> None:
    async with world() as w:
        table, streams = await watched(w)
        folder, spectator = Folder(), w.caller("spectator").watch(table)
        folder.take(await spectator.read())
        gone = 2
        await hang_up(w, table, streams[gone], gone)
        await w.advance(table, 31)
        taken = (await w.caller("p0").view(table)).cursor.version
        for message in await spectator.until(taken):
            folder.take(message)
        assert stands_in(folder.view) == {gone: AWAY}
        assert folder.view.seats[gone].conduct.take_overs == 1
        await w.caller("p2").watch(table).read()
        back = await rest(w, table)
        assert not stands_in(back)
        version = (await w.caller("p0").view(table)).cursor.version
        assert version == taken + 1
        for message in await spectator.until(version):
            folder.take(message)
        assert plain(folder.view) == plain((await w.caller("spectator").view(table)).view)


async def test_a_returned_owner_is_asked_from_the_next_decision_on() -> None:
    async with world() as w:
        table, streams = await watched(w)
        who, view = await w.asked(table)
        await hang_up(w, table, streams[view.seat], view.seat)
        await w.advance(table, 30)
        assert stands_in(await rest(w, table))
        await w.advance(table, 0.5)
        stream = w.caller(who.token).watch(table)
        await stream.read()
        assert not stands_in(await rest(w, table))
        await w.advance(table, 0.6)
        after = await rest(w, table)
        assert after.asked[0].decision_id == view.decision.id + 1, "what the stand-in had begun it has ended"
        rng = random.Random(1)
        while not (mine := (await who.view(table)).view).HasField("decision"):
            await w.step(table, rng)
        await w.advance(table, 200)
        assert (await who.view(table)).view.decision.id == mine.decision.id


async def test_an_answer_takes_the_seat_back_even_if_it_comes_too_late() -> None:
    async with world() as w:
        table, streams = await watched(w)
        who, view = await w.asked(table)
        await hang_up(w, table, streams[view.seat], view.seat)
        await w.advance(table, 30.5)
        await who.act(table, view.decision.id, play(view.hand[-1]))
        assert not stands_in(await rest(w, table)), "in time"
        await options(w, table, who.token, True)
        assert stands_in(await rest(w, table)) == {view.seat: ASKED}
        late = await refusal(who.act(table, view.decision.id, PASS))
        assert late.reason == "DECISION_CLOSED"
        assert not stands_in(await rest(w, table))
        await w.advance(table, 100)
        assert not stands_in(await rest(w, table)), "who acts without a stream is not missed"


async def test_a_stand_in_can_be_asked_for_and_sent_away() -> None:
    async with world() as w:
        table = await w.table(clock=CLOCK)
        early = game_pb2.SetSeatOptionsRequest(table_id=table, stand_in=True)
        assert (await refusal(w.caller("p1").call("SetSeatOptions", early))).reason == "MATCH_NOT_RUNNING"
        await w.start(table)
        assert (await options(w, table, "p1", True)).seats[1].stand_in == ASKED
        version = (await options(w, table, "p1", True)).cursor.version
        assert (await options(w, table, "p1", False)).seats[1].stand_in == 0
        assert (await options(w, table, "p1", False)).cursor.version == version + 1
        assert (await rest(w, table)).seats[1].conduct.take_overs == 1


async def time_out(w: World, table: str, seat: int, seconds: float) -> None:
    """Let the time of one seat run out on its next turn; the others pass or play."""
    rng = random.Random(3)
    while not (await w.caller(f"p{seat}").view(table)).view.HasField("decision"):
        await w.step(table, rng)
    await w.advance(table, seconds)
    await rest(w, table)


async def test_after_two_time_outs_in_a_row_the_seat_is_taken_over_at_once() -> None:
    async with world() as w:
        table = await w.table(clock=game_pb2.Clock(turn_seconds=15))
        await w.start(table)
        await time_out(w, table, 1, 15.1)
        view = await rest(w, table)
        assert (view.seats[1].conduct.time_outs, stands_in(view)) == (1, {})
        await time_out(w, table, 1, 15.1)
        view = await rest(w, table)
        assert (view.seats[1].conduct.time_outs, view.seats[1].conduct.take_overs) == (2, 1)
        assert stands_in(view) == {1: IDLE}
        await options(w, table, "p1", False)
        assert not stands_in(await rest(w, table))


async def test_an_answer_between_two_time_outs_begins_the_count_anew() -> None:
    async with world() as w:
        table = await w.table(clock=game_pb2.Clock(turn_seconds=15))
        await w.start(table)
        rng = random.Random(4)
        for _ in range(2):
            await time_out(w, table, 1, 15.1)
            while not (mine := (await w.caller("p1").view(table)).view).HasField("decision"):
                await w.step(table, rng)
            await w.caller("p1").act(
                table, mine.decision.id, (await w.caller("p1").legal(table, mine.decision.id)).actions[0].action
            )
        view = await rest(w, table)
        assert (view.seats[1].conduct.time_outs, stands_in(view)) == (2, {})


async def test_without_a_clock_one_who_sleeps_is_stood_in_for_after_the_first_time() -> None:
    async with world() as w:
        table, _ = await watched(w, clock=game_pb2.Clock(idle_seconds=180))
        _, view = await w.asked(table)
        await w.advance(table, 180.1)
        after = await rest(w, table)
        assert stands_in(after) == {view.seat: IDLE}
        assert after.seats[view.seat].conduct.time_outs == 1


async def test_where_the_ruleset_knows_no_reconnecting_nobody_stands_in() -> None:
    async with world() as w:
        ruleset = rules_pb2.Ruleset(preset="jdf4", settings=[rules_pb2.Setting(id="reconnect", flag=False)])
        table, streams = await watched(w, ruleset=ruleset, clock=game_pb2.Clock(turn_seconds=15))
        await hang_up(w, table, streams[1], 1)
        for _ in range(3):
            await time_out(w, table, 1, 15.1)
        view = await rest(w, table)
        assert (view.seats[1].conduct.time_outs, stands_in(view)) == (3, {})


async def test_the_result_of_a_match_says_who_was_absent_and_the_next_begins_anew() -> None:
    async with world() as w:
        table, streams = await watched(w, format=game_pb2.MatchFormat(games=1))
        await hang_up(w, table, streams[3], 3)
        await w.advance(table, 31)
        spectator, events = w.caller("spectator").watch(table), list[view_pb2.Event]()
        await spectator.read()
        rng = random.Random(2)
        while (view := (await w.caller("p0").view(table)).view).state == view_pb2.TABLE_STATE_RUNNING:
            if [asked.seat for asked in view.asked] == [3]:
                await w.advance(table, 1)
                await rest(w, table)
            else:
                await w.step(table, rng)
        for message in await spectator.until((await w.caller("p0").view(table)).cursor.version):
            events += [event for batch in message.batches.batches for event in batch.events]
        (ended,) = [event.match_ended for event in events if event.HasField("match_ended")]
        by = {result.seat: result.conduct for result in ended.results}
        assert by[3].take_overs == 1
        answers = [e.decision_closed for e in events if e.HasField("decision_closed")]
        assert by[3].stood_in == len([a for a in answers if a.by == view_pb2.ANSWERED_BY_STAND_IN]) > 0
        assert {a.seat for a in answers if a.by != view_pb2.ANSWERED_BY_SEAT} == {3}
        assert not any(by[seat].ByteSize() for seat in range(3))
        (posted,) = await w.journal.results(0, 10)
        assert (posted.result.conduct[3].take_overs, posted.result.conduct[3].stood_in) == (1, by[3].stood_in)
        assert not stands_in(view), "with the match its stand-ins go"
        await w.start(table)
        assert not any(seat.HasField("conduct") for seat in (await rest(w, table)).seats)


@pytest.mark.parametrize("back", [False, True])
async def test_a_stand_in_is_still_there_after_a_restart_and_others_are_waited_for(tmp_path: Path, back: bool) -> None:
    file, clock = File(tmp_path / "store"), FakeClock()
    async with world(clock, file.open()) as w:
        table, streams = await watched(w)
        await hang_up(w, table, streams[3], 3)
        await w.advance(table, 31)
        await options(w, table, "p2", True)
        before = await rest(w, table)
        assert stands_in(before) == {2: ASKED, 3: AWAY}
    async with world(clock, file.open()) as w:
        again = await rest(w, table)
        assert stands_in(again) == {2: ASKED, 3: AWAY}
        assert [seat.conduct for seat in again.seats] == [seat.conduct for seat in before.seats]
        for token in ("p0", "p1", "p3") if back else ():
            await w.caller(token).watch(table).read()
        await later(w, table, 1)
        expected = {2: ASKED} if back else {2: ASKED, 3: AWAY}
        assert stands_in(await rest(w, table)) == expected
        await w.advance(table, 31)
        assert stands_in(await later(w, table, 0)) == (expected if back else {0: AWAY, 1: AWAY, 2: ASKED, 3: AWAY})


async def test_whoever_is_back_while_the_store_does_not_answer_has_the_seat_once_it_does() -> None:
    async with world() as w:
        table, streams = await watched(w)
        await hang_up(w, table, streams[1], 1)
        await w.advance(table, 31)
        assert stands_in(await rest(w, table)) == {1: AWAY}
        w.journal.failing = True
        await w.caller("p1").watch(table).read()
        await rest(w, table)
        assert stands_in(await rest(w, table)) == {1: AWAY}, "that could not be stored"
        await w.advance(table, w.app.config.store_retry_seconds + 0.1)
        for _ in range(50):
            await w.advance(table, 1)
            if not stands_in(await rest(w, table)):
                break
        assert not stands_in(await rest(w, table))


async def test_a_seat_that_somebody_leaves_is_played_by_a_stand_in() -> None:
    async with world() as w:
        table, _ = await watched(w)
        who, view = await w.asked(table)
        await who.call("LeaveTable", game_pb2.LeaveTableRequest(table_id=table))
        await w.advance(table, 1.1)
        after = await rest(w, table)
        assert after.asked[0].decision_id == view.decision.id + 1
        assert (after.seats[view.seat].conduct.stood_in, after.seats[view.seat].conduct.time_outs) == (1, 0)


# --- how a stand-in plays -----------------------------------------------------------------------------------------

TABLES = {
    "the federation's game": program("jdf4"),
    "five more rules": program("jdf4", *EXTRAS, hand_size=6),
    "many rules": program("local"),
}


@pytest.mark.parametrize("name", TABLES)
def test_whatever_a_stand_in_does_is_legal_and_games_end(name: str) -> None:
    world_ = record(TABLES[name], name, True)
    kinds = set()
    for s in world_.states:
        for seat, decision in enumerate(s.decisions):
            if decision:
                action = stand_in_action(seen_by(s, seat))
                kinds.add(action.kind)
                apply(s, seat, action)
    assert {PLAY, PASSES} <= kinds


def test_a_stand_in_plays_the_same_whatever_others_hold() -> None:
    world_ = record(TABLES["five more rules"], "stand-in", True)
    rng, compared = random.Random(5), 0
    for s in world_.states:
        for seat, decision in enumerate(s.decisions):
            if decision:
                other = permuted(s, seat, rng)
                compared += other.hands != s.hands
                assert stand_in_action(seen_by(s, seat)) == stand_in_action(seen_by(other, seat))
    assert compared > 20
