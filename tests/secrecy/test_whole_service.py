"""The whole service, over real calls: what a seat cannot know changes no byte that it gets, and nothing for operators.

Two games that a seat cannot tell apart are played at two servers. Compared are its stream, everything that it asks for
on the way, refusals with their details, and besides every log line, every count, and when each timer will ring.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from prometheus_client import generate_latest

from daifugo.v1 import game_pb2, record_pb2, rules_pb2
from engine.actions import DRAW, PASSING, Action, answer, play_cards
from engine.cards import members
from engine.events import Event
from engine.game import start_game
from engine.program import Program
from engine.state import State
from services.common.auth import open_identity
from services.game.codec.actions import action_to
from services.game.eyes import BEHIND, OPEN
from services.game.history import History
from services.game.life import Life
from services.game.table import Table
from tests.engine.stream import Stream as Lot
from tests.engine.tables import EXTRAS, program
from tests.secrecy.worlds import SPECTATOR, World, other_world, record, worlds
from tests.services.harness import Caller, Failure, Stream, world
from tests.services.harness import World as Server

TABLES: dict[str, tuple[Program, list[rules_pb2.Setting], bool]] = {
    "the federation's second game": (
        program("jdf4", hand_size=6),
        [rules_pb2.Setting(id="hand_size", number=6)],
        True,
    ),
    "five more rules": (
        program("jdf4", *EXTRAS, hand_size=8),
        [
            rules_pb2.Setting(id="hand_size", number=8),
            *[rules_pb2.Setting(id=rule, flag=True) for rule in EXTRAS],
        ],
        False,
    ),
}
SPECTATORS = {OPEN: game_pb2.SPECTATORS_OPEN, BEHIND: game_pb2.SPECTATORS_DELAYED}
IDENTITY = open_identity("p1").name.encode()
"""What the server calls somebody to itself."""
MEASURED = re.compile(r"_(sum|bucket|created)\b")
"""Series that hold times as a real clock measures them."""


@dataclass
class Heard:
    """All that somebody got to know, and what operators did."""

    answers: list[bytes] = field(default_factory=list)
    logs: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    schedule: list[float] = field(default_factory=list)


def deals(game: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the service deal the cards of a game, and draw the same ids each time."""
    deal = game.deal

    def prescribed(s: State, seed: bytes) -> tuple[State, list[Event]]:
        s.previous, s.game = list(deal.previous), 1 if deal.previous else 0
        return start_game(s, game.states[0].key, deal.hands, deal.blind)

    monkeypatch.setattr("services.game.life.start_game", prescribed)
    numbers = iter(range(1000))
    monkeypatch.setattr(secrets, "token_bytes", bytes)
    monkeypatch.setattr(secrets, "token_hex", lambda size: f"{next(numbers):0{2 * size}x}")


async def sent(call: Awaitable[Any]) -> bytes:
    """Return an answer, or a refusal, as it was sent."""
    try:
        message = await call
    except Failure as failure:
        return f"{failure.code} {failure.message}".encode() + failure.status.SerializeToString(deterministic=True)
    written: bytes = message.SerializeToString(deterministic=True)
    return written


def attempts(state: State, seat: int) -> Iterator[Action]:
    """Actions that make sense and others that do not, from what a seat itself can know."""
    mine = members(state.hands[seat]) if seat >= 0 else []
    yield PASSING
    yield from (play_cards(1 << card) for card in (0, 21, 47, 52, *mine))
    yield from (answer(card) for card in (0, 52, *mine[:2]))


async def seen_again(who: Caller, table: str, match_id: str, **eyes: int) -> bytes:
    """Return what is told of a running match from its record, or a refusal, as it was sent."""
    try:
        messages = await who.again(match_id, table_id=table, **eyes)
    except Failure as failure:
        return f"{failure.code} {failure.message}".encode() + failure.status.SerializeToString(deterministic=True)
    return b"".join([message.SerializeToString(deterministic=True) for message in messages])


async def asks(who: Caller, table: str, state: State, seat: int, match_id: str) -> list[bytes]:
    """Ask for everything that can be asked for."""
    decision = state.decisions[seat] if seat >= 0 else state.last_decision
    found = [
        await sent(who.view(table)),
        await sent(who.events(table)),
        await sent(who.events(table, game_pb2.Cursor(epoch=1, version=1))),
        await sent(who.call("GetTable", game_pb2.GetTableRequest(table_id=table))),
        await sent(who.call("ListTables", game_pb2.ListTablesRequest())),
        await sent(who.call("GetRecord", record_pb2.GetRecordRequest(match_id=match_id))),
        await sent(who.call("ListRecords", record_pb2.ListRecordsRequest())),
        *[await seen_again(who, table, match_id, eyes=eyes) for eyes in record_pb2.RecordEyes.values()],
        await seen_again(who, table, match_id, from_version=len(state.trick) + 1),
        await sent(who.legal(table, decision, page_size=3)),
        await sent(who.legal(table, decision, page_size=200)),
    ]
    hint = game_pb2.GetHintRequest(table_id=table, decision_id=decision, most=5)
    found.append(await sent(who.call("GetHint", hint)))
    for action in attempts(state, seat):
        checked = game_pb2.CheckActionRequest(table_id=table, decision_id=decision, action=action_to(action))
        found.append(await sent(who.call("CheckAction", checked)))
    for wrong in (0, 1, decision, state.last_decision + 1):
        found.append(await sent(who.act(table, wrong, action_to(Action(DRAW)))))
    return found


async def played(game: World, steps: int, seat: int, settings: list[rules_pb2.Setting]) -> Heard:
    """Play a game at a server, with the eyes of a seat or of a spectator."""
    heard = Heard()
    async with world() as w:
        clock = game_pb2.Clock(turn_seconds=30, choice_seconds=20)
        ruleset = rules_pb2.Ruleset(preset="jdf4", settings=settings)
        form = game_pb2.MatchFormat(games=4)
        table = await w.table(ruleset=ruleset, clock=clock, format=form, spectators=SPECTATORS.get(seat, 0))
        who = w.caller(f"p{seat}" if seat >= 0 else "somebody")
        streams = []
        for caller in (who, *[w.caller(f"p{number}") for number in range(4) if number != seat]):
            streams.append(caller.watch(table))
            await streams[-1].read()
        await w.start(table)
        for k in range(steps + 1):
            life = w.app.tables.find(table).shown
            state = life.state
            if seat != BEHIND:  # to whom nothing is told yet
                heard.answers += await told(streams[0], w, table)
            if k % 3 == 0 or k >= steps - 1:
                heard.answers += await asks(who, table, state, seat, life.match_id)
            if k < steps:
                actor, action = game.actions[k]
                await w.caller(f"p{actor}").act(table, state.decisions[actor], action_to(action))
        for stream in streams[1:]:
            await told(stream, w, table)
        heard.logs = [without_time(line) for line in w.logs.getvalue().splitlines()]
        lines = generate_latest(w.app.metrics.registry).decode().splitlines()
        heard.numbers = [line for line in lines if not MEASURED.search(line)]
        heard.schedule = w.clock.times()
        for stream in streams:
            stream.cancel()
    return heard


async def told(stream: Stream, w: Server, table: str) -> list[bytes]:
    """Read a stream up to what is shown now."""
    version = w.app.tables.find(table).shown.version
    return [message.SerializeToString(deterministic=True) for message in await stream.until(version)]


def without_time(line: str) -> str:
    """A log line without the time of the machine."""
    fields = json.loads(line)
    return json.dumps({key: value for key, value in fields.items() if key not in ("timestamp", "address")})


async def both(name: str, seat: int, number: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Heard, Heard]:
    """Play a game and one that a seat cannot tell from it."""
    table, settings, second = TABLES[name]
    real, lot = record(table, f"{name} {number}", second), Lot(f"{name} {seat}")
    steps = min(len(real.actions) - 1, 24)
    # whoever sees hands later may know as much as any spectator while the game goes on
    known_as = SPECTATOR if seat == BEHIND else seat
    if seat == OPEN:
        # whose worlds have the same hands, but another key, and other answers while they are hidden
        drawn = (other_world(real, seat, steps, lot) for _ in range(400))
        other = next(other for other in drawn if other is not None and len(other.states) > steps)
    else:
        other = next(other for other in worlds(real, known_as, steps, lot, 1, 400) if len(other.states) > steps)
    heard = []
    for game in (real, other):
        with monkeypatch.context() as patched:
            deals(game, patched)
            # in a context of its own, as log lines carry what calls have put there
            heard.append(await asyncio.create_task(played(game, steps, seat, settings)))
    return heard[0], heard[1]


@pytest.mark.parametrize("seat", [SPECTATOR, OPEN, BEHIND, 0, 2])
@pytest.mark.parametrize("name", TABLES)
async def test_what_a_seat_cannot_know_changes_nothing_that_leaves_the_service(
    name: str, seat: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = await both(name, seat, 0, monkeypatch)
    assert one.answers == other.answers
    assert one.logs == other.logs
    assert one.numbers == other.numbers
    assert one.schedule == other.schedule
    assert len(one.answers) > (50 if seat == BEHIND else 100)
    assert not [each for each in one.answers if IDENTITY in each]
    assert len(one.logs) > 20


# --- the check finds leaks -------------------------------------------------------------------------------------------

Leak = Callable[[pytest.MonkeyPatch], None]


def in_events(patch: pytest.MonkeyPatch) -> None:
    """Events are told as they are."""
    patch.setattr("services.game.codec.events.redact", lambda event, seat: event)


def in_events_too_early(patch: pytest.MonkeyPatch) -> None:
    """A game counts as over while it is being played."""
    patch.setattr("services.game.behind.is_being_played", lambda life: False)


def in_logs(patch: pytest.MonkeyPatch) -> None:
    """Log lines have a number that depends on cards."""
    about = History.about

    def talkative(history: History) -> dict[str, str | int]:
        assert history.shown is not None
        return {**about(history), "seconds": history.shown.state.hands[1] % 97}

    patch.setattr(History, "about", talkative)


def in_numbers(patch: pytest.MonkeyPatch) -> None:
    """A count depends on cards."""
    act = Table._act

    def counting(table: Table, head: Life, seat: int, decision: int, action: Action) -> tuple[int, bool]:
        table.desk.metrics.games.inc(head.state.hands[1] % 97)
        return act(table, head, seat, decision, action)

    patch.setattr(Table, "_act", counting)


def in_time(patch: pytest.MonkeyPatch) -> None:
    """How much time somebody has depends on cards."""

    def hasty(life: Life, seat: int) -> tuple[int, bool, None]:
        return 10 + life.state.hands[1] % 89, True, None

    patch.setattr("services.game.deadlines.time_for", hasty)


def in_records(patch: pytest.MonkeyPatch) -> None:
    """A match that runs is seen again as if it were over."""
    patch.setattr("services.game.reviewing.eyes_or_refuse", lambda life, identity: OPEN)


def in_records_too_early(patch: pytest.MonkeyPatch) -> None:
    """Nobody takes the running game out."""
    patch.setattr("services.game.reviewing.finished_games", lambda record: None)


@pytest.mark.parametrize(
    "leak", [in_events, in_events_too_early, in_logs, in_numbers, in_time, in_records, in_records_too_early]
)
async def test_a_leak_of_the_service_is_found(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    leak(monkeypatch)
    seat = BEHIND if leak in (in_events_too_early, in_records_too_early) else SPECTATOR
    one, other = await both("five more rules", seat, 0, monkeypatch)
    assert one != other
