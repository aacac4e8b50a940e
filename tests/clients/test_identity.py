"""A client's tokens are renewed before they end, and a stream whose token has ended goes on with another one."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from clients.common.errors import Refused, answered
from clients.common.identity import USED_PART, BotIdentity, Guest
from clients.common.session import Session
from clients.common.tickets import Tickets
from daifugo.v1 import game_pb2, identity_pb2, matchmaker_pb2, rules_pb2
from services.common.clocks import SystemClock
from services.common.issuer import LEEWAY_SECONDS
from tests.services.accounts import accounts, secret
from tests.services.harness import world
from tests.services.office import beside

PLAY = identity_pb2.BOT_SCOPE_PLAY


class Later:
    """The event loop's time, which a test moves on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead = 0.0
        loop, time = asyncio.get_running_loop(), asyncio.get_running_loop().time
        monkeypatch.setattr(loop, "time", lambda: time() + self.ahead)


async def test_a_guest_signs_in_once_and_then_refreshes_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = Later(monkeypatch)
    async with accounts(tmp_path) as a, Guest(a.address, secret("Mio"), "Mio") as guest:
        first = await guest.token()
        assert guest.created
        assert guest.account.display_name == "Mio"
        assert {await guest.token() for _ in range(3)} == {first}
        refresh_token = guest.tokens.refresh_token
        later.ahead += 600 * USED_PART + 1
        await asyncio.gather(*[guest.token() for _ in range(5)])
        assert guest.tokens.refresh_token != refresh_token
        sign_ins = a.app.metrics.registry.get_sample_value
        assert sign_ins("daifugo_sign_ins_total", {"how": "new_guest"}) == 1
        assert sign_ins("daifugo_sign_ins_total", {"how": "refresh"}) == 1, "one renews for all"


async def test_a_guest_whose_session_has_ended_signs_in_again(tmp_path: Path) -> None:
    async with accounts(tmp_path) as a, Guest(a.address, secret("Mio"), "Mio") as guest:
        await guest.token()
        who = guest.account.id
        request = identity_pb2.SignOutRequest(refresh_token=guest.tokens.refresh_token)
        await guest.call(guest.service.SignOut, request)
        guest.forget()
        await guest.token()
        assert guest.account.id == who
        assert not guest.created


async def test_a_new_name_is_in_the_next_token_and_a_deleted_guest_begins_anew(tmp_path: Path) -> None:
    async with accounts(tmp_path) as a, Guest(a.address, secret("Mio"), "Mio") as guest:
        before = await guest.token()
        assert (await guest.rename("Sora")).display_name == "Sora"
        assert await guest.token() != before
        who = guest.account.id
        await guest.delete()
        await guest.token()
        assert guest.created
        assert guest.account.id != who


async def test_a_bot_signs_in_by_its_key_and_a_wrong_key_is_told(tmp_path: Path) -> None:
    async with accounts(tmp_path) as a:
        key = await a.bot((await a.sign_in("Mio")).tokens.token, "Helper", PLAY)
        async with BotIdentity(a.address, key) as bot:
            await bot.token()
            assert bot.account.bot
        async with BotIdentity(a.address, key + "x") as bot:
            with pytest.raises(Refused, match="BOT_KEY_NOT_VALID"):
                await bot.token()


async def table_of(session: Session) -> str:
    request = game_pb2.CreateTableRequest(request_id="c", ruleset=rules_pb2.Ruleset(preset="jdf4"))
    table: str = (await answered(session.game.CreateTable(request))).table.id
    return table


async def test_a_watch_goes_on_when_its_token_ends(tmp_path: Path) -> None:
    """The service's tokens end as soon as they may: the leeway is all the time that there is."""
    async with (
        accounts(tmp_path, Behind(LEEWAY_SECONDS), token_seconds=2.0) as a,
        world(**a.trust) as w,
        Guest(a.address, secret("Mio"), "Mio") as guest,
        Session(w.address, guest) as session,
    ):
        table = await table_of(session)
        tokens, snapshots = set[str](), 0
        async with aclosing(session.watch(table)) as updates, asyncio.timeout(60):
            async for update in updates:
                assert not update.lost
                tokens.add(guest.tokens.token)
                snapshots += update.snapshot is not None
                if len(tokens) == 1:
                    await asyncio.sleep(0)
                if len(tokens) == 3:
                    break
        assert snapshots == 1, "it resumed each time"


class Behind(SystemClock):
    """The machine's time, so many seconds ago."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds

    def now(self) -> float:
        return super().now() - self.seconds

    def call_at(self, when: float, callback: Any) -> Any:
        return super().call_at(when + self.seconds, callback)


async def test_a_call_with_a_token_that_ended_while_the_machine_slept_is_made_again(tmp_path: Path) -> None:
    async with (
        accounts(tmp_path, Behind(LEEWAY_SECONDS), token_seconds=2.0) as a,
        world(**a.trust) as w,
        Guest(a.address, secret("Mio"), "Mio") as guest,
        Session(w.address, guest) as session,
    ):
        await guest.token()
        # what a machine that slept for an hour believes
        guest._renew_at += 3600
        asked = game_pb2.ListTablesRequest()
        ended = guest.tokens.token
        while guest.tokens.token == ended:
            await answered(session.game.ListTables(asked))
        assert guest.tokens.token != ended


async def test_while_nobody_can_sign_in_a_watch_waits(tmp_path: Path) -> None:
    async with accounts(tmp_path, SystemClock()) as a, world(**a.trust) as w:
        async with Guest(a.address, secret("Mio"), "Mio") as guest, Session(w.address, guest) as session:
            table = await table_of(session)
        async with (
            Guest("127.0.0.1:1", secret("Mio"), "Mio") as guest,
            Session(w.address, guest, patience_seconds=0.5) as session,
        ):
            with pytest.raises(Refused, match="UNAVAILABLE"):
                await anext(session.watch(table))


async def test_a_ticket_is_taken_by_somebody_who_renews(tmp_path: Path) -> None:
    async with (
        accounts(tmp_path, SystemClock()) as a,
        world() as w,
        beside(w, **a.trust) as o,
        Guest(a.address, secret("Mio"), "Mio") as guest,
        Tickets(o.app.server.address, guest) as tickets,
    ):
        waiting = asyncio.create_task(tickets.seat("federation"))
        async with asyncio.timeout(20):
            while not o.app.office.tickets:
                await tickets.queues()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        (ticket,) = o.app.office.tickets.values()
        assert ticket.state == matchmaker_pb2.TICKET_STATE_DELETED
