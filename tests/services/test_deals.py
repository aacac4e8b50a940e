"""Deal numbers: the same cards for everybody who plays by one, and no secret of a match before it is over."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from daifugo.v1 import game_pb2, rules_pb2, view_pb2
from engine.available import can_be_played, without_effect
from engine.catalogue import entries
from services.game.deals import BELOW, deal_from, deal_of, seed_of
from services.game.sqlite import SqliteJournal
from tests.services.folder import Folder, plain
from tests.services.harness import FakeClock, World, refusal, world
from tests.services.test_hosting import host, through
from tests.services.test_table_life import SHORT
from tests.services.test_tables import create, get

NUMBERED = rules_pb2.Ruleset(
    preset="jdf4",
    settings=[rules_pb2.Setting(id="hand_size", number=2), rules_pb2.Setting(id="deal_number", flag=True)],
)
ONE = game_pb2.MatchFormat(games=1)


async def hands(w: World, table: str) -> list[list[int]]:
    """What each seat holds."""
    return [list((await w.caller(f"p{seat}").view(table)).view.hand) for seat in range(4)]


async def games_of(w: World, seed: int, **more: Any) -> list[tuple[list[list[int]], int]]:
    """Play a match of two games; return what was dealt in each, and who began."""
    table = await w.table(format=game_pb2.MatchFormat(games=2), **more)
    await w.start(table)
    dealt = [(await hands(w, table), (await w.caller("p0").view(table)).view.turn)]
    await w.play(table, seed)
    return dealt


async def test_the_same_number_gives_the_same_cards_at_every_table() -> None:
    async with world() as w:
        one = await games_of(w, 1, deal_number="P1151739204")
        assert one == await games_of(w, 2, deal_number="ｐ1151739204")
        assert one != await games_of(w, 1, deal_number="P1151739205")
        assert one != await games_of(w, 1)
    async with world() as w:
        assert one == await games_of(w, 3, deal_number="P1151739204"), "at another service as well"


async def test_practice_is_marked_for_everybody_from_the_beginning_and_not_rated(tmp_path: Path) -> None:
    journal = SqliteJournal(str(tmp_path / "store"))
    async with world(journal=journal) as w:
        table = await w.table(ruleset=SHORT, format=ONE, deal_number="P7")
        shown = await get(w, table)
        assert (shown.practice, shown.deal_number) == (True, "P7")
        stream, folder = w.caller("spectator").watch(table), Folder()
        folder.take(await stream.read())
        await w.start(table)
        view = (await w.caller("spectator").view(table)).view
        assert (view.practice, view.deal_number) == (True, "P7")
        await through(w, table)
        now = await w.caller("spectator").view(table)
        for message in await stream.until(now.cursor.version):
            folder.take(message)
        assert plain(folder.view) == plain(now.view)
        assert (now.view.state, now.view.practice) == (view_pb2.TABLE_STATE_ENDED, True)
        assert not [record.result for record in await journal.load(table) if record.result is not None]


async def test_the_number_of_a_match_is_told_when_it_is_over_and_gives_its_cards_to_others() -> None:
    async with world() as w:
        table = await w.table(ruleset=NUMBERED, format=ONE)
        stream, folder = w.caller("spectator").watch(table), Folder()
        folder.take(await stream.read())
        await w.start(table)
        secret = w.app.tables.find(table).shown.deal
        assert secret
        dealt = await hands(w, table)
        for token in ("p0", "spectator"):
            assert not (await get(w, table, token)).deal_number
            assert not (await w.caller(token).view(table)).view.deal_number
        await through(w, table)
        now = await w.caller("spectator").view(table)
        told = await stream.until(now.cursor.version)
        for message in told:
            folder.take(message)
        before_the_end = b"".join([message.SerializeToString() for message in told[:-1]])
        assert secret.encode() not in before_the_end
        assert secret not in w.logs.getvalue()
        assert plain(folder.view) == plain(now.view)
        assert now.view.deal_number == (await get(w, table)).deal_number == secret
        assert not now.view.practice
        again = await w.table(ruleset=NUMBERED, format=ONE, deal_number=secret)
        await w.start(again)
        assert await hands(w, again) == dealt
        await w.start(table)
        assert w.app.tables.find(table).shown.deal != secret, "each match has its own"
        assert not (await w.caller("p0").view(table)).view.deal_number


async def test_a_host_can_have_the_same_deal_played_again_and_then_new_ones() -> None:
    async with world() as w:
        table = await w.table(ruleset=SHORT, format=ONE)
        assert (await host(w, "UpdateTable", table, deal_number="P5")).practice
        await w.start(table)
        first = await hands(w, table)
        await through(w, table)
        await w.start(table)
        assert await hands(w, table) == first
        await through(w, table)
        assert not (await host(w, "UpdateTable", table, deal_number="")).practice
        await w.start(table)
        assert not (await w.caller("p0").view(table)).view.practice


async def test_practice_is_practice_after_a_restart(tmp_path: Path) -> None:
    clock, path = FakeClock(), str(tmp_path / "store")
    async with world(clock, SqliteJournal(path)) as w:
        table = await w.table(ruleset=SHORT, deal_number="P9")
        await w.start(table)
        dealt = await hands(w, table)
    async with world(clock, SqliteJournal(path)) as w:
        view = (await w.caller("p0").view(table)).view
        assert (view.practice, view.deal_number) == (True, "P9")
        assert await hands(w, table) == dealt


@pytest.mark.parametrize("wrong", ["1151739204", "P", "P-1", "P1.5", "Pちょ", f"P{BELOW}", "P" + "1" * 40, "PP1"])
async def test_what_is_no_deal_number_is_refused(wrong: str) -> None:
    async with world() as w:
        failure = await refusal(w.caller("p0").call("CreateTable", create(deal_number=wrong)))
        assert failure.details["BadRequest"].field_violations[0].field == "deal_number"


def test_numbers_that_are_drawn_are_large_and_all_are_read_as_they_are_written() -> None:
    drawn = {deal_of(sha256(bytes([number % 256, number // 256])).digest()) for number in range(500)}
    assert len(drawn) == 500
    assert all(deal_from("", number.lower()) == number for number in drawn)
    assert max(int(number[1:]) for number in drawn) > BELOW // 2
    assert deal_from("", " P007 ") == "P7"
    assert deal_from("", "") == ""
    assert len(seed_of("P7")) == 32
    assert seed_of("P7") != seed_of("P8")


def test_the_settings_of_these_tables_have_effect_now() -> None:
    assert not without_effect({"deal_number": True, "host_ends_party": True})
    assert all(can_be_played(entries()[name]) for name in ("deal_number", "host_ends_party"))
