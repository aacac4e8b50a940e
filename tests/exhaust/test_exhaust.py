"""Random games on random tables: rules act, values are played, and nothing goes wrong on the way.

This is the bounded run; `make exhaust` goes on until everything has been reached, and then for many more games.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.rules.discards import Discard
from engine.state import State
from tests.exhaust.matches import Job, again, played
from tests.exhaust.runner import Progress, Runner, all_goals, read

PARTS = 8
"""The goals are dealt out to so many tests, which can run side by side."""
MATCHES = 80
"""Of a part."""
SHARE = 0.72
"""How many of its goals a part must reach: rare ones take longer than this run."""


def go_on(runner: Runner, matches: int) -> Runner:
    """Play some matches one after the other."""
    for _ in range(matches):
        job = runner.next()
        if job is not None:
            runner.take(played(job))
    return runner


@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", range(PARTS))
def test_random_games_on_random_tables_go_well_and_reach_most_rules_and_values(part: int) -> None:
    runner = go_on(Runner(Progress(f"exhaust {part}"), all_goals(part, PARTS), MATCHES), MATCHES)
    assert not runner.progress.failures, runner.report()
    assert runner.share() >= SHARE, runner.report()


@pytest.mark.parametrize("attempts", [0, 1])
def test_a_run_that_is_stopped_and_goes_on_plays_the_same_matches(tmp_path: Path, attempts: int) -> None:
    goals = all_goals() if attempts else []
    whole = go_on(Runner(Progress("again"), goals, attempts), 20)
    path = tmp_path / "run.json"
    for _ in range(4):
        part = go_on(Runner(read(path, "again"), goals, attempts), 5)
        part.progress.write(path)
    assert read(path, "again") == whole.progress
    assert whole.progress.matches == 20
    assert whole.progress.actions > 100
    with pytest.raises(ValueError, match="about the run again"):
        read(path, "another")


def test_what_goes_wrong_is_kept_and_can_be_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    (goal,) = [name for name in all_goals() if name == "played: ten_discard"]

    def lose(self: Discard, s: State) -> int:
        s.hands[s.actor] = 0
        return 0

    monkeypatch.setattr(Discard, "played", lose)
    runner = go_on(Runner(Progress("wrong"), [goal], 20), 20)
    failures = runner.progress.failures
    assert failures
    assert "a card is lost" in failures[0].error
    with pytest.raises(AssertionError, match="a card is lost"):
        again(failures[0].file)
    monkeypatch.undo()
    assert again(failures[0].file) > 0
    assert not played(Job(failures[0].name, goal)).error
