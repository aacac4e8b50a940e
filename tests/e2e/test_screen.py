"""Whole matches on the full screen, played with keys only against bots at a real service."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from textual.pilot import Pilot

from clients.bot.bot import Bot
from clients.bot.policies import Random
from clients.cli import rulebook
from clients.cli.processes import Processes
from clients.common.errors import answered
from clients.common.session import Session
from clients.screen.app import FullScreen
from clients.screen.dialogs import Read
from clients.screen.player import Player
from daifugo.v1 import game_pb2, rules_pb2
from tests.clients.screen.conftest import shown, until
from tests.e2e.proxy import Proxy

RULES = ("seven_pass", "salvage", "queen_bomber", "four_stop")
"""Rules that ask: for cards, for seats, for ranks, and for counters."""


class Table:
    """A table with three bots and one free seat."""

    def __init__(self, address: str, games: int) -> None:
        self.address = address
        self.games = games
        self.ruleset = rules_pb2.Ruleset(preset="jdf4")
        self.ruleset.settings.extend([rules_pb2.Setting(id=rule, flag=True) for rule in RULES])

    async def lay(self, session: Session) -> str:
        request: Any = game_pb2.CreateTableRequest(
            request_id="table", ruleset=self.ruleset, format=game_pb2.MatchFormat(games=self.games)
        )
        table = (await answered(session.game.CreateTable(request))).table
        join = game_pb2.JoinTableRequest(request_id="join", table_id=table.id, seat=0, display_name="Mio")
        await answered(session.game.JoinTable(join))
        return table.id

    async def bot(self, table_id: str, seat: int) -> None:
        async with Session(self.address, f"bot {seat}") as session:
            await Bot(session, table_id, Random(random.Random(seat)), f"Bot {seat}", seat).play()


async def press_on(app: FullScreen, pilot: Pilot[None]) -> int:
    """Take the first hint in every question until the end is shown; returns how many questions there were."""
    questions = 0
    while True:
        await until(pilot, lambda: app.player.open_id or isinstance(app.screen, Read))
        if isinstance(app.screen, Read):
            return questions
        asked = app.player.open_id
        questions += 1
        if not app.player.can_only_pass:
            await pilot.press("h")
            await until(pilot, lambda: app.player.picking.hinted is not None or app.player.open_id != asked)  # noqa: B023  # awaited in this round
        await pilot.press("enter")
        await until(pilot, lambda: app.player.open_id != asked or isinstance(app.screen, Read))  # noqa: B023  # awaited in this round


async def play(
    address: str, language: str, games: int, way: str | None = None, kind: type[Player] = Player
) -> tuple[FullScreen, int, list[str]]:
    """Play a match at a service, the player going another way to it if one is given."""
    table = Table(address, games)
    async with Session(way or address, "me", language) as session:
        table_id = await table.lay(session)
        book = await rulebook.read(session.rules, table.ruleset, language)
        player = kind(session, table_id, lambda: app.changed())
        app = FullScreen(player, book, "symbols", language)
        async with app.run_test(size=(80, 24)) as pilot, asyncio.TaskGroup() as group:
            for seat in (1, 2, 3):
                group.create_task(table.bot(table_id, seat))

            async def follow() -> None:
                await player.follow()
                app.call_later(lambda: app.run_worker(app.show_end()))

            group.create_task(follow())
            await until(pilot, lambda: player.view.seats and all(seat.seat.occupied for seat in player.view.seats))
            start = game_pb2.StartMatchRequest(request_id="start", table_id=table_id)
            await answered(session.game.StartMatch(start))
            questions = await press_on(app, pilot)
            rows = shown(app)
            await pilot.press("enter")
    return app, questions, rows


@pytest.mark.parametrize(
    ("language", "of_match", "of_games"),
    [
        ("ja", "試合の結果:", ["第1ゲームの結果:", "第2ゲームの結果:"]),
        ("en", "Result of the match:", ["Result of game 1:", "Result of game 2:"]),
    ],
)
async def test_a_match_is_played_with_keys_in_80_by_24(language: str, of_match: str, of_games: list[str]) -> None:
    async with Processes() as processes:
        _, address = await processes.start_service("service")
        app, questions, rows = await play(address, language, games=2)
    assert questions > 2
    assert any(of_match in row for row in rows)
    assert not app.return_code
    told = [line for telling in app.player.story for line in telling(app.panels.teller)]
    assert [line for line in told if line in of_games] == of_games


class Unlucky(Player):
    """Loses the connection in every second question."""

    proxy: Proxy
    questions = 0

    async def notice(self) -> None:
        before = self.open_id
        await super().notice()
        if self.open_id not in (0, before):
            self.questions += 1
            if self.questions % 2 == 0:
                self.proxy.cut()


async def test_a_match_goes_on_when_the_connection_breaks_and_the_screen_says_so() -> None:
    async with Processes() as processes:
        _, address = await processes.start_service("service")
        Unlucky.proxy = Proxy(address)
        async with Unlucky.proxy as way:
            app, _, _ = await play(address, "en", games=1, way=way, kind=Unlucky)
    told = [line for telling in app.player.story for line in telling(app.panels.teller)]
    assert "The connection is lost; trying to get it back." in told
    assert "The connection is back." in told
