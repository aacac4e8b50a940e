"""A matchmaker that is killed between any two steps loses nobody and seats nobody twice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest

from daifugo.v1 import game_pb2
from daifugo.v1 import matchmaker_pb2 as m
from services.matchmaker.seating import Laid
from services.matchmaker.store import MemoryStore
from services.matchmaker.tickets import Change
from tests.services.harness import refusal, world
from tests.services.office import Office, beside
from tests.services.test_durability import settle

PEOPLE = ("p0", "p1", "p2", "p3")
STEPS = 20
"""More than there are from four tickets to their seats."""


class Fate:
    """Lets so many steps happen; from then on nothing comes back, as for a process that was killed."""

    def __init__(self, steps: int) -> None:
        self.left = steps
        self.struck = asyncio.Event()

    async def step(self) -> None:
        if self.left == 0:
            self.struck.set()
            await asyncio.Event().wait()
        self.left -= 1


class FatedStore(MemoryStore):
    """What it has stored outlives the process."""

    fate: Fate

    async def save(self, change: Change) -> None:
        await self.fate.step()
        await super().save(change)
        await self.fate.step()


class FatedGame:
    """A game service whose answers may come too late for the process that asked."""

    def __init__(self, real: Any, fate: Fate) -> None:
        self.real, self.fate = real, fate

    async def create(self, request: bytes) -> Laid:
        await self.fate.step()
        laid: Laid = await self.real.create(request)
        await self.fate.step()
        return laid

    async def get(self, table_id: str) -> Laid:
        await self.fate.step()
        laid: Laid = await self.real.get(table_id)
        await self.fate.step()
        return laid


@pytest.mark.parametrize("steps", range(STEPS))
async def test_everybody_has_exactly_one_seat_after_a_crash_at_any_step(steps: int) -> None:
    async with world() as w:
        store, fate = FatedStore(), Fate(steps)
        store.fate = fate
        async with beside(w, store) as o:
            o.app.seating.game = FatedGame(o.app.game, fate)
            takes = asyncio.gather(*[o.take(token) for token in PEOPLE], return_exceptions=True)
            done = asyncio.ensure_future(_assigned(o, takes))
            struck = asyncio.ensure_future(fate.struck.wait())
            await asyncio.wait({done, struck}, return_when=asyncio.FIRST_COMPLETED)
            for each in (done, takes, struck):
                each.cancel()
            kill(o)
        store.fate = Fate(-1)
        async with beside(w, store) as o:
            for token in PEOPLE:
                await o.take(token)  # the same request again: a client that has had no answer
            found = [(await o.until(token, m.TICKET_STATE_ASSIGNED)).assignment for token in PEOPLE]
            assert len({seat.table_id for seat in found}) == 1
            assert sorted(seat.seat for seat in found) == [0, 1, 2, 3]
            tables = (await w.caller("p0").call("ListTables", game_pb2.ListTablesRequest())).tables
            assert [table.id for table in tables] == [found[0].table_id]
            assert sorted(store.tickets) == sorted({ticket.id for ticket in store.tickets.values()})
            assert len(store.tickets) == len(PEOPLE)
            for token, seat in zip(PEOPLE, found):
                assert await w.join(seat.table_id, token) == seat.seat


def kill(o: Office) -> None:
    """Let nothing come of what is under way."""
    for task in [*o.app.office._tasks, *o.app.seating._tasks]:
        task.cancel()


BOTS = ("b0", "b1", "b2")


@pytest.mark.parametrize("steps", range(8))
async def test_free_seats_are_given_to_bots_once_after_a_crash_at_any_step(steps: int) -> None:
    """Asking which seats are free takes two steps, and storing what is given two more."""
    async with world() as w:
        store, fate = FatedStore(), Fate(-1)
        store.fate = fate
        async with beside(w, store, ticket_idle_seconds=100.0) as o:
            table = await one_of_four_comes(o)
            o.app.seating.game = FatedGame(o.app.game, fate)
            fate.left = steps
            w.clock.advance(20)
            given = asyncio.ensure_future(all_assigned(o, BOTS))
            struck = asyncio.ensure_future(fate.struck.wait())
            await asyncio.wait({given, struck}, return_when=asyncio.FIRST_COMPLETED)
            assert struck.done() == (steps < 4)
            given.cancel()
            struck.cancel()
            kill(o)
        store.fate = Fate(-1)
        async with beside(w, store, ticket_idle_seconds=100.0) as o:
            found = [(await o.until(token, m.TICKET_STATE_ASSIGNED)).assignment for token in BOTS]
            assert [each.table_id for each in found] == [table] * 3
            assert sorted(each.seat for each in found) == [1, 2, 3]
            for token, each in zip(BOTS, found):
                assert await w.join(table, token, each.seat, bot=True) == each.seat
            assert not store.pairings


@pytest.mark.parametrize("steps", range(4))
async def test_bots_wait_on_when_the_match_has_begun_before_the_matchmaker_is_back(steps: int) -> None:
    async with world() as w:
        store, fate = FatedStore(), Fate(-1)
        store.fate = fate
        async with beside(w, store, ticket_idle_seconds=100.0) as o:
            table = await one_of_four_comes(o)
            o.app.seating.game = FatedGame(o.app.game, fate)
            fate.left = steps
            w.clock.advance(20)
            await fate.struck.wait()
            kill(o)
        w.clock.advance(5)
        await settle(w)
        store.fate = Fate(-1)
        async with beside(w, store, ticket_idle_seconds=100.0) as o:
            async with asyncio.timeout(20):
                while store.pairings:
                    await o.get("b0")
            tickets = [await o.get(token) for token in BOTS]
            # what was stored before the crash stays so, and the bots find out that they have come too late
            stored = m.TICKET_STATE_ASSIGNED if steps == 3 else m.TICKET_STATE_QUEUED
            assert [ticket.state for ticket in tickets] == [stored] * 3
            if steps == 3:
                assert (await refusal(w.join(table, "b0", 1, bot=True))).reason == "MATCH_RUNNING"


async def one_of_four_comes(o: Office) -> str:
    """Let four people be paired, one of them take the seat, and bots wait; return the table."""
    for token in PEOPLE:
        await o.take(token)
    for token in PEOPLE:
        await o.until(token, m.TICKET_STATE_ASSIGNED)
    table = (await o.get("p0")).assignment.table_id
    await o.w.join(table, "p0", 0)
    for token in BOTS:
        await o.take(token)
    return table


async def all_assigned(o: Office, tokens: Iterable[str]) -> None:
    for token in tokens:
        await o.until(token, m.TICKET_STATE_ASSIGNED)


async def _assigned(o: Any, takes: Any) -> None:
    await takes
    for token in PEOPLE:
        await o.until(token, m.TICKET_STATE_ASSIGNED)
