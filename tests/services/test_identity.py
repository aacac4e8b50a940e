"""Guests sign in by the secret of their device, refresh, rename themselves, and go; what is kept survives a restart."""

from __future__ import annotations

import asyncio
import base64
import json
import urllib.request
from pathlib import Path
from typing import Any

import grpc
import pytest

from daifugo.v1 import game_pb2, rules_pb2
from services.common.clocks import SystemClock
from services.common.config import CannotStart
from services.identity.accounts import AGAIN_SECONDS
from services.identity.app import App
from services.identity.config import IdentityConfig
from services.identity.store import Store
from tests.services.accounts import S, accounts, secret
from tests.services.harness import FakeClock, free_port, refusal, world

ME = S.GetAccountRequest()


def everything_in(folder: Path) -> bytes:
    return b"".join(each.read_bytes() for each in folder.iterdir())


def fetched(address: str) -> bytes:
    with urllib.request.urlopen(address) as answer:
        read: bytes = answer.read()
        return read


async def test_a_device_is_the_same_guest_each_time_and_another_one_is_not(tmp_path: Path) -> None:
    async with accounts(tmp_path) as a:
        first, again, other = await a.sign_in("Mio"), await a.sign_in("Mio"), await a.sign_in("Sora")
        assert (first.created, again.created, other.created) == (True, False, True)
        assert first.account.id == again.account.id != other.account.id
        assert first.account.display_name == "Mio"
        assert not first.account.bot
        assert first.tokens.refresh_token != again.tokens.refresh_token
        assert (await a.call("GetAccount", ME, again.tokens.token)).account == first.account


@pytest.mark.parametrize(("language", "name"), [("ja", "ゲスト "), ("en", "Guest ")])
async def test_a_guest_without_a_name_is_given_one(language: str, name: str, tmp_path: Path) -> None:
    async with accounts(tmp_path) as a:
        request = S.SignInGuestRequest(device_secret=secret("a"))
        signed_in = await a.call("SignInGuest", request, language=language)
        assert signed_in.account.display_name.startswith(name)


@pytest.mark.parametrize("wrong", ["", "x" * 31, "x" * 129, "é" * 32, "x" * 31 + "\n"])
async def test_a_secret_that_is_short_or_unprintable_is_refused(wrong: str, tmp_path: Path) -> None:
    async with accounts(tmp_path) as a:
        failure = await refusal(a.call("SignInGuest", S.SignInGuestRequest(device_secret=wrong)))
        assert failure.reason == "MALFORMED"
        assert failure.details["BadRequest"].field_violations[0].field == "device_secret"


async def test_a_token_ends_and_a_refresh_brings_another(tmp_path: Path) -> None:
    clock = FakeClock()
    async with accounts(tmp_path, clock) as a:
        first = (await a.sign_in("Mio")).tokens
        assert first.expire_time.seconds == int(clock.now()) + 600
        clock.advance(600 + 31)
        assert (await refusal(a.call("GetAccount", ME, first.token))).reason == "TOKEN_EXPIRED"
        second = (await a.refresh(first.refresh_token)).tokens
        assert (await a.call("GetAccount", ME, second.token)).account.display_name == "Mio"


async def test_a_refresh_whose_answer_was_lost_can_be_repeated(tmp_path: Path) -> None:
    clock = FakeClock()
    async with accounts(tmp_path, clock) as a:
        first = (await a.sign_in("Mio")).tokens.refresh_token
        second = (await a.refresh(first)).tokens.refresh_token
        clock.advance(AGAIN_SECONDS)
        assert (await a.refresh(first)).tokens.refresh_token == second
        third = (await a.refresh(second)).tokens.refresh_token
        assert third != second


async def test_a_refresh_token_that_comes_back_later_ends_the_session_for_everybody_who_has_it(tmp_path: Path) -> None:
    clock = FakeClock()
    async with accounts(tmp_path, clock) as a:
        stolen = (await a.sign_in("Mio")).tokens.refresh_token
        elsewhere = (await a.sign_in("Mio")).tokens.refresh_token
        newest = (await a.refresh(stolen)).tokens.refresh_token
        clock.advance(AGAIN_SECONDS + 1)
        for token in (stolen, newest):
            failure = await refusal(a.refresh(token))
            assert (failure.code, failure.reason) == (grpc.StatusCode.UNAUTHENTICATED, "SIGNED_OUT")
        assert a.app.metrics.registry.get_sample_value("daifugo_refresh_reused_total") == 1
        assert "refresh_token_reused" in a.logs.getvalue()
        await a.refresh(elsewhere)  # another device of the same guest stays signed in


async def test_a_refresh_token_from_two_turns_ago_is_never_taken_for_a_repeat(tmp_path: Path) -> None:
    async with accounts(tmp_path) as a:
        first = (await a.sign_in("Mio")).tokens.refresh_token
        second = (await a.refresh(first)).tokens.refresh_token
        third = (await a.refresh(second)).tokens.refresh_token
        for token in (first, third):
            assert (await refusal(a.refresh(token))).reason == "SIGNED_OUT"


async def test_a_session_that_nobody_refreshes_ends(tmp_path: Path) -> None:
    clock = FakeClock()
    async with accounts(tmp_path, clock, session_seconds=1000.0) as a:
        token = (await a.sign_in("Mio")).tokens.refresh_token
        clock.advance(999)
        token = (await a.refresh(token)).tokens.refresh_token
        clock.advance(1000)
        assert (await refusal(a.refresh(token))).reason == "SIGNED_OUT"


async def test_no_changed_refresh_token_is_taken(tmp_path: Path) -> None:
    async with accounts(tmp_path) as a:
        token = (await a.sign_in("Mio")).tokens.refresh_token
        raw = bytearray(base64.urlsafe_b64decode(token))
        for place in range(len(raw)):
            raw[place] ^= 1
            changed = base64.urlsafe_b64encode(raw).decode()
            raw[place] ^= 1
            assert (await refusal(a.refresh(changed))).reason == "SIGNED_OUT"
        for nonsense in ("", "x", "A" * 66, "ä", token + "A"):
            assert (await refusal(a.refresh(nonsense))).reason == "SIGNED_OUT"
        await a.refresh(token)


async def test_signing_out_ends_one_session_or_all(tmp_path: Path) -> None:
    async with accounts(tmp_path) as a:
        one, two, three = [(await a.sign_in("Mio")).tokens.refresh_token for _ in range(3)]
        await a.call("SignOut", S.SignOutRequest(refresh_token=one))
        await a.call("SignOut", S.SignOutRequest(refresh_token=one))
        assert (await refusal(a.refresh(one))).reason == "SIGNED_OUT"
        newer = (await a.refresh(two)).tokens.refresh_token
        await a.call("SignOut", S.SignOutRequest(refresh_token=newer, everywhere=True))
        for token in (newer, three):
            assert (await refusal(a.refresh(token))).reason == "SIGNED_OUT"


async def test_an_old_refresh_token_does_not_sign_every_device_out(tmp_path: Path) -> None:
    async with accounts(tmp_path) as a:
        old, other = [(await a.sign_in("Mio")).tokens.refresh_token for _ in range(2)]
        await a.refresh(old)
        await a.call("SignOut", S.SignOutRequest(refresh_token=old, everywhere=True))
        await a.refresh(other)


async def test_a_new_name_is_told_by_the_next_token(tmp_path: Path) -> None:
    async with accounts(tmp_path, SystemClock()) as a, world(**a.trust) as w:
        signed_in = (await a.sign_in("Mio")).tokens
        renamed = await a.call("SetDisplayName", S.SetDisplayNameRequest(display_name=" ﾐｵ  2 "), signed_in.token)
        assert renamed.account.display_name == "ミオ 2"
        for token, name in (
            (signed_in.token, "Mio"),
            ((await a.refresh(signed_in.refresh_token)).tokens.token, "ミオ 2"),
        ):
            who = w.caller(token)
            create = game_pb2.CreateTableRequest(request_id=name, ruleset=rules_pb2.Ruleset(preset="jdf4"))
            table = (await who.call("CreateTable", create)).table.id
            # whatever somebody calls themselves there, the account's name counts; and a guest is no bot
            join = game_pb2.JoinTableRequest(request_id=name, table_id=table, display_name="somebody else", bot=True)
            seat = (await who.call("JoinTable", join)).table.seats[0]
            assert (seat.display_name, seat.bot) == (name, False)


async def test_a_deleted_account_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "identity.db"
    async with accounts(tmp_path, store=str(path)) as a:
        tokens = (await a.sign_in("SomebodyReal")).tokens
        key = await a.bot(tokens.token, "HerHelper", S.BOT_SCOPE_PLAY)
        id_ = (await a.call("GetAccount", ME, tokens.token)).account.id
        await a.sign_in("Other")
        await a.call("DeleteAccount", S.DeleteAccountRequest(), tokens.token)
        assert (await refusal(a.call("GetAccount", ME, tokens.token))).reason == "NOT_SIGNED_IN"
        assert (await refusal(a.refresh(tokens.refresh_token))).reason == "SIGNED_OUT"
        assert (await refusal(a.call("SignInBot", S.SignInBotRequest(key=key)))).reason == "BOT_KEY_NOT_VALID"
        again = await a.sign_in("SomebodyReal2")
        assert again.created
    data = everything_in(tmp_path)
    for gone in ("SomebodyReal\0", "HerHelper", id_):
        assert gone.encode() not in data
    assert b"Other" in data
    # the secret of the device makes another account
    async with accounts(tmp_path, store=str(path)) as a:
        fresh = await a.sign_in("SomebodyReal")
        assert fresh.created
        assert fresh.account.id != id_


async def test_everything_survives_a_restart(tmp_path: Path) -> None:
    path = str(tmp_path / "identity.db")
    clock = FakeClock()
    async with accounts(tmp_path, clock, store=path) as a:
        tokens = (await a.sign_in("Mio")).tokens
        key = await a.bot(tokens.token, "Bot", S.BOT_SCOPE_PLAY)
    async with accounts(tmp_path, clock, store=path) as a:
        assert (await a.call("GetAccount", ME, tokens.token)).account.display_name == "Mio"
        assert (await a.refresh(tokens.refresh_token)).account.display_name == "Mio"
        assert not (await a.sign_in("Mio")).created
        await a.bot_token(key)


async def test_the_file_holds_no_secret_by_which_somebody_could_sign_in(tmp_path: Path) -> None:
    path = tmp_path / "identity.db"
    async with accounts(tmp_path, store=str(path)) as a:
        tokens = (await a.sign_in("Mio")).tokens
        key = await a.bot(tokens.token, "Bot", S.BOT_SCOPE_PLAY)
        logs = a.logs.getvalue()
    assert path.stat().st_mode & 0o077 == 0
    data = everything_in(tmp_path)
    for told in (secret("Mio"), key, key.rpartition("_")[2], tokens.token, tokens.refresh_token):
        assert told.encode() not in data
        assert told not in logs
    assert "Mio" not in logs


async def test_one_file_belongs_to_one_service(tmp_path: Path) -> None:
    path = str(tmp_path / "identity.db")
    async with accounts(tmp_path, store=path):
        with pytest.raises(CannotStart, match="another identity service is using it"):
            Store(path)
    (tmp_path / "other").write_bytes(b"something else entirely, and long enough for it")
    for wrong, said in (("other", "not a database"), ("no/folder", "there is no folder")):
        with pytest.raises(CannotStart, match=said):
            Store(str(tmp_path / wrong))


async def test_a_service_whose_keys_nobody_could_read_does_not_start() -> None:
    app = App(IdentityConfig(port=0, store="memory"), FakeClock())
    with pytest.raises(CannotStart, match="--issuer-keys FILE or --admin-port"):
        await app.start()
    await app.store.close()


async def test_the_admin_port_has_the_public_keys_and_the_numbers(tmp_path: Path) -> None:
    port = free_port()
    site = f"http://127.0.0.1:{port}"
    clock = SystemClock()
    async with accounts(tmp_path, clock, issuer=site, admin_port=port, issuer_keys="") as a, world(issuer=site) as w:
        (key,) = json.loads(await asyncio.to_thread(fetched, f"{site}/.well-known/jwks.json"))["keys"]
        assert (key["kty"], key["crv"], key["alg"]) == ("OKP", "Ed25519", "EdDSA")
        assert "d" not in key, "the private half"
        assert b"daifugo_sign_ins_total" in await asyncio.to_thread(fetched, f"{site}/metrics")
        token = (await a.sign_in("Mio")).tokens.token
        await w.caller(token).call("ListReasons", rules_pb2.ListReasonsRequest())


async def test_a_name_that_is_not_allowed_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    async with accounts(tmp_path) as a:
        request = S.SignInGuestRequest(device_secret=secret("a"), display_name="B0T")
        failure = await refusal(a.call("SignInGuest", request, language="ja"))
        assert (failure.code, failure.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "NAME_NOT_ALLOWED")
        assert "ボット" in failure.message
        assert (await a.sign_in("a")).created


async def test_whoever_is_deleted_at_the_very_moment_is_told_so_or_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with accounts(tmp_path) as a:
        store, signed_in = a.app.store, await a.sign_in("Mio")

        async def deleting(*found: Any) -> Any:
            monkeypatch.undo()
            await store.delete_account(signed_in.account.id)
            return await getattr(store, found[0])(*found[1:])

        monkeypatch.setattr(store, "add_bot_key", lambda *given: deleting("add_bot_key", *given))
        failure = await refusal(a.bot(signed_in.tokens.token, "Helper", S.BOT_SCOPE_PLAY))
        assert failure.reason == "NOT_SIGNED_IN"
        signed_in = await a.sign_in("Mio")
        monkeypatch.setattr(store, "add_session", lambda *given: deleting("add_session", *given))
        again = await a.sign_in("Mio")
        assert again.created
        assert again.account.id != signed_in.account.id
