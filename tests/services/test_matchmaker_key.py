"""The matchmaker signs in at the identity service by a key, and goes on with new tokens for as long as it runs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from services.common.clocks import SystemClock
from services.common.config import CannotStart
from services.matchmaker.tickets import ASSIGNED
from tests.services.accounts import Accounts, S, accounts
from tests.services.harness import FakeClock, world
from tests.services.office import beside


async def key_of(a: Accounts, scope: int) -> str:
    owner = (await a.sign_in("Operator")).tokens.token
    return await a.bot(owner, "Matchmaker", scope)


async def test_people_who_are_paired_sit_at_a_table_that_the_matchmaker_made_by_its_key(tmp_path: Path) -> None:
    async with accounts(tmp_path, SystemClock()) as a, world(**a.trust) as w:
        key = await key_of(a, S.BOT_SCOPE_HOST)
        async with beside(w, **a.trust, game_key=key, identity_address=a.address) as o:
            people = [(await a.sign_in(name)).tokens.token for name in ("Ann", "Cho", "Dan", "Eve")]
            for token in people:
                await o.take(token)
            for token in people:
                ticket = await o.until(token, ASSIGNED)
            assert w.app.tables.find(ticket.assignment.table_id).shown.seats[3].promised


async def test_a_token_that_is_not_taken_any_more_is_replaced(tmp_path: Path) -> None:
    async with accounts(tmp_path, SystemClock()) as a, world(**a.trust) as w:
        key = await key_of(a, S.BOT_SCOPE_HOST)
        async with beside(w, **a.trust, game_key=key, identity_address=a.address) as o:
            o.app.game.token.token = "void"
            people = [(await a.sign_in(name)).tokens.token for name in ("Ann", "Cho", "Dan", "Eve")]
            for token in people:
                await o.take(token)
            async with asyncio.timeout(30):
                while (await o.get(people[0])).state != ASSIGNED:
                    w.clock.advance(1.0)


@pytest.mark.parametrize("alone", [{"game_key": "dfb_x_y"}, {"identity_address": "127.0.0.1:1"}])
async def test_a_key_and_where_it_counts_go_together(alone: dict[str, Any]) -> None:
    async with world() as w:
        with pytest.raises(CannotStart, match="go together"):
            async with beside(w, **alone):
                pass


async def test_a_key_that_does_not_count_is_told_of_and_the_matchmaker_waits(tmp_path: Path) -> None:
    async with (
        accounts(tmp_path, FakeClock()) as a,
        world() as w,
        beside(w, game_key="dfb_x_y", identity_address=a.address) as o,
    ):
        assert o.app._checking is not None
        assert not o.app._checking.done()
        assert "game_key_brings_no_token" in w.logs.getvalue()
