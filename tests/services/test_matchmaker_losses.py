"""What becomes of tickets when the game service is silent, slow or late, or people change their minds meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from daifugo.v1 import game_pb2
from daifugo.v1 import matchmaker_pb2 as m
from services.common.config import CannotStart
from services.matchmaker.app import NAMES
from services.matchmaker.store import MemoryStore
from services.matchmaker.tickets import Change
from tests.services.harness import Failure, World, free_port, refusal, world
from tests.services.office import Office, beside

PEOPLE = ("p0", "p1", "p2", "p3")
QUEUED, PAIRED, ASSIGNED = m.TICKET_STATE_QUEUED, m.TICKET_STATE_PAIRED, m.TICKET_STATE_ASSIGNED
SERVING, NOT_SERVING = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING
BAD = '[odd]\nname = { ja = "x", en = "x" }\npreset = "jdf4"\nsizes = [4, 5]\nsettings = { nine_lives = true }\n'


async def states(o: Office, *tokens: str) -> list[int]:
    return [(await o.get(token)).state for token in tokens]


async def failures(o: Office, more: int) -> None:
    """Let time go by until so many more attempts to reach the game service have failed."""
    enough = o.w.logs.getvalue().count("seating_waits") + more
    async with asyncio.timeout(20):
        while o.w.logs.getvalue().count("seating_waits") < enough:
            o.w.clock.advance(0.1)
            await o.get("p0")


async def success(o: Office) -> None:
    """Let time go by until an attempt has succeeded."""
    async with asyncio.timeout(20):
        while await states(o, "p0") != [ASSIGNED]:
            o.w.clock.advance(0.1)


async def seats_of(o: Office, w: World, *tokens: str) -> str:
    """Check that each has one seat, all at one table and nobody at another; return the table."""
    found = [(await o.until(token, ASSIGNED)).assignment for token in tokens]
    assert len({each.table_id for each in found}) == 1
    assert sorted(each.seat for each in found) == list(range(len(tokens)))
    for token, each in zip(tokens, found):
        assert await w.join(each.table_id, token, bot=token.startswith("b")) == each.seat
        request = game_pb2.ListTablesRequest(mine=True)
        tables = (await w.caller(token).call("ListTables", request)).tables
        assert [table.id for table in tables] == [each.table_id]
    return found[0].table_id


async def test_a_game_service_that_is_slow_is_asked_again_and_makes_one_table() -> None:
    async with world() as w, beside(w, game_call_seconds=0.05) as o:
        w.journal.open.clear()
        for token in PEOPLE:
            await o.take(token)
        await w.journal.asked.wait()
        await failures(o, 3)
        assert await states(o, *PEOPLE) == [PAIRED] * 4
        w.journal.open.set()
        await success(o)
        table = await seats_of(o, w, *PEOPLE)
        assert [each.id for each in await tables_of(w)] == [table]


async def test_a_game_service_that_refuses_for_now_is_asked_again() -> None:
    async with world() as w, beside(w) as o:
        w.app.server.edge.draining = True
        for token in PEOPLE:
            await o.take(token)
        await o.until("p0", PAIRED)
        await failures(o, 3)
        assert await states(o, *PEOPLE) == [PAIRED] * 4
        w.app.server.edge.draining = False
        await success(o)
        await seats_of(o, w, *PEOPLE)


async def test_people_wait_on_at_their_old_places_when_the_answer_comes_after_the_time_of_the_seats() -> None:
    async with world() as w, beside(w, game_call_seconds=20.0, ticket_idle_seconds=1000.0) as o:
        w.journal.open.clear()
        for token in PEOPLE:
            await o.take(token)
        await w.journal.asked.wait()
        later = await o.take("p4", "late")
        w.clock.advance(21)
        w.journal.open.set()
        table = await seats_of(o, w, *PEOPLE)
        assert (await o.get("p4")).state == QUEUED
        assert later.id == (await o.get("p4")).id
        assert _count(o, "too_late") == 1
        assert _count(o, "seated") == 1
        # nobody was told of the one that came too late
        assert not any(seat.occupied for each in await tables_of(w) if each.id != table for seat in each.seats)


async def tables_of(w: World) -> list[game_pb2.Table]:
    return list((await w.caller("p0").call("ListTables", game_pb2.ListTablesRequest())).tables)


def _count(o: Office, end: str) -> float | None:
    return o.app.metrics.registry.get_sample_value("daifugo_pairings_total", {"queue": "federation", "end": end})


async def health(o: Office) -> list[int]:
    """Return the health of the process as a whole, and that of the matchmaker."""
    async with grpc.aio.insecure_channel(o.app.server.address) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        asked = [health_pb2.HealthCheckRequest(service=name) for name in ("", *NAMES)]
        return [(await stub.Check(each)).status for each in asked]


async def test_without_a_game_service_it_starts_waits_and_serves_once_there_is_one() -> None:
    port = free_port()
    async with world() as alone, beside(alone, game_address=f"127.0.0.1:{port}") as o:
        for token in PEOPLE:
            await o.take(token)
        await o.until("p0", PAIRED)
        await failures(o, 1)
        assert await health(o) == [SERVING, NOT_SERVING]
        async with world(alone.clock, port=port) as w:
            await success(o)
            async with asyncio.timeout(20):
                while await health(o) != [SERVING, SERVING]:
                    alone.clock.advance(0.1)
            await seats_of(o, w, *PEOPLE)


async def test_it_does_not_start_with_a_queue_that_cannot_be_played(tmp_path: Path) -> None:
    file = tmp_path / "queues.toml"
    file.write_text(BAD)
    async with world() as w:
        with pytest.raises(CannotStart) as said:
            async with beside(w, queues=str(file)):
                pass
        assert str(said.value).startswith(f"--queues {file}: [odd] with 4 seats: no setting 'nine_lives'")


async def test_it_stops_when_the_game_service_comes_and_refuses_a_queue(tmp_path: Path) -> None:
    file, port = tmp_path / "queues.toml", free_port()
    file.write_text(BAD)
    async with world() as alone, beside(alone, game_address=f"127.0.0.1:{port}", queues=str(file)) as o:
        assert await health(o) == [SERVING, NOT_SERVING]
        async with world(alone.clock, port=port), asyncio.timeout(20):
            while not o.app.told.is_set():
                alone.clock.advance(0.1)
                await health(o)
        assert "[odd] with 4 seats" in str(o.app.problem)


# --- changing one's mind ---------------------------------------------------------------------------------------------


class GatedStore(MemoryStore):
    """Holds the save of a number, and lets all others pass."""

    def __init__(self, held: int) -> None:
        super().__init__()
        self.left = held
        self.reached = asyncio.Event()
        self.open = asyncio.Event()

    async def save(self, change: Change) -> None:
        self.left -= 1
        if self.left == -1:
            self.reached.set()
            await self.open.wait()
        await super().save(change)


# three people take tickets, a fourth does, they are paired, a table is made and they are told: six saves
@pytest.mark.parametrize("held", range(6))
async def test_a_ticket_that_is_given_back_while_people_are_paired_is_either_gone_or_seated(held: int) -> None:
    store = GatedStore(held)
    async with world() as w, beside(w, store) as o:
        taking = asyncio.ensure_future(_take_all(o))
        await store.reached.wait()
        giving = asyncio.ensure_future(_give_back(o))
        again = asyncio.ensure_future(_give_back(o))
        store.open.set()
        await taking
        given = await giving
        assert await again == given
        if given in ("TICKET_PAIRED", "TICKET_NOT_FOUND"):  # or it came before there was one
            await seats_of(o, w, *PEOPLE)
            return
        assert given == "DELETED"
        assert await states(o, *PEOPLE) == [m.TICKET_STATE_DELETED, QUEUED, QUEUED, QUEUED]
        await o.take("p4")
        await seats_of(o, w, "p1", "p2", "p3", "p4")


async def _take_all(o: Office) -> None:
    for token in PEOPLE:
        await o.take(token)


async def _give_back(o: Office) -> str:
    """Give the ticket of p0 back; return what has become of it, or the reason against it."""
    try:
        answer = await o.call("p0", "DeleteTicket", m.DeleteTicketRequest())
    except Failure as failure:
        return failure.reason
    return m.TicketState.Name(answer.ticket.state).removeprefix("TICKET_STATE_")


async def test_whoever_is_paired_cannot_take_another_ticket_meanwhile() -> None:
    async with world() as w, beside(w) as o:
        w.journal.open.clear()
        for token in PEOPLE:
            await o.take(token)
        await w.journal.asked.wait()
        assert (await refusal(o.take("p0", "another"))).reason == "TICKET_EXISTS"
        w.journal.open.set()
        await seats_of(o, w, *PEOPLE)
