"""`daifugo table`: what a host does at a table of a running service, one command at a time."""

from __future__ import annotations

import argparse
import sys
import uuid
from collections.abc import Iterator
from typing import Any, Final

from clients.cli import options as command_lines
from clients.cli.device import credentials
from clients.cli.host import ruleset
from clients.cli.people import printable
from clients.cli.running import run
from clients.cli.settings import BadSetting
from clients.cli.texts import Words
from clients.common.errors import answered
from clients.common.session import Session
from daifugo.v1 import game_pb2, view_pb2

KINDS: Final = {
    "anybody": view_pb2.SEAT_KIND_OPEN,
    "people": view_pb2.SEAT_KIND_PERSON,
    "bots": view_pb2.SEAT_KIND_BOT,
}


def parser() -> argparse.ArgumentParser:
    p = command_lines.common("daifugo table", "Show a table of a running service, or change it as its host.")
    p.add_argument("--address", default="localhost:50051", help="where the service listens (default: %(default)s)")
    p.add_argument("--table", default="", help="the table's id (default: the newest of your own)")
    commands = p.add_subparsers(dest="command", metavar="COMMAND", required=True)
    commands.add_parser("show", help="who sits where, and the invite code")
    commands.add_parser("start", help="start a match")
    commands.add_parser("end", help="end the match: with this game, or at once between two")
    commands.add_parser("renew", help="draw a new invite code")
    kick = _at_seat(commands, "kick", "take somebody's seat away")
    kick.add_argument("--for-good", action="store_true", help="they may not come back to this table")
    _at_seat(commands, "host", "make somebody the host")
    move = _at_seat(commands, "move", "let somebody change places")
    move.add_argument("to", type=command_lines.seat_number, metavar="TO", help="the seat that they get, from 1")
    kind = _at_seat(commands, "seat", "say who a seat is for")
    kind.add_argument("kind", choices=sorted(KINDS), help="who it is for")
    kind.add_argument("--policy", default="", help="let a bot of the service have it, which decides so: greedy, random")
    update = commands.add_parser("update", help="change what the next match is played by")
    update.add_argument("--preset", help="the ruleset")
    update.add_argument("--rule", action="append", default=[], metavar="ID=VALUE", help="with --preset: what differs")
    update.add_argument("--seats", type=command_lines.count, help="with --preset: how many play")
    length = update.add_mutually_exclusive_group()
    length.add_argument("--games", type=command_lines.within(1, command_lines.MOST_GAMES), help="how many games")
    length.add_argument("--until-host-ends", action="store_true", help="games go on until the host ends the match")
    who = update.add_mutually_exclusive_group()
    who.add_argument("--private", action="store_true", help="only those find it who have its invite code")
    who.add_argument("--public", action="store_true", help="anybody finds it")
    update.add_argument("--name", help="its name in lists")
    return p


def _at_seat(commands: Any, name: str, text: str) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(name, help=text)
    command.add_argument("seat", type=command_lines.seat_number, metavar="SEAT", help="the seat, from 1")
    return command


async def chosen(session: Session, table_id: str, words: Words) -> game_pb2.Table:
    """Return a table by its id, or the newest of one's own."""
    if not table_id:
        mine = (await answered(session.game.ListTables(game_pb2.ListTablesRequest(mine=True, page_size=1)))).tables
        if not mine:
            raise BadSetting(words("table.none_own"))
        return mine[0]
    return (await answered(session.game.GetTable(game_pb2.GetTableRequest(table_id=table_id)))).table


async def changed(session: Session, options: argparse.Namespace, table: game_pb2.Table) -> game_pb2.Table:
    """Do what the command line asks for; return the table after it."""
    game = session.game
    named: dict[str, Any] = {"request_id": str(uuid.uuid4()), "table_id": table.id}
    match options.command:
        case "start":
            return (await answered(game.StartMatch(game_pb2.StartMatchRequest(**named)))).table
        case "end":
            return (await answered(game.EndMatch(game_pb2.EndMatchRequest(**named)))).table
        case "renew":
            return (await answered(game.RenewInviteCode(game_pb2.RenewInviteCodeRequest(**named)))).table
        case "kick":
            kick = game_pb2.KickSeatRequest(seat=options.seat, for_good=options.for_good, **named)
            return (await answered(game.KickSeat(kick))).table
        case "host":
            return (await answered(game.TransferHost(game_pb2.TransferHostRequest(seat=options.seat, **named)))).table
        case "move":
            move = game_pb2.MoveSeatRequest(seat=options.seat, to_seat=options.to, **named)
            return (await answered(game.MoveSeat(move))).table
        case "seat":
            kind = game_pb2.SetSeatRequest(table_id=table.id, seat=options.seat, kind=KINDS[options.kind])
            kind.bot_policy = options.policy
            return (await answered(game.SetSeat(kind))).table
        case "update":
            return (await answered(game.UpdateTable(await update(session, options, named)))).table
    return table


async def update(session: Session, options: argparse.Namespace, named: dict[str, Any]) -> game_pb2.UpdateTableRequest:
    """Return what is to be changed; what is not named stays as it is."""
    request = game_pb2.UpdateTableRequest(name=options.name, **named)
    if options.preset:
        request.ruleset.CopyFrom(await ruleset(session.rules, options))
    if options.games or options.until_host_ends:
        form = game_pb2.MatchFormat(games=options.games, until_host_ends=options.until_host_ends)
        request.format.CopyFrom(form)
    if options.private:
        request.visibility = game_pb2.TABLE_VISIBILITY_PRIVATE
    elif options.public:
        request.visibility = game_pb2.TABLE_VISIBILITY_PUBLIC
    return request


def lines(table: game_pb2.Table, words: Words) -> Iterator[str]:
    """Say what a table is, and who sits where."""
    yield words(
        "table.head",
        table=printable(table.name) or table.id,
        preset=table.ruleset.ruleset.preset,
        state=words.numbered("table.state", table.state),
    )
    for seat in table.seats:
        if seat.occupied:
            name = printable(seat.display_name) or words("seat", number=seat.index + 1)
            yield words("table.seat.host" if seat.host else "table.seat", number=seat.index + 1, who=name)
        else:
            yield words("table.seat", number=seat.index + 1, who=words.numbered("table.free", seat.kind))
    if table.invite_code:
        yield words("table.code", code=table.invite_code)


async def work(options: argparse.Namespace) -> None:
    async with credentials(options) as token, Session(options.address, token, options.lang) as session:
        words = Words(options.lang)
        table = await changed(session, options, await chosen(session, options.table, words))
        print("\n".join(lines(table, words)))


def main(argv: list[str] | None = None) -> int:
    p = parser()
    options = p.parse_args(argv)
    if options.command == "update" and not options.preset and (options.rule or options.seats):
        p.error("--rule and --seats belong to a --preset")
    return run(work(options), Words(options.lang), options.address)


if __name__ == "__main__":
    sys.exit(main())
