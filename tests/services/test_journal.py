"""What every journal keeps to, and what the one in a file does besides."""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.actions import ADD, DRAW, DUMP, PASSING, Action, Meaning, answer, play_cards
from services.common.config import CannotStart
from services.game import records as r
from services.game.answers import Kept
from services.game.codec.records import record_from, record_to
from services.game.journal import Journal, MemoryJournal
from services.game.sqlite import SqliteJournal
from services.game.sqlite_file import MIGRATIONS, back_up

SETTINGS = r.Settings(
    preset="jdf4",
    values=(("eight_cut", True), ("x", "word"), ("y", 3), ("z", (1, 2))),
    seats=4,
    ruleset_hash="#",
    rounds=None,
    sets=2,
    games=3,
    turn_seconds=15,
    choice_seconds=60,
    idle_seconds=180,
    relaxed=True,
    name="卓",
    spectators=r.HANDS,
)
KEPT = r.AutoStart((r.Reservation(0, "a", False), r.Reservation(3, "b", True)), 30, 5)

OPERATIONS: list[r.Operation] = [
    r.Created(SETTINGS, "host"),
    r.Created(replace(SETTINGS, bank_seconds=60, bank_each_game=True), "host"),
    r.Created(replace(SETTINGS, private=True, deal="P17"), "host", KEPT, "23456789"),
    r.SeatTaken(2, r.Occupant("id", "名前", True)),
    r.SeatTaken(1, r.Occupant("house:1", "greedy 2", True, policy="greedy")),
    r.SeatsReleased((0, 3)),
    r.SeatLeft(1, ""),
    r.SeatSet(1, r.BOT),
    r.SeatSet(0, r.PERSON, True, "other"),
    r.CodeRenewed("WXY23456"),
    r.SeatKicked(2, "host", "XY234567", True),
    r.SeatsSwapped(0, 3),
    r.HostChanged("other"),
    r.Updated(replace(SETTINGS, until_host_ends=True, games=None, sets=None)),
    r.Shortened(),
    r.MatchStarted("m", bytes(range(32)), 4),
    r.MatchStarted("m", bytes(range(32)), 4, "P17"),
    r.GameStarted(),
    r.Acted(0, 7, PASSING),
    r.Acted(3, 8, play_cards(1 << 52 | 1 << 4, 2, (Meaning(52, 1, 3),)), r.BY_CLOCK),
    r.Acted(1, 9, answer()),
    r.Acted(1, 2**40, answer(0, 5, 12)),
    r.Acted(1, 10, Action(DRAW)),
    r.Acted(1, 11, Action(ADD, 3)),
    r.Acted(1, 12, Action(DUMP, 1 << 107)),
    r.Acted(1, 13, PASSING, r.BY_STAND_IN, 1500),
    r.StandInCame(1, r.AWAY),
    r.StandInCame(2, r.ASKED),
    r.StandInLeft(1),
    r.Acted(1, 14, PASSING, r.BY_AUTO_PASS),
    r.AutoPassSet(2, True),
    r.Skipped(99),
    r.Closed(),
]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: type(operation).__name__)
@pytest.mark.parametrize("given_answer", [None, r.Answer("id", "CreateTable", "request", b"\0\xff", 3)])
def test_a_record_is_read_as_it_was_written(operation: r.Operation, given_answer: r.Answer | None) -> None:
    record = r.Record("t", 5, 17, 1_800_000_000.125, operation, given_answer)
    assert record_from("t", 5, 17, record_to(record)) == record


def test_there_is_an_example_of_every_operation() -> None:
    assert {type(operation) for operation in OPERATIONS} == set(r.Operation.__args__)


@given(st.binary(max_size=60))
def test_a_damaged_record_is_refused(body: bytes) -> None:
    try:
        record_from("t", 1, 1, body)
    except ValueError:
        return
    assert body  # what can be read says something


@pytest.fixture(params=["memory", "sqlite"])
async def journal(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Journal]:
    made: Journal = MemoryJournal() if request.param == "memory" else SqliteJournal(str(tmp_path / "store"))
    yield made
    await made.close()


def closing(table: str, epoch: int, version: int) -> r.Record:
    return r.Record(table, epoch, version, float(version), r.GameStarted())


async def test_records_are_read_in_the_order_of_their_versions(journal: Journal) -> None:
    a, b = await journal.claim("a", "me"), await journal.claim("b", "me")
    assert await journal.append("me", [closing("a", a, 0), closing("b", b, 0), closing("a", a, 1)]) == frozenset()
    assert await journal.append("me", [closing("a", a, 2)]) == frozenset()
    assert await journal.load("a") == [closing("a", a, 0), closing("a", a, 1), closing("a", a, 2)]
    assert await journal.load("a", 1) == [closing("a", a, 2)]
    assert await journal.load("b", 0) == []
    assert await journal.load("nobody's") == []


async def test_whoever_claims_a_table_fences_those_before(journal: Journal) -> None:
    old = await journal.claim("a", "old")
    await journal.append("old", [closing("a", old, 0)])
    new = await journal.claim("a", "new")
    assert new > old
    assert await journal.append("old", [closing("a", old, 1)]) == {"a"}
    assert await journal.append("new", [closing("a", old, 1)]) == {"a"}, "under an epoch that is over"
    assert await journal.append("new", [closing("a", new, 1)]) == frozenset()
    assert await journal.load("a") == [closing("a", old, 0), closing("a", new, 1)]


async def test_a_fenced_table_does_not_keep_the_others_from_being_written(journal: Journal) -> None:
    a, b = await journal.claim("a", "me"), await journal.claim("b", "me")
    await journal.claim("a", "other")
    assert await journal.append("me", [closing("a", a, 0), closing("b", b, 0)]) == {"a"}
    assert await journal.load("a") == []
    assert await journal.load("b") == [closing("b", b, 0)]


async def test_a_table_that_nobody_has_claimed_takes_no_records(journal: Journal) -> None:
    assert await journal.append("me", [closing("a", 1, 0)]) == {"a"}


async def test_tables_are_listed_in_the_order_of_their_creation_until_they_are_forgotten(journal: Journal) -> None:
    for table in "cab":
        await journal.claim(table, "me")
    await journal.claim("a", "other")
    assert await journal.tables() == ["c", "a", "b"]
    await journal.forget("me", "c")
    await journal.forget("me", "a")
    assert await journal.tables() == ["a", "b"], "what belongs to somebody else stays"


async def test_forgetting_a_table_deletes_its_records(journal: Journal) -> None:
    epoch = await journal.claim("a", "me")
    await journal.append("me", [closing("a", epoch, 0)])
    await journal.forget("me", "a")
    assert await journal.load("a") == []
    assert await journal.append("me", [closing("a", epoch, 0)]) == {"a"}


async def test_what_created_a_table_is_known_after_the_table_is_gone(journal: Journal) -> None:
    given_answer = r.Answer("id", "CreateTable", "request", b"\0\xff", 0)
    for number, table in enumerate("ab"):
        epoch = await journal.claim(table, "me")
        created = r.Record(table, epoch, 0, 100.0 + number, OPERATIONS[0], replace(given_answer, request_id=table))
        await journal.append("me", [created, closing(table, epoch, 1)])
    await journal.forget("me", "a")
    kept = [Kept(replace(given_answer, request_id=table), table, 0, 100.0 + n) for n, table in enumerate("ab")]
    assert await journal.created() == kept
    await journal.forget_created(101.0)
    assert await journal.created() == kept[1:]
    await journal.forget("me", "b", never_was=True)
    assert await journal.created() == []


WHO = (r.Occupant("id", "名前", True), None, r.Occupant("other", "", False), None)


def ending(table: str, epoch: int, version: int, match: str) -> r.Record:
    result = r.Result(match, "#", 4, True, (1, 2, 2, 4), (9, 0, 0, -9), WHO, (r.Conduct(), r.Conduct(1, 1, 2, 3)) * 2)
    return replace(closing(table, epoch, version), result=result)


async def test_results_are_posted_with_the_versions_that_end_matches(journal: Journal) -> None:
    a, b = await journal.claim("a", "me"), await journal.claim("b", "me")
    first, second, third = ending("a", a, 1, "m1"), ending("b", b, 0, "m2"), ending("a", a, 2, "m3")
    await journal.append("me", [closing("a", a, 0), first, second])
    await journal.append("me", [third])
    assert await journal.load("a", 0) == [closing("a", a, 1), closing("a", a, 2)], "records are without them"
    posted = await journal.results(0, 10)
    assert [(each.table_id, each.time, each.result) for each in posted] == [
        (record.table_id, record.time, record.result) for record in (first, second, third)
    ]
    assert await journal.results(0, 2) == posted[:2]
    assert await journal.results(posted[0].number, 10) == posted[1:]
    await journal.forget("me", "a")
    assert await journal.results(0, 10) == posted, "though the table is gone"


async def test_a_fenced_owner_posts_nothing_and_no_match_is_posted_twice(journal: Journal) -> None:
    old = await journal.claim("a", "old")
    new = await journal.claim("a", "new")
    await journal.append("old", [ending("a", old, 0, "m")])
    assert await journal.results(0, 10) == []
    await journal.append("new", [ending("a", new, 0, "m"), ending("a", new, 1, "m")])
    assert [posted.result.match_id for posted in await journal.results(0, 10)] == ["m"]


async def test_old_results_are_forgotten_and_their_numbers_are_not_used_again(journal: Journal) -> None:
    epoch = await journal.claim("a", "me")
    await journal.append("me", [ending("a", epoch, 0, "m0"), ending("a", epoch, 1, "m1")])
    numbers = [posted.number for posted in await journal.results(0, 10)]
    await journal.forget_results(2.0)
    assert await journal.results(0, 10) == []
    await journal.append("me", [ending("a", epoch, 2, "m2")])
    assert [posted.number > numbers[-1] for posted in await journal.results(0, 10)] == [True]


async def test_all_tables_are_claimed_at_once_in_the_order_of_their_creation(journal: Journal) -> None:
    first = {table: await journal.claim(table, "me") for table in ("b", "a", "c")}
    claimed = await journal.claim_all("another")
    assert list(claimed) == ["b", "a", "c"] == await journal.tables()
    assert all(claimed[table] > epoch for table, epoch in first.items())
    assert await journal.append("me", [closing("a", first["a"], 0)]) == {"a"}
    assert await journal.append("another", [closing("a", claimed["a"], 0)]) == frozenset()


# --- in a file -------------------------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "daifugo.db")


async def test_a_file_is_found_again_as_it_was(store: str) -> None:
    journal = SqliteJournal(store)
    epoch = await journal.claim("a", "me")
    await journal.append("me", [closing("a", epoch, 0)])
    await journal.close()
    again = SqliteJournal(store)
    assert await again.tables() == ["a"]
    assert await again.load("a") == [closing("a", epoch, 0)]
    await again.close()


async def test_of_records_that_cannot_all_be_written_none_is(store: str) -> None:
    journal = SqliteJournal(store)
    epoch = await journal.claim("a", "me")
    await journal.append("me", [closing("a", epoch, 0)])
    with pytest.raises(sqlite3.IntegrityError):
        await journal.append("me", [closing("a", epoch, 1), closing("a", epoch, 0)])
    assert await journal.load("a") == [closing("a", epoch, 0)]
    assert await journal.append("me", [closing("a", epoch, 1)]) == frozenset(), "and it goes on"
    await journal.close()


async def test_a_second_service_on_the_same_file_is_refused(store: str) -> None:
    journal = SqliteJournal(store)
    with pytest.raises(CannotStart, match=f"--store {store}: another game service is using it"):
        SqliteJournal(store)
    await journal.close()
    await SqliteJournal(store).close()


def test_a_file_of_a_newer_version_is_refused_and_left_alone(store: str) -> None:
    with sqlite3.connect(store) as base:
        base.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    before = Path(store).read_bytes()
    with pytest.raises(CannotStart, match="a newer version wrote it"):
        SqliteJournal(store)
    assert Path(store).read_bytes() == before


def test_a_file_that_is_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no database at all, but long enough to look like one" * 10)
    other = tmp_path / "other"
    with sqlite3.connect(other) as base:
        base.execute("CREATE TABLE ticket (id)")
        base.execute("PRAGMA user_version = 1")
    before = text.read_bytes(), other.read_bytes()
    for path in (text, other):
        with pytest.raises(CannotStart, match=f"--store {path}: "):
            SqliteJournal(str(path))
    assert (text.read_bytes(), other.read_bytes()) == before


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match=r"there is no folder .*/nowhere"):
        SqliteJournal(str(tmp_path / "nowhere" / "store"))


@pytest.fixture
def loose_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("loose_umask")
async def test_nobody_else_may_read_the_file(store: str) -> None:
    journal = SqliteJournal(store)
    await journal.claim("a", "me")
    for path in Path(store).parent.iterdir():
        assert path.stat().st_mode & 0o077 == 0, path
    await journal.close()


async def test_what_another_version_of_the_engine_began_is_kept_and_not_gone_on_with(store: str) -> None:
    journal = SqliteJournal(store)
    epoch = await journal.claim("a", "me")
    await journal.append("me", [closing("a", epoch, 0)])
    await journal.claim("b", "me")
    await journal.close()
    with sqlite3.connect(store) as base:
        base.execute("UPDATE game_table SET engine = 'older' WHERE id = 'a'")
    base.close()
    again = SqliteJournal(store)
    assert await again.tables() == ["b"]
    assert await again.load("a") == [closing("a", epoch, 0)]
    await again.close()


async def test_a_backup_made_while_the_file_is_written_is_whole(store: str, tmp_path: Path) -> None:
    journal = SqliteJournal(store)
    epochs = {table: await journal.claim(table, "me") for table in ("a", "b")}
    written, grown = 0, asyncio.Event()

    async def write() -> None:
        nonlocal written
        while True:
            # always both tables, so that half of a transaction would be seen
            await journal.append("me", [closing(table, epoch, written) for table, epoch in epochs.items()])
            written += 1
            grown.set()

    writing = asyncio.create_task(write())
    rng, before = random.Random(1), 0
    for number in range(5):
        while written < before + rng.randrange(5, 50):
            grown.clear()
            await grown.wait()
        before = written
        copy = str(tmp_path / f"copy-{number}")
        await asyncio.to_thread(back_up, store, copy)
        found = SqliteJournal(copy, keys=f"{store}.key")
        a, b = await found.load("a"), await found.load("b")
        assert len(a) == len(b) >= before
        assert [record.version for record in a] == list(range(len(a)))
        await found.close()
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    await journal.close()


def test_a_backup_overwrites_nothing_and_a_failed_one_leaves_nothing(store: str, tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no database" * 100)
    sqlite3.connect(store).close()
    Path(store).touch()
    with pytest.raises(FileExistsError):
        back_up(store, str(text))
    with pytest.raises(FileNotFoundError):
        back_up(store + "nowhere", str(tmp_path / "copy"))
    with pytest.raises(sqlite3.DatabaseError):
        back_up(str(text), str(tmp_path / "copy"))
    assert not (tmp_path / "copy").exists()


async def test_no_epoch_comes_twice_though_an_old_copy_is_brought_back(store: str, tmp_path: Path) -> None:
    now = 1000.0
    journal = SqliteJournal(store, lambda: now)
    await journal.claim("a", "first")
    back_up(store, str(tmp_path / "copy"))
    now += 60
    later = await journal.claim("a", "second")
    await journal.close()
    now += 60
    restored = SqliteJournal(str(tmp_path / "copy"), lambda: now, f"{store}.key")
    assert await restored.claim("a", "third") > later
    await restored.close()
