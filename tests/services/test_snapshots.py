"""Snapshots: a table that is read from one is the table that all its records make, whatever has happened at it."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing as closed
from dataclasses import replace
from pathlib import Path

import pytest

from daifugo.v1 import game_pb2, rules_pb2, view_pb2
from engine.saving import save
from engine.version import ENGINE_VERSION
from services.game.codec.kept import whole
from services.game.codec.snapshots import snapshot_from, snapshot_to
from services.game.codec.verifying import verify
from services.game.history import _after
from services.game.journal import Journal, MemoryJournal
from services.game.life import ENDED, Life
from services.game.records import KeptSnapshot
from services.game.snapshots import KEPT_VERSIONS, Snapshot, first_needed
from services.game.sqlite import SqliteJournal
from tests.services.harness import FakeClock, World, world
from tests.services.test_clocks import rest
from tests.services.test_hosting import host, through
from tests.services.test_journal import closing
from tests.services.test_shuffles import GIVEN, laid, sit
from tests.services.test_successors import leave
from tests.services.test_table_life import SHORT

RULES = rules_pb2.Ruleset(
    preset="local",
    settings=[rules_pb2.Setting(id=name, flag=True) for name in ("seven_pass", "ten_discard", "reconnect")],
)


def same(one: Life, other: Life) -> bool:
    """Compare two lives; states are compared as they are saved."""
    assert save(one.state) == save(other.state)
    return one._replace(state=other.state) == other


async def finish(w: World, table: str) -> None:
    """Play a match to its end, in as little time of the clock as that takes, however slow the store is."""
    while (view := await rest(w, table)).state == view_pb2.TABLE_STATE_RUNNING:
        if view.playing:
            await through(w, table)
        else:
            w.clock.advance(0.01)


def replayed(w: World, table: str) -> list[Life]:
    """Return a table at each of its versions, made of its records."""
    lives: list[Life] = []
    for record in w.journal.records[table]:
        lives.append(_after(lives[-1] if lives else None, record.operation, record.time)[0])
    return lives


async def lived(w: World) -> list[str]:
    """Let tables live through much of what there is; return their ids."""
    plain = await laid(w, GIVEN, ruleset=RULES, format=game_pb2.MatchFormat(games=2))
    await w.start(plain)
    await finish(w, plain)
    clocked = await laid(
        w,
        GIVEN,
        format=game_pb2.MatchFormat(games=3),
        clock=game_pb2.Clock(turn_seconds=10, bank_seconds=20),
        name="卓",
    )
    await w.start(clocked)
    w.clock.advance(15)
    await rest(w, clocked)
    stand_in = game_pb2.SetSeatOptionsRequest(table_id=clocked, stand_in=True, auto_pass=False)
    await w.caller("p1").call("SetSeatOptions", stand_in)
    await leave(w, clocked, "p2")
    await through(w, clocked)
    await host(w, "KickSeat", clocked, seat=1, for_good=True)
    await sit(w, clocked, "p5", 1, b"five")
    reserved = game_pb2.Reservation(seat=2, identity="open:somebody", bot=True)
    auto = game_pb2.AutoStart(reservations=[reserved], reserved_seconds=30, bot_seconds=20)
    begins = await laid(w, GIVEN[:2], auto_start=auto)
    practice = await laid(w, GIVEN, deal_number="P9")
    await w.start(practice)
    await through(w, practice)
    return [plain, clocked, begins, practice]


async def test_what_is_read_from_a_snapshot_is_what_all_records_make_at_every_version() -> None:
    async with world(between_games_seconds=0) as w:
        tables = await lived(w)
        lives = [life for table in tables for life in replayed(w, table)]
    assert len(lives) > 150
    for life in lives:
        snapshot = Snapshot(life, (), {3: 1.5}, {7: life.version})
        read = snapshot_from("t", snapshot_to(snapshot))
        assert same(read.life, life)
        assert (read.asked, read.runs) == (snapshot.asked, snapshot.runs)
        assert all(type(value) is type(was) for value, was in zip(read.life, life)), "not only equal: of the same kind"


def test_every_field_of_a_life_that_is_not_at_its_default_is_in_the_test() -> None:
    fields = set(Life._fields)
    assert fields == set(Life._field_defaults) | {"version", "settings", "phase", "host", "seats", "state"}


@pytest.mark.parametrize("every", [1, 7, 64, 10**6])
async def test_a_service_goes_on_the_same_however_often_it_has_taken_snapshots(every: int, tmp_path: Path) -> None:
    clock, path = FakeClock(), str(tmp_path / "store")
    async with world(clock, SqliteJournal(path), snapshot_versions=every, between_games_seconds=0) as w:
        table = await laid(w, GIVEN, format=game_pb2.MatchFormat(games=3))
        await w.start(table)
        await through(w, table)
        rng = random.Random(1)
        while not (await rest(w, table)).playing:
            clock.advance(0.01)
        for _ in range(5):
            await w.step(table, rng)
        before = [(await w.caller(f"p{seat}").view(table)).view for seat in range(4)]
        records = await w.app.desk.journal.load(table)
        kept = await w.app.desk.journal.snapshot(table)
        assert (kept is not None) == (every < len(records))
        life, asked = w.app.tables.find(table).shown, dict(w.app.tables.find(table).history._asked)
    async with world(clock, SqliteJournal(path), snapshot_versions=every, between_games_seconds=0) as w:
        found = w.app.tables.find(table)
        assert same(found.shown, life)
        assert found.history._asked == asked
        for seat, view in enumerate(before):
            now = (await w.caller(f"p{seat}").view(table)).view
            for each in (view, now):
                # clocks went on meanwhile
                for part in each.seats:
                    part.seat.connected = False
                del each.asked[:]
                each.ClearField("decision")
            assert now == view
        acted = next(record for record in reversed(records) if hasattr(record.operation, "decision"))
        assert found.history.decisions._taken[acted.operation.decision][1] == acted.version  # type: ignore[union-attr]  # an Acted
        again = game_pb2.StartMatchRequest(request_id="request-5", table_id=table)
        repeated = await w.caller("p0").call("StartMatch", again)
        assert repeated.table.id == table, "what was answered long ago is answered again"
        await finish(w, table)
        assert (await rest(w, table)).state == view_pb2.TABLE_STATE_ENDED


async def test_who_sees_hands_a_game_late_sees_no_other_after_a_restart(tmp_path: Path) -> None:
    clock, path = FakeClock(), str(tmp_path / "store")
    late = game_pb2.SPECTATORS_DELAYED
    async with world(clock, SqliteJournal(path), snapshot_versions=1) as w:
        table = await laid(w, GIVEN, format=game_pb2.MatchFormat(games=2), spectators=late, ruleset=SHORT)
        await w.start(table)
        await through(w, table)
        while not (await rest(w, table)).playing:
            clock.advance(0.01)
        await w.step(table, random.Random(1))
        before = (await w.caller("spectator").view(table)).view
        kept = await w.app.desk.journal.snapshot(table)
        assert kept is not None
        assert kept.version < w.app.tables.find(table).shown.version, "not in the middle of a game"
    async with world(clock, SqliteJournal(path), snapshot_versions=1) as w:
        assert (await w.caller("spectator").view(table)).view == before


async def test_a_match_that_is_over_leaves_a_snapshot_at_once() -> None:
    async with world(snapshot_versions=10**6, between_games_seconds=0) as w:
        table = await laid(w, GIVEN, ruleset=SHORT)
        await w.start(table)
        assert await w.journal.snapshot(table) is None
        await finish(w, table)
        kept = await w.journal.snapshot(table)
        assert kept is not None
        assert snapshot_from(table, kept.body).life.phase == ENDED


@pytest.mark.parametrize("damage", ["another engine", "no message"])
async def test_of_a_snapshot_that_cannot_be_read_the_table_is_made_of_its_records(damage: str) -> None:
    clock, journal = FakeClock(), MemoryJournal()
    async with world(clock, journal, snapshot_versions=4) as w:
        table = await laid(w, GIVEN)
        await w.start(table)
        life = w.app.tables.find(table).shown
    kept = journal._snapshots[table]
    said = f'"engine":"{ENGINE_VERSION}"'.encode()
    assert said in kept.body
    body = b"\xff" if damage == "no message" else kept.body.replace(said, said.replace(ENGINE_VERSION.encode(), b"0"))
    journal._snapshots[table] = replace(kept, body=body)
    async with world(clock, journal, snapshot_versions=4) as w:
        assert same(w.app.tables.find(table).shown, life)
        assert "snapshot_not_read" in w.logs.getvalue()
        await through(w, table)


async def test_a_restart_replays_no_more_than_what_came_after_the_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, journal = FakeClock(), MemoryJournal()
    async with world(clock, journal, snapshot_versions=10, between_games_seconds=0) as w:
        table = await laid(w, GIVEN, format=game_pb2.MatchFormat(games=6), ruleset=SHORT)
        await w.start(table)
        await finish(w, table)
        versions = w.app.tables.find(table).shown.version
    assert versions > KEPT_VERSIONS + 10
    made: list[int] = []

    def counted(life: Life | None, *what: object) -> object:
        made.append(0 if life is None else life.version + 1)
        return _after(life, *what)  # type: ignore[arg-type]  # passed on as it is

    monkeypatch.setattr("services.game.history._after", counted)
    async with world(clock, journal, snapshot_versions=10, between_games_seconds=0) as w:
        assert w.app.tables.find(table).shown.version == versions
        assert w.app.tables.find(table).shown.phase == ENDED
    assert len(made) < 10


# --- what every store keeps of them ----------------------------------------------------------------------------------


@pytest.fixture(params=["memory", "sqlite"])
async def journal(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Journal]:
    made: Journal = MemoryJournal() if request.param == "memory" else SqliteJournal(str(tmp_path / "store"))
    yield made
    await made.close()


async def test_a_snapshot_comes_with_its_record_and_takes_the_place_of_the_one_before(journal: Journal) -> None:
    epoch = await journal.claim("a", "me")
    assert await journal.snapshot("a") is None
    one, two = KeptSnapshot(0, 0, b"one"), KeptSnapshot(2, 0, b"two")
    await journal.append("me", [replace(closing("a", epoch, 0), snapshot=one), closing("a", epoch, 1)])
    assert await journal.snapshot("a") == one
    await journal.append("me", [replace(closing("a", epoch, 2), snapshot=two)])
    assert await journal.snapshot("a") == two
    assert [record.snapshot for record in await journal.load("a")] == [None] * 3
    assert await journal.snapshot("b") is None


async def test_a_snapshot_of_another_s_table_is_not_kept(journal: Journal) -> None:
    epoch = await journal.claim("a", "me")
    await journal.append("me", [closing("a", epoch, 0)])
    await journal.claim("a", "somebody else")
    late = replace(closing("a", epoch, 1), snapshot=KeptSnapshot(1, 0, b"late"))
    assert await journal.append("me", [late]) == {"a"}
    assert await journal.snapshot("a") is None


async def test_a_snapshot_goes_with_its_table(journal: Journal) -> None:
    epoch = await journal.claim("a", "me")
    await journal.append("me", [replace(closing("a", epoch, 0), snapshot=KeptSnapshot(0, 0, b"one"))])
    await journal.forget("me", "a")
    assert await journal.snapshot("a") is None


async def test_a_snapshot_of_a_record_that_could_not_be_written_is_not_there(tmp_path: Path) -> None:
    journal = SqliteJournal(str(tmp_path / "store"))
    epoch = await journal.claim("a", "me")
    await journal.append("me", [replace(closing("a", epoch, 0), snapshot=KeptSnapshot(0, 0, b"one"))])
    doubled = [replace(closing("a", epoch, 1), snapshot=KeptSnapshot(1, 0, b"two")), closing("a", epoch, 0)]
    with pytest.raises(Exception, match="UNIQUE"):
        await journal.append("me", doubled)
    assert await journal.snapshot("a") == KeptSnapshot(0, 0, b"one")
    await journal.close()


def test_the_versions_of_a_running_match_are_all_needed_for_its_record() -> None:
    life = Life(500, None, ENDED, "", (), None, match_began=20)  # type: ignore[arg-type]  # nothing else is looked at
    assert first_needed(life) == 500 - KEPT_VERSIONS
    assert first_needed(life._replace(phase=2)) == 20
    assert first_needed(life._replace(version=10, match_began=5)) == 0


# --- what is let go of -----------------------------------------------------------------------------------------------


async def written(journal: Journal, table: str, versions: int, first: int | None) -> int:
    """Write so many versions of a table, the last with a snapshot unless there is no first one needed."""
    epoch = await journal.claim(table, "me")
    records = [closing(table, epoch, version) for version in range(versions)]
    if first is not None:
        records[-1] = replace(records[-1], snapshot=KeptSnapshot(versions - 1, first, b"all of it"))
    await journal.append("me", records)
    return epoch


async def test_records_that_a_snapshot_makes_needless_are_let_go_of_and_no_others(journal: Journal) -> None:
    epoch = await written(journal, "a", 500, 300)
    await written(journal, "b", 50, None)
    await written(journal, "c", 50, 0)
    await journal.compact()
    assert [record.version for record in await journal.load("a")] == list(range(300, 500))
    assert [record.version for record in await journal.load("a", 498)] == [499]
    assert [len(await journal.load(table)) for table in ("b", "c")] == [50, 50]
    assert await journal.snapshot("a") == KeptSnapshot(499, 300, b"all of it")
    assert await journal.append("me", [closing("a", epoch, 500)]) == frozenset()
    await journal.compact()
    assert [record.version for record in await journal.load("a", 400)] == list(range(401, 501))


async def test_the_file_gets_smaller_by_what_is_let_go_of(tmp_path: Path) -> None:
    path = tmp_path / "store"
    journal = SqliteJournal(str(path))
    for number in range(20):
        await written(journal, f"table {number}", 1500, 1400)
    await journal.close()
    before = path.stat().st_size
    journal = SqliteJournal(str(path))
    await journal.compact()
    assert all([len(await journal.load(f"table {number}")) == 100 for number in range(20)])
    await journal.close()
    assert path.stat().st_size < before / 5


async def test_a_file_that_cannot_give_pages_back_keeps_them(tmp_path: Path) -> None:
    path = tmp_path / "store"
    await SqliteJournal(str(path)).close()
    with closed(sqlite3.connect(path, isolation_level=None)) as base:
        base.execute("PRAGMA journal_mode = DELETE")
        base.execute("PRAGMA auto_vacuum = NONE")
        base.execute("VACUUM")
    journal = SqliteJournal(str(path))
    await written(journal, "a", 1500, 1400)
    await journal.compact()
    assert len(await journal.load("a")) == 100
    await journal.close()


async def test_tables_that_were_let_go_of_in_part_go_on_and_their_matches_are_recorded_whole(tmp_path: Path) -> None:
    clock, path = FakeClock(), str(tmp_path / "store")
    async with world(clock, SqliteJournal(path), between_games_seconds=0) as w:
        table = await laid(w, GIVEN, format=game_pb2.MatchFormat(games=4), ruleset=SHORT)
        await w.start(table)
        await finish(w, table)
        await w.start(table)
        began = w.app.tables.find(table).shown.match_began
        rng = random.Random(5)
        for _ in range(12):
            await w.step(table, rng)
        await w.app.desk.journal.compact()
        kept = await w.app.desk.journal.load(table)
        assert 0 < kept[0].version <= began
    async with world(clock, SqliteJournal(path), between_games_seconds=0) as w:
        match_id = w.app.tables.find(table).shown.match_id
        await w.app.desk.journal.compact()
        await finish(w, table)
        record = await w.app.desk.journal.match(match_id)
        assert record is not None
        verdict = verify(whole(record))
        assert not verdict.findings
        assert verdict.games == 4


async def test_records_are_let_go_of_when_tables_are_swept(tmp_path: Path) -> None:
    journal = SqliteJournal(str(tmp_path / "store"))
    async with world(journal=journal, closed_table_seconds=600, between_games_seconds=0) as w:
        table = await laid(w, GIVEN, format=game_pb2.MatchFormat(games=8), ruleset=SHORT)
        await w.start(table)
        await finish(w, table)
        assert (await journal.load(table))[0].version == 0
        w.clock.advance(601)
        while (await journal.load(table))[0].version == 0:
            await rest(w, table)
        assert len(await journal.load(table)) <= KEPT_VERSIONS + 4
