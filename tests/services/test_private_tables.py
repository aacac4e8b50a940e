"""Private tables are for those who belong to them or have the code; for everybody else there is no such table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import pytest

from daifugo.v1 import game_pb2, view_pb2
from services.game.invites import GUESS_SECONDS, LENGTH, LETTERS, MOST_GUESSES, MOST_GUESSES_OF_ALL, Invites, new_code
from services.game.invites import plain as as_code
from services.game.journal import Journal, MemoryJournal
from services.game.sqlite import SqliteJournal
from tests.services.harness import FakeClock, Stream, World, refusal, world
from tests.services.test_actions import PASS
from tests.services.test_successors import leave
from tests.services.test_tables import create, get, joining

PRIVATE = game_pb2.TABLE_VISIBILITY_PRIVATE


async def private(w: World, seats: int = 1, **more: Any) -> tuple[str, str]:
    """Lay a private table, with some players at it; return its id and its code."""
    table = await w.table(seats=1, visibility=PRIVATE, **more)
    code = (await get(w, table)).invite_code
    for number in range(1, seats):
        await w.caller(f"p{number}").call("JoinTable", joining(table, "j", seat=number, invite_code=code))
    return table, code


async def listed(w: World, token: str, **more: Any) -> list[str]:
    tables = (await w.caller(token).call("ListTables", game_pb2.ListTablesRequest(**more))).tables
    return [table.id for table in tables]


def every_request(table: str) -> list[tuple[str, Any]]:
    """A request of every kind that names a table."""
    service = game_pb2.DESCRIPTOR.services_by_name["GameService"]
    found = []
    for method in service.methods:
        made: Any = getattr(game_pb2, method.input_type.name)()
        if hasattr(made, "table_id"):
            made.table_id = table
            if hasattr(made, "request_id"):
                made.request_id = "x"
            if method.name == "SetSeat":
                made.kind = view_pb2.SEAT_KIND_BOT
            if method.name in ("Act", "CheckAction"):
                made.action.CopyFrom(PASS)
            found.append((method.name, made))
    return found


async def whole_refusal(w: World, method: str, request: Any) -> tuple[Any, ...]:
    """Everything that a refusal tells."""
    stranger = w.caller("stranger")
    if method == "Watch":
        failure = await refusal(stranger.watch(request.table_id).read())
    else:
        failure = await refusal(stranger.call(method, request))
    return failure.code, failure.reason, failure.message, failure.status.SerializeToString(deterministic=True)


# --- who may know ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("running", [False, True])
async def test_to_a_stranger_a_private_table_is_no_table_whatever_they_call(running: bool) -> None:
    async with world() as w:
        table, _ = await private(w, seats=4)
        if running:
            await w.start(table)
        requests = every_request(table)
        assert len(requests) > 10
        for (method, request), (_, missing) in zip(requests, every_request("0" * len(table))):
            told = await whole_refusal(w, method, request)
            assert told[:2] == (grpc.StatusCode.NOT_FOUND, "TABLE_NOT_FOUND"), method
            assert told == await whole_refusal(w, method, missing), method


async def test_private_tables_are_listed_for_whoever_belongs_to_them_only() -> None:
    async with world() as w:
        table, _ = await private(w, seats=2)
        public = await w.table(seats=0)
        assert await listed(w, "stranger") == [public]
        assert await listed(w, "p1") == [public, table]
        assert await listed(w, "p1", mine=True) == [table]
        assert (await get(w, table)).visibility == PRIVATE
        assert (await get(w, public, "stranger")).visibility == game_pb2.TABLE_VISIBILITY_PUBLIC


async def test_only_those_at_the_table_are_told_its_code() -> None:
    async with world() as w:
        table, code = await private(w, seats=2)
        assert (await get(w, table, "p1")).invite_code == code
        request = game_pb2.GetTableRequest(invite_code=code)
        shown = (await w.caller("guest").call("GetTable", request)).table
        assert (shown.id, shown.invite_code) == (table, "")
        public = await w.table(seats=0)
        assert not (await get(w, public, "stranger")).invite_code
        assert code not in w.logs.getvalue()
        assert as_code(code) not in w.logs.getvalue()


async def test_the_code_opens_the_table_for_a_seat_and_for_looking_on() -> None:
    async with world() as w:
        table, code = await private(w)
        guest = w.caller("guest")
        view = game_pb2.GetViewRequest(table_id=table, invite_code=code)
        assert not (await guest.call("GetView", view)).view.HasField("seat")
        watch = game_pb2.WatchRequest(table_id=table, invite_code=code)
        stream = Stream(guest.game.Watch(watch, metadata=guest.metadata))
        assert (await stream.read()).HasField("snapshot")
        stream.cancel()
        assert (await refusal(guest.view(table))).reason == "TABLE_NOT_FOUND", "a code opens one call"
        joined = await guest.call("JoinTable", joining("", "j", invite_code=code))
        assert (joined.table.id, joined.seat) == (table, 1)
        assert (await guest.view(table)).view.seat == 1


@pytest.mark.parametrize("written", ["{0}-{1}", "{0}{1}", " {0} {1} ", "{0}–{1}"])
@pytest.mark.parametrize("letters", ["upper", "lower", "wide"])
async def test_a_code_may_be_typed_in_many_ways(written: str, letters: str) -> None:
    async with world() as w:
        table, code = await private(w)
        typed = written.format(*code.split("-"))
        if letters == "lower":
            typed = typed.lower()
        elif letters == "wide":
            typed = "".join([chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in typed])
        found = await w.caller("guest").call("GetTable", game_pb2.GetTableRequest(invite_code=typed))
        assert found.table.id == table


async def test_whoever_leaves_may_come_back_and_repeat_leaving_without_the_code() -> None:
    async with world() as w:
        table, code = await private(w, seats=2)
        await leave(w, table, "p1")
        await leave(w, table, "p1")
        await w.join(table, "p1", 3)
        await leave(w, table, "p1")
        renew = game_pb2.RenewInviteCodeRequest(request_id="r", table_id=table)
        new = (await w.caller("p0").call("RenewInviteCode", renew)).table.invite_code
        assert new != code
        assert (await refusal(w.join(table, "p1"))).reason == "TABLE_NOT_FOUND"


async def test_a_renewed_code_is_the_only_one_and_is_drawn_once_for_a_request() -> None:
    async with world() as w:
        table, code = await private(w, seats=2)
        renew = game_pb2.RenewInviteCodeRequest(request_id="r", table_id=table)
        new = (await w.caller("p0").call("RenewInviteCode", renew)).table.invite_code
        assert (await w.caller("p0").call("RenewInviteCode", renew)).table.invite_code == new
        for old in (joining("", "a", invite_code=code), joining(table, "b", invite_code=code)):
            assert (await refusal(w.caller("guest").call("JoinTable", old))).reason == "TABLE_NOT_FOUND"
        assert (await w.caller("p1").view(table)).view.seat == 1, "whoever sits at it stays"
        assert (await w.caller("guest").call("JoinTable", joining("", "c", invite_code=new))).seat == 2


async def test_joining_by_code_is_repeated_though_the_code_has_changed() -> None:
    async with world() as w:
        table, code = await private(w)
        request = joining("", "j", invite_code=code)
        first = await w.caller("guest").call("JoinTable", request)
        renew = game_pb2.RenewInviteCodeRequest(request_id="r", table_id=table)
        await w.caller("p0").call("RenewInviteCode", renew)
        assert (await w.caller("guest").call("JoinTable", request)).seat == first.seat


async def test_the_code_of_a_closed_table_leads_nowhere() -> None:
    async with world() as w:
        table, code = await private(w)
        w.app.tables.find(table).close()
        await w.caller("p0").call("ListTables", game_pb2.ListTablesRequest())
        request = game_pb2.GetTableRequest(invite_code=code)
        assert (await refusal(w.caller("guest").call("GetTable", request))).reason == "TABLE_NOT_FOUND"
        assert (await get(w, table)).state == view_pb2.TABLE_STATE_CLOSED


@pytest.mark.parametrize("kept", ["memory", "sqlite"])
async def test_codes_and_guests_are_the_same_after_a_restart(kept: str, tmp_path: Path) -> None:
    clock, memory = FakeClock(), MemoryJournal()

    def opened() -> Journal:
        return SqliteJournal(str(tmp_path / "store")) if kept == "sqlite" else memory

    async with world(clock, opened()) as w:
        table, _ = await private(w, seats=3)
        renew = game_pb2.RenewInviteCodeRequest(request_id="r", table_id=table)
        code = (await w.caller("p0").call("RenewInviteCode", renew)).table.invite_code
        await leave(w, table, "p2")
    async with world(clock, opened()) as w:
        assert (await get(w, table)).invite_code == code
        assert (await refusal(w.caller("stranger").view(table))).reason == "TABLE_NOT_FOUND"
        assert (await w.caller("guest").call("JoinTable", joining("", "g", invite_code=code))).table.id == table
        await w.join(table, "p2", 3)


# --- listing ---------------------------------------------------------------------------------------------------------


async def test_tables_to_join_have_a_free_seat_and_no_match() -> None:
    async with world() as w:
        full, waiting, mine = await w.table(), await w.table(seats=2), await w.table(seats=2)
        running = await w.table()
        await w.start(running)
        await w.join(mine, "me")
        kept = game_pb2.AutoStart(
            reservations=[game_pb2.Reservation(seat=n, identity=f"x{n}") for n in range(4)], reserved_seconds=30
        )
        await w.caller("p0").call("CreateTable", create(auto_start=kept))
        assert await listed(w, "me", joinable=True) == [waiting]
        assert await listed(w, "me", joinable=True, mine=True) == []
        await leave(w, full, "p3")
        assert await listed(w, "me", joinable=True) == [waiting, full]


async def test_pages_keep_to_their_filter() -> None:
    async with world() as w:
        for _ in range(3):
            await w.table(seats=0)
        first = await w.caller("me").call("ListTables", game_pb2.ListTablesRequest(page_size=2, joinable=True))
        other = game_pb2.ListTablesRequest(page_size=2, page_token=first.next_page_token)
        assert (await refusal(w.caller("me").call("ListTables", other))).reason == "BAD_PAGE_TOKEN"


# --- guessing --------------------------------------------------------------------------------------------------------


async def test_wrong_codes_are_limited_and_right_ones_wait_as_well() -> None:
    async with world() as w:
        table, code = await private(w)
        guest, wrong = w.caller("guest"), game_pb2.GetTableRequest(invite_code="2222-2222")
        for number in range(MOST_GUESSES):
            asked = wrong if number % 2 else game_pb2.GetTableRequest(table_id=table, invite_code="x")
            assert (await refusal(guest.call("GetTable", asked))).reason == "TABLE_NOT_FOUND"
        for asked in (wrong, game_pb2.GetTableRequest(invite_code=code)):
            failure = await refusal(guest.call("GetTable", asked))
            assert (failure.code, failure.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_CODES")
            assert failure.details["RetryInfo"].retry_delay.seconds == GUESS_SECONDS
        other = await w.caller("other").call("GetTable", game_pb2.GetTableRequest(invite_code=code))
        assert other.table.id == table, "others may try"
        w.clock.advance(GUESS_SECONDS)
        assert (await guest.call("GetTable", game_pb2.GetTableRequest(invite_code=code))).table.id == table


async def test_those_at_the_table_need_no_code_and_are_not_kept_out() -> None:
    async with world() as w:
        table, _ = await private(w)
        wrong = game_pb2.GetTableRequest(invite_code="2222-2222")
        for _ in range(MOST_GUESSES):
            await refusal(w.caller("p0").call("GetTable", wrong))
        asked = game_pb2.GetTableRequest(table_id=table, invite_code="wrong")
        assert (await w.caller("p0").call("GetTable", asked)).table.id == table


def test_many_callers_together_cannot_guess_either() -> None:
    invites = Invites()
    invites.put("table", "C" * LENGTH)
    for number in range(MOST_GUESSES_OF_ALL):
        with pytest.raises(Exception, match="TABLE_NOT_FOUND"):
            invites.table("wrong", f"caller {number}", number / 1000)
    with pytest.raises(Exception, match="TOO_MANY_CODES"):
        invites.table("C" * LENGTH, "honest", 5.0)
    assert invites.table("c" * LENGTH, "honest", GUESS_SECONDS + 0.001) == "table"
    assert invites.table("c" * LENGTH, "honest", 3 * GUESS_SECONDS) == "table"
    assert not invites._guesses
    assert not invites._by_caller


def test_codes_are_drawn_from_all_letters_and_none_that_look_alike() -> None:
    drawn = [new_code() for _ in range(2000)]
    assert len(set(drawn)) == 2000
    assert {len(code) for code in drawn} == {LENGTH}
    for place in range(LENGTH):
        assert {code[place] for code in drawn} == set(LETTERS)
    assert not set("01AEIOUBSZGL") & set(LETTERS)
    assert len(LETTERS) ** LENGTH > 10**11
