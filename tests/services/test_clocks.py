"""Time: defaults for seats whose time is up, the pause between games, seats that nobody has."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from daifugo.v1 import game_pb2, view_pb2
from services.common.clocks import SystemClock
from tests.services.harness import FakeClock, World, refusal, world
from tests.services.test_actions import PASS, play


async def rest(w: World, table: str) -> view_pb2.View:
    """Let the server do what it can, and look."""
    for _ in range(3):
        await w.caller("p0").view(table)
    return (await w.caller("p0").view(table)).view


async def test_when_the_time_of_a_turn_is_up_the_default_is_taken() -> None:
    async with world() as w:
        table = await w.table(clock=game_pb2.Clock(turn_seconds=30))
        await w.start(table)
        who, view = await w.asked(table)
        assert view.decision.remaining.ToSeconds() == 30
        assert view.asked[0].deadline == view.decision.deadline
        stream = w.caller("spectator").watch(table)
        await stream.read()
        await w.advance(table, 29.9)
        assert (await rest(w, table)).asked == view.asked
        await w.advance(table, 0.2)
        batch = (await stream.until(6))[-1].batches.batches[-1]
        assert batch.events[1].cards_moved.play.shape == 1, "the weakest single opens"
        after = await rest(w, table)
        assert after.asked[0].decision_id == view.decision.id + 1
        failure = await refusal(who.act(table, view.decision.id, play(*view.hand[3:4])))
        assert failure.reason == "DECISION_CLOSED"


async def test_without_a_clock_an_idle_seat_gets_the_default_all_the_same() -> None:
    async with world() as w:
        table = await w.table(clock=game_pb2.Clock(idle_seconds=120))
        await w.start(table)
        _, view = await w.asked(table)
        assert not view.decision.HasField("deadline")
        w.clock.advance(119)
        assert (await rest(w, table)).asked == view.asked
        w.clock.advance(2)
        assert (await rest(w, table)).asked != view.asked


async def test_a_match_that_everybody_has_forgotten_ends_by_itself() -> None:
    async with world(table_idle_seconds=86_400) as w:
        table = await w.table(clock=game_pb2.Clock(turn_seconds=15))
        await w.start(table)
        for _ in range(2000):
            view = await rest(w, table)
            if view.state == view_pb2.TABLE_STATE_ENDED:
                break
            w.clock.advance(61)
        assert view.game == 2
        assert view.state == view_pb2.TABLE_STATE_ENDED


async def test_answering_in_time_stops_the_clock() -> None:
    async with world() as w:
        table = await w.table(clock=game_pb2.Clock(turn_seconds=30))
        await w.start(table)
        who, view = await w.asked(table)
        w.clock.advance(20)
        await who.act(table, view.decision.id, play(view.hand[0]))
        w.clock.advance(20)
        after = await rest(w, table)
        assert after.asked[0].decision_id == view.decision.id + 1


async def test_a_choice_has_its_own_time() -> None:
    async with world() as w:
        table = await w.table(clock=game_pb2.Clock(turn_seconds=300, choice_seconds=40))
        await w.start(table)
        await between_games(w, table)
        w.clock.advance(3)
        view = await rest(w, table)
        assert {asked.kind for asked in view.asked} == {view_pb2.DECISION_KIND_CHOICE}
        assert len(view.asked) == 4
        w.clock.advance(41)
        after = await rest(w, table)
        assert {asked.kind for asked in after.asked} == {view_pb2.DECISION_KIND_TURN}


async def between_games(w: World, table: str) -> None:
    rng = random.Random(2)
    while await w.step(table, rng):
        pass


async def test_between_games_people_get_a_pause() -> None:
    async with world(between_games_seconds=3) as w:
        table = await w.table()
        await w.start(table)
        await between_games(w, table)
        view = await rest(w, table)
        assert (view.state, view.playing, view.game) == (view_pb2.TABLE_STATE_RUNNING, False, 1)
        assert view.places
        w.clock.advance(2.9)
        assert not (await rest(w, table)).playing
        w.clock.advance(0.2)
        view = await rest(w, table)
        assert (view.playing, view.game) == (True, 2)


async def test_between_games_bots_get_none() -> None:
    async with world() as w:
        table = await w.table(bots=True)
        await w.start(table)
        await between_games(w, table)
        w.clock.advance(0)
        view = await rest(w, table)
        assert (view.playing, view.game) == (True, 2)


async def test_whoever_leaves_a_running_match_is_soon_played_for_until_it_ends() -> None:
    async with world() as w:
        table = await w.table(format=game_pb2.MatchFormat(games=1))
        await w.start(table)
        who, view = await w.asked(table)
        await who.call("LeaveTable", game_pb2.LeaveTableRequest(table_id=table))
        w.clock.advance(0.99)
        assert (await rest(w, table)).asked == view.asked
        w.clock.advance(0.02)
        after = await rest(w, table)
        assert after.asked[0].decision_id == view.decision.id + 1
        assert not after.seats[view.seat].seat.occupied
        stayers = [n for n in range(4) if n != view.seat]
        for _ in range(1000):
            w.clock.advance(1)
            now = (await w.caller("spectator").view(table)).view
            if now.state == view_pb2.TABLE_STATE_ENDED:
                break
            asked = [asked for asked in now.asked if asked.seat in stayers]
            for each in asked:
                actions = (await w.caller(f"p{each.seat}").legal(table, each.decision_id)).actions
                await w.caller(f"p{each.seat}").act(table, each.decision_id, actions[0].action)
        assert now.state == view_pb2.TABLE_STATE_ENDED
        await w.join(table, "newcomer")


async def test_a_default_that_equals_the_late_action_counts_as_it() -> None:
    async with world() as w:
        table = await w.table(clock=game_pb2.Clock(turn_seconds=30))
        await w.start(table)
        who, view = await w.asked(table)
        await who.act(table, view.decision.id, play(view.hand[0]))
        late, view = await w.asked(table)
        w.clock.advance(31)
        done = await late.act(table, view.decision.id, PASS)
        assert done.repeated


def test_timers_ring_in_order_and_cancelled_ones_do_not() -> None:
    clock, rung = FakeClock(), list[str]()
    clock.call_at(clock.now() + 2, lambda: rung.append("b"))
    clock.call_at(clock.now() + 1, lambda: rung.append("a"))
    clock.call_at(clock.now() + 1, lambda: rung.append("a2"))
    clock.call_at(clock.now() + 1.5, lambda: rung.append("never")).cancel()
    clock.advance(1.9)
    assert rung == ["a", "a2"]
    clock.advance(1)
    assert rung == ["a", "a2", "b"]


def test_a_mistake_in_one_timer_leaves_the_others_alone() -> None:
    clock, rung = FakeClock(), list[str]()
    clock.call_at(clock.now() + 1, lambda: [][0])
    clock.call_at(clock.now() + 1, lambda: rung.append("b"))
    clock.advance(1)
    assert rung == ["b"]


async def test_the_clock_of_the_machine_rings() -> None:
    clock, rung, done = SystemClock(), list[int](), asyncio.Event()
    mistakes: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, mistake: mistakes.append(mistake))
    begun = clock.now()
    clock.call_at(begun + 0.03, done.set)
    clock.call_at(begun + 0.01, lambda: rung.append(1))
    clock.call_at(begun + 0.02, lambda: rung.append(2)).cancel()

    def again() -> None:
        clock.call_at(begun + 0.02, lambda: rung.append(3))

    clock.call_at(begun, again)
    await done.wait()
    assert rung == [1, 3]
    assert clock.now() >= begun + 0.03
    assert not mistakes
