"""Shuffles: the service commits itself first, players give to them after that, and the seed is told at the end."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from daifugo.v1 import game_pb2, view_pb2
from engine.randomness import game_key
from services.game.deals import deal_of, seed_of
from services.game.seeds import LINKS, match_key, new_root, seed_at
from services.game.sqlite import SqliteJournal
from tests.services.folder import Folder, plain
from tests.services.harness import FakeClock, World, refusal, world
from tests.services.test_deals import NUMBERED, ONE
from tests.services.test_hosting import host, through
from tests.services.test_table_life import SHORT
from tests.services.test_tables import get

Seeds = tuple[bytes, ...]


async def laid(w: World, given: Seeds, **more: Any) -> str:
    """Lay a table for one short game at which players have given these seeds."""
    more.setdefault("ruleset", SHORT)
    more.setdefault("format", ONE)
    table = await w.table(seats=0, **more)
    for number, seed in enumerate(given):
        await sit(w, table, f"p{number}", number, seed)
    return table


async def sit(w: World, table: str, token: str, seat: int, seed: bytes) -> None:
    request = game_pb2.JoinTableRequest(
        request_id=w.request_id(), table_id=table, seat=seat, display_name=token.upper(), client_seed=seed
    )
    await w.caller(token).call("JoinTable", request)


async def shuffle(w: World, table: str, token: str = "p0") -> view_pb2.Shuffle:
    """What is told of the seeds: the same in the table and in the view."""
    told = (await get(w, table, token)).shuffle
    assert told == (await w.caller(token).view(table)).view.shuffle
    return told


def key_now(w: World, table: str) -> bytes:
    return w.app.tables.find(table).shown.state.key


GIVEN = (b"mio", b"", bytes(32), b"\xff")


async def test_a_match_is_dealt_from_a_seed_committed_to_before_anybody_sat_down_and_from_what_they_gave() -> None:
    async with world() as w:
        table = await w.table(seats=0, ruleset=SHORT, format=ONE)
        promised = await shuffle(w, table)
        assert promised == view_pb2.Shuffle(next_commitment=promised.next_commitment)
        assert len(promised.next_commitment) == 32
        for number, seed in enumerate(GIVEN):
            await sit(w, table, f"p{number}", number, seed)
        seats = (await w.caller("p3").view(table)).view.seats
        assert tuple(seat.seat.client_seed for seat in seats) == GIVEN, "public once they are in"
        await w.start(table)
        assert await shuffle(w, table, "spectator") == view_pb2.Shuffle(
            commitment=promised.next_commitment, client_seeds=GIVEN
        )
        key = key_now(w, table)
        await through(w, table)
        told = await shuffle(w, table, "spectator")
        assert sha256(told.seed).digest() == promised.next_commitment == told.commitment
        assert tuple(told.client_seeds) == GIVEN
        assert key == game_key(match_key(told.seed, GIVEN), 1)
        assert key != game_key(told.seed, 1)


async def test_the_seed_leaves_the_service_with_the_last_event_of_the_match_and_not_before() -> None:
    async with world() as w:
        table = await laid(w, GIVEN)
        stream, folder = w.caller("spectator").watch(table), Folder()
        folder.take(await stream.read())
        await w.start(table)
        seed = w.app.tables.find(table).shown.seed
        assert len(seed) == 32
        await through(w, table)
        now = await w.caller("spectator").view(table)
        told = await stream.until(now.cursor.version)
        for message in told:
            folder.take(message)
        assert plain(folder.view) == plain(now.view)
        assert now.view.shuffle.seed == seed
        assert seed not in b"".join([message.SerializeToString() for message in told[:-1]])
        assert seed.hex() not in w.logs.getvalue()


async def test_each_match_has_another_seed_to_which_the_first_commitment_holds_the_service() -> None:
    async with world() as w:
        table = await laid(w, GIVEN)
        first = (await shuffle(w, table)).next_commitment
        seeds: list[bytes] = []
        for number in range(1, 4):
            await w.start(table)
            running = await shuffle(w, table)
            assert (running.seed, running.next_commitment) == (b"", b""), "it would be the seed of this match"
            key = key_now(w, table)
            await through(w, table)
            told = await shuffle(w, table)
            seeds.append(told.seed)
            assert told.next_commitment == told.seed
            assert key == game_key(match_key(told.seed, GIVEN), 1)
            back = told.seed
            for _ in range(number):
                back = sha256(back).digest()
            assert back == first
        assert len(set(seeds)) == 3


async def test_who_comes_while_a_match_runs_gives_to_the_next_one() -> None:
    async with world() as w:
        table = await laid(w, GIVEN, format=game_pb2.MatchFormat(games=2))
        await w.start(table)
        await w.caller("p3").call("LeaveTable", game_pb2.LeaveTableRequest(table_id=table))
        await through(w, table)
        await sit(w, table, "p4", 3, b"late")
        assert tuple((await shuffle(w, table)).client_seeds) == GIVEN
        w.clock.advance(10)
        await through(w, table)
        await w.start(table)
        assert tuple((await shuffle(w, table)).client_seeds) == (*GIVEN[:3], b"late")


async def test_what_somebody_gave_moves_with_them_and_goes_with_them() -> None:
    async with world() as w:
        table = await laid(w, GIVEN)
        await host(w, "MoveSeat", table, seat=0, to_seat=3)
        await w.caller("p1").call("LeaveTable", game_pb2.LeaveTableRequest(table_id=table))
        await sit(w, table, "p4", 1, b"new")
        await w.start(table)
        assert tuple((await shuffle(w, table)).client_seeds) == (b"\xff", b"new", bytes(32), b"mio")


async def test_practice_is_dealt_from_its_number_alone_and_uses_no_seed_up() -> None:
    async with world() as w:
        table = await laid(w, GIVEN, deal_number="P5")
        promised = await shuffle(w, table)
        await w.start(table)
        assert key_now(w, table) == game_key(seed_of("P5"), 1)
        assert await shuffle(w, table) == promised
        await through(w, table)
        assert await shuffle(w, table) == promised
        await host(w, "UpdateTable", table, deal_number="")
        await w.start(table)
        assert (await shuffle(w, table)).commitment == promised.next_commitment


async def test_a_deal_number_that_is_told_afterwards_follows_from_the_seed_and_what_players_gave() -> None:
    async with world() as w:
        table = await laid(w, GIVEN, ruleset=NUMBERED)
        await w.start(table)
        key = key_now(w, table)
        await through(w, table)
        view = (await w.caller("p0").view(table)).view
        assert view.deal_number == deal_of(match_key(view.shuffle.seed, GIVEN))
        assert key == game_key(seed_of(view.deal_number), 1)


@pytest.mark.parametrize("leaves", [True, False])
async def test_the_seed_of_a_match_that_is_given_up_is_told_as_well(leaves: bool) -> None:
    async with world() as w:
        table = await laid(w, GIVEN)
        await w.start(table)
        promised = (await shuffle(w, table)).commitment
        if leaves:
            for number in range(4):
                await w.caller(f"p{number}").call("LeaveTable", game_pb2.LeaveTableRequest(table_id=table))
        else:
            w.app.tables.find(table).close()
            await w.app.writer.flushed()
        told = await shuffle(w, table)
        assert sha256(told.seed).digest() == promised == told.commitment
        assert bool(told.next_commitment) == leaves, "a table that is closed has no next match"


async def test_a_table_that_is_laid_anew_shows_what_it_is_committed_to_next() -> None:
    async with world() as w:
        table = await laid(w, GIVEN)
        stream, folder = w.caller("spectator").watch(table), Folder()
        folder.take(await stream.read())
        await w.start(table)
        await through(w, table)
        seed = (await shuffle(w, table)).seed
        await host(w, "UpdateTable", table, ruleset=NUMBERED)
        now = await w.caller("spectator").view(table)
        for message in await stream.until(now.cursor.version):
            folder.take(message)
        assert plain(folder.view) == plain(now.view)
        assert now.view.shuffle == view_pb2.Shuffle(next_commitment=seed)


@pytest.mark.sources
async def test_when_a_row_of_seeds_is_used_up_another_begins_with_nothing_that_was_given_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in ("seeds", "opening", "life"):
        monkeypatch.setattr(f"services.game.{module}.LINKS", 2)
    async with world() as w:
        table = await laid(w, GIVEN)
        seeds: list[bytes] = []
        for _ in range(2):
            await w.start(table)
            await through(w, table)
            seeds.append((await shuffle(w, table)).seed)
        assert not (await shuffle(w, table)).next_commitment
        await w.start(table)
        running = await shuffle(w, table)
        assert running.commitment not in seeds
        assert not running.client_seeds
        await through(w, table)
        assert (await shuffle(w, table)).next_commitment == (await shuffle(w, table)).seed
        seats = (await w.caller("p0").view(table)).view.seats
        assert not any(seat.seat.client_seed for seat in seats)
        await w.caller("p3").call("LeaveTable", game_pb2.LeaveTableRequest(table_id=table))
        await sit(w, table, "p3", 3, b"anew")
        await w.start(table)
        assert tuple((await shuffle(w, table)).client_seeds) == (b"", b"", b"", b"anew")


async def test_commitment_and_seeds_are_the_same_after_a_restart(tmp_path: Path) -> None:
    clock, path = FakeClock(), str(tmp_path / "store")
    async with world(clock, SqliteJournal(path)) as w:
        table = await laid(w, GIVEN)
        waiting = await laid(w, GIVEN)
        await w.start(table)
        before = [await shuffle(w, each) for each in (table, waiting)]
        key = key_now(w, table)
    async with world(clock, SqliteJournal(path)) as w:
        assert [await shuffle(w, each) for each in (table, waiting)] == before
        assert key_now(w, table) == key
        await through(w, table)
        assert (await shuffle(w, table)).next_commitment == (await shuffle(w, table)).seed
        await w.start(table)
        assert tuple((await shuffle(w, table)).client_seeds) == GIVEN


async def test_more_than_32_bytes_are_refused() -> None:
    async with world() as w:
        table = await w.table(seats=0)
        failure = await refusal(sit(w, table, "p0", 0, bytes(33)))
        assert failure.details["BadRequest"].field_violations[0].field == "client_seed"


def test_seeds_of_a_row_hash_to_those_before_them() -> None:
    root = new_root()
    assert seed_at(root, LINKS) == root
    assert all(sha256(seed_at(root, n + 1)).digest() == seed_at(root, n) for n in range(LINKS))


def test_no_other_seeds_of_players_give_the_same_key() -> None:
    given: list[Seeds] = [(b"ab", b"c"), (b"a", b"bc"), (b"c", b"ab"), (b"ab", b"c", b""), (b"abc", b""), (b"", b"abc")]
    assert len({match_key(b"seed", each) for each in given}) == len(given)
    assert match_key(b"seed", ()) == match_key(b"seed", (b"", b"")) == b"seed"
