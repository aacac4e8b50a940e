"""Random games on random tables: rules act, values are played, and nothing goes wrong on the way.

This is the bounded run; `make exhaust` goes on until everything has been reached.
"""

from __future__ import annotations

import pytest

from tests.exhaust.runner import Runner

PARTS = 8
"""The goals are dealt out to so many tests, which can run side by side."""
MATCHES = 100
"""Of a part."""
SHARE = 0.7
"""How many of its goals a part must reach: rare ones take longer than this run."""


@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", range(PARTS))
def test_random_games_on_random_tables_go_well_and_reach_most_rules_and_values(part: int) -> None:
    runner = Runner(f"exhaust {part}", part, PARTS)
    runner.run(MATCHES, MATCHES)
    assert not runner.failures, runner.report()
    assert runner.all - len(runner.open) >= SHARE * runner.all, runner.report()


def test_the_same_name_gives_the_same_matches() -> None:
    one, two = Runner("again"), Runner("again")
    one.run(20, 1)
    two.run(20, 1)
    assert (one.actions, one.report()) == (two.actions, two.report())
