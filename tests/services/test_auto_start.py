"""Tables whose match begins by itself: seats are kept, then given to bots, and nobody waits for ever."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from daifugo.v1 import game_pb2, rules_pb2, view_pb2
from services.common.auth import open_identity
from tests.services.folder import Folder, plain
from tests.services.harness import START, World, refusal, world
from tests.services.test_durability import settle
from tests.services.test_recovery import all_loaded

OPEN, RUNNING = view_pb2.TABLE_STATE_OPEN, view_pb2.TABLE_STATE_RUNNING
ENDED, CLOSED = view_pb2.TABLE_STATE_ENDED, view_pb2.TABLE_STATE_CLOSED


def identity(token: str) -> str:
    return open_identity(token).name


def keeping(*tokens: str, **more: Any) -> game_pb2.CreateTableRequest:
    """Ask for a table that keeps its seats for these callers in turn; those called b… are bots."""
    kept = [
        game_pb2.Reservation(seat=seat, identity=identity(token), bot=token.startswith("b"))
        for seat, token in enumerate(tokens)
    ]
    return game_pb2.CreateTableRequest(
        request_id="pairing",
        ruleset=rules_pb2.Ruleset(preset="jdf4"),
        format=game_pb2.MatchFormat(games=1),
        auto_start=game_pb2.AutoStart(reservations=kept, reserved_seconds=20, bot_seconds=5, **more),
    )


async def kept_table(w: World, *tokens: str) -> str:
    table_id: str = (await w.caller("matchmaker").call("CreateTable", keeping(*tokens))).table.id
    return table_id


async def get(w: World, table: str, token: str = "anybody") -> game_pb2.Table:
    found: game_pb2.Table = (await w.caller(token).call("GetTable", game_pb2.GetTableRequest(table_id=table))).table
    return found


async def leave(w: World, table: str, token: str) -> game_pb2.Table:
    request = game_pb2.LeaveTableRequest(table_id=table)
    left: game_pb2.Table = (await w.caller(token).call("LeaveTable", request)).table
    return left


async def later(w: World, table: str, seconds: float) -> view_pb2.TableState:
    """Let time go by, and what is due be done and stored; return what the table does then."""
    await w.advance(table, seconds)
    await settle(w)
    return (await get(w, table)).state


def kinds(table: game_pb2.Table) -> list[int]:
    return [seat.kind for seat in table.seats]


async def test_the_match_begins_as_soon_as_everybody_sits() -> None:
    async with world() as w:
        table = await kept_table(w, "p0", "p1", "b2", "b3")
        assert [seat.reserved for seat in (await get(w, table)).seats] == [True] * 4
        for token in ("b3", "p1", "b2"):
            await w.join(table, token, bot=token.startswith("b"))
        assert await later(w, table, 0) == OPEN
        await w.join(table, "p0")
        assert await later(w, table, 0) == RUNNING
        view = (await w.caller("p0").view(table)).view
        assert (view.seat, view.game) == (0, 1)
        assert not any(seat.seat.reserved for seat in view.seats)


async def test_everybody_gets_the_seat_that_is_kept_for_them() -> None:
    async with world() as w:
        table = await kept_table(w, "p0", "p1", "b2", "p3")
        assert await w.join(table, "p3") == 3
        assert await w.join(table, "p1", 1) == 1
        assert await w.join(table, "b2", bot=True) == 2


async def test_a_kept_seat_is_refused_to_others_with_the_reason() -> None:
    async with world() as w:
        table = await kept_table(w, "p0", "p1", "b2", "b3")
        assert (await refusal(w.join(table, "stranger", 1))).reason == "SEAT_RESERVED_FOR_ANOTHER"
        assert (await refusal(w.join(table, "p0", 1))).reason == "SEAT_RESERVED_FOR_ANOTHER"
        assert (await refusal(w.join(table, "stranger"))).reason == "TABLE_FULL"
        assert (await refusal(w.join(table, "p0", bot=True))).reason == "SEAT_RESERVED"
        assert (await refusal(w.join(table, "b2"))).reason == "SEAT_RESERVED"


async def test_the_times_are_told() -> None:
    async with world() as w:
        table = await get(w, await kept_table(w, "p0", "p1", "b2", "b3"))
        assert table.reserved_until.ToSeconds() == START + 20
        assert table.starts_by.ToSeconds() == START + 25
        other = await get(w, await w.table())
        assert not other.HasField("reserved_until")
        assert not other.HasField("starts_by")


async def test_no_identity_is_told() -> None:
    async with world() as w:
        table = await kept_table(w, "p0", "p1", "b2", "b3")
        stream = w.caller("p0").watch(table)
        said = [await get(w, table), (await w.caller("p0").view(table)), await stream.read()]
        await w.join(table, "p1")
        await later(w, table, 20)
        said += await stream.until(2)
        for token in ("p0", "p1", "b2", "b3"):
            assert identity(token) not in "".join(map(str, said))
        assert "open:" not in w.logs.getvalue()


async def test_seats_that_nobody_takes_in_time_are_for_bots() -> None:
    async with world() as w:
        table = await kept_table(w, "p0", "p1", "p2", "b3")
        await w.join(table, "p0")
        assert await later(w, table, 19.9) == OPEN
        assert (await refusal(w.join(table, "stand-in", 1, bot=True))).reason == "SEAT_RESERVED_FOR_ANOTHER"
        assert await later(w, table, 0.1) == OPEN
        found = await get(w, table)
        assert kinds(found) == [view_pb2.SEAT_KIND_PERSON] + [view_pb2.SEAT_KIND_BOT] * 3
        assert not any(seat.reserved for seat in found.seats)
        assert (await refusal(w.join(table, "stranger"))).reason == "TABLE_FULL"
        assert await w.join(table, "stand-in", 1, bot=True) == 1
        for token in ("stand-in 2", "stand-in 3"):
            await w.join(table, token, bot=True)
        assert await later(w, table, 0) == RUNNING


async def test_the_match_begins_without_those_who_do_not_come() -> None:
    async with world(stand_in_seconds=1) as w:
        table = await kept_table(w, "p0", "p1", "b2", "b3")
        await w.join(table, "p0")
        assert await later(w, table, 20) == OPEN
        assert await later(w, table, 4.9) == OPEN
        assert await later(w, table, 0.1) == RUNNING
        assert (await refusal(w.join(table, "p1"))).reason == "RESERVATION_OVER"
        assert (await refusal(w.join(table, "stranger"))).reason == "MATCH_RUNNING"
        before = (await w.caller("p0").view(table)).cursor.version
        await later(w, table, 1)
        await later(w, table, 1)
        view = await w.caller("p0").view(table)
        assert view.cursor.version > before or view.view.asked[0].seat == 0, "stand-ins play the empty seats"


async def test_whoever_comes_late_gets_the_seat_while_it_is_free() -> None:
    async with world() as w:
        table = await kept_table(w, "p0", "p1", "p2", "b3")
        await w.join(table, "p0")
        await later(w, table, 21)
        assert await w.join(table, "p1") == 1
        await w.join(table, "stand-in", 2, bot=True)
        failure = await refusal(w.join(table, "p2"))
        assert failure.reason == "RESERVATION_OVER"
        assert "not taken in time" in failure.message
        assert await w.join(table, "b3", bot=True) == 3
        assert await later(w, table, 0) == RUNNING


async def test_a_table_to_which_nobody_comes_closes() -> None:
    async with world() as w:
        table = await kept_table(w, "p0", "p1", "b2", "b3")
        assert await later(w, table, 20) == CLOSED
        assert (await refusal(w.join(table, "p0"))).reason == "TABLE_CLOSED"
        assert (
            await refusal(w.caller("matchmaker").call("CreateTable", keeping("other")))
        ).reason == "REQUEST_ID_REUSED"


async def test_bots_do_not_play_without_the_people_for_whom_seats_were_kept() -> None:
    async with world() as w:
        table = await kept_table(w, "p0", "b1", "b2", "b3")
        for token in ("b1", "b2", "b3"):
            await w.join(table, token, bot=True)
        stream = w.caller("b1").watch(table)
        await stream.read()
        assert await later(w, table, 20) == CLOSED
        going = (await stream.notice("going_away")).going_away
        assert going.reason == game_pb2.GOING_AWAY_REASON_TABLE_CLOSED


async def test_a_table_that_was_made_for_bots_needs_no_people() -> None:
    async with world() as w:
        table = await kept_table(w, "b0", "b1", "b2", "b3")
        await w.join(table, "b0", bot=True)
        assert await later(w, table, 20) == OPEN
        assert await later(w, table, 5) == RUNNING


async def test_whoever_gives_the_kept_seat_up_gives_it_to_bots_at_once() -> None:
    async with world() as w:
        table = await kept_table(w, "p0", "p1", "b2", "b3")
        left = await leave(w, table, "p1")
        assert [seat.reserved for seat in left.seats] == [True, False, True, True]
        assert left.cursor.version == 1
        assert (await leave(w, table, "p1")).cursor.version == 1, "once is enough"
        assert await w.join(table, "stand-in", bot=True) == 1


async def test_whoever_leaves_before_the_match_leaves_a_seat_for_bots() -> None:
    async with world() as w:
        table = await kept_table(w, "p0", "p1", "b2", "b3")
        await w.join(table, "p0")
        await w.join(table, "p1")
        await leave(w, table, "p1")
        assert (await refusal(w.join(table, "stranger"))).reason == "TABLE_FULL"
        assert await w.join(table, "stand-in", bot=True) == 1


async def test_a_table_from_which_everybody_has_gone_closes() -> None:
    async with world() as w:
        table = await kept_table(w, "p0", "p1", "b2", "b3")
        for token in ("p0", "p1"):
            await w.join(table, token)
            await leave(w, table, token)
        assert await later(w, table, 20) == CLOSED


async def test_after_the_match_the_table_closes_with_the_last_who_leaves() -> None:
    async with world() as w:
        table = await kept_table(w, "p0", "p1", "p2", "p3")
        for number in range(4):
            await w.join(table, f"p{number}")
        assert await later(w, table, 0) == RUNNING
        await w.play(table)
        assert await later(w, table, 100) == ENDED
        for number in range(4):
            assert (await get(w, table)).state == ENDED
            await leave(w, table, f"p{number}")
        assert await later(w, table, 0) == CLOSED


async def test_a_repeated_request_gets_the_table_also_when_it_has_begun() -> None:
    async with world() as w:
        table = await kept_table(w, "p0", "p1", "b2", "b3")
        await w.join(table, "p0")
        await later(w, table, 20)
        await later(w, table, 5)
        again = (await w.caller("matchmaker").call("CreateTable", keeping("p0", "p1", "b2", "b3"))).table
        assert (again.id, again.state) == (table, RUNNING)


@pytest.mark.parametrize("writes", [False, True])
@pytest.mark.parametrize(("seconds", "states"), [(20.0, (OPEN, RUNNING)), (25.0, (RUNNING,))])
async def test_what_could_not_be_stored_is_done_again(
    seconds: float, states: tuple[view_pb2.TableState, ...], writes: bool
) -> None:
    async with world(store_retry_seconds=1) as w:
        table = await kept_table(w, "p0", "p1", "b2", "b3")
        await w.join(table, "p0")
        if seconds > 20:
            await later(w, table, 20)
        w.journal.fails_after_writing = writes
        w.journal.failing = True
        w.clock.advance(seconds - (w.clock.now() - START))
        await settle(w)
        await all_loaded(w, table)
        assert await later(w, table, 1.1) == states[0]
        assert not any(seat.reserved for seat in (await get(w, table)).seats)
        assert await later(w, table, 5) == states[-1]


async def test_a_table_that_is_read_again_keeps_its_seats_and_its_times() -> None:
    async with world(store_retry_seconds=1) as w:
        table = await kept_table(w, "p0", "p1", "b2", "b3")
        await w.join(table, "p0")
        before = await get(w, table)
        w.journal.failing = True
        assert (await refusal(w.join(table, "p1"))).reason == "NOT_STORED"
        await all_loaded(w, table)
        after = await get(w, table)
        assert after.cursor.epoch == before.cursor.epoch + 1
        after.cursor.epoch = before.cursor.epoch
        assert after == before
        assert (await refusal(w.join(table, "stranger", 1))).reason == "SEAT_RESERVED_FOR_ANOTHER"
        assert await w.join(table, "p1") == 1
        assert await later(w, table, 20) == OPEN
        assert await later(w, table, 5) == RUNNING


async def test_a_client_that_only_folds_events_sees_the_seats_as_they_are() -> None:
    async with world() as w:
        table = await kept_table(w, "p0", "p1", "b2", "b3")
        stream, folder = w.caller("p1").watch(table), Folder()
        folder.take(await stream.read())
        await w.join(table, "p0")
        await later(w, table, 20)
        for message in await stream.until(2):
            folder.take(message)
        assert plain(folder.view) == plain((await w.caller("p1").view(table)).view)


BAD: list[tuple[str, Callable[[game_pb2.AutoStart], object]]] = [
    ("auto_start.reservations[0].seat", lambda a: a.reservations.add(seat=4, identity="x")),
    ("auto_start.reservations[1].seat", lambda a: (a.reservations.add(identity="x"), a.reservations.add(identity="y"))),
    ("auto_start.reservations[0].identity", lambda a: a.reservations.add(seat=0)),
    ("auto_start.reservations[0].identity", lambda a: a.reservations.add(seat=0, identity="x" * 129)),
    (
        "auto_start.reservations[1].identity",
        lambda a: (a.reservations.add(seat=0, identity="x"), a.reservations.add(seat=1, identity="x")),
    ),
    ("auto_start.reserved_seconds", lambda a: setattr(a, "reserved_seconds", 0)),
    ("auto_start.reserved_seconds", lambda a: setattr(a, "reserved_seconds", 3601)),
    ("auto_start.bot_seconds", lambda a: setattr(a, "bot_seconds", 3601)),
]


@pytest.mark.parametrize(("field", "spoil"), BAD)
async def test_a_bad_reservation_is_refused_by_name(field: str, spoil: Callable[[game_pb2.AutoStart], object]) -> None:
    async with world() as w:
        request = keeping()
        spoil(request.auto_start)
        failure = await refusal(w.caller("p0").call("CreateTable", request))
        assert failure.reason == "MALFORMED"
        assert [each.field for each in failure.details["BadRequest"].field_violations] == [field]
