"""How every store keeps the records of matches."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from daifugo.v1 import record_pb2
from services.common.logs import configure
from services.game import records as r
from services.game.codec.kept import whole
from services.game.journal import Journal, MemoryJournal
from services.game.sqlite import SqliteJournal
from tests.services.test_journal import SETTINGS, closing

OPEN = replace(SETTINGS, private=False, spectators=r.PUBLIC_PART)
A, B = r.Occupant("a", "甲", False), r.Occupant("b", "乙", True)


@pytest.fixture(params=["memory", "sqlite"])
async def journal(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Journal]:
    made: Journal = MemoryJournal() if request.param == "memory" else SqliteJournal(str(tmp_path / "store"))
    yield made
    await made.close()


def ended(match_id: str, first: int, settings: r.Settings = OPEN, **other: object) -> r.Ended:
    made = r.Ended(
        match_id=match_id,
        first=first,
        settings=settings,
        engine_version="1",
        host="host",
        players=("a", "b"),
        line_up=(A, B, None, None),
        games_planned=4,
        seed=bytes(range(32)),
        deal="",
        practice=False,
        scores=(r.Score((1, 0, 2, 3), (0, 3, 0, 0)),),
        is_whole=True,
        ranks=(2, 1, 2, 2),
        totals=(0, 3, 0, 0),
        conduct=(r.Conduct(),) * 4,
    )
    return replace(made, **other)  # type: ignore[arg-type]  # mypy does not follow keywords through


def match(table: str, epoch: int, begins: int, what: r.Ended) -> list[r.Record]:
    """Return the versions of a match: it begins, somebody leaves, and it is over."""
    began = replace(closing(table, epoch, begins), operation=r.MatchStarted(what.match_id, what.seed, 4))
    left = replace(closing(table, epoch, begins + 1), operation=r.SeatLeft(0, "host"))
    return [began, left, replace(closing(table, epoch, begins + 2), ended=what)]


async def keep(journal: Journal, *matches: r.Ended) -> None:
    """Let matches be played one after the other at a table."""
    epoch, version = await journal.claim("t", "me"), 0
    for each in matches:
        assert await journal.append("me", match("t", epoch, version, replace(each, first=version))) == frozenset()
        version += 3


async def ids(journal: Journal, identity: str, mine: bool, before: int | None = None, most: int = 10) -> list[str]:
    return [kept.match_id for kept in await journal.matches(identity, mine, before, most)]


async def test_a_record_is_kept_with_the_version_that_ends_its_match(journal: Journal) -> None:
    await keep(journal, ended("m", 0))
    kept = await journal.match("m")
    assert kept is not None
    record = whole(kept)
    assert (record.match_id, record.table_id, record.seed) == ("m", "t", bytes(range(32)))
    assert [[who.display_name for who in seat.players] for seat in record.seats] == [["甲", ""], ["乙"], [""], [""]]
    assert [game.places for game in record.games] == [[1, 0, 2, 3], []]
    assert (kept.table_id, kept.time, kept.is_open) == ("t", 2.0, True)
    assert await journal.match("nobody's") is None
    assert [each.ended for each in await journal.load("t")] == [None] * 3, "what is read again is without it"


async def test_a_record_outlives_its_table(journal: Journal) -> None:
    await keep(journal, ended("m", 0))
    before = await journal.match("m")
    await journal.forget("me", "t")
    assert await journal.match("m") == before is not None


async def test_records_are_listed_newest_first_without_their_games(journal: Journal) -> None:
    await keep(journal, ended("m1", 0), ended("m2", 0), ended("m3", 0))
    listed = await journal.matches("a", True, None, 10)
    assert [kept.match_id for kept in listed] == ["m3", "m2", "m1"]
    assert [list(whole(kept).games) for kept in listed] == [[], [], []]
    assert {whole(kept).seed for kept in listed} == {bytes(range(32))}
    assert await ids(journal, "a", True, listed[0].number, 1) == ["m2"]
    assert await ids(journal, "a", True, listed[2].number) == []


async def test_whoever_belonged_to_a_match_may_see_it_and_others_those_that_are_open(journal: Journal) -> None:
    private, unseen = replace(OPEN, private=True), replace(OPEN, spectators=r.NO_SPECTATORS)
    await keep(journal, ended("open", 0), ended("private", 0, private), ended("unseen", 0, unseen))
    for player in ("a", "b", "host"):
        assert await ids(journal, player, True) == ["unseen", "private", "open"]
        assert await ids(journal, player, False) == ["unseen", "private", "open"]
    assert await ids(journal, "stranger", True) == []
    assert await ids(journal, "stranger", False) == ["open"]
    found = [await journal.match(match_id) for match_id in ("open", "private", "unseen")]
    assert [kept is not None and kept.is_for("stranger") for kept in found] == [True, False, False]
    assert [kept is not None and kept.is_for("a") for kept in found] == [True, True, True]


async def test_old_records_are_forgotten(journal: Journal) -> None:
    await keep(journal, ended("m1", 0), ended("m2", 0))
    await journal.forget_matches(3.0)
    assert await ids(journal, "a", True) == await ids(journal, "x", False) == ["m2"]
    assert await journal.match("m1") is None
    await journal.forget_matches(6.0)
    assert await ids(journal, "a", False) == []


async def test_somebody_is_forgotten_by_name_wherever_they_played(journal: Journal) -> None:
    await keep(journal, ended("m1", 0), ended("m2", 0, line_up=(B, A, None, None)), ended("m3", 0, line_up=(B,) * 4))
    before = await journal.match("m3")
    await journal.forget_player("a")
    for match_id in ("m1", "m2"):
        kept = await journal.match(match_id)
        assert kept is not None
        assert "甲".encode() not in kept.head
        assert "乙".encode() in kept.head
        assert not kept.is_of("a")
        assert kept.is_of("b")
        kinds = [who.kind for seat in whole(kept).seats for who in seat.players]
        assert record_pb2.RecordPlayer.KIND_PERSON in kinds, "that somebody played stays"
    assert await journal.match("m3") == before
    assert await ids(journal, "a", True) == []


async def test_a_fenced_owner_keeps_no_record_and_none_is_kept_twice(journal: Journal) -> None:
    old = await journal.claim("t", "old")
    await keep(journal, ended("m", 0))
    assert await journal.append("old", match("t", old, 3, ended("other", 3))) == {"t"}
    assert await journal.match("other") is None
    first = await journal.match("m")
    epoch = await journal.claim("t", "me")
    await journal.append("me", match("t", epoch, 3, ended("m", 3, deal="P1")))
    assert await journal.match("m") == first is not None


async def test_a_match_ends_though_its_record_cannot_be_made(journal: Journal) -> None:
    logs = StringIO()
    configure("info", logs)
    epoch = await journal.claim("t", "me")
    # there is no such seat
    left = replace(closing("t", epoch, 1), operation=r.SeatLeft(9, "host"), ended=ended("m", 1))
    versions = [closing("t", epoch, 0), left]
    assert await journal.append("me", versions) == frozenset()
    assert len(await journal.load("t")) == 2
    assert await journal.match("m") is None
    assert "record_not_kept" in logs.getvalue()
