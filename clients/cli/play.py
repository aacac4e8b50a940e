"""`daifugo play`: a game in this terminal, with everything that it needs started and ended along with it."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
from pathlib import Path

from clients.cli import options as command_lines
from clients.cli.console import Console
from clients.cli.device import credentials
from clients.cli.home import Home
from clients.cli.host import Bots, Host
from clients.cli.match import Match
from clients.cli.processes import Part, Processes
from clients.cli.running import Unreachable, first_of, needs, run
from clients.cli.settings import BadSetting
from clients.cli.texts import Words
from clients.cli.waiting import Waiting
from clients.common.errors import UNREACHED, Refused
from clients.common.session import Session
from clients.common.tickets import GOODBYE_SECONDS


class Play:
    """One run of `daifugo play`."""

    def __init__(self, options: argparse.Namespace, console: Console) -> None:
        self.options = options
        self.console = console
        self.words = Words(options.lang)

    async def run(self) -> None:
        """Play as whom the command line says."""
        async with credentials(self.options) as self.options.token:
            await self.go()

    async def go(self) -> None:
        """Play where the command line says; at home if it does not say where."""
        options = self.options
        if options.matchmaker:
            await self.at_matchmaker()
            return
        async with Processes() as processes:
            self.console.say([self.words("starting")], fleeting=True)
            if options.address:
                await self.at_service(processes, options.address, None)
            elif is_for_own_service(options):
                service, address = await processes.start_service(self.words("service"))
                await self.at_service(processes, address, service)
            else:
                await self.at_home(processes)

    def session(self, address: str) -> Session:
        return Session(address, self.options.token, self.options.lang)

    async def at_matchmaker(self) -> None:
        """Wait for others at a matchmaker, play with them, and leave."""
        found = await Waiting(self.options, self.console).seat()
        async with self.session(found.address) as session:
            match = Match(session, self.options, self.console)
            try:
                await match.play(await match.join(found.table_id, found.seat))
            except Refused as problem:
                if problem.reason in UNREACHED:
                    raise Unreachable(found.address) from None
                raise
            finally:
                # also when the player is in a hurry: the others need not wait for this seat
                with contextlib.suppress(Refused, TimeoutError):
                    async with asyncio.timeout(GOODBYE_SECONDS):
                        await match.leave(found.table_id)

    async def at_home(self, processes: Processes) -> None:
        """Play with bots, brought to one table by a matchmaker of this player's own."""
        home = Home(processes, self.options, Bots(processes, self.options, self.told_restart))
        await home.start()
        async with self.session(home.address) as session:
            await home.open(session.rules)
            match = Match(session, self.options, self.console)

            async def play() -> None:
                found = await home.seat()
                await match.play(await match.join(found.table_id, found.seat))

            await first_of(play(), needs(home.service), home.keep_bots())

    async def at_service(self, processes: Processes, address: str, service: Part | None) -> None:
        """Play at a table of a service, which is one's own if it was started for this game."""
        async with self.session(address) as session:
            match = Match(session, self.options, self.console)
            if self.options.table or self.options.code:
                table_id = await self.visit(match)
            else:
                table_id = await self.at_own_table(match, processes, service)
            if self.options.address and not self.options.demo:
                with contextlib.suppress(Refused):
                    await match.leave(table_id)

    async def visit(self, match: Match) -> str:
        """Take a seat at somebody's table and play; return its id."""
        wanted = self.options.table
        if self.options.code:
            wanted = (await match.session.invited(self.options.code)).id
        table = await match.join(wanted, self.options.seat)
        host = Host(match.session, self.options)
        await match.play(table, host.attend if table.you_are_host else None)
        return table.id

    async def at_own_table(self, match: Match, processes: Processes, service: Part | None) -> str:
        """Lay a table, fill it with bots and play; return its id."""
        host = Host(match.session, self.options)
        table = await host.lay_table()
        own: list[int] = []
        if not self.options.demo:
            table = await match.join(table.id, self.options.seat)
            own = [table.your_seat]
        free = [seat.index for seat in table.seats if seat.index not in own]
        for_bots = self.seats_for_bots(free)
        for_people = len(free) - len(for_bots)
        if self.options.identity:
            # bots of one's own would need keys there
            await host.seat_bots(for_bots)
            for_bots = []
        elif for_people:
            await host.keep_for_bots(for_bots)
        bots = Bots(processes, self.options, self.told_restart)

        async def play() -> None:
            if self.options.address or for_people:
                # told of no sooner: a bot that somebody else brings would take the seat of one of these
                await host.wait_until_taken(for_bots)
                self.console.say([self.words("waiting_for_players", table=table.id)])
            if for_people:
                way = f"--code {table.invite_code}" if self.options.private else f"--table {table.id}"
                if self.options.identity:
                    way += f" --identity {self.options.identity}"
                command = f"{program()} play --address {match.session.address} {way}"
                self.console.say([self.words("join_with", free=for_people), command])
            await match.play(table, host.attend)

        needed = [bots.sit(match.session.address, table, for_bots), *([needs(service)] if service else [])]
        await first_of(play(), *needed)
        return table.id

    def seats_for_bots(self, free: list[int]) -> list[int]:
        """Return which of the free seats bots are brought for; the first ones stay for people."""
        wanted = self.options.bots
        if wanted is None:
            return free
        if wanted > len(free):
            raise BadSetting(self.words("too_many_bots", bots=wanted, free=len(free)))
        return free[len(free) - wanted :]

    def told_restart(self, name: str) -> None:
        self.console.say([self.words("part_restarted", name=name)])


def is_for_own_service(options: argparse.Namespace) -> bool:
    """Say whether the command line asks for what a queue at home cannot bring."""
    named = options.bots is not None or options.seat is not None
    asked = options.table or options.private or options.until_host_ends or options.deal
    return options.demo or asked or named


def program() -> str:
    """Return how this program was called, as others here can call it."""
    called = sys.argv[0]
    return called if Path(called).name == "daifugo" else "daifugo"


def main(argv: list[str] | None = None) -> int:
    parser = command_lines.play()
    options = parser.parse_args(argv)
    if options.bots is not None and (options.demo or options.table or options.code):
        parser.error(
            "--bots is for a table of your own at which you play: leave it out with --demo, --table and --code"
        )
    if options.code and (options.table or not options.address):
        parser.error("--code leads to a table of the service at --address, and stands instead of --table")
    if options.record and (not options.address or options.table or options.code or options.deal):
        parser.error("--record is for a table of your own at the service at --address that has the match")
    if options.queue and not options.matchmaker:
        parser.error("--queue is for waiting at a --matchmaker")
    if options.identity and not (options.matchmaker or options.address):
        # what is started for this game knows no accounts
        options.identity = None
    for name in command_lines.OF_OWN_TABLES if options.matchmaker else ():
        if getattr(options, name) != parser.get_default(name):
            parser.error(f"--{name.replace('_', '-')} is not for a --matchmaker: its queue says what is played")
    return run(Play(options, Console()).run(), Words(options.lang), options.matchmaker or options.address)


if __name__ == "__main__":
    sys.exit(main())
