"""Counts of all ways to go on, from the naive game, must come out of the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.perft.perft import files, perft, position, read
from tests.engine.tables import EXTRAS
from tests.reference import naive
from tests.reference.translate import naive_begin

PATHS = files()


@pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])
def test_the_engine_counts_what_the_file_says(path: Path) -> None:
    file = read(path)
    for line in file.lines:
        assert perft(position(file, line.seed), line.depth) == line.nodes, line


@pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])
def test_the_naive_game_still_counts_the_small_ones_so(path: Path) -> None:
    file = read(path)
    small = [line for line in file.lines if line.nodes <= 400]
    assert small
    for line in small:
        assert naive.perft(naive_begin(position(file, line.seed)), line.depth) == line.nodes, line


@pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])
def test_a_file_is_written_as_it_is_read(path: Path) -> None:
    assert read(path).text() == path.read_text()


def test_every_preset_two_packs_and_every_extra_rule_has_counts() -> None:
    assert {"jdf4", "jdf3", "jdf5", "two_packs", "exchange", *EXTRAS} <= {path.stem for path in PATHS}
