"""A store's file tells nobody without its key what is dealt, drawn or given away."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest

from daifugo.v1 import rules_pb2
from engine.cards import members
from services.common.config import CannotStart
from services.game.codec.records import record_to
from services.game.records import Acted, Created, MatchStarted, Record
from services.game.sealing import Seal, make_key, read_keys
from services.game.sqlite import SqliteJournal
from services.game.sqlite_file import back_up
from services.game.sqlite_seal import FIRST_SEALED
from tests.services.harness import FakeClock, world
from tests.services.test_clocks import rest
from tests.services.test_hosting import through
from tests.services.test_restart import STORES, restore

ONE, TWO = bytes(range(32)), bytes(32)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "daifugo.db"


def everything(store: Path) -> bytes:
    """The file and what SQLite has beside it."""
    return b"".join(
        [path.read_bytes() for path in sorted(store.parent.glob(f"{store.name}*")) if path.suffix != ".key"]
    )


def secrets_of(records: Iterable[Record]) -> set[bytes]:
    """What the records of a table hold that not everybody knows, and the records themselves."""
    found = set()
    for record in records:
        operation = record.operation
        if isinstance(operation, Created):
            found |= {operation.root, operation.code.encode()}
        elif isinstance(operation, MatchStarted):
            found |= {operation.seed, operation.deal.encode()}
        elif isinstance(operation, Acted):
            found.add(record_to(record)[-12:])
    return found - {b""}


NUMBERED = rules_pb2.Ruleset(preset="jdf4", settings=[rules_pb2.Setting(id="deal_number", flag=True)])


async def played(store: Path, clock: FakeClock | None = None) -> tuple[str, list[Record]]:
    """Play into the second game of a match, with its exchange, and look at the store while the service runs."""
    async with world(clock, SqliteJournal(str(store))) as w:
        table = await w.table(ruleset=NUMBERED)
        await w.start(table)
        await through(w, table)
        w.clock.advance(10)
        while not (await rest(w, table)).playing:
            pass
        for _ in range(6):
            life = w.app.tables.find(table).shown
            seat, decision = next((seat, each) for seat, each in enumerate(life.state.decisions) if each)
            who = w.caller(f"p{seat}")
            await who.act(table, decision, (await who.legal(table, decision)).actions[0].action)
        records = await w.app.desk.journal.load(table)
        assert any(isinstance(record.operation, Acted) and record.operation.action.values for record in records)
        raw = everything(store)
        found = [secret for secret in secrets_of(records) if secret in raw]
        assert not found
        life = w.app.tables.find(table).shown
        for hand in life.state.hands:
            assert bytes(members(hand)) not in raw
        assert life.state.key not in raw
    return table, records


async def test_neither_seeds_nor_codes_nor_actions_can_be_read_in_the_file_while_a_match_runs_or_afterwards(
    store: Path,
) -> None:
    _, records = await played(store)
    raw = everything(store)
    assert len(secrets_of(records)) > 20
    assert not [secret for secret in secrets_of(records) if secret in raw]
    assert (store.parent / "daifugo.db.key").read_text().strip() not in raw.hex()


@pytest.mark.parametrize("path", sorted(STORES.glob("*.sql"))[: FIRST_SEALED - 1], ids=lambda path: path.stem)
async def test_what_an_earlier_version_wrote_in_the_open_is_sealed_when_the_file_is_opened(
    path: Path, store: Path
) -> None:
    restore(path, store)
    with closing(sqlite3.connect(store)) as base:
        bodies = [body for (body,) in base.execute("SELECT body FROM record")]
    assert all(body in everything(store) for body in bodies)
    journal = SqliteJournal(str(store))
    (table,) = await journal.tables()
    records = await journal.load(table)
    raw = everything(store)
    await journal.close()
    assert len(records) == len(bodies)
    assert not [body for body in bodies if body in raw]
    assert not [secret for secret in secrets_of(records) if secret in raw]


async def test_a_key_is_made_once_for_nobody_else_and_never_again(store: Path) -> None:
    key = store.parent / "daifugo.db.key"
    journal = SqliteJournal(str(store))
    await journal.claim("a", "me")
    await journal.close()
    first = key.read_text()
    assert key.stat().st_mode & 0o777 == 0o600
    await SqliteJournal(str(store)).close()
    assert key.read_text() == first
    key.unlink()
    with pytest.raises(CannotStart, match=rf"--store {store}: its keys are not there: no file {key}"):
        SqliteJournal(str(store))
    assert not key.exists(), "another key would open nothing"


async def test_a_key_of_another_store_is_refused(store: Path) -> None:
    await SqliteJournal(str(store)).close()
    key = store.parent / "daifugo.db.key"
    before = everything(store)
    key.write_text(ONE.hex())
    with pytest.raises(CannotStart, match=f"it is sealed with a key that {key} does not have"):
        SqliteJournal(str(store))
    assert everything(store) == before


@pytest.mark.parametrize("text", ["", "abc", "00" * 31, "zz" * 32, "鍵"])
async def test_a_file_without_proper_keys_is_refused(store: Path, text: str) -> None:
    keys = store.parent / "keys"
    keys.write_text(text)
    with pytest.raises(CannotStart, match=f"{keys} holds no keys"):
        SqliteJournal(str(store), keys=str(keys))


async def test_keys_that_are_named_are_not_made(store: Path) -> None:
    with pytest.raises(CannotStart, match="its keys are not there"):
        SqliteJournal(str(store), keys=str(store.parent / "keys"))


async def test_with_a_new_key_before_the_old_one_all_is_sealed_anew_and_the_old_one_can_go(store: Path) -> None:
    clock = FakeClock()
    table, records = await played(store, clock)
    old = (store.parent / "daifugo.db.key").read_text()
    keys = store.parent / "keys"
    keys.write_text(f"{TWO.hex()}\n{old}")
    await SqliteJournal(str(store), keys=str(keys)).close()
    assert read_keys(store.parent / "daifugo.db.key").newest not in everything(store)
    keys.write_text(TWO.hex())
    async with world(clock, SqliteJournal(str(store), keys=str(keys))) as w:
        assert [each.operation for each in await w.app.desk.journal.load(table)] == [each.operation for each in records]
        await through(w, table)
    with pytest.raises(CannotStart, match="does not have"):
        SqliteJournal(str(store))


async def test_a_backup_goes_on_with_the_key_and_not_without(store: Path, tmp_path: Path) -> None:
    clock, copy = FakeClock(), tmp_path / "copy"
    table, records = await played(store, clock)
    back_up(str(store), str(copy))
    assert not [secret for secret in secrets_of(records) if secret in copy.read_bytes()]
    with pytest.raises(CannotStart, match=r"copy\.key"):
        SqliteJournal(str(copy))
    async with world(clock, SqliteJournal(str(copy), keys=f"{store}.key")) as w:
        await through(w, table)


async def test_a_record_that_was_changed_or_put_in_another_s_place_is_not_read(store: Path) -> None:
    table, _ = await played(store)
    with closing(sqlite3.connect(store)) as base:
        (body,) = base.execute("SELECT body FROM record WHERE version = 7").fetchone()
        base.execute("UPDATE record SET body = ? WHERE version = 8", (body,))
        base.commit()
    journal = SqliteJournal(str(store))
    assert await journal.load(table, 8)
    with pytest.raises(ValueError, match=f"record 8 of table {table} is damaged, or was put in another's place"):
        await journal.load(table, 7)
    await journal.close()


def test_what_is_sealed_twice_looks_different_and_opens_the_same() -> None:
    seal = Seal([ONE, TWO])
    bodies = {seal.close(b"body", "about") for _ in range(100)}
    assert len(bodies) == 100
    assert {seal.open(body, "about") for body in bodies} == {b"body"}
    assert Seal([TWO]).newest != seal.newest
    old = Seal([TWO]).close(b"body", "about")
    assert seal.open(old, "about") == b"body"
    with pytest.raises(ValueError, match="a key that is not here"):
        Seal([ONE]).open(old, "about")
    with pytest.raises(ValueError, match="damaged"):
        seal.open(old, "about something else")


def test_a_key_that_was_half_written_when_the_service_died_is_made_again(tmp_path: Path) -> None:
    (tmp_path / "key.new").write_text("00")
    seal = make_key(tmp_path / "key")
    assert read_keys(tmp_path / "key").newest == seal.newest
    assert [path.name for path in tmp_path.iterdir()] == ["key"]
    assert ONE.hex() not in repr(Seal([ONE]))
