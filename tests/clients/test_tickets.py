"""Waiting for a match as clients do it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from clients.common.errors import Refused
from clients.common.tickets import wait_for_seat
from tests.services.office import office

QUEUE = '[bots]\nname = { ja = "x", en = "x" }\npreset = "jdf4"\nsizes = [4]\ngames = 1\nbots_only = true\n'


async def test_four_bots_are_brought_to_one_table(tmp_path: Path) -> None:
    file = tmp_path / "queues.toml"
    file.write_text(QUEUE)
    async with office(queues=str(file)) as o:
        address = o.app.server.address
        waits = [wait_for_seat(address, f"b{number}", "en", "bots", bot=True) for number in range(4)]
        found = [ticket.assignment for ticket in await asyncio.gather(*waits)]
        assert {seat.address for seat in found} == {o.w.address}
        assert len({seat.table_id for seat in found}) == 1
        assert sorted(seat.seat for seat in found) == [0, 1, 2, 3]


async def test_a_queue_that_there_is_not_is_refused() -> None:
    async with office() as o:
        with pytest.raises(Refused) as said:
            await wait_for_seat(o.app.server.address, "b", "en", "none", bot=True)
        assert said.value.reason == "QUEUE_NOT_FOUND"
