"""Auto pass: a seat that can do nothing else passes, always after the same time, and nobody can tell it from a pass."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from daifugo.v1 import game_pb2, rules_pb2, view_pb2
from engine.actions import PASS as PASSES
from engine.legal import legal_moves
from engine.view import view as seen_by
from services.game.auto_pass import can_only_pass
from services.game.codec.streams import frames_to
from services.game.frames import Frame, Told
from services.game.records import BY_AUTO_PASS, BY_SEAT, Acted, Conduct
from tests.engine.tables import EXTRAS, program
from tests.secrecy.worlds import record
from tests.services.harness import FakeClock, World, refusal, world
from tests.services.test_clocks import rest
from tests.services.test_restart import File, later
from tests.services.test_secrets import permuted
from tests.services.test_stand_ins import options as stand_in_options

ON = rules_pb2.Ruleset(preset="jdf4", settings=[rules_pb2.Setting(id="auto_pass", flag=True)])


async def nothing_but_pass(w: World, table: str, rng: random.Random) -> view_pb2.View:
    """Play until a seat is asked that can only pass; return its view."""
    while True:
        who, view = await w.asked(table)
        legal = (await who.legal(table, view.decision.id)).actions
        if [each.action.WhichOneof("action") for each in legal] == ["pass"]:
            return view
        await w.step(table, rng)


async def set_auto_pass(w: World, table: str, seat: int, on: bool) -> game_pb2.Table:
    request = game_pb2.SetSeatOptionsRequest(table_id=table, auto_pass=on)
    changed: game_pb2.Table = (await w.caller(f"p{seat}").call("SetSeatOptions", request)).table
    return changed


async def test_a_seat_that_can_do_nothing_else_passes_after_a_second() -> None:
    async with world() as w:
        table = await w.table(ruleset=ON)
        await w.start(table)
        view = await nothing_but_pass(w, table, random.Random(1))
        stream = w.caller("spectator").watch(table)
        version = (await stream.read()).snapshot.cursor.version
        await w.advance(table, 0.99)
        assert (await rest(w, table)).asked[0].decision_id == view.decision.id
        await w.advance(table, 0.01)
        (batch,) = (await stream.until(version + 1))[-1].batches.batches
        events = {event.WhichOneof("event"): event for event in batch.events}
        assert events["passed"].passed.seat == view.seat
        assert events["decision_closed"].decision_closed.by == view_pb2.ANSWERED_BY_SEAT
        assert not events["decision_closed"].decision_closed.HasField("conduct")


async def test_the_time_until_it_passes_never_depends_on_a_hand() -> None:
    """Of a whole match, on the schedule of the fake clock."""
    async with world(between_games_seconds=0) as w:
        table = await w.table(ruleset=ON, clock=game_pb2.Clock(turn_seconds=300))
        await w.start(table)
        rng, sizes = random.Random(2), set()
        for _ in range(2000):
            life = w.app.tables.find(table).shown
            if life.phase != view_pb2.TABLE_STATE_RUNNING:
                break
            asked = [seat for seat, decision in enumerate(life.state.decisions) if decision]
            rings = [when - w.clock.now() for when in w.clock.times() if when - w.clock.now() <= 300]
            for seat in asked:
                own = seen_by(life.state, seat)
                if can_only_pass(own):
                    sizes.add(own.size(seat))
                    assert rings.count(1.0) == 1, rings
                else:
                    assert 1.0 not in rings
            w.clock.advance(rng.random() / 10)
            if not await w.step(table, rng):
                w.clock.advance(0.1)
                await rest(w, table)
        assert len(sizes) > 5


async def test_it_is_off_unless_the_ruleset_has_it() -> None:
    async with world() as w:
        table = await w.table()
        await w.start(table)
        view = await nothing_but_pass(w, table, random.Random(1))
        await w.advance(table, 100)
        assert (await rest(w, table)).asked[0].decision_id == view.decision.id


@pytest.mark.parametrize("started", [False, True])
async def test_anybody_may_switch_it_off_for_their_own_seat_and_nobody_else_sees_that(
    started: bool, tmp_path: Path
) -> None:
    file, clock = File(tmp_path / "store"), FakeClock()
    async with world(clock, file.open()) as w:
        table = await w.table(ruleset=ON)
        if started:
            await w.start(table)
        before = {name: (await w.caller(name).view(table)).view for name in ("p0", "p1", "spectator")}
        changed = await set_auto_pass(w, table, 1, False)
        assert not changed.your_auto_pass
        assert (await set_auto_pass(w, table, 1, False)).cursor == changed.cursor
        assert {name: (await w.caller(name).view(table)).view for name in before} == before
        got = (await w.caller("p0").call("GetTable", game_pb2.GetTableRequest(table_id=table))).table
        assert got.your_auto_pass
        if not started:
            await w.start(table)
    async with world(clock, file.open()) as w:
        rng = random.Random(1)
        while (view := await nothing_but_pass(w, table, rng)).seat != 1:
            await w.step(table, rng)
        assert (await later(w, table, 20)).asked[0].decision_id == view.decision.id
        await set_auto_pass(w, table, 1, True)
        assert (await later(w, table, 1)).asked[0].decision_id != view.decision.id


async def test_whoever_comes_new_to_a_seat_passes_by_themselves_again() -> None:
    async with world() as w:
        table = await w.table(ruleset=ON)
        await set_auto_pass(w, table, 3, False)
        await w.caller("p3").call("LeaveTable", game_pb2.LeaveTableRequest(table_id=table))
        await w.join(table, "p9", 3)
        got = (await w.caller("p9").call("GetTable", game_pb2.GetTableRequest(table_id=table))).table
        assert got.your_auto_pass


async def test_options_are_for_those_who_have_a_seat() -> None:
    async with world() as w:
        table = await w.table(ruleset=ON)
        request = game_pb2.SetSeatOptionsRequest(table_id=table, auto_pass=False)
        assert (await refusal(w.caller("px").call("SetSeatOptions", request))).reason == "NOT_SEATED"


async def test_a_stand_in_takes_as_long_for_a_pass_as_for_anything_else() -> None:
    async with world(stand_in_seconds=2.5) as w:
        table = await w.table(ruleset=ON)
        await w.start(table)
        for seat in range(4):
            await stand_in_options(w, table, f"p{seat}", True)
        version, times = (await w.caller("p0").view(table)).cursor.version, set()
        while (now := await w.caller("p0").view(table)).view.playing:
            if now.cursor.version > version:
                version = now.cursor.version
                times.add(round(min(w.clock.times()) - w.clock.now(), 6))
            w.clock.advance(2.5)
            await rest(w, table)
        assert times == {2.5}


TABLES = {
    "the federation's game": program("jdf4", auto_pass=True),
    "five more rules": program("jdf4", *EXTRAS, hand_size=6, auto_pass=True),
}


@pytest.mark.parametrize("name", TABLES)
def test_it_never_passes_for_whoever_can_do_anything_else_and_follows_from_what_the_seat_sees(name: str) -> None:
    world_, rng, found = record(TABLES[name], name, True), random.Random(5), set()
    for s in world_.states:
        for seat, decision in enumerate(s.decisions):
            if decision:
                own = seen_by(s, seat)
                kinds = {move.kind for move in legal_moves(own, seat, own.hand, own.choice)}
                assert can_only_pass(own) == (kinds == {PASSES})
                assert can_only_pass(own) == can_only_pass(seen_by(permuted(s, seat, rng), seat))
                found.add(can_only_pass(own))
    assert found == {False, True}


def test_an_automatic_pass_is_told_in_the_same_bytes_as_a_pass() -> None:
    world_ = record(TABLES["the federation's game"], "marks", True)
    compared = 0
    for s, events, (seat, action) in zip(world_.states[1:], world_.events[1:], world_.actions):
        if action.kind == PASSES:
            compared += 1
            decision = next(event.decision for event in events if hasattr(event, "decision"))
            told = [
                Told(
                    tuple(events),
                    seen_by(s, -1),
                    {},
                    not s.trick,
                    frozenset(),
                    (5000,) * s.seats,
                    s.program,
                    (Conduct(1, 1),) * s.seats,
                    (decision, by),
                )
                for by in (BY_SEAT, BY_AUTO_PASS)
            ]
            for viewer in (-1, seat):
                one, other = [frames_to((Frame(1, 1, 1.0, each),), viewer, 1.0) for each in told]
                assert one == other
    assert compared > 5


async def test_a_pass_that_came_by_itself_is_kept_as_such() -> None:
    async with world() as w:
        table = await w.table(ruleset=ON)
        await w.start(table)
        view = await nothing_but_pass(w, table, random.Random(1))
        await w.advance(table, 1)
        await rest(w, table)
        acted = [r.operation for r in await w.journal.load(table) if isinstance(r.operation, Acted)]
        assert (acted[-1].seat, acted[-1].by) == (view.seat, BY_AUTO_PASS)
