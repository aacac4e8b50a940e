"""A matchmaker that is killed between any two steps loses nobody and seats nobody twice."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from daifugo.v1 import game_pb2
from daifugo.v1 import matchmaker_pb2 as m
from services.matchmaker.seating import Laid
from services.matchmaker.store import MemoryStore
from services.matchmaker.tickets import Change
from tests.services.harness import world
from tests.services.office import beside

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
        laid: Laid = await self.real.get(table_id)
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
            for task in [*o.app.office._tasks, *o.app.seating._tasks]:
                task.cancel()
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


async def _assigned(o: Any, takes: Any) -> None:
    await takes
    for token in PEOPLE:
        await o.until(token, m.TICKET_STATE_ASSIGNED)
