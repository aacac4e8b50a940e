"""`daifugo records`: matches that are over, at a running service."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from typing import Final

from clients.cli import options as command_lines
from clients.cli.console import Console
from clients.cli.device import credentials
from clients.cli.people import printable
from clients.cli.replay import LETTERS, content
from clients.cli.replay_texts import TEXTS
from clients.cli.running import run
from clients.cli.settings import BadSetting
from clients.cli.texts import Words
from clients.common.again import FORMATS, exported
from clients.common.errors import answered
from clients.common.session import Session
from daifugo.v1 import record_pb2

Nobody: Final = record_pb2.RecordPlayer.KIND_NOBODY


def parser() -> argparse.ArgumentParser:
    p = command_lines.common("daifugo records", "Matches that are over, at a running service: see them with replay.")
    p.add_argument("--address", default="localhost:50051", help="where the service listens (default: %(default)s)")
    commands = p.add_subparsers(dest="command", metavar="COMMAND", required=True)
    listed = commands.add_parser("list", help="your matches, the newest first")
    listed.add_argument("--all", action="store_true", help="also those of others that you may see")
    listed.add_argument("--most", type=command_lines.within(1, 200), default=20, help="how many (default: %(default)s)")
    show = commands.add_parser("show", help="who played, and what came of each game")
    show.add_argument("match", help="the match's id")
    export = commands.add_parser("export", help="write records to a file")
    export.add_argument("matches", nargs="*", metavar="MATCH", help="ids of matches (default: all of your own)")
    export.add_argument("--format", choices=sorted(FORMATS), default="kifu", help="the form (default: %(default)s)")
    export.add_argument("--out", type=Path, metavar="FILE", help="the file (default: standard output)")
    bring = commands.add_parser("import", help="read a file of records, and play its matches again to check them")
    bring.add_argument("file", type=Path, metavar="FILE", help="the file, in any of the forms")
    commands.add_parser("forget", help="take your name out of all records of the service, for good")
    return p


class Clerk:
    """Does one thing with records."""

    def __init__(self, session: Session, options: argparse.Namespace, console: Console) -> None:
        self.session = session
        self.options = options
        self.console = console

    def said(self, key: str, **places: object) -> str:
        """Return a text in the language."""
        text: str = getattr(TEXTS[key], self.options.lang)
        return text.format(**places)

    async def list(self) -> None:
        request = record_pb2.ListRecordsRequest(mine=not self.options.all, page_size=self.options.most)
        found = (await answered(self.session.records.ListRecords(request))).records
        self.console.say(
            [self.line(record) for record in found] or [self.said("none" if self.options.all else "none_own")]
        )

    async def show(self) -> None:
        request = record_pb2.GetRecordRequest(match_id=self.options.match)
        record = (await answered(self.session.records.GetRecord(request))).record
        self.console.say([self.line(record), *self.games(record)])

    async def export(self) -> None:
        data = await exported(self.session, self.options.matches, FORMATS[self.options.format])
        if self.options.out is None:
            sys.stdout.buffer.write(data)
            sys.stdout.flush()
            return
        try:
            self.options.out.write_bytes(data)
        except OSError as problem:
            raise BadSetting(str(problem)) from None

    async def bring(self) -> None:
        request = record_pb2.ImportRecordsRequest(data=content(self.options.file, self.options.lang))
        found = (await answered(self.session.records.ImportRecords(request))).records
        self.console.say([*map(self.line, found), self.said("good", path=self.options.file, count=len(found))])

    async def forget(self) -> None:
        await answered(self.session.records.ForgetMe(record_pb2.ForgetMeRequest()))
        self.console.say([self.said("forgotten")])

    # --- lines -------------------------------------------------------------------------------------------------------

    def line(self, record: record_pb2.Record) -> str:
        """Write a match in a line: when, by what, and how it ended for whom."""
        time = record.end_time.ToDatetime(UTC).astimezone().strftime("%Y-%m-%d %H:%M")
        players = [self.player(record, seat) for seat in range(len(record.seats))]
        said = self.said(
            "record",
            match=record.match_id,
            time=time,
            preset=record.ruleset.ruleset.preset,
            players="　".join(players) if self.options.lang == "ja" else ", ".join(players),
        )
        return said if record.result.is_whole else f"{said} {self.said('broken_off')}"

    def player(self, record: record_pb2.Record, seat: int) -> str:
        """Write who had a seat last, and how it ended for them."""
        players = record.seats[seat].players
        name = self.said("nobody")
        if players and players[-1].kind != Nobody:
            name = printable(players[-1].display_name) or self.said("unnamed")
        result = record.result
        rank = result.ranks[seat] if seat < len(result.ranks) else 0
        total = result.totals[seat] if seat < len(result.totals) else 0
        return self.said("player", name=f"{LETTERS[seat]} {name}", rank=rank, total=total)

    def games(self, record: record_pb2.Record) -> Iterator[str]:
        """Write each game in a line."""
        for number, game in enumerate(record.games, 1):
            places = " ".join([LETTERS[seat] for seat in game.places]) or self.said("broken_off")
            yield self.said("game", number=number, steps=len(game.steps), places=places)


async def records(options: argparse.Namespace, console: Console) -> None:
    """Do what the command line says."""
    async with credentials(options) as token, Session(options.address, token, options.lang) as session:
        clerk = Clerk(session, options, console)
        work = {
            "list": clerk.list,
            "show": clerk.show,
            "export": clerk.export,
            "import": clerk.bring,
            "forget": clerk.forget,
        }
        await work[options.command]()


def main(argv: list[str] | None = None) -> int:
    options = parser().parse_args(argv)
    return run(records(options, Console()), Words(options.lang), options.address)


if __name__ == "__main__":
    sys.exit(main())
