"""The service as a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from daifugo.v1 import game_pb2, rules_pb2
from services.game import backup
from services.game.__main__ import main
from tests.services.harness import Caller

ROOT = Path(__file__).parent.parent.parent


@asynccontextmanager
async def running(*arguments: str, front: Sequence[str] = (), **environment: str) -> AsyncIterator[tuple[Process, str]]:
    """Start the service, with a command before its own if need be; give the process and its address."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "protos")])
    process = await asyncio.create_subprocess_exec(
        *front,
        sys.executable,
        "-m",
        "services.game",
        *arguments,
        stdout=PIPE,
        stderr=PIPE,
        env={**os.environ, "PYTHONPATH": path, "DAIFUGO_STORE": "memory", **environment},
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


async def test_a_backup_of_a_running_service_is_what_another_one_goes_on_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, copy = str(tmp_path / "store"), str(tmp_path / "copy")
    request = game_pb2.CreateTableRequest(request_id="r", ruleset=rules_pb2.Ruleset(preset="jdf4"))
    async with running("--port", "0", "--store", store) as (process, address):
        caller = Caller(address, "secret-token")
        table = (await caller.call("CreateTable", request)).table.id
        assert await asyncio.to_thread(backup.main, ["--store", store, copy]) == 0
        assert await asyncio.to_thread(backup.main, ["--store", store, copy]) == 1
        assert await asyncio.to_thread(backup.main, ["--store", store + "s", copy + "s"]) == 1
        assert process.returncode is None
        async with running("--port", "0", "--store", copy, "--store-keys", f"{store}.key") as (_, other):
            assert (await Caller(other, "secret-token").call("CreateTable", request)).table.id == table
    said = capsys.readouterr().err.splitlines()
    assert said[0] == f"daifugo backup: {copy} is there already, and nothing is overwritten"
    assert said[1] == f"daifugo backup: there is no {store}s"


FEW_FILES = 100
"""More than a service has open before anybody calls, and as many connections are more than that leaves."""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of open files are those of a Unix")
async def test_more_connections_than_a_process_may_have_files_as_it_comes_all_become_ready() -> None:
    few = ("sh", "-c", f'ulimit -Sn {FEW_FILES}; exec "$@"', "sh")
    async with running("--port", "0", front=few) as (_, address):
        callers = [Caller(address, f"caller {number}") for number in range(FEW_FILES)]
        await asyncio.gather(*[caller.channel.channel_ready() for caller in callers])
        await asyncio.gather(*[caller.channel.close() for caller in callers])


@pytest.mark.skipif(sys.platform == "win32", reason="limits of open files are those of a Unix")
async def test_a_machine_that_allows_fewer_files_than_connections_is_told_of() -> None:
    few = ("sh", "-c", f'ulimit -n {FEW_FILES}; exec "$@"', "sh")
    async with running("--port", "0", front=few) as (process, _):
        assert process.stderr is not None
        while True:
            line = json.loads(await process.stderr.readline())
            if line["event"] == "few_open_files":
                break
        assert (line["most"], line["wanted"]) == (FEW_FILES, 10200)


async def test_a_second_service_on_the_same_store_is_refused_in_one_line(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    async with running("--port", "0", "--store", store):
        assert await asyncio.to_thread(main, ["--port", "0", "--store", store]) == 1


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
