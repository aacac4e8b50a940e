"""Acting: decisions guard actions, and every refusal has its own reason."""

from __future__ import annotations

import grpc
import pytest

from daifugo.v1 import cards_pb2, game_pb2, rules_pb2, view_pb2
from tests.services.harness import Caller, World, refusal, world

PASS = view_pb2.Action(**{"pass": view_pb2.Pass()})  # type: ignore[arg-type]


def play(*cards: int, **more: object) -> view_pb2.Action:
    return view_pb2.Action(play=cards_pb2.Play(cards=cards, **more))  # type: ignore[arg-type]


async def running(w: World) -> tuple[str, Caller, view_pb2.View]:
    """Start a match; return the table, the seat that opens, and its view."""
    table = await w.table()
    await w.start(table)
    who, view = await w.asked(table)
    return table, who, view


async def version(w: World, table: str) -> int:
    return (await w.caller("p0").view(table)).cursor.version


# --- sending twice ---------------------------------------------------------------------------------------------------


async def test_the_same_action_for_the_same_decision_gets_the_first_result_however_often() -> None:
    async with world() as w:
        table, who, view = await running(w)
        decision, action = view.decision.id, play(view.hand[0])
        first = await who.act(table, decision, action)
        assert (first.version, first.durable_version, first.repeated) == (6, 6, False)
        await w.play(table)
        for _ in range(2):
            again = await who.act(table, decision, action)
            assert (again.version, again.repeated) == (6, True)


async def test_another_action_for_an_answered_decision_is_refused() -> None:
    async with world() as w:
        table, who, view = await running(w)
        await who.act(table, view.decision.id, play(view.hand[0]))
        failure = await refusal(who.act(table, view.decision.id, play(view.hand[1])))
        assert (failure.code, failure.reason) == (grpc.StatusCode.ABORTED, "DECISION_CLOSED")
        assert await version(w, table) == 6


async def test_a_decision_of_another_seat_is_none_of_mine() -> None:
    async with world() as w:
        table, who, view = await running(w)
        other = next(w.caller(f"p{n}") for n in range(4) if f"p{n}" != who.token)
        failure = await refusal(other.act(table, view.decision.id, play(view.hand[0])))
        assert (failure.code, failure.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOUR_SEAT")
        await who.act(table, view.decision.id, play(view.hand[0]))
        failure = await refusal(other.act(table, view.decision.id, play(view.hand[0])))
        assert failure.reason == "NOT_YOUR_SEAT"


async def test_a_decision_that_was_never_asked_is_unknown() -> None:
    async with world() as w:
        table, who, view = await running(w)
        failure = await refusal(who.act(table, view.decision.id + 1, PASS))
        assert (failure.code, failure.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "DECISION_UNKNOWN")


async def test_without_a_decision_the_rules_say_why_a_seat_may_not_act() -> None:
    async with world() as w:
        table, who, view = await running(w)
        other = next(w.caller(f"p{n}") for n in range(4) if f"p{n}" != who.token)
        assert (await refusal(other.act(table, 0, PASS))).reason == "NOT_YOUR_TURN"
        assert (await refusal(who.act(table, 0, play(view.hand[0])))).reason == "MALFORMED"
        idle = await w.table()
        assert (await refusal(who.act(idle, 0, PASS))).reason == "NO_GAME"


async def test_spectators_do_not_act() -> None:
    async with world() as w:
        table, _, view = await running(w)
        failure = await refusal(w.caller("stranger").act(table, view.decision.id, PASS))
        assert (failure.code, failure.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_SEATED")


# --- what the rules say ----------------------------------------------------------------------------------------------


async def test_a_pass_on_an_empty_field_is_refused_in_the_language_of_the_caller() -> None:
    async with world() as w:
        table, who, view = await running(w)
        for language, text in (
            ("en", "You cannot pass on an empty field."),
            ("ja-JP,en;q=0.5", "場にカードがないときはパスできません。"),
        ):
            failure = await refusal(w.caller(who.token, language).act(table, view.decision.id, PASS))
            assert failure.code == grpc.StatusCode.FAILED_PRECONDITION
            assert failure.reason == "EMPTY_FIELD_PASS"
            assert failure.details["ErrorInfo"].domain == "daifugo.v1"
            assert failure.details["LocalizedMessage"].message == text
            assert failure.details["LocalizedMessage"].locale == language[:2]
            (violation,) = failure.details["Refusal"].violations
            assert violation.reason == rules_pb2.REASON_EMPTY_FIELD_PASS
            assert violation.text == text
        assert await version(w, table) == 5


async def test_cards_that_are_not_held_and_cards_that_fit_nothing() -> None:
    async with world() as w:
        table, who, view = await running(w)
        missing = next(card for card in range(54) if card not in view.hand)
        for action, reason in (
            (play(missing), "NOT_IN_HAND"),
            (play(107), "NOT_IN_HAND"),
            (play(), "NO_CARDS"),
            (play(view.hand[0], view.hand[-1], view.hand[len(view.hand) // 2], view.hand[1]), "NOT_A_SHAPE"),
            (view_pb2.Action(draw=view_pb2.Draw()), "NOT_OFFERED"),
            (view_pb2.Action(answer=view_pb2.Answer(values=[1])), "WRONG_ACTION"),
        ):
            failure = await refusal(who.act(table, view.decision.id, action))
            assert (failure.code, failure.reason) == (grpc.StatusCode.FAILED_PRECONDITION, reason)
        assert await version(w, table) == 5


# --- what is malformed -----------------------------------------------------------------------------------------------

JOKERS = [cards_pb2.Meaning(joker=200, rank=cards_pb2.RANK_ACE)]
NO_RANK = [cards_pb2.Meaning(joker=52)]


@pytest.mark.parametrize(
    ("action", "reason", "field"),
    [
        (view_pb2.Action(), "MALFORMED", "action"),
        (play(108), "MALFORMED_CARDS", "action.play.cards"),
        (play(4294967295), "MALFORMED_CARDS", "action.play.cards"),
        (play(3, 3), "MALFORMED_CARDS", "action.play.cards"),
        (play(3, shape=77), "MALFORMED", "action.play.shape"),
        (play(3, jokers=JOKERS), "MALFORMED_CARDS", "action.play.jokers"),
        (play(3, jokers=NO_RANK), "MALFORMED", "action.play.jokers"),
        (play(3, jokers=[cards_pb2.Meaning(joker=52, rank=99)]), "MALFORMED", "action.play.jokers"),  # type: ignore[arg-type]
        (
            play(3, jokers=[cards_pb2.Meaning(joker=52, rank=cards_pb2.RANK_ACE, suit=9)]),  # type: ignore[arg-type]
            "MALFORMED",
            "action.play.jokers",
        ),
        (view_pb2.Action(dump=view_pb2.Dump(cards=[1, 1])), "MALFORMED_CARDS", "action.dump.cards"),
        (view_pb2.Action(add=view_pb2.Add(cards=[300])), "MALFORMED_CARDS", "action.add.cards"),
    ],
)
async def test_malformed_actions_name_the_field(action: view_pb2.Action, reason: str, field: str) -> None:
    async with world() as w:
        table, who, view = await running(w)
        for attempt in (who.act(table, view.decision.id, action), check(who, table, view.decision.id, action)):
            failure = await refusal(attempt)
            assert (failure.code, failure.reason) == (grpc.StatusCode.INVALID_ARGUMENT, reason)
            assert failure.details["BadRequest"].field_violations[0].field == field
        assert await version(w, table) == 5


async def check(who: Caller, table: str, decision: int, action: view_pb2.Action) -> game_pb2.CheckActionResponse:
    request = game_pb2.CheckActionRequest(table_id=table, decision_id=decision, action=action)
    response: game_pb2.CheckActionResponse = await who.call("CheckAction", request)
    return response


# --- asking first ----------------------------------------------------------------------------------------------------


async def test_every_listed_action_is_legal_and_means_itself() -> None:
    async with world() as w:
        table, who, view = await running(w)
        listed: list[view_pb2.Action] = []
        token = ""
        while True:
            page = await who.legal(table, view.decision.id, page_size=5, page_token=token)
            assert len(page.actions) <= 5
            listed += [each.action for each in page.actions]
            token = page.next_page_token
            if not token:
                break
        whole = await who.legal(table, view.decision.id, page_size=200)
        assert listed == [each.action for each in whole.actions]
        for action in listed:
            answer = await check(who, table, view.decision.id, action)
            assert answer.legal
            assert answer.reading == action
        kinds = await who.legal(table, view.decision.id, kind=game_pb2.ACTION_KIND_PASS)
        assert not kinds.actions


async def test_checking_says_what_speaks_against_an_action_and_changes_nothing() -> None:
    async with world() as w:
        table, who, view = await running(w)
        answer = await check(who, table, view.decision.id, PASS)
        assert not answer.legal
        assert [v.reason for v in answer.refusal.violations] == [rules_pb2.REASON_EMPTY_FIELD_PASS]
        assert await version(w, table) == 5


async def test_legal_actions_of_closed_and_foreign_decisions_are_refused() -> None:
    async with world() as w:
        table, who, view = await running(w)
        other = next(w.caller(f"p{n}") for n in range(4) if f"p{n}" != who.token)
        assert (await refusal(other.legal(table, view.decision.id))).reason == "NOT_YOUR_SEAT"
        assert (await refusal(who.legal(table, view.decision.id + 5))).reason == "DECISION_UNKNOWN"
        assert (await refusal(w.caller("stranger").legal(table, view.decision.id))).reason == "NOT_SEATED"
        assert (await refusal(who.legal(table, view.decision.id, kind=99))).reason == "MALFORMED"
        page = await who.legal(table, view.decision.id, page_size=1)
        for token in ("nonsense", "!", page.next_page_token[:-2], "WzFd"):
            failure = await refusal(who.legal(table, view.decision.id, page_token=token))
            assert failure.reason == "BAD_PAGE_TOKEN"
        await who.act(table, view.decision.id, play(view.hand[0]))
        assert (await refusal(who.legal(table, view.decision.id))).reason == "DECISION_CLOSED"


async def test_cards_that_fit_two_shapes_ask_for_a_declaration() -> None:
    async with world() as w:
        table, reading = await declaration(w)
        assert len(reading.readings) == 2
        assert {action.play.shape for action in reading.readings} == {cards_pb2.SHAPE_GROUP, cards_pb2.SHAPE_SEQUENCE}
        assert table


async def declaration(w: World) -> tuple[str, game_pb2.Refusal]:
    """Deal until somebody who opens has a card and two jokers, and play these three undeclared."""
    for _ in range(200):
        table, who, view = await running(w)
        if {52, 53} <= set(view.hand):
            failure = await refusal(who.act(table, view.decision.id, play(52, 53, view.hand[0])))
            assert failure.reason == "DECLARATION_NEEDED"
            refused: game_pb2.Refusal = failure.details["Refusal"]
            return table, refused
    raise AssertionError("nobody gets two jokers")
