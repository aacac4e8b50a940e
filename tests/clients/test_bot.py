"""A bot answers whatever it is asked, once, and goes on when the question has gone."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import grpc
import pytest
from google.rpc import status_pb2
from hypothesis import given
from hypothesis import strategies as st

from clients.bot.__main__ import main, parser, players, run
from clients.bot.bot import Bot
from clients.bot.pace import Paced
from clients.bot.policies import POLICIES, Random, any_answer
from clients.bot.policy import Legal
from clients.common.errors import Refused
from clients.common.session import Session
from daifugo.v1 import cards_pb2, game_pb2, matchmaker_pb2, view_pb2
from tests.services.office import office
from tests.services.test_auto_start import get, later

SINGLE = view_pb2.Action(play=cards_pb2.Play(cards=[20], shape=cards_pb2.SHAPE_SINGLE))


@st.composite
def choices(draw: st.DrawFn) -> view_pb2.Choice:
    options = draw(st.lists(st.integers(0, 107), unique=True, max_size=14))
    required = draw(st.lists(st.sampled_from(options), unique=True)) if options else []
    most = draw(st.integers(len(required), len(options)))
    least = draw(st.integers(0, most))
    ordered = draw(st.booleans())
    return view_pb2.Choice(options=options, required=required, least=least, most=most, ordered=ordered)


@given(choices(), st.integers())
def test_any_answer_keeps_to_the_bounds_of_the_choice(choice: view_pb2.Choice, seed: int) -> None:
    values = any_answer(random.Random(seed), choice)
    assert len(values) == len(set(values))
    assert set(choice.required) <= set(values) <= set(choice.options)
    assert choice.least <= len(values) <= choice.most


def test_every_answer_comes_up() -> None:
    choice = view_pb2.Choice(options=range(3), least=0, most=2, ordered=True)
    rng = random.Random(1)
    seen = {tuple(any_answer(rng, choice)) for _ in range(500)}
    assert len(seen) == 1 + 3 + 6


async def test_the_same_seed_decides_the_same(view: view_pb2.View) -> None:
    view.decision.turn.SetInParent()
    actions = [view_pb2.Action(play=cards_pb2.Play(cards=[card])) for card in range(20)]

    async def legal() -> list[view_pb2.Action]:
        return actions

    one, other = (POLICIES["random"](random.Random(5)) for _ in range(2))
    assert [await one.decide(view, legal) for _ in range(9)] == [await other.decide(view, legal) for _ in range(9)]


async def test_a_bot_that_thinks_answers_as_late_whatever_it_has_to_think_about(view: view_pb2.View) -> None:
    time = 0.0

    async def wait(seconds: float) -> None:
        nonlocal time
        time += seconds

    class Thinker:
        async def decide(self, view: view_pb2.View, legal: Legal) -> view_pb2.Action:
            await wait(len(await legal()) / 100)
            return SINGLE

    async def legal(number: int) -> list[view_pb2.Action]:
        return [SINGLE] * number

    paced = Paced(Thinker(), 1.0, lambda: time, wait)
    for turn, number in enumerate((1, 60, 7), 1):
        assert await paced.decide(view, partial(legal, number)) == SINGLE
        assert time == pytest.approx(turn)


def asks(view: view_pb2.View, decision_id: int) -> game_pb2.WatchResponse:
    """A snapshot in which the viewer is asked for a turn."""
    view.decision.id = decision_id
    view.decision.turn.SetInParent()
    return game_pb2.WatchResponse(snapshot=game_pb2.Snapshot(view=view, cursor=game_pb2.Cursor(epoch=1, version=1)))


def ended(version: int) -> game_pb2.WatchResponse:
    event = view_pb2.Event(table_changed=view_pb2.TableChanged(state=view_pb2.TABLE_STATE_ENDED))
    cursor = game_pb2.Cursor(epoch=1, version=version)
    batch = game_pb2.Batch(cursor=cursor, events=[event])
    return game_pb2.WatchResponse(batches=game_pb2.Batches(batches=[batch]))


async def play(service: Any) -> None:
    async with Session(service.address, "bot") as session:
        await Bot(session, "t", Random(random.Random(1)), "Aki", 0).play()


async def test_it_answers_a_question_once_although_it_sees_it_twice(service: Any, view: view_pb2.View) -> None:
    service.legal = [SINGLE]
    service.streams = [[asks(view, 7), asks(view, 7), ended(2)]]
    await play(service)
    (request,) = service.acted
    assert (request.decision_id, request.action) == (7, SINGLE)


async def test_it_goes_on_when_the_question_has_been_closed(
    service: Any, view: view_pb2.View, refusal: Callable[..., status_pb2.Status]
) -> None:
    service.legal = [SINGLE]
    service.act_answers = [refusal("DECISION_CLOSED", "Too late.", grpc.StatusCode.ABORTED)]
    service.streams = [[asks(view, 7), asks(view, 8), ended(2)]]
    await play(service)
    assert [request.decision_id for request in service.acted] == [7, 8]


async def test_it_stops_with_the_reason_when_it_has_done_wrong(
    service: Any, view: view_pb2.View, refusal: Callable[..., status_pb2.Status]
) -> None:
    service.legal = [SINGLE]
    service.act_answers = [refusal("NOT_IN_HAND", "No.", grpc.StatusCode.FAILED_PRECONDITION)]
    service.streams = [[asks(view, 7)]]
    with pytest.raises(Refused, match="NOT_IN_HAND"):
        await play(service)


async def test_it_waits_at_a_table_whose_last_match_is_over(service: Any, view: view_pb2.View) -> None:
    waiting, running = view_pb2.View(), view_pb2.View()
    waiting.CopyFrom(view)
    waiting.state = view_pb2.TABLE_STATE_ENDED
    running.CopyFrom(view)
    service.legal = [SINGLE]
    idle = game_pb2.Snapshot(view=waiting, cursor=game_pb2.Cursor(epoch=1, version=1))
    service.streams = [[game_pb2.WatchResponse(snapshot=idle), asks(running, 9), ended(2)]]
    await play(service)
    assert [request.decision_id for request in service.acted] == [9]


async def test_bots_that_were_paired_with_somebody_who_does_not_come_wait_again() -> None:
    async with office(ticket_idle_seconds=1000.0) as o:
        line = ["--queue", "federation", "--matchmaker", o.app.server.address, "--count", "3"]
        bots = asyncio.ensure_future(run(parser().parse_args(line)))
        await o.until_waiting(3, bots=True)
        await o.take("p0")
        o.w.clock.advance(15)
        table = (await o.until("p0", matchmaker_pb2.TICKET_STATE_ASSIGNED)).assignment.table_id
        async with asyncio.timeout(20):
            while not all([seat.connected for seat in (await get(o.w, table)).seats[1:]]):
                pass
        assert await later(o.w, table, 20) == view_pb2.TABLE_STATE_CLOSED
        await o.until_waiting(3, bots=True)
        bots.cancel()
        await asyncio.gather(bots, return_exceptions=True)
        await o.until_waiting(0, bots=True)


async def test_it_does_not_wait_for_a_match_that_does_not_begin_when_it_should(
    service: Any, view: view_pb2.View, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clients.bot.bot.LATE_SECONDS", 0.0)
    view.state = view_pb2.TABLE_STATE_OPEN
    cursor = game_pb2.Cursor(epoch=1, version=1)
    service.streams = [[game_pb2.WatchResponse(snapshot=game_pb2.Snapshot(view=view, cursor=cursor))]]
    service.table.starts_by.GetCurrentTime()
    service.table.create_time.CopyFrom(service.table.starts_by)
    async with asyncio.timeout(20):
        await play(service)


async def test_it_fetches_what_is_legal_page_by_page() -> None:
    tokens: list[str] = []

    async def page(request: game_pb2.GetLegalActionsRequest) -> game_pb2.GetLegalActionsResponse:
        assert (request.table_id, request.decision_id) == ("t", 7)
        tokens.append(request.page_token)
        token = "" if len(tokens) == 2 else "more"
        return game_pb2.GetLegalActionsResponse(actions=[game_pb2.LegalAction(action=SINGLE)], next_page_token=token)

    session: Any = SimpleNamespace(game=SimpleNamespace(GetLegalActions=page))
    legal = Bot(session, "t", Random(random.Random(1)), "Aki", 0).legal(7)
    assert [await legal() for _ in range(4)] == [[SINGLE], [SINGLE], [], []]
    assert tokens == ["", "more"]


# --- the command -----------------------------------------------------------------------------------------------------


def test_a_lone_bot_keeps_its_token_and_its_name() -> None:
    (player,) = players(parser().parse_args(["--table", "t", "--token", "secret", "--name", "Aki"]))
    assert (player.token, player.name, player.seed) == ("secret", "Aki", None)


def test_several_bots_are_different_callers_at_every_table() -> None:
    arguments = ["--table", "one", "--table", "two", "--count", "2", "--token", "secret", "--seed", "5"]
    found = players(parser().parse_args(arguments))
    assert [(player.table, player.name) for player in found] == [
        ("one", "Bot 1"),
        ("one", "Bot 2"),
        ("two", "Bot 1"),
        ("two", "Bot 2"),
    ]
    assert len({player.token for player in found}) == 4
    assert [player.seed for player in found] == [5, 6, 7, 8]
    assert found == players(parser().parse_args(arguments))


def test_one_seat_is_not_for_several_bots(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--table", "t", "--count", "2", "--seat", "1"])
    assert "--seat" in capsys.readouterr().err


async def test_several_bots_play_in_one_process_and_one_that_fails_stops_no_other(
    service: Any,
    view: view_pb2.View,
    refusal: Callable[..., status_pb2.Status],
    capsys: pytest.CaptureFixture[str],
) -> None:
    service.legal = [SINGLE]
    service.act_answers = [refusal("NOT_IN_HAND", "No.", grpc.StatusCode.FAILED_PRECONDITION)]
    service.streams = [[asks(view, 7), ended(2)] for _ in range(3)]
    arguments = ["--address", service.address, "--table", "t", "--count", "3", "--policy", "random"]
    assert await run(parser().parse_args(arguments)) == 1
    assert [request.decision_id for request in service.acted] == [7, 7, 7]
    assert len({metadata["authorization"] for metadata in service.metadata if metadata}) == 3
    assert capsys.readouterr().err.count("daifugo bot: Bot ") == 1
