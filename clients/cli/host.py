"""What a host does: lays the table, brings the bots, starts the match, and keeps the bots at their seats."""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import uuid
from collections.abc import Callable
from typing import Final

from clients.cli.processes import Part, PartFailed, Processes
from clients.cli.rulebook import parameter_types
from clients.cli.settings import setting
from clients.cli.texts import BOT_NAMES
from clients.common.errors import answered
from clients.common.session import Session
from daifugo.v1 import game_pb2, rules_pb2, view_pb2

MOST_RESTARTS: Final = 10
"""How often bots that have crashed are started again in all."""


class Host:
    """The host of one table."""

    def __init__(self, session: Session, options: argparse.Namespace) -> None:
        self.session = session
        self.options = options
        self.table = game_pb2.Table()
        self.has_started = False

    async def lay_table(self) -> game_pb2.Table:
        """Create the table that the command line asks for."""
        options = self.options
        types = await parameter_types(self.session.rules) if options.rule else {}
        settings = [setting(text, types) for text in options.rule]
        request = game_pb2.CreateTableRequest(
            request_id=str(uuid.uuid4()),
            ruleset=rules_pb2.Ruleset(preset=options.preset, settings=settings, seats=options.seats),
            format=game_pb2.MatchFormat(games=options.games),
            clock=game_pb2.Clock(
                turn_seconds=options.turn_seconds,
                choice_seconds=options.choice_seconds,
                idle_seconds=options.idle_seconds,
            ),
        )
        self.table = (await answered(self.session.game.CreateTable(request))).table
        return self.table

    async def keep_for_bots(self, seats: list[int]) -> None:
        """Let nobody but bots take these seats."""
        for seat in seats:
            request = game_pb2.SetSeatRequest(table_id=self.table.id, seat=seat, kind=view_pb2.SEAT_KIND_BOT)
            await answered(self.session.game.SetSeat(request))

    async def attend(self, view: view_pb2.View) -> None:
        """Start the match as soon as everybody sits."""
        if self.has_started or view.state != view_pb2.TABLE_STATE_OPEN:
            return
        if all(seat.seat.occupied for seat in view.seats):
            self.has_started = True
            request = game_pb2.StartMatchRequest(request_id=str(uuid.uuid4()), table_id=view.table_id)
            await answered(self.session.game.StartMatch(request))


def bot_names(language: str) -> list[str]:
    """Return names for bots, in a form in which a command line can carry them here."""
    names: str = getattr(BOT_NAMES, language)
    try:
        os.fsencode(names)
    except UnicodeEncodeError:
        names = BOT_NAMES.en
    return names.split()


class Bots:
    """The bots of one table, each a process of its own with an identity of its own."""

    def __init__(
        self,
        processes: Processes,
        address: str,
        table_id: str,
        options: argparse.Namespace,
        restarted: Callable[[str], None],
    ) -> None:
        self.processes = processes
        self.address = address
        self.table_id = table_id
        self.options = options
        self.restarted = restarted
        """Told the name of a bot that has been started again."""
        self.restarts = 0

    async def seat(self, seats: list[int]) -> None:
        """Bring a bot for each of these seats and keep it there; returns when all have played to the end."""
        names = bot_names(self.options.lang)
        await asyncio.gather(*[self._keep(seat, names[number % len(names)]) for number, seat in enumerate(seats)])

    async def _keep(self, seat: int, name: str) -> None:
        token = secrets.token_urlsafe()
        while True:
            part = await self._bring(seat, name, token)
            if await part.process.wait() == 0:
                return
            self.restarts += 1
            if self.restarts > MOST_RESTARTS:
                raise PartFailed(part)
            self.restarted(name)

    async def _bring(self, seat: int, name: str, token: str) -> Part:
        arguments = ["--address", self.address, "--table", self.table_id, "--seat", str(seat), "--name", name]
        arguments += ["--policy", self.options.policy]
        if self.options.seed is not None:
            arguments += ["--seed", str(self.options.seed + seat)]
        return await self.processes.start(name, "clients.bot", arguments, token)
