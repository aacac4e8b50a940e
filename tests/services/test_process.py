"""The service as a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from daifugo.v1 import game_pb2, rules_pb2
from tests.services.harness import Caller

ROOT = Path(__file__).parent.parent.parent


@asynccontextmanager
async def running(*arguments: str, **environment: str) -> AsyncIterator[tuple[Process, str]]:
    """Start the service; give the process and its address."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "protos")])
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "services.game",
        *arguments,
        stdout=PIPE,
        stderr=PIPE,
        env={**os.environ, "PYTHONPATH": path, **environment},
    )
    try:
        assert process.stdout is not None
        line = (await process.stdout.readline()).decode()
        assert line.startswith("listening 127.0.0.1:"), line
        yield process, line.split()[1]
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def test_sigterm_ends_streams_with_a_notice_and_the_process_with_success(tmp_path: Path) -> None:
    port_file = tmp_path / "port"
    async with running("--port", "0", "--port-file", str(port_file), DAIFUGO_GRACE_SECONDS="2") as (process, address):
        assert port_file.read_text(encoding="utf-8").strip() == address
        caller = Caller(address, "secret-token")
        request = game_pb2.CreateTableRequest(request_id="r", ruleset=rules_pb2.Ruleset(preset="jdf4"))
        table = (await caller.call("CreateTable", request)).table.id
        stream = caller.watch(table)
        await stream.read()
        process.send_signal(signal.SIGTERM)
        going = (await stream.notice("going_away")).going_away
        assert going.reason == game_pb2.GOING_AWAY_REASON_DRAINING
        with pytest.raises(EOFError):
            await stream.read()
        _, errors = await process.communicate()
        assert process.returncode == 0
        lines = errors.decode().splitlines()
        assert all(line.startswith("{") for line in lines), errors.decode()
        assert "secret-token" not in errors.decode()
        assert [line["running_matches"] for line in map(json.loads, lines) if line["event"] == "stopping"] == [0]
        await caller.channel.close()
