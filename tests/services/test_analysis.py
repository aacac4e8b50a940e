"""Tables for analysis: matches begin in the record of another one, or with prescribed hands, and are not rated."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import grpc
import pytest

from daifugo.v1 import cards_pb2, game_pb2, record_pb2, rules_pb2, view_pb2
from engine.cards import members, parse_cards
from engine.record import replay
from services.game.codec.matches import replayable
from services.game.codec.verifying import verify
from services.game.sqlite import SqliteJournal
from tests.services.folder import Folder, plain
from tests.services.harness import FakeClock, World, refusal, world
from tests.services.test_durability import settle
from tests.services.test_record_service import PRIVATE, a_match, record_of
from tests.services.test_streams import RULESETS

HANDS = ("S3 S5 H9 D9", "H3 H5 C9 SK", "D3 D5 S8 S2", "C3 C5 HJ JK1")


def at(match_id: str, steps: int) -> game_pb2.Position:
    return game_pb2.Position(record=game_pb2.RecordPosition(match_id=match_id, steps=steps))


def dealt(*hands: str, blinds: str = "") -> game_pb2.Position:
    made = [cards_pb2.PrescribedHand(cards=members(parse_cards(hand))) for hand in hands]
    return game_pb2.Position(deal=cards_pb2.PrescribedDeal(hands=made, blinds=members(parse_cards(blinds))))


async def laid(w: World, position: game_pb2.Position, games: int = 2, **more: Any) -> str:
    """Lay a table for analysis and start its match."""
    form = game_pb2.MatchFormat(games=games)
    request = game_pb2.CreateTableRequest(request_id=w.request_id(), position=position, format=form, **more)
    table: game_pb2.Table = (await w.caller("p0").call("CreateTable", request)).table
    for seat in range(len(table.seats)):
        await w.join(table.id, f"p{seat}", seat)
    await w.start(table.id)
    return table.id


def state_at(record: record_pb2.Record, steps: int) -> Any:
    return next(moment.state for moment in replay(replayable(record)) if moment.number == steps)


@pytest.mark.parametrize("name", ["jdf4", "everything"])
async def test_a_match_goes_on_where_another_one_was(name: str) -> None:
    async with world() as w:
        _, match_id = await a_match(w, games=2, ruleset=RULESETS[name][0])
        record = await record_of(w, match_id)
        last = sum(len(game.steps) for game in record.games)
        for steps in (0, 1, 23, len(record.games[0].steps) + 3, last - 1):
            table = await laid(w, at(match_id, steps))
            state, then = w.app.tables.find(table).shown.state, state_at(record, steps)
            assert (state.hands, state.turn, state.order, state.game) == (then.hands, then.turn, then.order, then.game)
            assert (state.discard, state.totals, state.previous) == (then.discard, then.totals, then.previous)
            view = (await w.caller("p1").view(table)).view
            assert sorted(view.hand) == members(then.hands[1])
            assert view.practice


async def test_what_is_played_from_there_is_a_match_of_its_own_that_nobody_is_rated_for() -> None:
    async with world() as w:
        _, match_id = await a_match(w, games=2)
        record = await record_of(w, match_id)
        posted = len(await w.journal.results(0, 10))
        table = await laid(w, at(match_id, 30))
        await w.play(table, seed=99)
        assert len(await w.journal.results(0, 10)) == posted
        own = await record_of(w, w.app.tables.find(table).shown.match_id)
        assert own.practice
        assert own.given_steps == 30
        both = [[step.action for game in each.games for step in game.steps] for each in (record, own)]
        assert both[0][:30] == both[1][:30]
        assert both[0] != both[1]
        assert verify(own).findings == ()
        # and it is seen again from its beginning
        whole = await w.caller("p1").again(own.match_id)
        assert len(whole) - 1 == len(both[1]) + len(own.games)
        # the same actions make the same match, with all that is dealt later
        again = await laid(w, at(match_id, 30))
        for step in [step for game in record.games for step in game.steps][30:]:
            state = w.app.tables.find(again).shown.state
            if not state.playing:
                await w.advance(again, 5)
                await settle(w)
                state = w.app.tables.find(again).shown.state
            await w.caller(f"p{step.seat}").act(again, state.decisions[step.seat], step.action)
        assert w.app.tables.find(again).shown.state.totals == list(record.result.totals)


async def test_between_two_games_the_next_one_is_dealt_as_it_was() -> None:
    async with world() as w:
        _, match_id = await a_match(w, games=2)
        record = await record_of(w, match_id)
        steps = len(record.games[0].steps)
        table = await laid(w, at(match_id, steps))
        assert not w.app.tables.find(table).shown.state.playing
        await w.advance(table, 5)
        await settle(w)
        second = [moment for moment in replay(replayable(record)) if moment.step is None][1]
        assert w.app.tables.find(table).shown.state.hands == second.state.hands


async def test_hands_can_be_prescribed() -> None:
    async with world() as w:
        ruleset = rules_pb2.Ruleset(preset="jdf4")
        table = await laid(w, dealt(*HANDS, blinds="C4"), games=1, ruleset=ruleset)
        state = w.app.tables.find(table).shown.state
        assert state.hands == [parse_cards(hand) for hand in HANDS]
        assert state.blind == parse_cards("C4")
        await w.play(table)
        record = await record_of(w, w.app.tables.find(table).shown.match_id)
        assert [parse_cards(hand) for hand in HANDS] == [
            sum(1 << card for card in hand.cards) for hand in record.games[0].deal.hands
        ]
        assert verify(record).findings == ()
        whole = await w.caller("p1").again(record.match_id, from_version=1)
        assert [sum(1 << card for card in seat.hand) for seat in whole[0].snapshot.view.seats] == state.hands


@pytest.mark.parametrize("from_record", [True, False])
async def test_a_client_that_knows_no_rule_follows(from_record: bool) -> None:
    async with world() as w:
        _, match_id = await a_match(w, games=2)
        position = at(match_id, 100) if from_record else dealt(*HANDS)
        ruleset = None if from_record else rules_pb2.Ruleset(preset="jdf4")
        request = game_pb2.CreateTableRequest(
            request_id="r", position=position, ruleset=ruleset, format=game_pb2.MatchFormat(games=3)
        )
        table = (await w.caller("p0").call("CreateTable", request)).table.id
        for seat in range(4):
            await w.join(table, f"p{seat}", seat)
        folder, stream = Folder(), w.caller("p2").watch(table)
        folder.take(await stream.read())
        await w.start(table)
        await w.play(table, seed=3)
        for message in await stream.until(w.app.tables.find(table).shown.version):
            folder.take(message)
        assert plain(folder.view) == plain((await w.caller("p2").view(table)).view)


async def test_it_goes_on_after_a_restart(tmp_path: Path) -> None:
    clock, path = FakeClock(), str(tmp_path / "store")
    async with world(clock, SqliteJournal(path)) as w:
        _, match_id = await a_match(w, games=2)
        table = await laid(w, at(match_id, 40))
        rng = random.Random(1)
        for _ in range(5):
            await w.step(table, rng)
        before = w.app.tables.find(table).shown.state
    async with world(clock, SqliteJournal(path)) as w:
        after = w.app.tables.find(table).shown.state
        assert (after.hands, after.decisions) == (before.hands, before.decisions)
        await w.play(table)


async def denied(w: World, token: str = "p0", **more: Any) -> tuple[grpc.StatusCode, str, list[str]]:
    request = game_pb2.CreateTableRequest(request_id=w.request_id(), **more)
    failure = await refusal(w.caller(token).call("CreateTable", request))
    fields = failure.details["BadRequest"].field_violations if "BadRequest" in failure.details else ()
    return failure.code, failure.reason, [each.field for each in fields]


async def test_what_no_match_can_begin_with_is_refused() -> None:
    async with world() as w:
        _, match_id = await a_match(w, games=2)
        steps = sum(len(game.steps) for game in (await record_of(w, match_id)).games)
        two, ruleset = game_pb2.MatchFormat(games=2), rules_pb2.Ruleset(preset="jdf4")
        bad = grpc.StatusCode.INVALID_ARGUMENT
        position = at(match_id, 3)
        for expected, more in (
            ("position.record.steps", {"position": at(match_id, steps + 1), "format": two}),
            ("position", {"position": at(match_id, steps), "format": two}),
            ("ruleset", {"position": position, "ruleset": ruleset}),
            ("deal_number", {"position": position, "deal_number": "P1"}),
            ("auto_start", {"position": position, "auto_start": game_pb2.AutoStart()}),
            ("position", {"position": dealt("S3", "S3", "D3", "C3"), "ruleset": ruleset}),
            ("position", {"position": dealt("S3", "H3", "D3"), "ruleset": ruleset}),
            ("position.deal.hands", {"position": dealt(), "ruleset": ruleset}),
        ):
            assert await denied(w, **more) == (bad, "MALFORMED", [expected]), more
        # the match was over with its second game, but not here
        assert await laid(w, at(match_id, steps), games=3)
        assert (await denied(w, position=at("no such match", 0)))[1] == "RECORD_NOT_FOUND"


async def test_nobody_analyses_a_record_that_they_may_not_see() -> None:
    async with world() as w:
        _, match_id = await a_match(w, visibility=PRIVATE)
        assert (await denied(w, "stranger", position=at(match_id, 0)))[1] == "RECORD_NOT_FOUND"


async def test_another_ruleset_or_a_deal_number_takes_the_position_off() -> None:
    async with world() as w:
        _, match_id = await a_match(w, games=1)
        table = await laid(w, at(match_id, 3), games=1)
        await w.play(table)
        for number, practice in (("P7", True), ("", False)):
            request = game_pb2.UpdateTableRequest(request_id=w.request_id(), table_id=table, deal_number=number)
            assert (await w.caller("p0").call("UpdateTable", request)).table.practice is practice
        assert w.app.tables.find(table).shown.settings.position is None
        again = await laid(w, at(match_id, 3), games=1)
        await w.play(again)
        ruleset = rules_pb2.Ruleset(preset="jdf4")
        request = game_pb2.UpdateTableRequest(request_id=w.request_id(), table_id=again, ruleset=ruleset)
        assert not (await w.caller("p0").call("UpdateTable", request)).table.practice
        await w.start(again)
        assert (await w.caller("p0").view(again)).view.state == view_pb2.TABLE_STATE_RUNNING
