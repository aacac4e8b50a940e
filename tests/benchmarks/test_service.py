"""The comparison with a bare gRPC server runs, and says what it has measured."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from argparse import Namespace
from pathlib import Path
from typing import cast

import pytest

from benchmarks.load import Tally
from benchmarks.service import Arm, Server, figures

ROOT = Path(__file__).parent.parent.parent
NUMBER = r"[0-9]+(?:\.[0-9]+)?"


def arm(latencies: int, cpu: list[float]) -> Arm:
    """What might have been measured in runs of two seconds."""
    runs = [Tally(2.0, 4 * latencies, [0.001] * latencies) for _ in cpu]
    return Arm(cast(Server, None), [], 40.0, runs, cpu, cpu, [0.5] * len(cpu))


def cells(table: str, name: str) -> list[str]:
    """The cells of a row, by the beginning of its name."""
    (row,) = [line for line in table.splitlines() if line.startswith(f"| {name}")]
    return [cell.strip() for cell in row.strip("|").split("|")[1:]]


def test_shares_are_of_what_the_bare_server_does_and_needs_in_the_same_round() -> None:
    full = [arm(600, [1000.0, 800.0]), arm(1000, [500.0, 600.0])]
    moderate = [arm(400, [1000.0, 1000.0]), arm(400, [800.0, 600.0])]
    table = figures(full, moderate, 200.0, Namespace(tables=3, rounds=2, seconds=2.0))
    assert cells(table, "actions/s") == ["300 (300–300)", "500 (500–500)"]
    assert cells(table, "messages on streams") == ["4.00", "4.00"]
    assert cells(table, "**share of the ceiling**: actions/s")[0] == "**0.60** (0.60–0.60)"
    assert cells(table, "**share of the ceiling**: CPU at 200 actions/s")[0] == "**0.70** (0.60–0.80)"
    assert cells(table, "**share of the ceiling**: CPU, as fast as it goes")[0] == "**0.62** (0.50–0.75)"


@pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2, reason="it needs Linux and two processors"
)
async def test_a_tiny_run_measures_both_servers() -> None:
    options = ["--tables", "2", "--rounds", "1", "--seconds", "0.1", "--matches", "1", "--games", "8"]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'protos'}:{ROOT}"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.service", *options),
        cwd=ROOT,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await process.communicate()
    assert process.returncode == 0
    table = said.decode()
    for name in ("actions/s", "server CPU, µs an action", "messages on streams", "p50 / p99, as fast as it goes"):
        assert all(is_positive(cell) for cell in cells(table, name)), name
    assert is_positive(cells(table, "**share of the ceiling**: actions/s")[0])
    assert all(is_positive(cell) for cell in cells(table, "threads of the gRPC core"))


def is_positive(cell: str) -> bool:
    return all(float(number) > 0 for number in re.findall(NUMBER, cell))
