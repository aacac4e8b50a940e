"""Waiting for a match as clients do it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from clients.common.errors import Refused
from clients.common.session import Session
from clients.common.tickets import NoTable, Tickets
from daifugo.v1 import game_pb2, rules_pb2, view_pb2
from daifugo.v1 import matchmaker_pb2 as m
from services.matchmaker import seating
from services.matchmaker.store import MemoryStore
from services.matchmaker.tickets import Change
from tests.e2e.proxy import Proxy
from tests.services.harness import World, world
from tests.services.office import Office, beside, office

QUEUE = '[bots]\nname = { ja = "x", en = "x" }\npreset = "jdf4"\nsizes = [4]\ngames = 1\nbots_only = true\n'


def tickets(o: Office, token: str, news: list[str] | None = None, way: str = "") -> Tickets:
    return Tickets(way or o.app.server.address, token, told=(news if news is not None else []).append)


async def seat(o: Office, token: str, queue: str = "federation") -> m.Assignment:
    async with tickets(o, token) as mine:
        return await mine.seat(queue, bot=token.startswith("b"))


async def test_four_bots_are_brought_to_one_table(tmp_path: Path) -> None:
    file = tmp_path / "queues.toml"
    file.write_text(QUEUE)
    async with office(queues=str(file)) as o:
        found = await asyncio.gather(*[seat(o, f"b{number}", "bots") for number in range(4)])
        assert {each.address for each in found} == {o.w.address}
        assert len({each.table_id for each in found}) == 1
        assert sorted(each.seat for each in found) == [0, 1, 2, 3]


async def test_a_queue_that_there_is_not_is_refused() -> None:
    async with office() as o:
        with pytest.raises(Refused) as said:
            await seat(o, "b", "none")
        assert said.value.reason == "QUEUE_NOT_FOUND"


async def test_whoever_stops_waiting_gives_the_ticket_back() -> None:
    async with office() as o:
        waiting = asyncio.ensure_future(seat(o, "p0"))
        await o.until_waiting(1)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert (await o.get("p0")).state == m.TICKET_STATE_DELETED


async def test_whoever_stops_just_when_a_seat_has_come_gives_up_the_seat() -> None:
    async with office() as o:
        async with tickets(o, "p0") as mine:
            for token in ("p0", "p1", "p2", "p3"):
                await o.take(token)
            found = (await o.until("p0", m.TICKET_STATE_ASSIGNED)).assignment
            await mine.give_back()
        table = await get(o.w, found)
        assert [each.reserved for each in table.seats] == [False, True, True, True]
        assert table.seats[found.seat].kind == view_pb2.SEAT_KIND_BOT


async def get(w: World, found: m.Assignment) -> game_pb2.Table:
    request = game_pb2.GetTableRequest(table_id=found.table_id)
    table: game_pb2.Table = (await w.caller("anybody").call("GetTable", request)).table
    return table


async def test_the_wait_goes_on_when_the_connection_breaks_and_that_is_told() -> None:
    news: list[str] = []
    async with office() as o:
        proxy = Proxy(o.app.server.address)
        async with proxy as way, tickets(o, "p0", news, way) as mine:
            waiting = asyncio.ensure_future(mine.seat("federation"))
            await o.until_waiting(1)
            before = (await o.get("p0")).id
            async with asyncio.timeout(20):
                while "back" not in news:
                    proxy.cut()
                    await asyncio.sleep(0.01)
            others = [asyncio.ensure_future(seat(o, token)) for token in ("p1", "p2", "p3")]
            await asyncio.gather(waiting, *others)
        assert (await o.get("p0")).id == before
        assert news[:2] == ["lost", "back"]


async def test_a_ticket_that_has_expired_meanwhile_is_taken_anew() -> None:
    async with office() as o:
        waiting = asyncio.ensure_future(seat(o, "p0"))
        await o.until_waiting(1)
        before = await o.get("p0")
        # as after a time without a connection
        ticket = o.app.office.tickets[before.id]
        ended = o.app.office.ended(ticket, m.TICKET_STATE_EXPIRED)
        await o.app.office.change(lambda: (Change(tickets=(ended,)), None))
        await o.until_waiting(1)
        assert (await o.get("p0")).id != before.id
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)


async def test_whoever_comes_back_goes_on_with_the_ticket_of_before() -> None:
    async with office() as o:
        before = await o.take("p0", "a request of before")
        waiting = [asyncio.ensure_future(seat(o, token)) for token in ("p0", "p1", "p2", "p3")]
        await asyncio.gather(*waiting)
        assert (await o.get("p0")).id == before.id


async def test_a_stream_that_ends_because_it_is_old_is_gone_on_with_and_nothing_seems_lost() -> None:
    news: list[str] = []
    async with office(connection_seconds=100.0) as o, tickets(o, "p0", news) as mine:
        waiting = asyncio.ensure_future(mine.seat("federation"))
        await o.until_waiting(1)
        for _ in range(20):
            o.w.clock.advance(10)
            await o.until_waiting(1)
        for token in ("p1", "p2", "p3"):
            await o.take(token)
        assert (await waiting).table_id
    assert "lost" not in news


async def test_whoever_waits_for_something_else_already_is_told_so() -> None:
    async with office() as o:
        await o.take("p0", "a request of before")
        with pytest.raises(Refused) as said:
            await seat(o, "p0", "quick")
        assert said.value.reason == "TICKET_EXISTS"


async def test_a_seat_is_found_again_as_long_as_it_can_be_played_on() -> None:
    async with office() as o, tickets(o, "p0") as mine:
        assert await mine.kept_seat() is None
        for token in ("p0", "p1", "p2", "p3"):
            await o.take(token)
        found = (await o.until("p0", m.TICKET_STATE_ASSIGNED)).assignment
        assert await mine.kept_seat() == found
        for number, token in enumerate(("p0", "p1", "p2", "p3")):
            await o.w.join(found.table_id, token, number)
        o.w.clock.advance(0)
        assert await mine.kept_seat() == found
        async with Session(o.w.address, "p0") as session:
            await session.game.LeaveTable(game_pb2.LeaveTableRequest(table_id=found.table_id))
        assert await mine.kept_seat() is None


async def test_a_table_that_cannot_be_made_is_told_with_its_reason() -> None:
    async with world() as w, beside(w, MemoryStore()) as o:

        async def refuse(request: bytes) -> seating.Laid:
            raise seating.NoTable("UNKNOWN_PRESET")

        o.app.seating.game.create = refuse  # type: ignore[method-assign]  # the game service of this test says no
        with pytest.raises(NoTable) as said:
            await asyncio.gather(*[seat(o, token) for token in ("p0", "p1", "p2", "p3")])
        assert said.value.reason == rules_pb2.Reason.Name(rules_pb2.REASON_UNKNOWN_PRESET).removeprefix("REASON_")
