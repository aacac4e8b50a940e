"""The comparison of crowds with a bare gRPC server runs, and says what it has measured."""

from __future__ import annotations

import asyncio
import os
import sys

import pytest

from benchmarks.crowds import Crowd, figures, parser
from tests.benchmarks.test_service import ROOT, cells


def test_shares_are_of_what_the_bare_server_needs() -> None:
    real = Crowd(45.0, [0.1, 0.2, 0.3, 0.4], 900.0, [0.5], 1)
    bare = Crowd(30.0, [0.1, 0.1, 0.1, 0.2], 600.0, [], 1)
    table = figures(real, bare, parser().parse_args(["--connections", "1"]))
    assert cells(table, "**memory beside that of bare streams**")[0] == "**1.50**"
    assert cells(table, "**CPU of coming back")[0] == "**1.50**"
    assert cells(table, "p50 / p99 until one of 4") == ["300 / 400 ms", "100 / 200 ms"]
    assert cells(table, "ready of 1 connections") == ["1", "0"]


@pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2, reason="it needs Linux and two processors"
)
async def test_a_tiny_crowd_comes_back_to_both_servers() -> None:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'protos'}:{ROOT}"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.crowds", "--seats", "16", "--storm", "8", "--connections", "10"),
        cwd=ROOT,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await process.communicate()
    assert process.returncode == 0
    assert cells(said.decode(), "ready of 10 connections") == ["10", "10"]
