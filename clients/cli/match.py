"""One match in this terminal: taking the seat, playing it on the full screen or line by line, and leaving."""

from __future__ import annotations

import argparse
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Final

from clients.cli import rulebook
from clients.cli.console import Console
from clients.cli.dialogue import Dialogue
from clients.cli.follow import OVER, Attend, Follower
from clients.cli.sentences import Teller
from clients.cli.settings import BadSetting
from clients.cli.terminal import can_show_screen
from clients.cli.texts import Words
from clients.common.again import FORMATS, exported
from clients.common.cards import CardStyle
from clients.common.errors import Refused, answered
from clients.common.fairness import Verdict, Witness, known_commitment
from clients.common.session import Session
from daifugo.v1 import game_pb2

RESULTS_ONLY: Final = frozenset({"game_ended", "match_ended"})


class Match:
    """A match at a table of a service, as the command line wants it shown."""

    def __init__(self, session: Session, options: argparse.Namespace, console: Console) -> None:
        self.session = session
        self.options = options
        self.console = console
        self.words = Words(options.lang)
        self.has_screen = not options.plain and not options.demo and can_show_screen()

    async def join(self, table_id: str, seat: int | None) -> game_pb2.Table:
        """Take a seat; whoever comes back has it already."""
        request = game_pb2.JoinTableRequest(
            request_id=str(uuid.uuid4()),
            table_id=table_id,
            seat=seat,
            display_name=self.options.name,
            invite_code=self.session.codes.get(table_id, ""),
        )
        try:
            return await self._with_options((await self.session.join(request)).table)
        except Refused as problem:
            request_again = game_pb2.GetTableRequest(table_id=table_id)
            table = (await answered(self.session.game.GetTable(request_again))).table
            if not table.HasField("your_seat"):
                raise problem from None
            return await self._with_options(table)

    async def _with_options(self, table: game_pb2.Table) -> game_pb2.Table:
        """Say how the own seat is to be played, where the command line differs from the table."""
        if not (self.options.no_auto_pass and table.your_auto_pass):
            return table
        request = game_pb2.SetSeatOptionsRequest(table_id=table.id, auto_pass=False)
        return (await answered(self.session.game.SetSeatOptions(request))).table

    async def play(self, table: game_pb2.Table, attend: Attend | None = None) -> None:
        """Say how to play, and play: on the full screen where there is one; then say whether the shuffles were fair."""
        session, options = self.session, self.options
        book = await rulebook.read(session.rules, table.ruleset.ruleset, options.lang)
        if self.has_screen:
            # Loaded on use: nobody else waits for it, and it may not be installed.
            from clients.screen.play import play

            self.console.say(await play(session, table, self.console, book, options.cards or "symbols", attend))
        else:
            await self._play_plainly(table, book, attend)
        with suppress(Refused):
            table = (await answered(session.game.GetTable(game_pb2.GetTableRequest(table_id=table.id)))).table
            words = Words(session.language)  # the player may have changed it
            self.console.say(shuffles(words, table, session.witnesses.get(table.id)))
            if options.save is not None:
                self.console.say([await self._save(table, options.save, words)])

    async def _save(self, table: game_pb2.Table, path: Path, words: Words) -> str:
        """Keep the record of the match that is over in a file; return what is to be said of it."""
        if table.state not in OVER or not table.match_id:
            return words("not_saved", path=path)
        form = FORMATS.get(path.suffix.removeprefix("."), FORMATS["kifu"])
        keep(await exported(self.session, [table.match_id], form), path)
        return words("saved", path=path)

    async def _play_plainly(self, table: game_pb2.Table, book: rulebook.Rulebook, attend: Attend | None) -> None:
        """Play line by line."""
        session, options = self.session, self.options
        style = CardStyle(options.lang, options.cards or "letters")
        only = RESULTS_ONLY if options.demo and not options.verbose else None
        teller = Teller(self.words, book, style, options.verbose, only)
        seats, games = len(table.seats), table.format.games
        opening = "opening.1" if not table.format.until_host_ends else "opening.1.open"
        promised = known_commitment(table.shuffle).hex()
        promise = [self.words("shuffle.commitment", commitment=promised)] if promised and not table.practice else []
        self.console.say([self.words(opening, preset=book.preset, seats=seats, games=games), *promise])
        if options.demo:
            await Follower(session, table.id, self.console, teller, attend).follow()
            return
        self.console.say([self.words("opening.2"), self.words("opening.3")])
        self.console.start()
        await Dialogue(session, table.id, self.console, teller, book, attend).play()

    async def leave(self, table_id: str) -> None:
        """Give the seat up."""
        await answered(self.session.game.LeaveTable(game_pb2.LeaveTableRequest(table_id=table_id)))


def keep(data: bytes, path: Path) -> None:
    """Write a file, or raise BadSetting."""
    try:
        path.write_bytes(data)
    except OSError as problem:
        raise BadSetting(str(problem)) from None


def shuffles(words: Words, table: game_pb2.Table, witness: Witness | None) -> list[str]:
    """Say what the shuffles of the match that is over were made of, and whether that is as it was promised."""
    if not table.shuffle.seed:
        return []
    lines = [words("shuffle.seed", seed=table.shuffle.seed.hex(), match=table.match_id)]
    if witness is not None and table.HasField("your_seat"):
        verdict = witness.verdict(table.shuffle, table.your_seat)
        if verdict is not Verdict.UNCHECKED:
            lines.append(words(f"shuffle.{verdict.value}"))
    return [*lines, words("shuffle.verify")]
