"""`daifugo play`: a game in this terminal, with everything that it needs started and ended along with it."""

from __future__ import annotations

import argparse
import contextlib
import sys
import uuid
from pathlib import Path
from typing import Final

from clients.cli import options as command_lines
from clients.cli import rulebook
from clients.cli.console import Console
from clients.cli.dialogue import Dialogue
from clients.cli.follow import Attend, Follower
from clients.cli.host import Bots, Host
from clients.cli.processes import Part, Processes
from clients.cli.running import first_of, needs, run
from clients.cli.sentences import Teller
from clients.cli.settings import BadSetting
from clients.cli.terminal import can_show_screen
from clients.cli.texts import Words
from clients.common.cards import CardStyle
from clients.common.errors import Refused, answered
from clients.common.session import Session
from daifugo.v1 import game_pb2

RESULTS_ONLY: Final = frozenset({"game_ended", "match_ended"})


class Play:
    """One run of `daifugo play`."""

    def __init__(self, options: argparse.Namespace, console: Console) -> None:
        self.options = options
        self.console = console
        self.words = Words(options.lang)
        self.has_screen = not options.plain and not options.demo and can_show_screen()

    async def run(self) -> None:
        """Play at a table of a running service, or at home."""
        async with Processes() as processes:
            self.console.say([self.words("starting")])
            address, service = self.options.address, None
            if not address:
                service, address = await processes.start_service(self.words("service"))
            async with Session(address, self.options.token, self.options.lang) as session:
                if self.options.table:
                    await self.visit(session)
                else:
                    await self.at_home(session, processes, service)

    async def visit(self, session: Session) -> None:
        """Take a seat at somebody's table."""
        host = Host(session, self.options)
        table = await self.join(session, self.options.table)
        await self.play(session, table, host if table.you_are_host else None)

    async def at_home(self, session: Session, processes: Processes, service: Part | None) -> None:
        """Lay a table, fill it with bots and play."""
        host = Host(session, self.options)
        table = await host.lay_table()
        own: list[int] = []
        if not self.options.demo:
            table = await self.join(session, table.id)
            own = [table.your_seat]
        free = [seat.index for seat in table.seats if seat.index not in own]
        for_bots = self.seats_for_bots(free)
        if len(for_bots) < len(free):
            await host.keep_for_bots(for_bots)
        if self.options.address or len(for_bots) < len(free):
            self.console.say([self.words("waiting_for_players", table=table.id)])
        if len(for_bots) < len(free):
            command = f"{program()} play --address {session.address} --table {table.id}"
            self.console.say([self.words("join_with", free=len(free) - len(for_bots)), command])
        bots = Bots(processes, session.address, table.id, self.options, self.told_restart)
        needed = [bots.seat(for_bots), *([needs(service)] if service else [])]
        await first_of(self.play(session, table, host), *needed)

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

    async def join(self, session: Session, table_id: str) -> game_pb2.Table:
        request = game_pb2.JoinTableRequest(
            request_id=str(uuid.uuid4()),
            table_id=table_id,
            seat=self.options.seat,
            display_name=self.options.name,
        )
        try:
            return (await answered(session.game.JoinTable(request))).table
        except Refused as problem:
            table = (await answered(session.game.GetTable(game_pb2.GetTableRequest(table_id=table_id)))).table
            if not table.HasField("your_seat"):
                raise problem from None
            return table

    async def play(self, session: Session, table: game_pb2.Table, host: Host | None) -> None:
        """Say how to play, and play: on the full screen where there is one."""
        book = await rulebook.read(session.rules, table.ruleset.ruleset, self.options.lang)
        attend = host.attend if host else None
        if self.has_screen:
            # Loaded on use: nobody else waits for it, and it may not be installed.
            from clients.screen.play import play

            cards = self.options.cards or "symbols"
            self.console.say(await play(session, table, self.console, book, cards, attend))
        else:
            await self.play_plainly(session, table, book, attend)
        if self.options.address and not self.options.demo:
            with contextlib.suppress(Refused):
                await answered(session.game.LeaveTable(game_pb2.LeaveTableRequest(table_id=table.id)))

    async def play_plainly(
        self, session: Session, table: game_pb2.Table, book: rulebook.Rulebook, attend: Attend | None
    ) -> None:
        """Play line by line."""
        style = CardStyle(self.options.lang, self.options.cards or "letters")
        only = RESULTS_ONLY if self.options.demo and not self.options.verbose else None
        teller = Teller(self.words, book, style, self.options.verbose, only)
        seats, games = len(table.seats), table.format.games
        self.console.say([self.words("opening.1", preset=book.preset, seats=seats, games=games)])
        if self.options.demo:
            await Follower(session, table.id, self.console, teller, attend).follow()
            return
        self.console.say([self.words("opening.2"), self.words("opening.3")])
        self.console.start()
        await Dialogue(session, table.id, self.console, teller, book, attend).play()


def program() -> str:
    """Return how this program was called, as others here can call it."""
    called = sys.argv[0]
    return called if Path(called).name == "daifugo" else "daifugo"


def main(argv: list[str] | None = None) -> int:
    parser = command_lines.play()
    options = parser.parse_args(argv)
    if options.bots is not None and (options.demo or options.table):
        parser.error("--bots is for a table of your own at which you play: leave it out with --demo and --table")
    return run(Play(options, Console()).run(), Words(options.lang), options.address)


if __name__ == "__main__":
    sys.exit(main())
