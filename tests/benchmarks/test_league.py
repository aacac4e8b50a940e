"""The comparison of ways to play a league runs, and says what it has measured."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections import Counter
from typing import cast

import pytest

from benchmarks.league import Arm, figures, parser, spent
from benchmarks.service import Server
from tests.benchmarks.test_service import ROOT, cells


def arm(name: str, rate: float, cpu: float) -> Arm:
    """What might have been measured."""
    return Arm(
        name, cast(Server, None), [], rates=[rate], cpu=[cpu], main=[cpu / 2], busy=[1.0], bots=[0.25], parts=PARTS
    )


PARTS = Counter({"the engine": 3, "streams": 1})


def test_games_are_counted_by_their_actions_and_shares_are_of_the_bare_stream() -> None:
    arms = [arm("Drive", 9000.0, 80.0), arm("bare batched stream", 45000.0, 16.0)]
    table = figures(arms, 90.0, parser().parse_args([]))
    assert cells(table, "**games/s**") == ["**100** (100–100)", "**500** (500–500)"]
    assert cells(table, "share of the bare stream") == ["0.20", "1.00"]
    assert cells(table, "the bots' processor was busy") == ["25 %", "25 %"]
    parts = spent(arms)
    assert cells(parts, "the engine") == ["30", "6"]
    assert cells(parts, "threads of the gRPC core") == ["40", "8"]


@pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2, reason="it needs Linux and two processors"
)
async def test_a_tiny_league_is_played_in_every_way() -> None:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'protos'}:{ROOT}"}
    small = ("--tables", "2", "--rounds", "1", "--seconds", "0.1", "--matches", "2", "--games", "8", "--streams", "2")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.league", *small),
        cwd=ROOT,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await process.communicate()
    assert process.returncode == 0
    rates = cells(said.decode(), "actions/s")
    assert len(rates) == 4
    assert all(re.fullmatch("[0-9]+", rate) and int(rate) for rate in rates)
