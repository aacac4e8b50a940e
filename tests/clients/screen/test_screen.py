"""Keys and clicks become answers, and what happens is shown. The service is prepared; the rest is real."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc
import pytest
from google.rpc import status_pb2
from textual.pilot import Pilot
from textual.widgets import OptionList

from clients.cli.question import PASS
from clients.common.errors import Refused
from clients.common.watch import Update
from clients.screen.app import FullScreen
from clients.screen.dialogs import Choose, Read
from clients.screen.tray import Tray
from daifugo.v1 import cards_pb2, game_pb2, rules_pb2, view_pb2
from tests.clients.screen.conftest import Open, shown, until

S3, H3, S8, H8, JK = 0, 1, 20, 21, 52
Screen = tuple[FullScreen, Pilot[None]]


def plays(*cards: int, rank: int = 0) -> view_pb2.Action:
    jokers = [cards_pb2.Meaning(joker=JK, rank=cards_pb2.Rank.Name(rank))] if rank else []
    return view_pb2.Action(play=cards_pb2.Play(cards=cards, jokers=jokers))


@pytest.fixture
def turn(view: view_pb2.View) -> view_pb2.View:
    """The viewer's turn to beat a four."""
    view.hand.extend([S3, H3, S8, H8, JK])
    view.seats[0].hand_count = 5
    view.field.add(seat=3, play=cards_pb2.Play(cards=[4], shape=cards_pb2.SHAPE_SINGLE))
    view.owner, view.turn = 3, 0
    view.asked.add(seat=0, decision_id=7, kind=view_pb2.DECISION_KIND_TURN)
    view.decision.id = 7
    view.decision.turn.SetInParent()
    return view


@pytest.fixture
async def screen(open_screen: Open, service: Any, turn: view_pb2.View) -> AsyncIterator[Screen]:
    """The full screen in the viewer's turn, in which eights and the joker can be played."""
    service.legal = [plays(S8), plays(H8), plays(JK), PASS]
    async with open_screen(service.address) as (app, pilot):
        await app.player.hear(Update(turn))
        await pilot.pause()
        yield app, pilot


def text(app: FullScreen) -> str:
    return "\n".join(shown(app))


async def test_picked_cards_are_played(screen: Screen, service: Any) -> None:
    app, pilot = screen
    await pilot.press("home", "right", "right", "space")
    await until(pilot, lambda: "Enter: ♠8" in text(app))
    await pilot.press("enter")
    await until(pilot, lambda: service.acted)
    (request,) = service.acted
    assert (request.decision_id, request.action) == (7, plays(S8))


async def test_enter_on_a_card_picks_it_first(screen: Screen, service: Any) -> None:
    app, pilot = screen
    await pilot.press("enter")
    await until(pilot, lambda: "Enter: ♠8" in text(app))
    assert not service.acted
    await pilot.press("enter")
    await until(pilot, lambda: service.acted)


async def test_a_click_picks_a_card(screen: Screen) -> None:
    app, pilot = screen
    column = app.query_one(Tray).places[3][1]
    await pilot.click("#tray", offset=(column + 1, 0))
    await until(pilot, lambda: "[♥8]" in text(app))
    assert app.player.picking.picked == [H8]


async def test_the_key_of_a_rank_picks_its_cards(screen: Screen) -> None:
    app, pilot = screen
    await pilot.press("8", "8", "*")
    assert app.player.picking.picked == [S8, H8, JK]
    await pilot.press("escape")
    assert app.player.picking.picked == []


async def test_p_passes(screen: Screen, service: Any) -> None:
    _, pilot = screen
    await pilot.press("p")
    await until(pilot, lambda: service.acted)
    assert service.acted[0].action == PASS


async def test_cards_that_cannot_be_played_have_no_line_below(screen: Screen) -> None:
    app, pilot = screen
    await pilot.press("home")
    rows = shown(app)
    at = next(number for number, row in enumerate(rows) if "♥3" in row and "JK" in row)
    assert rows[at].split() == ["♠3", "♥3", "♠8", "♥8", "JK"]
    assert rows[at + 1].split() == ["^^", "--", "--", "--"]


async def test_why_not_is_said_before_anything_is_sent(
    screen: Screen, service: Any, refusal: Callable[..., status_pb2.Status]
) -> None:
    app, pilot = screen
    violation = game_pb2.Violation(reason=rules_pb2.REASON_NOT_STRONGER, text="Too weak.")
    service.verdicts = lambda action: game_pb2.CheckActionResponse(refusal=game_pb2.Refusal(violations=[violation]))
    await pilot.press("home", "space")
    await until(pilot, lambda: "Not possible: Too weak." in text(app))
    assert not service.acted


async def test_hints_go_through_what_can_be_played(screen: Screen) -> None:
    app, pilot = screen
    seen = []
    for key in ("h", "h", "h", "b"):
        await pilot.press(key)
        await until(pilot, lambda: "Hint" in text(app))
        seen.append(list(app.player.picking.picked))
    assert seen == [[S8], [H8], [JK], [H8]]
    assert "Hint 2/3. Enter: ♥8" in text(app)


async def test_the_hint_before_the_first_is_the_last(screen: Screen, service: Any) -> None:
    app, pilot = screen
    service.hints = [game_pb2.Hint(action=plays(card), text="So.") for card in (S8, H8, JK)]
    await pilot.press("b")
    await until(pilot, lambda: "Hint 3/3. Enter: JK" in text(app))


async def test_hints_of_the_service_are_told_with_their_reasons(screen: Screen, service: Any) -> None:
    app, pilot = screen
    cut = game_pb2.Effect(rule_id="eight_cut", kind=game_pb2.EFFECT_KIND_FLUSH, text="Eight cut: the field is cleared")
    service.hints = [
        game_pb2.Hint(action=plays(H8), text="It ends the trick.", would_fire=[cut]),
        game_pb2.Hint(action=PASS, text="Wait."),
    ]
    await pilot.press("h")
    await until(pilot, lambda: "Hint 1/2. Enter: ♥8 → Eight cut: the field is cleared" in text(app))
    assert "It ends the trick." in text(app)
    assert list(app.player.picking.picked) == [H8]
    await pilot.press("h")
    await until(pilot, lambda: "Hint 2/2" in text(app))
    await pilot.press("enter")
    await until(pilot, lambda: service.acted)
    assert service.acted[0].action == PASS


async def test_what_would_come_of_the_picks_is_said_before_they_are_played(screen: Screen, service: Any) -> None:
    app, pilot = screen
    cut = game_pb2.Effect(rule_id="eight_cut", kind=game_pb2.EFFECT_KIND_FLUSH, text="Eight cut: the field is cleared")
    service.verdicts = lambda action: game_pb2.CheckActionResponse(legal=True, reading=action, would_fire=[cut])
    await pilot.press("8")
    await until(pilot, lambda: "Enter: ♠8 → Eight cut: the field is cleared" in text(app))


async def test_cards_that_can_mean_two_things_are_asked_about(
    open_screen: Open, service: Any, turn: view_pb2.View
) -> None:
    meanings = [plays(S3, S8, JK, rank=5), plays(S3, S8, JK, rank=7)]
    service.legal = [*meanings, PASS]
    async with open_screen(service.address) as (app, pilot):
        await app.player.hear(Update(turn))
        await pilot.press("3", "8", "*", "enter")
        await until(pilot, lambda: isinstance(app.screen, Choose))
        await until(pilot, lambda: app.screen.query_one(OptionList).has_focus)
        assert "JK=7" in text(app)
        assert "JK=9" in text(app)
        await pilot.press("down", "enter")
        await until(pilot, lambda: service.acted)
        assert service.acted[0].action == meanings[1]


async def test_readings_that_the_service_asks_about_are_shown_too(
    screen: Screen, service: Any, refusal: Callable[..., status_pb2.Status]
) -> None:
    app, pilot = screen
    unclear = game_pb2.Refusal(readings=[plays(S8, JK, rank=6), plays(S8, JK, rank=5)])
    status = refusal("DECLARATION_NEEDED", "Say which.", grpc.StatusCode.FAILED_PRECONDITION, unclear)
    service.act_answers = [status]
    await pilot.press("8", "*", "enter")
    await until(pilot, lambda: isinstance(app.screen, Choose))
    await pilot.press("escape")
    await until(pilot, lambda: not isinstance(app.screen, Choose))
    assert len(service.acted) == 1


async def test_a_list_of_readings_goes_away_with_its_question(
    open_screen: Open, service: Any, turn: view_pb2.View
) -> None:
    service.legal = [plays(S3, JK, rank=5), plays(S3, JK, rank=7)]
    async with open_screen(service.address) as (app, pilot):
        await app.player.hear(Update(turn))
        await pilot.press("3", "*", "enter")
        await until(pilot, lambda: isinstance(app.screen, Choose))
        turn.ClearField("decision")
        await app.player.hear(Update(turn))
        await until(pilot, lambda: not isinstance(app.screen, Choose))
        assert not service.acted


async def test_a_choice_is_answered_by_picking_options(open_screen: Open, service: Any, view: view_pb2.View) -> None:
    view.hand.extend([S3, H8])
    view.decision.id = 8
    choice = view_pb2.Choice(rule_id="give", of=view_pb2.Choice.OF_SEAT, options=[1, 2, 3], least=1, most=1)
    view.decision.choice.CopyFrom(choice)
    async with open_screen(service.address) as (app, pilot):
        await app.player.hear(Update(view))
        await until(pilot, lambda: "give: choose players, 1." in text(app))
        assert "Hand, 2: ♠3 ♥8" in text(app)
        await pilot.press("right", "right", "space")
        await until(pilot, lambda: "[Nao]" in text(app))
        await pilot.press("enter")
        await until(pilot, lambda: service.acted)
        assert list(service.acted[0].action.answer.values) == [3]


async def test_everything_is_said_again_in_the_other_language(screen: Screen, turn: view_pb2.View) -> None:
    app, pilot = screen
    passed = view_pb2.Event(passed=view_pb2.Passed(seat=1))
    await app.player.hear(Update(turn, turn, [passed]))
    await until(pilot, lambda: "Aki passes." in text(app))
    await pilot.press("l")
    await until(pilot, lambda: "Aki: パス。" in text(app))
    assert "あなたの番です。" in text(app)
    assert "Your turn" not in text(app)
    assert "q終了" in text(app)


async def test_names_are_shown_as_typed_and_steer_nothing(screen: Screen, turn: view_pb2.View) -> None:
    app, pilot = screen
    turn.seats[1].seat.display_name = "[red]x[/]"
    turn.seats[2].seat.display_name = "a\x1b[2Jb\nc\u202e"
    passed = [view_pb2.Event(passed=view_pb2.Passed(seat=seat)) for seat in (1, 2)]
    await app.player.hear(Update(turn, turn, passed))
    await until(pilot, lambda: "a[2Jbc passes." in text(app))
    assert "[red]x[/] passes." in text(app)
    assert any(row.startswith("  [red]x[/]") for row in shown(app))
    assert not {"\x1b", "\u202e"} & set(text(app))


async def test_a_time_bank_is_shown_behind_the_time_of_the_turn_and_then_alone(
    screen: Screen, turn: view_pb2.View
) -> None:
    app, pilot = screen
    app.player.clock.monotonic = lambda: 0.0
    turn.seats[1].bank.seconds = 37
    turn.seats[1].seat.connected = True
    turn.decision.remaining.seconds, turn.decision.bank.seconds = 85, 60
    await app.player.hear(Update(turn))
    await until(pilot, lambda: "0:25 left and 1:00" in text(app))
    assert "bank 0:37" in text(app)
    turn.decision.remaining.seconds = 42
    await app.player.hear(Update(turn))
    await until(pilot, lambda: "0:42 in the bank" in text(app))


async def test_enter_takes_the_seat_back_from_a_stand_in(screen: Screen, service: Any, turn: view_pb2.View) -> None:
    app, pilot = screen
    turn.ClearField("decision")
    for seat in (0, 2):
        turn.seats[seat].seat.stand_in = view_pb2.STAND_IN_IDLE
    await app.player.hear(Update(turn))
    await until(pilot, lambda: text(app).count("stand-in") == 2)
    await pilot.press("enter")
    await until(pilot, lambda: service.options)
    assert [request.stand_in for request in service.options] == [False]
    assert not service.acted


async def test_a_lost_connection_is_shown_until_it_is_back(screen: Screen, turn: view_pb2.View) -> None:
    app, pilot = screen
    await app.player.hear(Update(turn, lost=True))
    await until(pilot, lambda: "No connection" in shown(app)[0])
    await app.player.hear(Update(turn))
    await until(pilot, lambda: "No connection" not in shown(app)[0])
    assert "The connection is back." in text(app)


async def test_an_answer_that_does_not_get_through_can_be_given_again(screen: Screen, service: Any) -> None:
    app, pilot = screen
    service.act_answers = [grpc.StatusCode.INTERNAL]
    await pilot.press("8", "enter")
    await until(pilot, lambda: "Not possible: not now" in text(app))
    assert app.player.picking.picked == [S8]
    await pilot.press("enter")
    await until(pilot, lambda: len(service.acted) == 2)
    assert service.acted[0] == service.acted[1]


async def test_keys_without_a_question_say_so(open_screen: Open, service: Any, view: view_pb2.View) -> None:
    view.hand.extend([S3])
    async with open_screen(service.address) as (app, pilot):
        await app.player.hear(Update(view))
        for key in ("enter", "p", "h"):
            app.player.verdict = None
            await pilot.press(key)
            await until(pilot, lambda: "Nothing is asked of you now." in text(app))


async def test_rules_and_keys_can_be_read(screen: Screen) -> None:
    app, pilot = screen
    for key, title in (("question_mark", "Keys"), ("r", "Rules of this table (0)")):
        await pilot.press(key)
        await until(pilot, lambda: isinstance(app.screen, Read))
        await until(pilot, lambda title=title: title in text(app))  # type: ignore[misc]  # mypy cannot type it
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, Read))


async def test_leaving_is_asked_about(screen: Screen) -> None:
    app, pilot = screen
    await pilot.press("q")
    await until(pilot, lambda: isinstance(app.screen, Choose))
    await pilot.press("down", "enter")
    await until(pilot, lambda: not isinstance(app.screen, Choose))
    await pilot.press("q", "enter")
    await until(pilot, lambda: not app.is_running)


async def test_the_end_is_shown_until_it_is_closed(screen: Screen, turn: view_pb2.View) -> None:
    app, pilot = screen
    results = [view_pb2.MatchResult(seat=1, rank=1, total=6), view_pb2.MatchResult(seat=0, rank=2, total=4)]
    ended = view_pb2.Event(match_ended=view_pb2.MatchEnded(results=results))
    await app.player.hear(Update(turn, turn, [ended]))
    app.call_later(lambda: app.run_worker(app.show_end()))
    await until(pilot, lambda: isinstance(app.screen, Read))
    await until(pilot, lambda: "2. You, 4 points" in text(app))
    await pilot.press("enter")
    await until(pilot, lambda: not app.is_running)


async def test_a_question_is_not_missed_when_its_offers_cannot_be_had_at_once(
    open_screen: Open, service: Any, turn: view_pb2.View
) -> None:
    service.legal = [plays(S8), PASS]
    async with open_screen(service.address) as (app, pilot):
        offers = app.player.offers.begin

        async def fail(decision_id: int) -> list[view_pb2.Action]:
            app.player.offers.begin = offers  # type: ignore[method-assign]  # fails once
            await asyncio.sleep(0)
            raise Refused(grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE", "away")

        app.player.offers.begin = fail  # type: ignore[method-assign]  # fails once
        await app.player.hear(Update(turn))
        assert "Your turn" not in text(app)
        await app.player.hear(Update(turn))
        await until(pilot, lambda: "Your turn" in text(app))
