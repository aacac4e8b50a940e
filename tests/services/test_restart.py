"""A service that is started again goes on where the one before had got to, and nobody notices more than a pause."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from daifugo.v1 import game_pb2, rules_pb2, view_pb2
from services.game.codec.actions import action_to
from services.game.journal import Journal, MemoryJournal
from services.game.records import Acted
from services.game.sqlite import SqliteJournal
from services.game.sqlite_file import MIGRATIONS
from tests.services.harness import Failure, FakeClock, World, refusal, world
from tests.services.test_actions import play, running
from tests.services.test_auto_start import identity
from tests.services.test_clocks import rest
from tests.services.test_durability import settle

RELAXED = game_pb2.DURABILITY_RELAXED
STORES: Final = Path(__file__).parent / "stores"
"""Dumps of stores that earlier versions have written."""


class File:
    """A store in a file, opened anew for each service."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.memory = MemoryJournal()

    def open(self) -> Journal:
        return SqliteJournal(str(self.path)) if self.path else self.memory


@pytest.fixture(params=["memory", "sqlite"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> File:
    return File(tmp_path / "store" if request.param == "sqlite" else None)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


async def is_there(w: World, table: str) -> bool:
    """Say whether the service knows a table."""
    try:
        await w.caller("p0").view(table)
    except Failure as failure:
        return failure.reason != "TABLE_NOT_FOUND"
    return True


async def later(w: World, table: str, seconds: float) -> view_pb2.View:
    """Let time go by, and whatever rings be stored; return what is shown then."""
    w.clock.advance(seconds)
    history = w.app.tables.find(table).history
    await rest(w, table)
    while history.head is not history.shown:
        await rest(w, table)
    return await rest(w, table)


async def test_everybody_finds_their_seat_their_cards_and_their_question(file: File, clock: FakeClock) -> None:
    async with world(clock, file.open()) as w:
        table, who, view = await running(w)
        before = {name: (await w.caller(name).view(table)).view for name in ("p0", "p1", "p2", "p3", "spectator")}
        shown = (await w.caller("p0").call("GetTable", game_pb2.GetTableRequest(table_id=table))).table
    clock.advance(100_000)
    async with world(clock, file.open()) as w:
        for name, seen in before.items():
            now = (await w.caller(name).view(table)).view
            for each in (seen, now):
                each.ClearField("seats")  # nobody is connected yet
            assert now == seen
        again = (await w.caller("p0").call("GetTable", game_pb2.GetTableRequest(table_id=table))).table
        assert again.cursor.epoch > shown.cursor.epoch
        assert again.cursor.version == shown.cursor.version
        again.cursor.CopyFrom(shown.cursor)
        assert again == shown
        assert (await w.caller(who.token).act(table, view.decision.id, play(view.hand[0]))).version == 6
        await w.play(table)


async def test_an_action_sent_again_after_a_restart_is_the_same_action(file: File, clock: FakeClock) -> None:
    async with world(clock, file.open()) as w:
        table, who, view = await running(w)
        action = play(view.hand[0])
        made = (await who.act(table, view.decision.id, action)).version
    async with world(clock, file.open()) as w:
        again = await w.caller(who.token).act(table, view.decision.id, action)
        assert (again.version, again.repeated) == (made, True)
        other = await refusal(w.caller(who.token).act(table, view.decision.id, play(view.hand[1])))
        assert other.reason == "DECISION_CLOSED"


async def test_a_request_sent_again_after_a_restart_makes_nothing_twice(file: File, clock: FakeClock) -> None:
    request = game_pb2.CreateTableRequest(request_id="once", ruleset=rules_pb2.Ruleset(preset="jdf4"))
    async with world(clock, file.open()) as w:
        table = (await w.caller("p0").call("CreateTable", request)).table.id
        join = game_pb2.JoinTableRequest(request_id="join", table_id=table, display_name="A")
        seat = (await w.caller("p1").call("JoinTable", join)).seat
    async with world(clock, file.open()) as w:
        assert (await w.caller("p0").call("CreateTable", request)).table.id == table
        assert (await w.caller("p1").call("JoinTable", join)).seat == seat
        assert len((await w.caller("p0").call("ListTables", game_pb2.ListTablesRequest())).tables) == 1


async def test_a_table_that_is_forgotten_is_not_made_again_by_its_request_after_a_restart(
    file: File, clock: FakeClock
) -> None:
    request = game_pb2.CreateTableRequest(request_id="once", ruleset=rules_pb2.Ruleset(preset="jdf4"))
    settings = {"table_idle_seconds": 100, "closed_table_seconds": 100}
    async with world(clock, file.open(), **settings) as w:
        table = (await w.caller("p0").call("CreateTable", request)).table.id
        while await is_there(w, table):
            clock.advance(100)
            await settle(w)
    async with world(clock, file.open(), **settings) as w:
        assert (await refusal(w.caller("p0").call("CreateTable", request))).reason == "TABLE_CLOSED"
        other = game_pb2.CreateTableRequest(request_id="once", ruleset=rules_pb2.Ruleset(preset="jdf3"))
        assert (await refusal(w.caller("p0").call("CreateTable", other))).reason == "REQUEST_ID_REUSED"
        clock.advance(86_400)
        await settle(w)
    async with world(clock, file.open(), **settings) as w:
        assert (await w.caller("p0").call("CreateTable", request)).table.id != table


@pytest.mark.parametrize(("thought", "left"), [(4, 16), (19, 10)])
async def test_the_time_of_a_decision_goes_on_where_the_service_had_died(
    file: File, clock: FakeClock, thought: float, left: float
) -> None:
    """Not the time until it came back; and there is time to come back."""
    async with world(clock, file.open()) as w:
        table = await w.table(clock=game_pb2.Clock(turn_seconds=20))
        await w.start(table)
        _, view = await w.asked(table)
        clock.advance(thought)
        await w.table()  # the last that the store hears of
    clock.advance(5000)
    async with world(clock, file.open()) as w:
        asked = (await w.caller("p0").view(table)).view.asked
        assert asked[0].decision_id == view.decision.id
        assert (await later(w, table, left - 0.1)).asked[0].decision_id == view.decision.id
        assert (await later(w, table, 0.2)).asked[0].decision_id == view.decision.id + 1


async def test_the_next_game_begins_though_the_pause_before_it_was_cut(file: File, clock: FakeClock) -> None:
    async with world(clock, file.open()) as w:
        table = await w.table(format=game_pb2.MatchFormat(games=2))
        await w.start(table)
        rng = random.Random(3)
        while await w.step(table, rng):
            pass
        assert not (await w.caller("p0").view(table)).view.playing
    async with world(clock, file.open()) as w:
        assert not (await later(w, table, 9)).playing, "people need time to come back"
        assert (await later(w, table, 2)).playing
        await w.play(table)


async def test_a_stream_from_before_gets_a_snapshot_and_misses_nothing(file: File, clock: FakeClock) -> None:
    async with world(clock, file.open()) as w:
        table, who, view = await running(w)
        await who.act(table, view.decision.id, play(view.hand[0]))
        cursor = (await w.caller("p1").view(table)).cursor
    async with world(clock, file.open()) as w:
        first = await w.caller("p1").watch(table, cursor).read()
        assert first.snapshot.reason == game_pb2.SNAPSHOT_REASON_COMPACTED
        assert first.snapshot.cursor.version == cursor.version
        stream = w.caller("p1").watch(table, first.snapshot.cursor)
        assert (await stream.read()).WhichOneof("message") == "resumed"
        await w.step(table, random.Random(1))
        await stream.until(cursor.version + 1)


async def test_a_table_that_was_closed_stays_closed(file: File, clock: FakeClock) -> None:
    async with world(clock, file.open(), table_idle_seconds=10) as w:
        table = await w.table()
        for name in ("p0", "p1", "p2", "p3"):
            await w.caller(name).call("LeaveTable", game_pb2.LeaveTableRequest(table_id=table))
        await w.advance(table, 21)
        assert (await refusal(w.join(table, "p0"))).reason == "TABLE_CLOSED"
    async with world(clock, file.open()) as w:
        assert (await refusal(w.join(table, "p0"))).reason == "TABLE_CLOSED"
        await w.advance(table, 1300)
        assert (await refusal(w.caller("p0").view(table))).reason == "TABLE_NOT_FOUND"
    async with world(clock, file.open()) as w:
        assert (await refusal(w.caller("p0").view(table))).reason == "TABLE_NOT_FOUND"


async def test_a_seat_kept_for_somebody_is_kept_for_a_while_after_a_restart(file: File, clock: FakeClock) -> None:
    kept = game_pb2.AutoStart(
        reservations=[game_pb2.Reservation(seat=0, identity=identity("p0"))], reserved_seconds=30, bot_seconds=5
    )
    request = game_pb2.CreateTableRequest(request_id="r", ruleset=rules_pb2.Ruleset(preset="jdf4"), auto_start=kept)
    async with world(clock, file.open()) as w:
        table = (await w.caller("matchmaker").call("CreateTable", request)).table.id
    clock.advance(5000)
    async with world(clock, file.open()) as w:
        clock.advance(9)
        assert await w.join(table, "p0") == 0


async def test_what_a_relaxed_table_told_and_lost_is_never_told_otherwise_under_the_same_number(
    clock: FakeClock,
) -> None:
    kept = MemoryJournal()
    async with world(clock, kept, snapshot_versions=100) as w:
        table = await w.table(durability=RELAXED)
        await w.start(table)
        who, view = await w.asked(table)
        told = (await who.act(table, view.decision.id, play(view.hand[0]))).version
        _, lost = await w.asked(table)
        cursor = (await who.view(table)).cursor
    # a power cut, before the last action had reached the disk
    assert kept.records[table].pop().version == told
    async with world(clock, kept) as w:
        asked = (await w.caller("p0").view(table)).view.asked[0]
        assert asked.decision_id == view.decision.id
        first = await w.caller(who.token).watch(table, cursor).read()
        assert first.snapshot.reason == game_pb2.SNAPSHOT_REASON_OTHER_HISTORY
        await w.caller(who.token).act(table, view.decision.id, play(view.hand[1]))
        _, now = await w.asked(table)
        assert now.decision.id > lost.decision.id
        stale = await refusal(w.caller("p1").act(table, lost.decision.id, view_pb2.Action()))
        assert stale.reason in ("DECISION_CLOSED", "MALFORMED")


async def test_one_table_that_cannot_be_read_does_not_keep_the_others_from_going_on(clock: FakeClock) -> None:
    kept = MemoryJournal()
    async with world(clock, kept, snapshot_versions=100) as w:
        bad, good = await w.table(), await w.table()
        await w.start(good)
    kept.records[bad].insert(2, kept.records[bad][0])
    async with world(clock, kept) as w:
        w.mistakes = 1
        assert (await refusal(w.caller("p0").view(bad))).reason == "TABLE_NOT_FOUND"
        await w.play(good)


async def test_numbers_of_what_happened_before_are_not_counted_again(file: File, clock: FakeClock) -> None:
    async with world(clock, file.open()) as w:
        table = await w.table(format=game_pb2.MatchFormat(games=1))
        await w.start(table)
        await w.play(table)
    async with world(clock, file.open()) as w:
        assert w.app.metrics.registry.get_sample_value("daifugo_games_total") == 0
        assert w.app.metrics.registry.get_sample_value("daifugo_tables") == 1


async def test_the_result_of_a_match_is_posted_once(file: File, clock: FakeClock) -> None:
    async with world(clock, file.open()) as w:
        table = await w.table(format=game_pb2.MatchFormat(games=1))
        await w.start(table)
        view = (await w.caller("p0").view(table)).view
        await w.play(table)
        first = (await w.caller("p0").view(table)).view
        left = await w.table()
        await w.start(left)
        for name in ("p0", "p1", "p2", "p3"):
            await w.caller(name).call("LeaveTable", game_pb2.LeaveTableRequest(table_id=left))
    async with world(clock, file.open()) as w:
        await settle(w)
    journal = file.open()
    whole, cut = await journal.results(0, 10)
    await journal.close()
    assert (whole.table_id, whole.result.games, whole.result.is_whole) == (table, 1, True)
    assert whole.result.points == tuple([seat.total for seat in first.seats])
    assert sorted(whole.result.ranks) == [1, 2, 3, 4]
    assert [who and who.name for who in whole.result.players] == [seat.seat.display_name for seat in view.seats]
    assert (cut.table_id, cut.result.games, cut.result.is_whole) == (left, 0, False)
    assert cut.result.players == (None,) * 4


async def test_a_match_is_the_same_whether_or_not_the_service_was_restarted_all_the_time(
    file: File, clock: FakeClock
) -> None:
    async with world(clock, file.open()) as w:
        table = await w.table(format=game_pb2.MatchFormat(games=1))
        await w.start(table)
    rng, over = random.Random(7), False
    while not over:
        async with world(clock, file.open()) as w:
            for _ in range(rng.randrange(1, 25)):
                if not await w.step(table, rng):
                    over = True
                    break
    journal = file.open()
    records = await journal.load(table)
    await journal.close()
    assert [record.version for record in records] == list(range(len(records)))
    acted = [r.operation.decision for r in records if hasattr(r.operation, "decision")]
    assert len(acted) == len(set(acted))
    async with world(clock, file.open()) as w:
        assert (await w.caller("p0").view(table)).view.state == view_pb2.TABLE_STATE_ENDED


def restore(dump: Path, store: Path) -> None:
    """Make a file of its dump."""
    with closing(sqlite3.connect(store)) as base:
        base.executescript(dump.read_text(encoding="utf-8"))
    key = dump.with_suffix(".key")
    if key.exists():
        Path(f"{store}.key").write_text(key.read_text())


@pytest.mark.parametrize("path", sorted(STORES.glob("*.sql")), ids=lambda path: path.stem)
async def test_a_store_that_an_earlier_version_wrote_is_gone_on_with(
    path: Path, tmp_path: Path, clock: FakeClock
) -> None:
    """In the middle of its first game; what was answered before is answered again."""
    store = tmp_path / "store"
    restore(path, store)
    journal = SqliteJournal(str(store))
    (table,) = await journal.tables()
    last = [record for record in await journal.load(table) if isinstance(record.operation, Acted)][-1]
    async with world(clock, journal) as w:
        assert (await w.caller("p0").view(table)).cursor.version == last.version
        assert isinstance(last.operation, Acted)
        action = action_to(last.operation.action)
        again = await w.caller(f"p{last.operation.seat}").act(table, last.operation.decision, action)
        assert (again.version, again.repeated) == (last.version, True)
        await w.play(table)
    journal = SqliteJournal(str(store))
    assert [posted.table_id for posted in await journal.results(0, 10)] == [table]
    await journal.close()


def test_there_is_a_store_of_every_earlier_format() -> None:
    """Who changes the format keeps a dump of a store of the one before, with a table in the middle of a match."""
    assert [path.stem for path in sorted(STORES.glob("*.sql"))] == [f"format-{n}" for n in range(1, len(MIGRATIONS))]
