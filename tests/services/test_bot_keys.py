"""Bots sign in by keys: what they may do, that everybody sees them for bots, and that keys can be taken back."""

from __future__ import annotations

from pathlib import Path

import grpc
import pytest

from daifugo.v1 import game_pb2, matchmaker_pb2, rules_pb2
from services.common.clocks import SystemClock
from tests.services.accounts import S, accounts
from tests.services.harness import FakeClock, refusal, world
from tests.services.office import beside
from tests.services.test_drive import Driver

PLAY, HOST, QUEUE = S.BOT_SCOPE_PLAY, S.BOT_SCOPE_HOST, S.BOT_SCOPE_QUEUE


async def test_a_key_signs_its_bot_in_each_time_as_the_same(tmp_path: Path) -> None:
    clock = FakeClock()
    async with accounts(tmp_path, clock) as a:
        owner = (await a.sign_in("Mio")).tokens.token
        created = await a.call("CreateBotKey", S.CreateBotKeyRequest(display_name="Bot 1", scopes=[HOST, PLAY]), owner)
        (listed,) = (await a.call("ListBotKeys", S.ListBotKeysRequest(), owner)).bot_keys
        assert listed == created.bot_key
        assert list(listed.scopes) == [PLAY, HOST]
        assert not listed.HasField("use_time")
        assert listed.account.bot
        clock.advance(5)
        first, again = [await a.call("SignInBot", S.SignInBotRequest(key=created.key)) for _ in range(2)]
        assert first.account == again.account == listed.account
        assert first.tokens.refresh_token == ""
        (listed,) = (await a.call("ListBotKeys", S.ListBotKeysRequest(), owner)).bot_keys
        assert listed.use_time.seconds == int(clock.now())


async def test_a_bot_is_marked_as_one_for_everybody_whatever_it_says(tmp_path: Path) -> None:
    async with accounts(tmp_path, SystemClock()) as a, world(**a.trust) as w:
        owner = (await a.sign_in("Mio")).tokens.token
        bot = w.caller(await a.bot_token(await a.bot(owner, "Helper", PLAY)))
        host = w.caller(owner)
        create = game_pb2.CreateTableRequest(request_id="c", ruleset=rules_pb2.Ruleset(preset="jdf4"))
        table = (await host.call("CreateTable", create)).table.id
        stream = w.caller((await a.sign_in("Sora")).tokens.token).watch(table)
        await stream.read()
        join = game_pb2.JoinTableRequest(request_id="j", table_id=table, display_name="Mio", bot=False)
        await bot.call("JoinTable", join)
        (batch,) = (await stream.read()).batches.batches
        seat = batch.events[0].seat_changed.seat
        assert (seat.bot, seat.display_name) == (True, "Helper")
        seen = (await host.view(table)).view.seats[0].seat
        assert (seen.bot, seen.display_name) == (True, "Helper")


async def test_a_bots_token_at_the_matchmaker_takes_a_ticket_for_a_bot(tmp_path: Path) -> None:
    async with accounts(tmp_path, SystemClock()) as a, world() as w, beside(w, **a.trust) as o:
        owner = (await a.sign_in("Mio")).tokens.token
        request = matchmaker_pb2.CreateTicketRequest(request_id="r", queue_id="federation", bot=False)
        bot = await a.bot_token(await a.bot(owner, "Helper", QUEUE))
        assert (await o.call(bot, "CreateTicket", request)).ticket.bot
        request.bot = True
        assert not (await o.call(owner, "CreateTicket", request)).ticket.bot


async def test_a_bot_may_do_what_its_key_is_for_and_look_and_nothing_else(tmp_path: Path) -> None:
    async with accounts(tmp_path, SystemClock()) as a, world(**a.trust) as w:
        owner = (await a.sign_in("Mio")).tokens.token
        create = game_pb2.CreateTableRequest(request_id="c", ruleset=rules_pb2.Ruleset(preset="jdf4"))
        table = (await w.caller(owner).call("CreateTable", create)).table.id
        join = game_pb2.JoinTableRequest(request_id="j", table_id=table)
        may = {
            scope: w.caller(await a.bot_token(await a.bot(owner, f"Bot {scope}", scope)))
            for scope in (PLAY, HOST, QUEUE)
        }
        for scope, named, method, request in (
            (HOST, "host", "CreateTable", create),
            (PLAY, "play", "JoinTable", join),
        ):
            for each, bot in may.items():
                if each == scope:
                    await bot.call(method, request)
                    continue
                failure = await refusal(bot.call(method, request))
                assert (failure.code, failure.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_MISSING")
                assert failure.details["ErrorInfo"].metadata["scope"] == named
                assert (await bot.view(table)).view.table_id == table


async def test_a_seat_is_driven_only_by_a_token_that_may_play(tmp_path: Path) -> None:
    async with accounts(tmp_path, SystemClock()) as a, world(**a.trust) as w:
        owner = (await a.sign_in("Mio")).tokens.token
        create = game_pb2.CreateTableRequest(request_id="c", ruleset=rules_pb2.Ruleset(preset="jdf4"))
        table = (await w.caller(owner).call("CreateTable", create)).table.id
        hosting = await a.bot_token(await a.bot(owner, "Host", HOST))
        driver = Driver(w.caller(owner))
        await driver.attach(1, table, hosting)
        problem = await driver.problem()
        assert problem.reason == rules_pb2.REASON_SCOPE_MISSING
        assert problem.detached
        driver.call.cancel()


async def test_no_bot_touches_accounts_or_keys(tmp_path: Path) -> None:
    async with accounts(tmp_path) as a:
        owner = (await a.sign_in("Mio")).tokens.token
        token = await a.bot_token(await a.bot(owner, "Helper", PLAY, HOST, QUEUE))
        assert (await a.call("GetAccount", S.GetAccountRequest(), token)).account.bot
        for method, request in (
            ("SetDisplayName", S.SetDisplayNameRequest(display_name="Mio")),
            ("DeleteAccount", S.DeleteAccountRequest()),
            ("CreateBotKey", S.CreateBotKeyRequest(display_name="Another", scopes=[PLAY])),
            ("ListBotKeys", S.ListBotKeysRequest()),
            ("RevokeBotKey", S.RevokeBotKeyRequest(bot_key_id="x")),
        ):
            assert (await refusal(a.call(method, request, token))).reason == "SCOPE_MISSING", method


async def test_a_key_that_was_revoked_signs_nobody_in_and_only_its_owner_revokes_it(tmp_path: Path) -> None:
    async with accounts(tmp_path) as a:
        owner, other = [(await a.sign_in(name)).tokens.token for name in ("Mio", "Sora")]
        key, kept = await a.bot(owner, "Helper", PLAY), await a.bot(owner, "Helper", PLAY)
        token = await a.bot_token(key)
        id_ = key.split("_")[1]
        revoke = S.RevokeBotKeyRequest(bot_key_id=id_)
        assert (await refusal(a.call("RevokeBotKey", revoke, other))).reason == "BOT_KEY_NOT_FOUND"
        assert len((await a.call("ListBotKeys", S.ListBotKeysRequest(), other)).bot_keys) == 0
        await a.call("RevokeBotKey", revoke, owner)
        failure = await refusal(a.bot_token(key))
        assert (failure.code, failure.reason) == (grpc.StatusCode.UNAUTHENTICATED, "BOT_KEY_NOT_VALID")
        assert (await refusal(a.call("GetAccount", S.GetAccountRequest(), token))).reason == "NOT_SIGNED_IN"
        assert (await refusal(a.call("RevokeBotKey", revoke, owner))).reason == "BOT_KEY_NOT_FOUND"
        await a.bot_token(kept)


async def test_no_changed_key_is_taken(tmp_path: Path) -> None:
    async with accounts(tmp_path) as a:
        owner = (await a.sign_in("Mio")).tokens.token
        key, other = await a.bot(owner, "One", PLAY), await a.bot(owner, "Two", PLAY)
        swapped = "_".join([*other.split("_")[:2], key.split("_", 2)[2]])
        for wrong in ("", "x", key[:-1], key + "x", key.upper(), "dfb__", f"dfb_{key.split('_')[1]}_", swapped, owner):
            assert (await refusal(a.bot_token(wrong))).reason == "BOT_KEY_NOT_VALID"


async def test_an_account_has_so_many_keys_and_no_more(tmp_path: Path) -> None:
    async with accounts(tmp_path, max_bot_keys=2) as a:
        owner, other = [(await a.sign_in(name)).tokens.token for name in ("Mio", "Sora")]
        keys = [await a.bot(owner, "Helper", PLAY) for _ in range(2)]
        failure = await refusal(a.bot(owner, "Helper", PLAY))
        assert failure.reason == "TOO_MANY_BOT_KEYS"
        assert failure.details["ErrorInfo"].metadata["most"] == "2"
        await a.bot(other, "Helper", PLAY)
        await a.call("RevokeBotKey", S.RevokeBotKeyRequest(bot_key_id=keys[0].split("_")[1]), owner)
        await a.bot(owner, "Helper", PLAY)


@pytest.mark.parametrize("scopes", [(), (0,), (4,), (PLAY, 99)])
async def test_a_key_is_for_something(scopes: tuple[int, ...], tmp_path: Path) -> None:
    async with accounts(tmp_path) as a:
        owner = (await a.sign_in("Mio")).tokens.token
        failure = await refusal(a.bot(owner, "Helper", *scopes))
        assert failure.details["BadRequest"].field_violations[0].field == "scopes"


async def test_a_bot_may_be_called_one(tmp_path: Path) -> None:
    async with accounts(tmp_path) as a:
        owner = (await a.sign_in("Mio")).tokens.token
        await a.bot(owner, "ボット1号", PLAY)
        assert (await refusal(a.bot(owner, "admin", PLAY))).reason == "NAME_NOT_ALLOWED"
