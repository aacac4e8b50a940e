"""`daifugo watch`: a table as a spectator sees it on the full screen, or hears it line by line."""

from __future__ import annotations

import argparse
import sys

from clients.cli import options as command_lines
from clients.cli import rulebook
from clients.cli.console import Console
from clients.cli.follow import Follower
from clients.cli.running import run
from clients.cli.sentences import Teller
from clients.cli.situation import Situation
from clients.cli.terminal import can_show_screen
from clients.cli.texts import Words
from clients.common.cards import CardStyle
from clients.common.errors import answered
from clients.common.session import Session
from clients.common.watch import Update
from daifugo.v1 import game_pb2


class Spectator(Follower):
    """Tells a spectator how things stand whenever a view comes as a whole, and what happens from there."""

    async def hear(self, update: Update) -> None:
        await super().hear(update)
        if update.snapshot is not None and update.view.playing:
            self.console.say(Situation(self.teller).lines(update.view))


async def watch(options: argparse.Namespace, console: Console) -> None:
    """Follow the table until its match is over."""
    words = Words(options.lang)
    async with Session(options.address, options.token, options.lang) as session:
        table = (await answered(session.game.GetTable(game_pb2.GetTableRequest(table_id=options.table)))).table
        book = await rulebook.read(session.rules, table.ruleset.ruleset, options.lang)
        if not options.plain and can_show_screen():
            # Loaded on use: nobody else waits for it, and it may not be installed.
            from clients.screen.play import play

            console.say(await play(session, table, console, book, options.cards or "symbols"))
            return
        teller = Teller(words, book, CardStyle(options.lang, options.cards or "letters"), options.verbose)
        console.say([words("watching", table=table.name or table.id)])
        await Spectator(session, table.id, console, teller).follow()


def main(argv: list[str] | None = None) -> int:
    options = command_lines.watch().parse_args(argv)
    return run(watch(options, Console()), Words(options.lang), options.address)


if __name__ == "__main__":
    sys.exit(main())
