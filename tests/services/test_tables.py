"""The life of a table: creating, joining, leaving, hosting, closing."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from daifugo.v1 import game_pb2, rules_pb2, view_pb2
from tests.services.harness import World, refusal, world

JDF4 = rules_pb2.Ruleset(preset="jdf4")


def create(**more: Any) -> game_pb2.CreateTableRequest:
    more.setdefault("request_id", "one")
    more.setdefault("ruleset", JDF4)
    return game_pb2.CreateTableRequest(**more)


async def get(w: World, table: str, token: str = "p0") -> game_pb2.Table:
    found: game_pb2.Table = (await w.caller(token).call("GetTable", game_pb2.GetTableRequest(table_id=table))).table
    return found


def joining(table: str, request_id: str, **more: Any) -> game_pb2.JoinTableRequest:
    return game_pb2.JoinTableRequest(table_id=table, request_id=request_id, **more)


# --- creating --------------------------------------------------------------------------------------------------------


async def test_a_table_has_what_was_asked_for() -> None:
    async with world() as w:
        request = create(
            name="卓 1",
            format=game_pb2.MatchFormat(sets=2),
            clock=game_pb2.Clock(turn_seconds=30),
            ruleset=rules_pb2.Ruleset(preset="jdf4", settings=[rules_pb2.Setting(id="seven_pass", flag=True)]),
        )
        table = (await w.caller("p0").call("CreateTable", request)).table
        assert (table.name, table.state) == ("卓 1", view_pb2.TABLE_STATE_OPEN)
        assert table.format == game_pb2.MatchFormat(sets=2)
        assert table.clock == game_pb2.Clock(turn_seconds=30, choice_seconds=60, idle_seconds=180)
        assert table.durability == game_pb2.DURABILITY_STRICT
        assert [setting.id for setting in table.ruleset.ruleset.settings] == ["seven_pass"]
        assert table.ruleset.ruleset.seats == len(table.seats) == 4
        assert table.ruleset.hash
        assert table.ruleset.engine_version
        assert table.you_are_host
        assert not table.HasField("your_seat")
        assert table.cursor == game_pb2.Cursor(epoch=1, version=0)
        assert table.create_time.ToSeconds() == 1_800_000_000


async def test_a_request_that_is_repeated_gets_the_first_table_for_a_day() -> None:
    async with world() as w:
        first = (await w.caller("p0").call("CreateTable", create())).table
        assert (await w.caller("p0").call("CreateTable", create())).table.id == first.id
        assert (await w.caller("p1").call("CreateTable", create())).table.id != first.id
        failure = await refusal(w.caller("p0").call("CreateTable", create(name="another")))
        assert (failure.code, failure.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "REQUEST_ID_REUSED")
        stream = w.caller("p0").watch(first.id)  # keeps the table from being closed
        await stream.read()
        await w.advance(first.id, 86_399)
        assert (await w.caller("p0").call("CreateTable", create())).table.id == first.id
        await w.advance(first.id, 2)
        assert (await w.caller("p0").call("CreateTable", create())).table.id != first.id


@pytest.mark.parametrize(
    ("request_", "reason", "field"),
    [
        (create(request_id=""), "MALFORMED", "request_id"),
        (create(request_id="x" * 65), "MALFORMED", "request_id"),
        (create(name="x" * 81), "MALFORMED", "name"),
        (create(name="a\nb"), "MALFORMED", "name"),
        (create(durability=9), "MALFORMED", "durability"),
        (create(visibility=9), "MALFORMED", "visibility"),
        (create(format=game_pb2.MatchFormat(games=0)), "MALFORMED", "format.games"),
        (create(format=game_pb2.MatchFormat(rounds=5000)), "MALFORMED", "format.rounds"),
        (create(clock=game_pb2.Clock(turn_seconds=100000)), "MALFORMED", "clock.turn_seconds"),
        (create(clock=game_pb2.Clock(idle_seconds=0)), "MALFORMED", "clock.idle_seconds"),
        (create(ruleset=rules_pb2.Ruleset()), "UNKNOWN_PRESET", "ruleset.preset"),
        (create(ruleset=rules_pb2.Ruleset(preset="jdf4", seats=9)), "WRONG_SEAT_COUNT", "ruleset.seats"),
        (
            create(ruleset=rules_pb2.Ruleset(preset="jdf4", settings=[rules_pb2.Setting(id="nonsense", flag=True)])),
            "UNKNOWN_SETTING",
            "ruleset.settings",
        ),
    ],
)
async def test_a_table_that_cannot_be(request_: game_pb2.CreateTableRequest, reason: str, field: str) -> None:
    async with world() as w:
        failure = await refusal(w.caller("p0").call("CreateTable", request_))
        assert (failure.code, failure.reason) == (grpc.StatusCode.INVALID_ARGUMENT, reason)
        assert failure.details["BadRequest"].field_violations[0].field == field
        assert not (await w.caller("p0").call("ListTables", game_pb2.ListTablesRequest())).tables


async def test_there_is_a_most_of_tables() -> None:
    async with world(max_tables=2) as w:
        for number in range(2):
            await w.caller("p0").call("CreateTable", create(request_id=str(number)))
        failure = await refusal(w.caller("p0").call("CreateTable", create(request_id="2")))
        assert (failure.code, failure.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY")
        assert "RetryInfo" in failure.details


# --- finding ---------------------------------------------------------------------------------------------------------


async def test_every_call_refuses_a_table_that_there_is_not() -> None:
    async with world() as w:
        for method, request in (
            ("GetTable", game_pb2.GetTableRequest),
            ("JoinTable", game_pb2.JoinTableRequest),
            ("LeaveTable", game_pb2.LeaveTableRequest),
            ("SetSeat", game_pb2.SetSeatRequest),
            ("KickSeat", game_pb2.KickSeatRequest),
            ("MoveSeat", game_pb2.MoveSeatRequest),
            ("TransferHost", game_pb2.TransferHostRequest),
            ("UpdateTable", game_pb2.UpdateTableRequest),
            ("RenewInviteCode", game_pb2.RenewInviteCodeRequest),
            ("EndMatch", game_pb2.EndMatchRequest),
            ("StartMatch", game_pb2.StartMatchRequest),
            ("Act", game_pb2.ActRequest),
            ("ListEvents", game_pb2.ListEventsRequest),
            ("GetView", game_pb2.GetViewRequest),
            ("GetLegalActions", game_pb2.GetLegalActionsRequest),
            ("CheckAction", game_pb2.CheckActionRequest),
        ):
            made: Any = request(table_id="no such table")
            if hasattr(made, "request_id"):
                made.request_id = "x"
            failure = await refusal(w.caller("p0").call(method, made))
            assert (failure.code, failure.reason) == (grpc.StatusCode.NOT_FOUND, "TABLE_NOT_FOUND"), method
        failure = await refusal(w.caller("p0").watch("").read())
        assert failure.reason == "TABLE_NOT_FOUND"


async def test_tables_are_listed_by_page_the_newest_first() -> None:
    async with world() as w:
        made = [(await w.caller(f"p{n % 2}").call("CreateTable", create(request_id=str(n)))).table.id for n in range(7)]
        await w.join(made[0], "p1")
        found: list[str] = []
        token = ""
        while True:
            page = await w.caller("p1").call(
                "ListTables", game_pb2.ListTablesRequest(mine=True, page_size=2, page_token=token)
            )
            found += [table.id for table in page.tables]
            token = page.next_page_token
            if not token:
                break
            other = game_pb2.ListTablesRequest(mine=False, page_token=token)
            assert (await refusal(w.caller("p1").call("ListTables", other))).reason == "BAD_PAGE_TOKEN"
        assert found == [made[5], made[3], made[1], made[0]]
        every = await w.caller("p2").call("ListTables", game_pb2.ListTablesRequest())
        assert [table.id for table in every.tables] == made[::-1]


# --- joining and leaving ---------------------------------------------------------------------------------------------


async def test_joining_twice_with_one_request_gives_the_same_seat() -> None:
    async with world() as w:
        table = await w.table(seats=0)
        request = joining(table, "j", display_name="Mio")
        first = await w.caller("p1").call("JoinTable", request)
        assert first.table.your_seat == first.seat == 0
        assert first.table.seats[0].display_name == "Mio"
        again = await w.caller("p1").call("JoinTable", request)
        assert again.seat == 0
        assert again.table.cursor.version == 1
        failure = await refusal(w.caller("p1").call("JoinTable", joining(table, "k")))
        assert (failure.code, failure.reason) == (grpc.StatusCode.ALREADY_EXISTS, "ALREADY_SEATED")


async def test_seats_are_refused_for_their_reasons() -> None:
    async with world() as w:
        table = await w.table(seats=1)
        p1 = w.caller("p1")
        assert (await refusal(p1.call("JoinTable", joining(table, "a", seat=0)))).reason == "SEAT_TAKEN"
        failure = await refusal(p1.call("JoinTable", joining(table, "b", seat=4)))
        assert (failure.code, failure.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "NO_SUCH_SEAT")
        failure = await refusal(p1.call("JoinTable", joining(table, "c", display_name="x" * 41)))
        assert failure.details["BadRequest"].field_violations[0].field == "display_name"
        for number in (1, 2, 3):
            request = game_pb2.SetSeatRequest(table_id=table, seat=number, kind=view_pb2.SEAT_KIND_BOT)
            await w.caller("p0").call("SetSeat", request)
        assert (await refusal(p1.call("JoinTable", joining(table, "d", seat=1)))).reason == "SEAT_RESERVED"
        assert (await refusal(p1.call("JoinTable", joining(table, "e")))).reason == "TABLE_FULL"
        assert (await p1.call("JoinTable", joining(table, "f", bot=True))).seat == 1
        seats = (await get(w, table)).seats
        assert [seat.kind for seat in seats] == [
            view_pb2.SEAT_KIND_OPEN,
            view_pb2.SEAT_KIND_BOT,
            view_pb2.SEAT_KIND_BOT,
            view_pb2.SEAT_KIND_BOT,
        ]
        assert [(seat.occupied, seat.bot) for seat in seats] == [
            (True, False),
            (True, True),
            (False, False),
            (False, False),
        ]


async def test_only_the_host_sets_seats_and_starts() -> None:
    async with world() as w:
        table = await w.table(seats=2)
        p1 = w.caller("p1")
        setting = game_pb2.SetSeatRequest(table_id=table, seat=3, kind=view_pb2.SEAT_KIND_BOT)
        failure = await refusal(p1.call("SetSeat", setting))
        assert (failure.code, failure.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_HOST")
        starting = game_pb2.StartMatchRequest(table_id=table, request_id="s")
        assert (await refusal(p1.call("StartMatch", starting))).reason == "NOT_HOST"
        failure = await refusal(w.caller("p0").call("StartMatch", starting))
        assert failure.reason == "SEATS_EMPTY"
        assert failure.details["ErrorInfo"].metadata["seats"] == "2,3"
        for bad, reason in (
            (game_pb2.SetSeatRequest(table_id=table, seat=9, kind=view_pb2.SEAT_KIND_BOT), "NO_SUCH_SEAT"),
            (game_pb2.SetSeatRequest(table_id=table, seat=1, kind=view_pb2.SEAT_KIND_BOT), "SEAT_TAKEN"),
            (game_pb2.SetSeatRequest(table_id=table, seat=1), "MALFORMED"),
        ):
            assert (await refusal(w.caller("p0").call("SetSeat", bad))).reason == reason
        removing = game_pb2.KickSeatRequest(request_id="k", table_id=table, seat=1)
        seats = (await w.caller("p0").call("KickSeat", removing)).table.seats
        assert not seats[1].occupied
        before = (await get(w, table)).cursor
        left = (await p1.call("LeaveTable", game_pb2.LeaveTableRequest(table_id=table))).table
        assert left.cursor == before, "who has no seat has left already"


async def test_a_host_who_leaves_hands_over_to_the_next_person() -> None:
    async with world() as w:
        table = await w.table(seats=1)
        await w.join(table, "p1", 1, bot=True)
        await w.join(table, "p2", 2)
        assert (await get(w, table)).you_are_host
        left = (await w.caller("p0").call("LeaveTable", game_pb2.LeaveTableRequest(table_id=table))).table
        assert not left.you_are_host
        assert [seat.host for seat in left.seats] == [False, False, True, False]
        assert (await get(w, table, "p2")).you_are_host


async def test_while_a_match_runs_nobody_joins_and_seats_stay() -> None:
    async with world() as w:
        table = await w.table()
        starting = game_pb2.StartMatchRequest(table_id=table, request_id="s")
        started = (await w.caller("p0").call("StartMatch", starting)).table
        assert started.state == view_pb2.TABLE_STATE_RUNNING
        assert started.match_id
        again = (await w.caller("p0").call("StartMatch", starting)).table
        assert again.match_id == started.match_id
        assert again.cursor == started.cursor
        other = game_pb2.StartMatchRequest(table_id=table, request_id="t")
        failure = await refusal(w.caller("p0").call("StartMatch", other))
        assert (failure.code, failure.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "MATCH_RUNNING")
        assert (await refusal(w.caller("px").call("JoinTable", joining(table, "j")))).reason == "GAME_RUNNING"
        setting = game_pb2.SetSeatRequest(table_id=table, seat=3, kind=view_pb2.SEAT_KIND_BOT)
        assert (await refusal(w.caller("p0").call("SetSeat", setting))).reason == "GAME_RUNNING"


async def test_another_match_can_follow_and_begins_with_no_points() -> None:
    async with world() as w:
        table = await w.table(format=game_pb2.MatchFormat(games=1))
        await w.start(table)
        await w.play(table)
        first = (await w.caller("p0").view(table)).view
        assert sum(seat.total for seat in first.seats) == 12
        await w.start(table)
        second = (await w.caller("p0").view(table)).view
        assert (second.game, second.playing) == (1, True)
        assert [seat.total for seat in second.seats] == [0, 0, 0, 0]
        assert second.asked[0].decision_id > 50
        await w.play(table)


# --- closing ---------------------------------------------------------------------------------------------------------


async def test_a_table_that_nobody_uses_is_closed_and_then_forgotten() -> None:
    async with world(table_idle_seconds=3600, closed_table_seconds=600) as w:
        used, idle = await w.table(), await w.table(seats=0)
        stream = w.caller("p0").watch(used)
        await stream.read()
        await w.advance(used, 4300)
        await w.caller("p0").call("ListTables", game_pb2.ListTablesRequest())
        assert (await get(w, used)).state == view_pb2.TABLE_STATE_OPEN
        assert (await get(w, idle)).state == view_pb2.TABLE_STATE_CLOSED
        failure = await refusal(w.caller("p1").call("JoinTable", joining(idle, "late")))
        assert (failure.code, failure.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "TABLE_CLOSED")
        assert (await refusal(w.caller("p1").watch(idle).read())).reason == "TABLE_CLOSED"
        await w.advance(used, 1300)
        failure = await refusal(w.caller("p0").call("GetTable", game_pb2.GetTableRequest(table_id=idle)))
        assert failure.reason == "TABLE_NOT_FOUND"
