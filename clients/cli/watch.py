"""`daifugo watch`: a table as a spectator sees it on the full screen, or hears it line by line."""

from __future__ import annotations

import argparse
import sys
from typing import Final

from clients.cli import options as command_lines
from clients.cli import rulebook
from clients.cli.console import Console
from clients.cli.device import credentials
from clients.cli.follow import Follower
from clients.cli.running import run
from clients.cli.sentences import Teller
from clients.cli.settings import BadSetting
from clients.cli.situation import Situation
from clients.cli.terminal import can_show_screen
from clients.cli.text import Text
from clients.cli.texts import Words
from clients.common.cards import CardStyle
from clients.common.errors import answered
from clients.common.session import Session
from clients.common.watch import Update
from daifugo.v1 import game_pb2, view_pb2

NOTHING_TO_WATCH: Final = Text(
    "対局中のテーブルも、参加者を待っているテーブルもありません。",
    "No table is being played at, and none waits for players.",
)


class Spectator(Follower):
    """Tells how things stand whenever a view comes as a whole, or hands that are shown; and what happens from there."""

    async def hear(self, update: Update) -> None:
        await super().hear(update)
        is_dealt = update.view.hands_shown and any(event.HasField("dealt") for event in update.events)
        if (update.snapshot is not None or is_dealt) and update.view.playing:
            self.console.say(Situation(self.teller).lines(update.view))


async def table_to_watch(session: Session, wanted: str, code: str, language: str) -> game_pb2.Table:
    """Return a table by its code or id; without the newest that is being played at, or else that waits for players."""
    if code:
        return await session.invited(code)
    if wanted:
        return (await answered(session.game.GetTable(game_pb2.GetTableRequest(table_id=wanted)))).table
    newest = (await answered(session.game.ListTables(game_pb2.ListTablesRequest(page_size=200)))).tables
    for state in (view_pb2.TABLE_STATE_RUNNING, view_pb2.TABLE_STATE_OPEN):
        for table in newest:
            if table.state == state:
                return table
    raise BadSetting(getattr(NOTHING_TO_WATCH, language))


async def watch(options: argparse.Namespace, console: Console) -> None:
    """Follow the table until its match is over."""
    words = Words(options.lang)
    async with (
        credentials(options) as token,
        Session(options.address, token, options.lang) as session,
    ):
        table = await table_to_watch(session, options.table, options.code, options.lang)
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
