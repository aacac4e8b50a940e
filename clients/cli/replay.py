"""`daifugo replay`: steps through a match, forward and back, with anybody's eyes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from clients.cli import options as command_lines
from clients.cli import rulebook
from clients.cli.console import Console
from clients.cli.device import credentials
from clients.cli.processes import Processes
from clients.cli.replay_texts import TEXTS
from clients.cli.running import run
from clients.cli.sentences import Teller
from clients.cli.settings import BadSetting
from clients.cli.situation import Situation
from clients.cli.texts import Words
from clients.common.again import Seen, see_again
from clients.common.cards import CardStyle
from clients.common.errors import answered
from clients.common.session import Session
from daifugo.v1 import record_pb2, rules_pb2, view_pb2

MOST_BYTES: Final = 64 * 1024 * 1024
"""Of a file. The service that reads it is one of its own."""
LETTERS: Final = "ABCDEFGHIJKL"


class Player:
    """A match in this terminal, at one of its versions."""

    def __init__(
        self, session: Session, request: record_pb2.StreamRecordRequest, console: Console, options: argparse.Namespace
    ) -> None:
        self.session = session
        self.request = request
        self.console = console
        self.options = options
        self.words = Words(options.lang)
        self.seen = Seen()
        self.at = 0
        self.teller: Teller

    def said(self, key: str, **places: object) -> str:
        """Return a text in the language."""
        text: str = getattr(TEXTS[key], self.options.lang)
        return text.format(**places)

    async def load(self) -> None:
        """See the match with the eyes that are wanted."""
        self.seen = await see_again(self.session, self.request)
        self.at = min(self.at, self.seen.last)

    async def begin(self) -> None:
        """Load the match and what it was played by."""
        await self.load()
        book = await rulebook.read(self.session.rules, await self._ruleset(), self.options.lang)
        style = CardStyle(self.options.lang, self.options.cards or "letters")
        self.teller = Teller(self.words, book, style, self.options.verbose)

    async def _ruleset(self) -> rules_pb2.Ruleset:
        records = self.session.records
        if self.request.data:
            given = record_pb2.ImportRecordsRequest(data=self.request.data)
            record = (await answered(records.ImportRecords(given))).records[0]
        else:
            asked = record_pb2.GetRecordRequest(match_id=self.request.match_id)
            record = (await answered(records.GetRecord(asked))).record
        return record.ruleset.ruleset

    # --- showing -----------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Show where the match stands, and what has just happened."""
        view = self.seen.views[self.at]
        head = self.said("at", at=self.at, last=self.seen.last, game=view.game, eyes=self._eyes())
        self.console.say([head, *self.told(), *(Situation(self.teller).lines(view) if view.playing else [])])

    def told(self) -> list[str]:
        """Tell what happened in this version, with the trace of it where that is wanted."""
        events = self.seen.events[self.at]
        lines = self.teller.tell(self.seen.views[max(0, self.at - 1)], events)
        return [*lines, *(self.trace(events) if self.options.trace else [])]

    def trace(self, events: list[view_pb2.Event]) -> Iterator[str]:
        """Say of each event which rule made it, and from which other it follows."""
        for event in events:
            because = f" <{event.because}" if event.HasField("because") else ""
            rule = f" {self.teller.book.name(event.rule_id, self.words)} ({event.rule_id})" if event.rule_id else ""
            yield f"  {event.index}{because} {event.WhichOneof('event')}{rule}"

    def _eyes(self) -> str:
        if self.request.eyes == record_pb2.RECORD_EYES_SEAT:
            return self.said("eyes.seat", seat=LETTERS[self.request.seat])
        return self.said("eyes.public" if self.request.eyes == record_pb2.RECORD_EYES_PUBLIC else "eyes.all")

    # --- going to and fro --------------------------------------------------------------------------------------------

    def show_all(self) -> None:
        """Tell the match to its end, where nobody is there to step."""
        while True:
            self.show()
            if self.at == self.seen.last:
                return
            self.at += 1

    async def step(self) -> None:
        """Do what is typed until it is enough."""
        self.console.start()
        self.console.say([self.said("help")])
        self.show()
        while True:
            self.console.prompt()
            line = await self.console.line()
            if line is None or line.strip().lower() in ("q", "quit"):
                return
            if not await self.obey(line.split()):
                self.console.say([self.said("help")])
                continue
            self.show()

    async def obey(self, said: list[str]) -> bool:
        """Do one thing; return whether it could be understood."""
        word, *rest = [each.lower() for each in said] or [""]
        number = int(rest[0]) if rest and rest[0].isdecimal() and len(rest[0]) < 9 else None
        match word:
            case "" | "n":
                self.at += 1
            case "b":
                self.at -= 1
            case "first" | "last":
                self.at = 0 if word == "first" else self.seen.last
            case "t":
                self.options.trace = not self.options.trace
            case "g" if number is not None and self.seen.beginning_of(number) is not None:
                self.at = self.seen.beginning_of(number) or 0
            case "all" | "public":
                self.request.eyes = record_pb2.RECORD_EYES_ALL if word == "all" else record_pb2.RECORD_EYES_PUBLIC
                await self.load()
            case "s" if rest and rest[0].upper() in LETTERS[: len(self.seen.views[0].seats)]:
                self.request.eyes, self.request.seat = record_pb2.RECORD_EYES_SEAT, LETTERS.index(rest[0].upper())
                await self.load()
            case _ if word.isdecimal() and len(word) < 9:
                self.at = int(word)
            case _:
                return False
        self.at = max(0, min(self.at, self.seen.last))
        return True


def parser() -> argparse.ArgumentParser:
    p = command_lines.shown("daifugo replay", "Step through a match: of a file with its record, or of a service.")
    p.add_argument("match", metavar="FILE|MATCH", help="a file as `daifugo records export` writes it, or a match's id")
    p.add_argument("--address", default="localhost:50051", help="the service that has the match (default: %(default)s)")
    p.add_argument("--seat", metavar="A", choices=list(LETTERS), help="with the eyes of a seat (default: every hand)")
    p.add_argument("--public", action="store_true", help="with the eyes of a spectator, who sees no hand")
    p.add_argument("--at", type=command_lines.count, default=0, help="where to begin: so many versions are over")
    p.add_argument(
        "--trace", action="store_true", help="say of each event which rule made it, and from which it follows"
    )
    return p


def content(path: Path, language: str) -> bytes:
    """Return what is in a file of records, or raise BadSetting."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadSetting(getattr(TEXTS["too_large"], language).format(path=path))
        return path.read_bytes()
    except OSError:
        raise BadSetting(getattr(TEXTS["no_file"], language).format(path=path)) from None


def asked(options: argparse.Namespace) -> record_pb2.StreamRecordRequest:
    """Return what the command line asks for."""
    request = record_pb2.StreamRecordRequest(eyes=record_pb2.RECORD_EYES_ALL)
    if options.seat:
        request.eyes, request.seat = record_pb2.RECORD_EYES_SEAT, LETTERS.index(options.seat)
    elif options.public:
        request.eyes = record_pb2.RECORD_EYES_PUBLIC
    path = Path(options.match)
    if path.is_file() or len(path.parts) > 1 or path.suffix:
        request.data = content(path, options.lang)
    else:
        request.match_id = options.match
    return request


async def replay(options: argparse.Namespace, console: Console) -> None:
    """Show the match: of a file with a service of its own, which needs no network."""
    request = asked(options)
    if request.match_id:
        async with credentials(options) as token, Session(options.address, token, options.lang) as session:
            await _shown(session, request, console, options)
        return
    async with Processes() as processes:
        most = ["--max-message-bytes", str(MOST_BYTES)]
        _, address = await processes.start_service(Words(options.lang)("service"), most)
        async with Session(address, options.token, options.lang) as session:
            await _shown(session, request, console, options)


async def _shown(
    session: Session, request: record_pb2.StreamRecordRequest, console: Console, options: argparse.Namespace
) -> None:
    player = Player(session, request, console, options)
    player.at = options.at
    await player.begin()
    player.at = min(options.at, player.seen.last)
    if console.is_person and console.target.isatty():
        await player.step()
        console.end()
    else:
        player.show_all()


def main(argv: list[str] | None = None) -> int:
    options = parser().parse_args(argv)
    return run(replay(options, Console()), Words(options.lang), options.address)


if __name__ == "__main__":
    sys.exit(main())
