"""What a seat gets is the same whatever the others hold; and nothing secret is in logs or metrics."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest
from prometheus_client import generate_latest

from daifugo.v1 import game_pb2
from engine.actions import play_cards
from engine.cards import as_set, members
from engine.events import Event
from engine.game import start_game
from engine.state import State
from engine.view import view
from services.common.logs import ALLOWED
from services.game.codec.actions import action_to
from services.game.codec.legal import check_action, legal_actions
from services.game.codec.streams import frames_to
from services.game.codec.views import view_to
from services.game.frames import Frame, Told
from services.game.life import Life
from services.game.table import Table
from tests.services.harness import World, world
from tests.services.test_streams import EVERYTHING, ruleset


def permuted(state: State, viewer: int, rng: random.Random) -> State:
    """Return a state in which everything that a seat cannot see lies otherwise."""
    other = state.copy()
    hidden = [seat for seat in range(state.seats) if seat != viewer]
    cards = [card for seat in hidden for card in members(state.hands[seat])] + members(state.blind | state.laid_away)
    rng.shuffle(cards)
    for seat in hidden:
        size = state.hands[seat].bit_count()
        other.hands[seat], cards = as_set(cards[:size]), cards[size:]
    size = state.blind.bit_count()
    other.blind, other.laid_away = as_set(cards[:size]), as_set(cards[size:])
    return other


def everything_for(table: Table, viewer: int) -> Iterator[bytes]:
    """Iterate over what a seat can get to see of a table at this moment."""
    yield view_to(table, viewer).SerializeToString(deterministic=True)
    if viewer < 0 or not table.shown.state.decisions[viewer]:
        return
    v = view(table.shown.state, viewer)
    actions, more = legal_actions(v, 0, 0, 50)
    yield bytes(more)
    for each in actions:
        yield each.SerializeToString(deterministic=True)
    for card in range(54):
        yield check_action(v, action_to(play_cards(1 << card)), "en").SerializeToString(deterministic=True)


def check_moment(table: Table, rng: random.Random) -> None:
    life = table.history.shown
    assert isinstance(life, Life)
    for viewer in range(-1, life.state.seats):
        truth = list(everything_for(table, viewer))
        table.history.shown = life._replace(state=permuted(life.state, viewer, rng))
        try:
            assert list(everything_for(table, viewer)) == truth
        finally:
            table.history.shown = life


async def test_nothing_that_a_seat_can_ask_depends_on_what_it_cannot_see() -> None:
    async with world() as w:
        table_id = await w.table(ruleset=ruleset("jdf4", EVERYTHING, {}), format=game_pb2.MatchFormat(games=3))
        await w.start(table_id)
        rng = random.Random(11)
        table, kinds = w.app.tables.find(table_id), set[str]()
        for _ in range(400):
            if not await w.step(table_id, rng):
                w.clock.advance(10)
            kinds.add(table.shown.state.asking_rule or ("window" if table.shown.state.window_seats else "turn"))
            check_moment(table, rng)
        assert {"turn", "card_exchange", "seven_pass"} <= kinds


async def deals(w: World) -> tuple[Life, list[Event], list[Event]]:
    """Deal twice so that seat 0 gets the same hand and the others other hands."""
    table = w.app.tables.find(await w.table())
    life = table.shown
    state, _ = start_game(life.state, b"seed")
    other = permuted(state, 0, random.Random(1))
    dealt = [start_game(life.state, b"seed", tuple(each.hands), each.blind)[1] for each in (state, other)]
    return life, dealt[0], dealt[1]


def told(life: Life, events: list[Event], viewer: int) -> bytes:
    frame = Frame(1, 1, 0.0, Told(tuple(events), None, {}, True, frozenset(), (), life.program, (), None))
    return frames_to((frame,), viewer, 0.0)


def sizes(data: bytes) -> list[int]:
    (batch,) = game_pb2.WatchResponse.FromString(data).batches.batches
    return [event.ByteSize() for event in batch.events]


async def test_a_deal_tells_each_seat_its_own_cards_only(monkeypatch: pytest.MonkeyPatch) -> None:
    async with world() as w:
        life, one, other = await deals(w)
        for viewer in (0, -1):
            assert told(life, one, viewer) == told(life, other, viewer)
        assert told(life, one, 1) != told(life, other, 1)
        monkeypatch.setattr("services.game.codec.events.redact", lambda event, _seat: event)
        assert told(life, one, 0) != told(life, other, 0), "a leak would be noticed"


async def test_messages_have_the_same_size_for_every_seat_that_may_not_see() -> None:
    async with world() as w:
        life, one, other = await deals(w)
        assert sizes(told(life, one, -1)) == sizes(told(life, other, -1))


async def test_log_lines_hold_neither_tokens_nor_identities_nor_cards() -> None:
    async with world() as w:
        table = await w.table(name="a table with a name")
        await w.start(table)
        await w.play(table)
        lines = [json.loads(line) for line in w.logs.getvalue().splitlines()]
        assert [line["event"] for line in lines].count("game_ended") == 2
        for line in lines:
            assert set(line) <= ALLOWED
        text = w.logs.getvalue()
        identities = [seat.occupant.identity for seat in w.app.tables.find(table).shown.seats if seat.occupant]
        for secret in ("Bearer", "P0", '"p0"', "a table with a name", *identities):
            assert secret not in text


async def test_the_number_of_metrics_does_not_grow_with_tables_and_players() -> None:
    async with world() as w:

        async def series() -> int:
            table = await w.table(format=game_pb2.MatchFormat(games=1))
            stream = w.caller("p0").watch(table)
            await stream.read()
            await w.start(table)
            await w.play(table)
            stream.cancel()
            await w.caller("p0").view(table)
            return len(generate_latest(w.app.metrics.registry).splitlines())

        first = await series()
        for _ in range(4):
            last = await series()
        assert last == first
        text = generate_latest(w.app.metrics.registry).decode()
        assert "daifugo_tables 5.0" in text
        assert 'daifugo_calls_total{code="OK",method="StartMatch"} 5.0' in text
        assert "daifugo_games_total 5.0" in text
        assert "daifugo_matches_total 5.0" in text
