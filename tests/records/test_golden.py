"""Matches that were once played come out as they did, or the engine's version is raised on purpose."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.record import CannotReplay
from engine.record import replay as replayed
from engine.version import ENGINE_VERSION
from services.game.codec.kifu.reading import read
from services.game.codec.kifu.writing import write
from services.game.codec.matches import replayable
from services.game.codec.verifying import verify
from tests.records.__main__ import TABLES
from tests.records.golden import digest, kept, paths

ON_PURPOSE = (
    "a match that engine version {version} has played comes out differently now. Unless that is meant it is a mistake. "
    "If it is meant, raise ENGINE_VERSION on purpose (engine/version.py), say so in CHANGELOG.md, and play the golden "
    "records anew: python -m tests.records"
)


@pytest.mark.parametrize("path", paths(), ids=lambda path: path.stem)
def test_a_match_that_was_played_comes_out_as_it_did(path: Path) -> None:
    record, before = kept(path)
    version = record.ruleset.engine_version
    assert version == ENGINE_VERSION, "the version is another: play the golden records anew, python -m tests.records"
    try:
        now = digest(record)
    except CannotReplay as problem:
        pytest.fail(f"{problem}: {ON_PURPOSE.format(version=version)}")
    assert now == before, ON_PURPOSE.format(version=version)


@pytest.mark.parametrize("path", paths(), ids=lambda path: path.stem)
def test_its_record_holds_what_can_be_computed(path: Path) -> None:
    record, _ = kept(path)
    assert verify(record).findings == ()
    assert read(write(record)) == record


def test_every_table_has_its_record() -> None:
    assert [path.stem for path in paths()] == sorted(TABLES)


def test_a_change_of_what_comes_out_is_found() -> None:
    record, _ = kept(next(path for path in paths() if path.stem == "jdf4"))
    played = replayable(record)
    first = played.games[0]
    swapped = replace(first, places=first.places[::-1])
    with pytest.raises(CannotReplay, match="game 1 ends otherwise"):
        list(replayed(replace(played, games=(swapped, *played.games[1:]))))
    record.seed = bytes(32)
    with pytest.raises(CannotReplay, match=r"is against the rules|ends otherwise"):
        digest(record)
