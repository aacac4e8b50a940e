"""The life of tables is what the data say of it, in every state, and the page is what the data say."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final

import pytest

from daifugo.v1 import game_pb2, rules_pb2, view_pb2
from engine.game import default_action
from services.game.cycle import (
    BETWEEN,
    CLOSED,
    ENDED,
    EVENTS,
    HOST,
    HOST_OR_SELF,
    PLAYING,
    SEATED,
    STATES,
    TABLE,
    state_of,
)
from services.game.life import RUNNING, Life, begin, follow
from services.game.records import (
    AWAY,
    BOT,
    Acted,
    AutoPassSet,
    Closed,
    CodeRenewed,
    Created,
    GameStarted,
    HostChanged,
    MatchStarted,
    Occupant,
    Operation,
    SeatKicked,
    SeatLeft,
    SeatSet,
    SeatsReleased,
    SeatsSwapped,
    SeatTaken,
    Shortened,
    Skipped,
    StandInCame,
    StandInLeft,
    Updated,
)
from tests.docs.table_life import PAGE, page
from tests.services.harness import World, refusal, world
from tests.services.test_actions import PASS
from tests.services.test_journal import SETTINGS

SHORT: Final = rules_pb2.Ruleset(preset="jdf4", settings=[rules_pb2.Setting(id="hand_size", number=2)])


def test_the_page_is_what_the_data_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "write it anew: .venv/bin/python -m tests.docs.table_life"


def test_the_data_speak_of_every_state_and_of_every_method_that_changes_a_table() -> None:
    for name, event in EVENTS.items():
        assert not event.leads.keys() & event.refused.keys()
        assert event.leads.keys() | event.refused.keys() <= STATES.keys()
        if event.who != TABLE:
            assert event.leads.keys() | event.refused.keys() == STATES.keys(), name
    methods = {method.name for method in game_pb2.DESCRIPTOR.services_by_name["GameService"].methods}
    reading = {"GetTable", "ListTables", "Watch", "ListEvents", "GetView", "GetLegalActions", "CheckAction"} | {
        "GetHint"
    }
    named = {method_of(name) for name, event in EVENTS.items() if event.who != TABLE}
    assert named == methods - reading - {"CreateTable"}


# --- over real calls, in every state ---------------------------------------------------------------------------------


async def bring(w: World, state: str, ready: bool) -> str:
    """Return a table that has come to a state; without everybody at it, p3 has left."""
    table = await w.table(ruleset=SHORT, format=game_pb2.MatchFormat(games=1 if state == ENDED else 2))
    if state in (PLAYING, BETWEEN, ENDED):
        await w.start(table)
    rng = random.Random(1)
    while state in (BETWEEN, ENDED) and await w.step(table, rng):
        pass
    if not ready:
        await w.caller("p3").call("LeaveTable", game_pb2.LeaveTableRequest(table_id=table))
    if state == CLOSED:
        w.app.tables.find(table).close()
    assert state_of(w.app.tables.find(table).head) == state
    return table


CALLS: Final[dict[str, Callable[[str], Any]]] = {
    "JoinTable": lambda table: game_pb2.JoinTableRequest(table_id=table, request_id="x"),
    "JoinTable, to come back": lambda table: game_pb2.JoinTableRequest(table_id=table, request_id="x"),
    "LeaveTable": lambda table: game_pb2.LeaveTableRequest(table_id=table),
    "SetSeat": lambda table: game_pb2.SetSeatRequest(table_id=table, seat=3, kind=view_pb2.SEAT_KIND_BOT),
    "RenewInviteCode": lambda table: game_pb2.RenewInviteCodeRequest(table_id=table, request_id="x"),
    "KickSeat": lambda table: game_pb2.KickSeatRequest(table_id=table, request_id="x", seat=1),
    "MoveSeat": lambda table: game_pb2.MoveSeatRequest(table_id=table, request_id="x", seat=1, to_seat=3),
    "TransferHost": lambda table: game_pb2.TransferHostRequest(table_id=table, request_id="x", seat=1),
    "UpdateTable": lambda table: game_pb2.UpdateTableRequest(table_id=table, request_id="x", name="other"),
    "EndMatch": lambda table: game_pb2.EndMatchRequest(table_id=table, request_id="x"),
    "SetSeatOptions": lambda table: game_pb2.SetSeatOptionsRequest(table_id=table, auto_pass=False),
    "StartMatch": lambda table: game_pb2.StartMatchRequest(table_id=table, request_id="x"),
}
"""How each event is asked for, by somebody who may; Act depends on what is asked."""
CALLERS: Final = {"JoinTable": "px", "JoinTable, to come back": "p3"}
"""Who asks for what others than the host may do."""
NEEDS_EVERYBODY: Final = {"StartMatch", "Act"}


def passing(table: str) -> game_pb2.ActRequest:
    return game_pb2.ActRequest(table_id=table, action=PASS)


def method_of(name: str) -> str:
    return name.partition(",")[0]


async def asked_for(w: World, name: str, table: str) -> Awaitable[Any]:
    if name != "Act":
        return w.caller(CALLERS.get(name, "p0")).call(method_of(name), CALLS[name](table))
    if state_of(w.app.tables.find(table).head) != PLAYING:
        return w.caller("p0").call("Act", passing(table))
    who, view = await w.asked(table)
    action = (await who.legal(table, view.decision.id)).actions[0].action
    return who.act(table, view.decision.id, action)


@pytest.mark.parametrize("state", STATES)
async def test_every_call_does_in_every_state_what_the_data_say(state: str) -> None:
    async with world(between_games_seconds=5) as w:
        for name, event in EVENTS.items():
            if event.who == TABLE:
                continue
            table = await bring(w, state, name in NEEDS_EVERYBODY)
            call = await asked_for(w, name, table)
            if state in event.refused:
                assert (await refusal(call)).reason == event.refused[state], name
                continue
            await call
            assert state_of(w.app.tables.find(table).shown) in event.leads[state], name


@pytest.mark.parametrize("state", STATES)
async def test_nobody_else_may(state: str) -> None:
    async with world() as w:
        table = await bring(w, state, ready=True)
        before = w.app.tables.find(table).head.version
        for name, event in EVENTS.items():
            if event.who not in (HOST, HOST_OR_SELF, SEATED):
                continue
            request = CALLS[name](table) if name in CALLS else passing(table)
            reason = "NOT_SEATED" if event.who == SEATED else "NOT_HOST"
            who = w.caller("p1" if event.who == HOST else "px")
            assert (await refusal(who.call(name, request))).reason == ("TABLE_CLOSED" if state == CLOSED else reason)
        assert w.app.tables.find(table).head.version == before


# --- any lives -------------------------------------------------------------------------------------------------------


def operation_for(kind: type[Operation], life: Life, rng: random.Random) -> Operation | None:
    """Draw an operation of a kind that fits a table, if there is one."""
    seat = rng.randrange(len(life.seats))
    free, asked = life.seats[seat].occupant is None, [n for n, d in enumerate(life.state.decisions) if d]
    if kind is SeatTaken:
        return SeatTaken(seat, Occupant(f"p{seat}", "", False)) if free else None
    if kind in (SeatLeft, SeatKicked):
        left = SeatLeft(seat, life.host) if kind is SeatLeft else SeatKicked(seat, life.host, "2345")
        return None if free else left
    if kind is SeatLeft:
        return None if free else SeatLeft(seat, life.host)
    if kind is StandInCame:
        return None if free or life.phase != RUNNING else StandInCame(seat, AWAY)
    if kind is Acted:
        who = asked[0]
        return Acted(who, life.state.decisions[who], default_action(life.state, who))
    made: dict[type[Operation], Operation] = {
        SeatSet: SeatSet(seat, BOT),
        SeatsSwapped: SeatsSwapped(seat, rng.randrange(len(life.seats))),
        HostChanged: HostChanged(f"p{seat}"),
        Updated: Updated(replace(life.settings, ruleset_hash=rng.choice("#+"))),
        Shortened: Shortened(),
        SeatsReleased: SeatsReleased((seat,)),
        CodeRenewed: CodeRenewed("2345"),
        StandInLeft: StandInLeft(seat),
        AutoPassSet: AutoPassSet(seat, rng.random() < 0.5),
        MatchStarted: MatchStarted("m", rng.randbytes(32), 1 + rng.randrange(2)),
        GameStarted: GameStarted(),
        Skipped: Skipped(life.state.last_decision + 1),
        Closed: Closed(),
    }
    return made[kind]


def test_tables_go_no_other_ways_than_the_data_say_and_all_of_those() -> None:
    rng, settings = random.Random(3), replace(SETTINGS, values=(("hand_size", 2),))
    wanted = {(name, s, to) for name, event in EVENTS.items() for s, ways in event.leads.items() for to in ways}
    seen = set[tuple[str, str, str]]()
    for number in range(3000):
        if number > 100 and seen == wanted:
            return
        life, crowd = begin(Created(settings, "p0"), 0.0), rng.random() ** 2
        while (before := state_of(life)) != CLOSED:
            common = {"Act", "a seat's time is up"} & {name for name, s, _ in wanted if s == before}
            names = [
                name for name, event in EVENTS.items() if before in event.leads and event.leads[before] != (CLOSED,)
            ]
            ends = rng.random() < 0.02
            name = "nobody uses the table" if ends else rng.choice([*names, *common, *common, *common])
            operation = operation_for(rng.choice(EVENTS[name].operations), life, rng)
            if operation is None or (isinstance(operation, SeatTaken) and rng.random() > crowd):
                continue
            life, _ = follow(life, operation)
            assert state_of(life) in EVENTS[name].leads[before], (name, before, state_of(life))
            seen.add((name, before, state_of(life)))
    assert seen == wanted
