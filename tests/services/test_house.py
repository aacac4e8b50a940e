"""Bots of the service: processes beside it play them, and whatever becomes of these, every match goes on to its end."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from daifugo.v1 import game_pb2, rules_pb2, view_pb2
from services.common.auth import OpenDoor, open_identity
from services.common.config import CannotStart
from services.game.config import GameConfig
from services.game.house import MARK, HouseDoor, check_bots, house_bot
from services.game.housed import COMMAND, Housed
from services.game.journal import MemoryJournal
from services.game.life import CLOSED, ENDED, RUNNING, Life
from tests.services.harness import FakeClock, Stream, World, refusal, world

BOT = view_pb2.SEAT_KIND_BOT
SHORT = rules_pb2.Ruleset(preset="jdf4", settings=[rules_pb2.Setting(id="hand_size", number=5)])


@asynccontextmanager
async def house(**settings: Any) -> AsyncIterator[World]:
    async with world(between_games_seconds=0.0, return_seconds=0.0, **settings) as w:
        yield w


async def until(w: World, true: Callable[[], bool]) -> None:
    """Wait for something that other processes bring about; games follow each other meanwhile."""
    while not true():  # what it waits for happens in another process
        w.clock.advance(0.0)
        await asyncio.sleep(0.01)


async def table_of_bots(w: World, policy: str = "greedy", games: int = 1, people: int = 0) -> str:
    """Lay a table with people first and bots of the service on the other seats."""
    table = await w.table(seats=people, ruleset=SHORT, format=game_pb2.MatchFormat(games=games))
    for number in range(people, 4):
        request = game_pb2.SetSeatRequest(table_id=table, seat=number, kind=BOT, bot_policy=policy)
        await w.caller("p0").call("SetSeat", request)
    return table


def life(w: World, table: str) -> Life:
    return w.app.tables.find(table).shown


def process_of(w: World) -> Housed:
    return w.app.house.processes[0]


def pid(w: World) -> int:
    process = process_of(w)._process
    return 0 if process is None or process.returncode is not None else process.pid


def fallbacks(w: World) -> float:
    return w.app.metrics.registry.get_sample_value("daifugo_bot_fallbacks_total") or 0.0


# --- they play -------------------------------------------------------------------------------------------------------


async def test_bots_of_the_service_play_a_match_while_its_clock_stands_still() -> None:
    async with house() as w:
        table = await table_of_bots(w, games=2)
        assert not pid(w)
        await w.start(table)
        await until(w, lambda: life(w, table).phase == ENDED)
        assert life(w, table).state.game == 2
        assert fallbacks(w) == 0
        assert not any(each.stood_in for each in life(w, table).conduct)
        assert not process_of(w).seats


async def test_they_are_bots_of_their_policy_for_everybody_to_see() -> None:
    async with house() as w:
        table = await table_of_bots(w, "random", people=1)
        seats = (await w.caller("p0").call("GetTable", game_pb2.GetTableRequest(table_id=table))).table.seats
        assert [(seat.occupied, seat.bot) for seat in seats] == [(True, False), *[(True, True)] * 3]
        assert [seat.display_name for seat in seats][1:] == ["random 2", "random 3", "random 4"]


async def test_a_host_can_take_the_seat_back_and_nobody_else_gets_it_by_asking() -> None:
    async with house() as w:
        table = await table_of_bots(w, people=1)
        host = w.caller("p0")
        unknown = game_pb2.SetSeatRequest(table_id=table, seat=1, kind=BOT, bot_policy="clever")
        assert (await refusal(host.call("SetSeat", unknown))).reason == "MALFORMED"
        own = game_pb2.SetSeatRequest(table_id=table, seat=0, kind=BOT, bot_policy="greedy")
        assert (await refusal(host.call("SetSeat", own))).reason == "SEAT_TAKEN"
        people = view_pb2.SEAT_KIND_PERSON
        for_people = game_pb2.SetSeatRequest(table_id=table, seat=1, kind=people, bot_policy="greedy")
        assert (await refusal(host.call("SetSeat", for_people))).reason == "SEAT_RESERVED"
        await host.call("SetSeat", game_pb2.SetSeatRequest(table_id=table, seat=1, kind=people))
        assert await w.join(table, "p1", 1) == 1


async def test_when_everybody_has_left_the_match_is_over_whatever_bots_are_there() -> None:
    async with house(bot_processes=0) as w:
        table = await table_of_bots(w, people=1)
        await w.start(table)
        await w.caller("p0").call("LeaveTable", game_pb2.LeaveTableRequest(table_id=table))
        assert life(w, table).phase == ENDED


async def test_without_processes_the_service_plays_them_itself() -> None:
    async with house(bot_processes=0) as w:
        table = await table_of_bots(w)
        await w.start(table)
        while life(w, table).phase == RUNNING:
            await w.advance(table, 1.0)
            await w.caller("p0").view(table)
        assert sum(each.stood_in for each in life(w, table).conduct) > 10


async def test_seats_left_free_are_filled_where_a_match_begins_by_itself() -> None:
    async with house(bot_fill="greedy") as w:
        auto = game_pb2.AutoStart(reserved_seconds=10, bot_seconds=0)
        table = await w.table(seats=1, ruleset=SHORT, format=game_pb2.MatchFormat(games=1), auto_start=auto)
        await w.advance(table, 11.0)
        await until(w, lambda: life(w, table).phase == RUNNING)
        assert [seat.policy for seat in life(w, table).seats] == ["", "greedy", "greedy", "greedy"]


async def test_bots_of_the_service_are_no_hosts() -> None:
    async with house(bot_processes=0) as w:
        table = await table_of_bots(w, people=1)
        host = w.caller("p0")
        handed = game_pb2.TransferHostRequest(request_id="h", table_id=table, seat=1)
        assert (await refusal(host.call("TransferHost", handed))).reason == "MALFORMED"
        await host.call("LeaveTable", game_pb2.LeaveTableRequest(table_id=table))
        await w.join(table, "p0", 0)
        await w.start(table)
        assert life(w, table).phase == RUNNING


async def test_a_closed_table_is_remembered_no_longer() -> None:
    async with house(bot_processes=0) as w:
        table = await table_of_bots(w, people=1)
        assert list(w.app.house._seen) == [table]
        w.clock.advance(2 * w.app.config.table_idle_seconds)
        await until(w, lambda: life(w, table).phase == CLOSED)
        assert not w.app.house._seen


async def bots_play_on(w: World, table: str, seconds: float) -> None:
    """Let time go by in which bots play a match that only its host ends."""
    for _ in range(round(seconds / 2)):
        before = life(w, table).version
        await until(w, lambda: life(w, table).version > before + 3 or life(w, table).phase == CLOSED)  # noqa: B023  # awaited here
        await w.advance(table, 2.0)


async def test_a_table_at_which_only_bots_of_the_service_play_is_closed_unless_its_host_looks_on() -> None:
    async with house(table_idle_seconds=8.0) as w:
        table = await w.table(seats=0, ruleset=SHORT, format=game_pb2.MatchFormat(until_host_ends=True))
        for number in range(4):
            seat = game_pb2.SetSeatRequest(table_id=table, seat=number, kind=BOT, bot_policy="random")
            await w.caller("p0").call("SetSeat", seat)
        await w.start(table)
        stream = w.caller("p0").watch(table)
        await stream.read()
        reading = asyncio.create_task(read_all(stream))
        await bots_play_on(w, table, 20.0)
        assert life(w, table).phase == RUNNING
        reading.cancel()
        stream.cancel()
        await bots_play_on(w, table, 20.0)
        assert life(w, table).phase == CLOSED


async def read_all(stream: Stream) -> None:
    while True:
        await stream.read()


# --- who they are ----------------------------------------------------------------------------------------------------


async def test_only_who_has_the_secret_is_a_bot_of_the_house() -> None:
    async with house() as w:
        door = HouseDoor(OpenDoor("127.0.0.1", False), w.app.house)
        name = house_bot("greedy", 0).identity
        who = door.known(f"{w.app.house.secret}.{name}")
        assert who is not None
        assert (who.name, who.bot) == (name, True)
        for token in (name, f"x.{name}", f"{w.app.house.secret}.somebody", w.app.house.secret):
            assert door.known(token) == open_identity(token)
        assert not open_identity(name).name.startswith(MARK)


# --- whatever becomes of the processes -------------------------------------------------------------------------------


async def test_killed_and_stopped_processes_cost_one_decision_of_a_seat_each_and_nothing_else() -> None:
    rng = random.Random(1)
    async with house(bot_seconds=5.0) as w:
        tables = [await table_of_bots(w, rng.choice(("greedy", "random")), games=40) for _ in range(3)]
        for table in tables:
            await w.start(table)

        def version() -> int:
            return sum(life(w, table).version for table in tables)

        def stood_in() -> list[int]:
            return [each.stood_in for table in tables for each in life(w, table).conduct]

        for signals in (signal.SIGKILL, signal.SIGSTOP, signal.SIGSTOP, signal.SIGKILL):
            before = version()
            await until(w, lambda: pid(w) > 0 and version() > before + rng.randint(5, 60))  # noqa: B023  # awaited here
            hit, spent = pid(w), stood_in()
            os.kill(hit, signals)
            if signals == signal.SIGSTOP:
                stopped = -1
                while stopped != version():
                    stopped = version()
                    await asyncio.sleep(0.05)  # until what was on its way has come
                await until(w, lambda: all(any(life(w, table).state.decisions) for table in tables))
                await w.advance(tables[0], 5.0)
            await until(w, lambda: pid(w) not in (0, hit))  # noqa: B023  # awaited here
            assert all(now - then <= 1 for then, now in zip(spent, stood_in()))
        for table in tables:
            await w.caller("p0").call("EndMatch", game_pb2.EndMatchRequest(request_id=table, table_id=table))
        await until(w, lambda: all(life(w, table).phase == ENDED for table in tables))
        assert w.app.metrics.registry.get_sample_value("daifugo_bot_restarts_total") == 4
        assert w.app.metrics.registry.get_sample_value("daifugo_bugs_total") == 0


async def test_a_command_that_cannot_play_costs_nothing_but_the_fallback() -> None:
    async with house(bot_command="false") as w:
        table = await table_of_bots(w)
        await w.start(table)
        while life(w, table).phase == RUNNING:
            await w.advance(table, 5.0)
            await w.caller("p0").view(table)
        assert fallbacks(w) > 10


async def test_bots_play_on_when_the_service_has_been_started_again() -> None:
    journal, clock, more = MemoryJournal(), FakeClock(), {"between_games_seconds": 0.0, "return_seconds": 0.0}
    async with world(clock=clock, journal=journal, **more) as w:
        table = await table_of_bots(w, games=100)
        await w.start(table)
        await until(w, lambda: life(w, table).version > 30)
    async with world(clock=clock, journal=journal, **more) as w:
        before = life(w, table).version
        assert [seat.policy for seat in life(w, table).seats] == ["greedy"] * 4
        await until(w, lambda: life(w, table).version > before + 30)
        assert fallbacks(w) == 0


def test_seats_are_not_filled_with_bots_that_there_are_not() -> None:
    check_bots(GameConfig(bot_fill="random"))
    with pytest.raises(CannotStart, match="--bot-policies greedy,random"):
        check_bots(GameConfig(bot_fill="clever"))


def test_a_command_that_cannot_be_read_is_refused_at_the_start() -> None:
    with pytest.raises(CannotStart, match="--bot-command our-bots 'deep: No closing quotation"):
        check_bots(GameConfig(bot_command="our-bots 'deep"))


async def test_a_process_is_told_nothing_of_how_the_service_is_set_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAIFUGO_STORE_KEYS", "/secret")
    told = tmp_path / "told"
    async with house(bot_command=f"sh -c 'env >{told}.new; mv {told}.new {told}; cat'") as w:
        table = await table_of_bots(w)
        await w.start(table)
        await until(w, told.exists)
    assert "DAIFUGO" not in told.read_text()


async def test_a_process_ends_when_nobody_tells_it_anything_any_more() -> None:
    process = await asyncio.create_subprocess_exec(*COMMAND, stdin=asyncio.subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(b'{"address": "127.0.0.1:1", "token": "x"}\n')
    process.stdin.close()
    assert await process.wait() == 0


async def test_the_processes_end_with_the_service() -> None:
    async with house() as w:
        table = await table_of_bots(w, games=40)
        await w.start(table)
        await until(w, lambda: pid(w) > 0)
        process = process_of(w)._process
        assert process is not None
    assert process.returncode == -signal.SIGKILL
