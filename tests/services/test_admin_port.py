"""The port for operators: numbers over HTTP, for as long as the service runs."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.error import URLError

import pytest

from daifugo.v1 import game_pb2
from daifugo.v1 import matchmaker_pb2 as m
from services.game.app import App as GameApp
from services.game.config import GameConfig
from services.matchmaker.app import App as MatchmakerApp
from services.matchmaker.config import MatchmakerConfig
from tests.services.harness import free_port, world
from tests.services.office import beside


@asynccontextmanager
async def game(port: int) -> AsyncIterator[Any]:
    async with world(admin_port=port) as w:
        await w.caller("p0").call("ListTables", game_pb2.ListTablesRequest())
        yield w.app


@asynccontextmanager
async def matchmaker(port: int) -> AsyncIterator[Any]:
    async with world() as w, beside(w, admin_port=port) as o:
        await o.call("p0", "ListQueues", m.ListQueuesRequest())
        yield o.app


async def fetched(port: int, path: str) -> tuple[int, str, str]:
    """Return status, kind and text of a page."""

    def fetch() -> tuple[int, str, str]:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=20) as answer:
            return answer.status, answer.headers["Content-Type"], answer.read().decode()

    return await asyncio.to_thread(fetch)


@pytest.mark.parametrize(
    ("service", "called", "own"),
    [(game, "ListTables", "daifugo_tables 0.0"), (matchmaker, "ListQueues", 'daifugo_tickets_waiting{queue="quick"')],
)
async def test_numbers_are_served_until_the_service_stops(service: Any, called: str, own: str) -> None:
    port = free_port()
    async with service(port):
        status, kind, text = await fetched(port, "/metrics")
        assert (status, kind.split(";")[0]) == (200, "text/plain")
        assert f'daifugo_calls_total{{code="OK",method="{called}"}} 1.0' in text
        assert own in text
    with pytest.raises(URLError):
        await fetched(port, "/metrics")


async def test_another_service_can_have_the_port_at_once() -> None:
    port = free_port()
    for _ in range(2):
        async with game(port):
            assert (await fetched(port, "/metrics"))[0] == 200


async def test_without_a_port_nothing_is_served_and_stopping_is_fine() -> None:
    async with world() as w:
        app = MatchmakerApp(MatchmakerConfig(port=0, game_address=w.address, grace_seconds=0.2))
        await app.start()
        await app.stop()
    other = GameApp(GameConfig(port=0, grace_seconds=0.2))
    await other.start()
    await other.stop()
