"""What a host does: lays the table, brings the bots, starts the match, and keeps the bots at their seats."""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import uuid
from collections.abc import Callable, Sequence
from contextlib import aclosing
from typing import Final

from clients.cli.processes import Part, PartFailed, Processes
from clients.cli.rulebook import parameter_types
from clients.cli.settings import setting
from clients.cli.texts import BOT_NAMES
from clients.common.errors import answered
from clients.common.session import Session
from daifugo.v1 import game_pb2, rules_pb2, rules_pb2_grpc, view_pb2

MOST_RESTARTS: Final = 10
"""How often bots that have crashed are started again in all."""


def position(options: argparse.Namespace) -> game_pb2.Position | None:
    """Return where the match is to begin, for analysis; None: at the beginning."""
    if not options.record:
        return None
    return game_pb2.Position(record=game_pb2.RecordPosition(match_id=options.record, steps=options.step))


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
        request = game_pb2.CreateTableRequest(
            request_id=str(uuid.uuid4()),
            ruleset=await ruleset(self.session.rules, options) if not options.record else None,
            position=position(options),
            format=game_pb2.MatchFormat(until_host_ends=True)
            if options.until_host_ends
            else game_pb2.MatchFormat(games=options.games),
            clock=game_pb2.Clock(
                turn_seconds=options.turn_seconds,
                choice_seconds=options.choice_seconds,
                idle_seconds=options.idle_seconds,
                bank_seconds=options.bank_seconds,
            ),
            deal_number=options.deal or "",
            spectators=f"SPECTATORS_{options.spectators.upper()}",
            visibility=game_pb2.TABLE_VISIBILITY_PRIVATE if options.private else game_pb2.TABLE_VISIBILITY_PUBLIC,
        )
        self.table = (await answered(self.session.game.CreateTable(request))).table
        return self.table

    async def keep_for_bots(self, seats: list[int]) -> None:
        """Let nobody but bots take these seats."""
        for seat in seats:
            request = game_pb2.SetSeatRequest(table_id=self.table.id, seat=seat, kind=view_pb2.SEAT_KIND_BOT)
            await answered(self.session.game.SetSeat(request))

    async def seat_bots(self, seats: list[int]) -> None:
        """Let bots of the service take these seats."""
        for seat in seats:
            request = game_pb2.SetSeatRequest(table_id=self.table.id, seat=seat, kind=view_pb2.SEAT_KIND_BOT)
            request.bot_policy = self.options.policy
            await answered(self.session.game.SetSeat(request))

    async def wait_until_taken(self, seats: list[int]) -> None:
        """Wait until somebody sits in each of these seats."""
        async with aclosing(self.session.watch(self.table.id)) as updates:
            async for update in updates:
                if all(update.view.seats[seat].seat.occupied for seat in seats):
                    return

    async def attend(self, view: view_pb2.View) -> None:
        """Start the match as soon as everybody sits."""
        if self.has_started or view.state != view_pb2.TABLE_STATE_OPEN:
            return
        if all(seat.seat.occupied for seat in view.seats):
            self.has_started = True
            request = game_pb2.StartMatchRequest(request_id=str(uuid.uuid4()), table_id=view.table_id)
            await answered(self.session.game.StartMatch(request))


async def ruleset(service: rules_pb2_grpc.RulesServiceAsyncStub, options: argparse.Namespace) -> rules_pb2.Ruleset:
    """Read from the command line what is to be played."""
    types = await parameter_types(service) if options.rule else {}
    settings = [setting(text, types) for text in options.rule]
    return rules_pb2.Ruleset(preset=options.preset, settings=settings, seats=options.seats)


def bot_names(language: str) -> list[str]:
    """Return names for bots, in a form in which a command line can carry them here."""
    names: str = getattr(BOT_NAMES, language)
    try:
        os.fsencode(names)
    except UnicodeEncodeError:
        names = BOT_NAMES.en
    return names.split()


class Bots:
    """The bots of one player, each a process of its own with an identity of its own."""

    def __init__(self, processes: Processes, options: argparse.Namespace, restarted: Callable[[str], None]) -> None:
        self.processes = processes
        self.options = options
        self.restarted = restarted
        """Told the name of a bot that has been started again."""
        self.restarts = 0
        self.names = bot_names(options.lang)
        self.token = secrets.token_urlsafe()
        self.ready: dict[int, Part] = {}

    async def prepare(self, count: int) -> None:
        """Let bots get ready before it is known where they are to play."""
        for number in range(count):
            self.ready[number] = await self._prepare(number)

    async def sit(self, address: str, table: game_pb2.Table, seats: list[int]) -> None:
        """Keep a bot at each of these seats of a table; returns when all have played to the end."""
        where = ["--address", address, "--table", table.id, "--code", table.invite_code]
        await self.play([[*where, "--seat", str(seat + 1)] for seat in seats])

    async def play(self, wheres: Sequence[Sequence[str]]) -> None:
        """Let a bot play at each of these places, and come back to it whenever it has crashed."""
        await asyncio.gather(*[self._keep(number, where) for number, where in enumerate(wheres)])

    async def _keep(self, number: int, where: Sequence[str]) -> None:
        while True:
            part = self.ready.pop(number, None) or await self._prepare(number)
            part.go(where)
            if await part.process.wait() == 0:
                return
            self.restarts += 1
            if self.restarts > MOST_RESTARTS:
                raise PartFailed(part)
            self.restarted(part.name)

    async def _prepare(self, number: int) -> Part:
        name = self.names[number % len(self.names)]
        arguments = ["--name", name, "--policy", self.options.policy]
        if self.options.seed is not None:
            arguments += ["--seed", str(self.options.seed + number)]
        return await self.processes.prepare(name, "clients.bot", arguments, f"{self.token}.{number}")
