"""The benchmark of the journal works: a tiny file is filled, its process is killed, and others take it up."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


async def test_a_tiny_file_is_filled_and_taken_up_again() -> None:
    options = ["--actions", "600", "--tables", "2", "--together", "2"]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'protos'}:{ROOT}"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.journal", *options),
        cwd=ROOT,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await process.communicate()
    assert process.returncode == 0
    table = said.decode()
    assert re.match(r"6\d\d actions at 2 tables, 2 in a transaction\n", table)
    rows = dict(re.findall(r"^\| (.*?) \| (.*?) \|$", table, re.MULTILINE))
    for name in ("actions a second, with rules, records and snapshots", "start after kill -9, with snapshots"):
        assert float(rows[name].split()[0].replace(",", "")) > 0
    assert rows["of it snapshots"].endswith(" in 2")
