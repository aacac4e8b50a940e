"""Whatever a client does to the protocol, the service lives, stays small, and answers the others."""

from __future__ import annotations

import asyncio
import re
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from hyperframe.frame import PingFrame

from daifugo.v1 import game_pb2, rules_pb2
from tests.faults.abuse import ABUSES, Wire, greeting, serialized
from tests.services.harness import Caller

SECONDS: Final = 1.0
"""How long each abuse goes on."""
AT_ONCE: Final = 4
"""How many clients do the same."""
BETWEEN: Final = 0.02
"""Seconds between two calls of the player who goes on meanwhile: fewer than the service lets anyone make."""
MOST_MEGABYTES: Final = 400
"""A service without any players has about 60."""


@asynccontextmanager
async def serving(*settings: str) -> AsyncIterator[tuple[Process, str]]:
    """Run a game service as operators do."""
    command = (sys.executable, "-m", "services.game", "--port", "0", "--store", "memory", "--log-level", "error")
    process = await asyncio.create_subprocess_exec(*command, *settings, stdout=PIPE)
    try:
        assert process.stdout is not None
        async with asyncio.timeout(60):
            yield process, (await process.stdout.readline()).decode().split()[1]
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def megabytes(pid: int) -> float:
    """Return how much memory a process has."""
    found = re.search(r"VmRSS:\s*(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1]) / 1024


async def test_whatever_is_done_to_the_protocol_the_service_lives_and_answers_others() -> None:
    async with serving() as (process, address):
        who = Caller(address, "mio")
        create = game_pb2.CreateTableRequest(request_id="c", ruleset=rules_pb2.Ruleset(preset="jdf4"))
        table = (await who.call("CreateTable", create)).table.id
        stream = who.watch(table)
        await stream.read()
        try:
            for number, (name, abuse) in enumerate(ABUSES.items()):
                most = 0.0
                with ExitStack() as closing:
                    wires = [closing.enter_context(Wire(address)) for _ in range(AT_ONCE)]
                    doing = {asyncio.create_task(asyncio.to_thread(abuse, wire, SECONDS)) for wire in wires}
                    while (await asyncio.wait(doing, timeout=BETWEEN))[1]:
                        await who.view(table)
                        most = max(most, megabytes(process.pid))
                    for task in doing:
                        task.result()
                # the table goes on, and so does its stream
                join = game_pb2.JoinTableRequest(request_id="j", table_id=table)
                other = Caller(address, f"p{number % 4}")
                if number < 4:
                    await other.call("JoinTable", join)
                    (batch,) = (await stream.read()).batches.batches
                    assert batch.events[0].seat_changed.seat.index == number, name
                await other.view(table)
                await other.channel.close()
                assert process.returncode is None, name
                assert most < MOST_MEGABYTES, name
        finally:
            stream.cancel()
            await who.channel.close()


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("--handshake-seconds=0.5", b""),
        ("--keepalive-seconds=1", greeting()),
    ],
)
async def test_whoever_says_nothing_is_disconnected(setting: str, said: bytes) -> None:
    async with serving(setting, "--keepalive-timeout-seconds=0.5") as (_, address):
        with Wire(address) as wire:
            assert wire.send_deaf(said)
            await asyncio.to_thread(wire.end, 30.0)


async def test_whoever_pings_too_often_is_told_and_disconnected() -> None:
    async with serving("--ping-seconds=10") as (_, address):
        with Wire(address) as wire:
            assert wire.send_deaf(greeting() + serialized(*[PingFrame(0, bytes(8))] * 10))
            assert b"too_many_pings" in await asyncio.to_thread(wire.end, 30.0)
