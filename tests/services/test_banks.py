"""Time banks: what a turn takes beyond its own time is paid from the seat's bank, and everybody sees what is left."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from google.protobuf.duration_pb2 import Duration

from daifugo.v1 import game_pb2, view_pb2
from tests.services.folder import Folder, plain
from tests.services.harness import FakeClock, World, refusal, world
from tests.services.test_actions import PASS, play
from tests.services.test_clocks import rest
from tests.services.test_restart import File, later

CLOCK = game_pb2.Clock(turn_seconds=20, bank_seconds=60)


def seconds(duration: Duration) -> float:
    return duration.ToMilliseconds() / 1000


def banks(view: view_pb2.View) -> list[float]:
    return [seconds(seat.bank) for seat in view.seats]


async def banked(w: World, **more: bool) -> str:
    table = await w.table(clock=game_pb2.Clock(turn_seconds=20, bank_seconds=60, **more))
    await w.start(table)
    return table


async def test_the_turns_own_time_comes_first_and_then_the_bank_pays() -> None:
    async with world() as w:
        table = await banked(w)
        who, view = await w.asked(table)
        assert (seconds(view.decision.remaining), seconds(view.decision.bank)) == (80, 60)
        assert banks(view) == [60] * 4
        w.clock.advance(32.5)
        late = (await who.view(table)).view
        assert (seconds(late.decision.remaining), seconds(late.decision.bank)) == (47.5, 60), "as it was when asked"
        await who.act(table, view.decision.id, play(view.hand[0]))
        expected = [60.0] * 4
        expected[view.seat] = 47.5
        assert banks((await who.view(table)).view) == expected


async def test_a_turn_within_its_own_time_costs_nothing() -> None:
    async with world() as w:
        table = await banked(w)
        who, view = await w.asked(table)
        w.clock.advance(20)
        await who.act(table, view.decision.id, play(view.hand[0]))
        assert banks((await who.view(table)).view) == [60] * 4


async def test_when_turn_and_bank_are_used_up_the_default_is_taken_and_the_next_turn_has_its_own_time_only() -> None:
    async with world() as w:
        table = await banked(w)
        who, view = await w.asked(table)
        w.clock.advance(79.9)
        assert (await rest(w, table)).asked == view.asked
        w.clock.advance(0.2)
        after = await rest(w, table)
        assert after.asked[0].decision_id == view.decision.id + 1
        assert banks(after)[view.seat] == 0
        while not (mine := (await who.view(table)).view).HasField("decision"):
            other, seen = await w.asked(table)
            await other.act(table, seen.decision.id, PASS)
        assert (seconds(mine.decision.remaining), seconds(mine.decision.bank)) == (20, 0)


async def test_a_choice_is_not_paid_from_the_bank() -> None:
    async with world() as w:
        table = await banked(w)
        rng = random.Random(2)
        while await w.step(table, rng):
            pass
        w.clock.advance(3)
        view = await rest(w, table)
        assert {asked.kind for asked in view.asked} == {view_pb2.DECISION_KIND_CHOICE}
        for asked in view.asked:
            decision = (await w.caller(f"p{asked.seat}").view(table)).view.decision
            assert (seconds(decision.remaining), decision.HasField("bank")) == (60, False)
        w.clock.advance(61)
        assert banks(await rest(w, table)) == [60] * 4


@pytest.mark.parametrize("each_game", [False, True])
async def test_banks_are_for_the_match_or_for_each_game(each_game: bool) -> None:
    async with world() as w:
        table = await banked(w, bank_each_game=each_game)
        who, view = await w.asked(table)
        w.clock.advance(25)
        await who.act(table, view.decision.id, play(view.hand[0]))
        rng = random.Random(2)
        while await w.step(table, rng):
            pass
        w.clock.advance(3)
        view = await rest(w, table)
        assert view.game == 2
        assert sorted(banks(view)) == ([60] * 4 if each_game else [55, 60, 60, 60])


async def test_another_match_begins_with_full_banks() -> None:
    async with world() as w:
        table = await w.table(clock=CLOCK, format=game_pb2.MatchFormat(games=1))
        assert not any(seat.HasField("bank") for seat in (await w.caller("p0").view(table)).view.seats)
        await w.start(table)
        who, view = await w.asked(table)
        w.clock.advance(25)
        await who.act(table, view.decision.id, play(view.hand[0]))
        await w.play(table)
        await w.start(table)
        assert banks(await rest(w, table)) == [60] * 4


async def test_a_client_that_folds_events_has_the_same_banks() -> None:
    async with world() as w:
        table = await w.table(clock=CLOCK)
        stream, folder, rng = w.caller("p1").watch(table), Folder(), random.Random(5)
        folder.take(await stream.read())
        await w.start(table)
        for _ in range(300):
            await w.advance(table, rng.choice([0, 1, 10, 21.5]))
            await rest(w, table)
            if not await w.step(table, rng) and (await rest(w, table)).state == view_pb2.TABLE_STATE_ENDED:
                break
        shown = await w.caller("p1").view(table)
        for message in await stream.until(shown.cursor.version):
            folder.take(message)
        assert plain(folder.view) == plain(shown.view)
        assert min(banks(shown.view)) < 60


@pytest.mark.parametrize(("thought", "left", "bank"), [(4, 76, 60), (19, 70, 60), (35, 55, 45)])
async def test_after_a_restart_banks_are_as_they_were(tmp_path: Path, thought: float, left: float, bank: float) -> None:
    file, clock = File(tmp_path / "store"), FakeClock()
    async with world(clock, file.open()) as w:
        table = await banked(w)
        who, view = await w.asked(table)
        clock.advance(26)
        await who.act(table, view.decision.id, play(view.hand[0]))
        first = view.seat
        _, view = await w.asked(table)
        clock.advance(thought)
        await w.table()  # the last that the store hears of
    clock.advance(5000)
    async with world(clock, file.open()) as w:
        who, again = await w.asked(table)
        assert again.decision.id == view.decision.id
        assert (seconds(again.decision.remaining), seconds(again.decision.bank)) == (left, bank)
        assert (banks(again)[first], banks(again)[view.seat]) == (54, bank)
        clock.advance(left - bank + 3)
        await who.act(table, view.decision.id, PASS)
        assert banks((await who.view(table)).view)[view.seat] == bank - 3
    async with world(clock, file.open()) as w:
        assert (await later(w, table, 0)).seats[view.seat].bank.ToSeconds() == bank - 3


async def test_a_bank_without_a_clock_is_refused_and_the_table_says_what_it_has() -> None:
    async with world() as w:
        request = game_pb2.CreateTableRequest(request_id="a", clock=game_pb2.Clock(bank_seconds=60))
        request.ruleset.preset = "jdf4"
        failure = await refusal(w.caller("p0").call("CreateTable", request))
        assert failure.details["BadRequest"].field_violations[0].field == "clock.bank_seconds"
        request.clock.turn_seconds = 20
        made = await w.caller("p0").call("CreateTable", request)
        assert made.table.clock.bank_seconds == 60
