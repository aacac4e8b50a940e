"""While the disk has not taken an action, nobody is told of it; and a store that does not wait for it is found out."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from pathlib import Path

import pytest

from daifugo.v1 import game_pb2, rules_pb2, view_pb2
from tests.faults.service import serving
from tests.services.harness import Caller

COMPILER = shutil.which("cc")
ROUND_TRIPS = 200
"""How often the service may speak of something else meanwhile, before it is believed to hold its tongue."""

pytestmark = pytest.mark.skipif(COMPILER is None, reason="a C compiler is needed to hold the disk")


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    library = tmp_path_factory.mktemp("shim") / "hold.so"
    assert COMPILER is not None
    source = Path(__file__).with_name("hold.c")
    subprocess.run([COMPILER, "-shared", "-fPIC", "-Wall", "-Werror", "-o", library, source, "-ldl"], check=True)
    return library


async def told_while_held(module: str, shim: Path, folder: Path) -> set[str]:
    """Act while the disk is held; return by which ways that was told before the disk had it."""
    hold = folder / "hold"
    async with serving(folder / "daifugo.db", module, LD_PRELOAD=str(shim), HOLD=str(hold)) as service:
        callers = [Caller(service.address, f"p{seat}") for seat in range(4)]
        ruleset = rules_pb2.Ruleset(preset="jdf4")
        create = game_pb2.CreateTableRequest(request_id="r", ruleset=ruleset)
        table = (await callers[0].call("CreateTable", create)).table.id
        for seat, caller in enumerate(callers):
            join = game_pb2.JoinTableRequest(request_id="r", table_id=table, seat=seat, display_name="A")
            await caller.call("JoinTable", join)
        await callers[0].call("StartMatch", game_pb2.StartMatchRequest(request_id="s", table_id=table))
        before = await callers[0].view(table)
        who = callers[before.view.asked[0].seat]
        decision = before.view.asked[0].decision_id
        stream = who.watch(table)
        assert (await stream.read()).HasField("snapshot")
        (legal, *_) = (await who.legal(table, decision)).actions

        hold.touch()
        acting = asyncio.create_task(who.act(table, decision, legal.action))
        reading = asyncio.create_task(stream.until(before.cursor.version + 1))
        shown = False
        for _ in range(ROUND_TRIPS):
            await callers[0].call("ListReasons", rules_pb2.ListReasonsRequest())
            shown = shown or (await callers[0].view(table)).cursor.version > before.cursor.version
        ways = {"answer": acting.done(), "stream": reading.done(), "view": shown}
        told = {way for way, was_told in ways.items() if was_told}

        hold.unlink()
        assert (await acting).version == before.cursor.version + 1
        await reading
        assert (await callers[0].view(table)).view.state == view_pb2.TABLE_STATE_RUNNING
        for caller in callers:
            await caller.channel.close()
    return told


async def test_nothing_is_told_before_the_disk_has_it(shim: Path, tmp_path: Path) -> None:
    assert await told_while_held("services.game.__main__", shim, tmp_path) == set()


async def test_a_store_that_tells_early_is_found_out(shim: Path, tmp_path: Path) -> None:
    assert await told_while_held("tests.faults.hasty", shim, tmp_path) == {"answer", "stream", "view"}
