"""The steps of a run: those that have nothing to do are numbered and passed over."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.rulesets import every_rule
from engine.playout import Simulator
from engine.program import Program
from engine.track import Track
from tests.engine.tables import program
from tests.engine.values import plain

GAMES = 40


def played(table: Program) -> Iterator[tuple[int, str]]:
    """Play random games; yield the number of options of each decision and, at the end of a game, its state."""
    simulator = Simulator(table, 11)
    for _ in range(GAMES):
        options = simulator.begin()
        while options:
            yield options, ""
            options = simulator.take(simulator.chance.below(options))
        yield 0, repr(plain(simulator.state))


def tracks(table: Program) -> list[Track]:
    """List the tracks that a program has been asked for."""
    return [track for track in [*table.tracks, *table.other_tracks.values()] if track is not None]


@pytest.mark.parametrize("name", ["every rule", "jdf5"])
def test_what_is_passed_over_would_do_nothing(name: str) -> None:
    table = Program(every_rule()) if name == "every rule" else program(name)
    games = list(played(table))
    idle = 0
    for track in tracks(table):
        for step, following in zip(track.steps, track.steps[1:]):
            idle += step.idle
            step.next = following
    assert idle > 0
    assert list(played(table)) == games


def test_steps_are_numbered_as_they_stand() -> None:
    table = Program(every_rule())
    assert list(played(table))
    for track in tracks(table):
        assert [step.number for step in track.steps] == list(range(len(track.steps)))
