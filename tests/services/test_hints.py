"""Hints: what a seat might well do, from what it sees; good play, never a foul while there is anything else."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from statistics import fmean

import grpc
import pytest
from hypothesis import given

from benchmarks.arena import deal, view_of
from benchmarks.arena import decide as let_decide
from benchmarks.duel import lineups
from clients.bot.policies import POLICIES
from daifugo.v1 import game_pb2, view_pb2
from engine.foreseeing import FOULS
from engine.game import advance, apply, is_match_over, new_match, start_game
from engine.legal import check
from engine.program import Program
from engine.state import State
from engine.view import View, open_choice, view
from services.game.codec.actions import action_from
from services.game.codec.hints import REASONS, Advised, Hints, advised
from tests.engine.position import Table
from tests.engine.properties.draws import examples, names, pick, tables
from tests.engine.stream import Stream
from tests.engine.tables import EXTRAS, asked, program
from tests.exhaust.play import deal as dealt
from tests.services.harness import refusal, world

JDF = program("jdf4", hand_size=8)
OTHERS = ("S4 S5 D10 DJ", "C4 C5 C10 CJ", "H4 H5 H10 HJ")


def hints(s: State, seat: int, most: int = 5) -> list[Advised]:
    return advised(view(s, seat), view_of(s, seat), most)


def hinted(hand: str, *others: str, table: Program | None = None, **setting: str) -> list[Advised]:
    """Return the hints of the first seat in a position."""
    at = Table(table or program("jdf4", hand_size=4), hand, *(others or OTHERS), **setting)  # type: ignore[arg-type]  # settings are given by name
    return hints(at.state, 0)


# --- what is advised -------------------------------------------------------------------------------------------------


def test_who_can_go_out_is_told_to() -> None:
    first = hinted("S6", "S5 S4", "C4 C5", "H4 H5", field="D:S5")[0]
    assert list(first.action.play.cards) == [12]
    assert REASONS[first.why].en.startswith("It is the last play")


def test_going_out_with_a_foul_is_the_last_thing_that_is_advised() -> None:
    found = hinted("S8", "S5 S4", "C4 C5", "H4 H5", field="D:S5")
    assert [each.action.WhichOneof("action") for each in found] == ["pass", "play"]
    assert REASONS[found[-1].why].en == "Beware: it is a foul."
    assert any(effect.kind == FOULS for effect in found[-1].would)


def test_who_can_only_pass_is_told_so() -> None:
    found = hinted("S3 D3 H3 D6", field="D:S2")
    assert [REASONS[each.why].en for each in found] == ["There is nothing else to do."]


def test_whoever_owns_the_field_is_told_that_a_pass_brings_the_lead() -> None:
    first = hinted("S9 HQ SK SA", table=program("jdf4", "all_must_pass", hand_size=4), field="A:S7")[0]
    assert first.action.HasField("pass")
    assert REASONS[first.why].en.startswith("The field is yours")


@examples(25)
@given(tables(), names)
def test_every_hint_is_legal_and_there_is_always_one(table: Program, name: str) -> None:
    stream = Stream(name)
    s = new_match(table, 2)
    while not is_match_over(s):
        s, _ = start_game(s, name.encode(), *dealt(table, stream))
        while s.playing:
            seat = asked(s)[0]
            found = hints(s, seat, 4)
            assert 0 < len(found) <= 4
            written = [each.action.SerializeToString(deterministic=True) for each in found]
            assert len(set(written)) == len(written)
            for each in found:
                check(s, seat, s.hands[seat], open_choice(s, seat), action_from(each.action))
            s, _ = apply(s, *pick(stream, s))


# --- how well it plays -----------------------------------------------------------------------------------------------


def by_hints(s: State, seat: int) -> None:
    """Let a seat do what it is advised first. Changes `s`."""
    first = hints(s, seat, 1)[0]
    advance(s, seat, check(s, seat, s.hands[seat], open_choice(s, seat), action_from(first.action)))


def by_policy(name: str, seed: str) -> Callable[[State, int], None]:
    policy = POLICIES[name](random.Random(seed))
    return lambda s, seat: let_decide(s, seat, policy)


def beaten(table: Program, other: str, deals: int) -> float:
    """Return the share of the others that come in below a seat that follows hints; each deal goes round the seats."""
    shares = []
    for number in range(deals):
        cards = random.Random(number).randbytes(32)
        for lineup in lineups("hints", other, table.seats, 1):
            s = deal(table, cards, list(range(table.seats)) if number % 2 else ())
            ways = [by_hints if who == "hints" else by_policy(who, f"{number}") for who in lineup]
            while s.playing:
                for seat in asked(s):
                    if s.decisions[seat]:
                        ways[seat](s, seat)
            shares.append(1 - s.places.index(lineup.index("hints")) / (table.seats - 1))
    return fmean(shares)


def test_the_first_hint_beats_chance_by_far() -> None:
    assert beaten(program("jdf4", *EXTRAS, hand_size=8), "random", 6) > 0.72


def test_the_first_hint_is_as_good_as_the_bot_greedy() -> None:
    assert beaten(JDF, "greedy", 12) > 0.42


# --- over real calls -------------------------------------------------------------------------------------------------


async def test_hints_come_with_their_reasons_in_the_language_of_the_request() -> None:
    async with world() as w:
        table = await w.table()
        await w.start(table)
        who, seen = await w.asked(table)
        request = game_pb2.GetHintRequest(table_id=table, decision_id=seen.decision.id)
        found = (await who.call("GetHint", request)).hints
        assert len(found) == 3
        assert all(hint.text == REASONS[hint.reason].en for hint in found)
        await who.act(table, seen.decision.id, found[0].action)
        failure = await refusal(who.call("GetHint", request))
        assert failure.reason == "DECISION_CLOSED"


async def test_who_is_asked_nothing_gets_no_hint() -> None:
    async with world() as w:
        table = await w.table()
        await w.start(table)
        asked_one, _ = await w.asked(table)
        other = next(w.caller(f"p{n}") for n in range(4) if f"p{n}" != asked_one.token)
        failure = await refusal(other.call("GetHint", game_pb2.GetHintRequest(table_id=table)))
        assert failure.reason == "NOT_YOUR_TURN"


async def test_as_many_hints_come_as_are_asked_for() -> None:
    async with world() as w:
        table = await w.table()
        await w.start(table)
        who, seen = await w.asked(table)
        request = game_pb2.GetHintRequest(table_id=table, decision_id=seen.decision.id, most=7)
        assert len((await who.call("GetHint", request)).hints) == 7
        request.most = 21
        assert (await refusal(who.call("GetHint", request))).reason == "MALFORMED"


async def test_a_table_without_hints_refuses_them() -> None:
    async with world() as w:
        table = await w.table(hints=game_pb2.HINTS_OFF)
        await w.start(table)
        who, seen = await w.asked(table)
        failure = await refusal(
            who.call("GetHint", game_pb2.GetHintRequest(table_id=table, decision_id=seen.decision.id))
        )
        assert (failure.code, failure.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "HINTS_OFF")


@pytest.mark.parametrize(
    ("said", "is_auto", "have"),
    [
        (game_pb2.HINTS_UNSPECIFIED, False, game_pb2.HINTS_ON),
        (game_pb2.HINTS_UNSPECIFIED, True, game_pb2.HINTS_OFF),
        (game_pb2.HINTS_ON, True, game_pb2.HINTS_ON),
        (game_pb2.HINTS_OFF, False, game_pb2.HINTS_OFF),
    ],
)
async def test_where_a_match_begins_by_itself_there_are_hints_only_if_asked_for(
    said: game_pb2.Hints, is_auto: bool, have: game_pb2.Hints
) -> None:
    async with world() as w:
        auto = game_pb2.AutoStart(reserved_seconds=10) if is_auto else None
        table = await w.table(hints=said, auto_start=auto)
        shown = await w.caller("p0").call("GetTable", game_pb2.GetTableRequest(table_id=table))
        assert shown.table.hints == have


def test_a_view_is_all_that_hints_draw_on() -> None:
    s = deal(JDF, bytes(32))
    seat = asked(s)[0]
    v: View = view(s, seat)
    message: view_pb2.View = view_of(s, seat)
    other = s.copy()
    rest = [number for number in range(4) if number != seat]
    one, two = rest[0], rest[1]
    other.hands[one], other.hands[two] = other.hands[two], other.hands[one]
    assert advised(view(other, seat), view_of(other, seat), 5) == advised(v, message, 5)


async def test_for_one_question_hints_are_found_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[int] = []

    def counted(v: View, message: view_pb2.View, most: int) -> list[Advised]:
        found.append(most)
        return advised(v, message, most)

    monkeypatch.setattr("services.game.codec.hints.advised", counted)
    async with world() as w:
        table = await w.table()
        await w.start(table)
        who, seen = await w.asked(table)

        async def asked_for(most: int) -> list[game_pb2.Hint]:
            request = game_pb2.GetHintRequest(table_id=table, decision_id=seen.decision.id, most=most)
            return list((await who.call("GetHint", request)).hints)

        few, many = await asked_for(2), await asked_for(9)
        assert found == [2, 9]
        assert many[:2] == few
        for most in (1, 2, 5, 9):
            assert await asked_for(most) == many[:most]
        assert found == [2, 9]
        await who.act(table, seen.decision.id, many[0].action)
        who, seen = await w.asked(table)
        assert await asked_for(2) != few
        assert found == [2, 9, 2]


async def test_hints_are_kept_for_those_who_asked_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.game.codec.hints.MOST_KEPT", 2)
    async with world() as w:
        tables = [await w.table() for _ in range(3)]
        kept, found = Hints(), Counter[str]()

        def counted(v: View, message: view_pb2.View, most: int) -> list[Advised]:
            found[message.table_id] += 1
            return advised(v, message, most)

        monkeypatch.setattr("services.game.codec.hints.advised", counted)
        for each in tables:
            await w.start(each)
        for number in (0, 1, 0, 2, 0, 1):
            table = w.app.tables.find(tables[number])
            state = table.shown.state
            (seat,) = [seat for seat, decision in enumerate(state.decisions) if decision]
            assert kept.of_table(table, view(state, seat), 1, "en")
        assert [found[each] for each in tables] == [1, 2, 1]
