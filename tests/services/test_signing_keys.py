"""The keys that sign tokens take turns, and nobody is shut out by that."""

from __future__ import annotations

import json
from pathlib import Path

import jwt

from services.common.issuer import AGAIN_SECONDS, FRESH_SECONDS, LEEWAY_SECONDS, Issuer
from services.identity.app import TURN_SECONDS
from services.identity.signing import AHEAD_SECONDS, needs_another, new_key, outdated, signs
from tests.services.accounts import S, accounts
from tests.services.harness import FakeClock

DAY = 86400.0


def test_a_key_is_published_before_it_signs_and_after_it_has_signed() -> None:
    one, two = new_key(0.0), new_key(10 * DAY - AHEAD_SECONDS)
    assert signs([one], 0.0) is one
    assert not needs_another([one], two.created - 1, 10 * DAY)
    assert needs_another([one], two.created, 10 * DAY)
    both = [one, two]
    assert not needs_another(both, two.created, 10 * DAY)
    assert signs(both, two.created + AHEAD_SECONDS - 1) is one
    assert signs(both, two.created + AHEAD_SECONDS) is two
    last = two.created + AHEAD_SECONDS + 600 + LEEWAY_SECONDS
    assert outdated(both, last - 1, 600) == []
    assert outdated(both, last, 600) == [one]
    assert outdated([two], last, 600) == []


def test_a_service_reads_a_key_before_the_first_token_comes_that_it_signs() -> None:
    assert AHEAD_SECONDS >= FRESH_SECONDS + AGAIN_SECONDS


async def test_somebody_who_goes_on_refreshing_is_never_refused_while_keys_change(tmp_path: Path) -> None:
    clock = FakeClock()
    async with accounts(tmp_path, clock, signing_key_seconds=DAY) as a:
        path = tmp_path / "keys.json"
        door = Issuer(a.app.config.issuer, "daifugo", str(path), clock.now)
        await door.open()
        session = (await a.sign_in("Mio")).tokens
        signed, published = set(), set()
        for _ in range(int(2.5 * DAY / 300)):
            for _ in range(int(300 / TURN_SECONDS)):
                clock.advance(TURN_SECONDS)
                if a.app._turning is not None:
                    await a.app._turning
            session = (await a.refresh(session.refresh_token)).tokens
            await a.call("GetAccount", S.GetAccountRequest(), session.token)
            await door.identify(session.token)
            signed.add(jwt.get_unverified_header(session.token)["kid"])
            now_there = [key["kid"] for key in json.loads(path.read_text())["keys"]]
            assert 1 <= len(now_there) <= 2
            published.update(now_there)
        assert len(signed) == len(published) == 3


async def test_keys_survive_a_restart(tmp_path: Path) -> None:
    async with accounts(tmp_path, store=str(tmp_path / "identity.db")):
        before = (tmp_path / "keys.json").read_text()
    async with accounts(tmp_path, store=str(tmp_path / "identity.db")):
        assert (tmp_path / "keys.json").read_text() == before


def test_a_key_does_not_show_its_private_half() -> None:
    key = new_key(0.0)
    assert key.private.hex() not in repr(key)
    assert repr(key.private) not in repr([key])
