"""`daifugo bot`: seat bots at tables of a running service."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import secrets
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from clients.bot.bot import Bot
from clients.bot.drive import Drive, Seat
from clients.bot.pace import Paced
from clients.bot.policies import POLICIES
from clients.bot.policy import Policy
from clients.common.errors import UNREACHED, Refused, answered
from clients.common.identity import BotIdentity, Credentials
from clients.common.session import Session
from clients.common.tickets import NoTable, Tickets
from clients.common.watch import WatchEnded
from daifugo.v1 import game_pb2, matchmaker_pb2

MOST_SECONDS: Final = 60.0
RETRY_SECONDS: Final = 2.0
"""How long at most until a matchmaker that does not answer is asked again."""


@dataclass(frozen=True)
class Player:
    """One bot of a command line."""

    table: str
    token: str
    """Who it is; with an identity service, its key there."""
    name: str
    seed: int | None


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(
        prog="daifugo bot",
        description="Seat bots at tables, and let each play one match; or let them wait in a queue of the matchmaker.",
    )
    p.add_argument("--address", default="localhost:50051", help="where the service listens (default: %(default)s)")
    p.add_argument("--matchmaker", default="localhost:50052", help="where tickets are taken (default: %(default)s)")
    p.add_argument("--queue", help="take tickets for this queue and play match after match, instead of at a --table")
    p.add_argument("--table", default=[], action="append", help="the table's id; may be given several times")
    p.add_argument("--code", default="", help="the invite code, for a private table")
    p.add_argument(
        "--count",
        type=positive,
        default=1,
        metavar="N",
        help="bots for each table, or in the queue (default: %(default)s)",
    )
    p.add_argument(
        "--one-stream",
        action="store_true",
        help="let all bots at the tables play on one stream, which takes far less of both sides when they are many",
    )
    p.add_argument("--seat", type=seat_number, help="which seat, from 1 (default: the first that is free for a bot)")
    p.add_argument(
        "--token",
        default=os.environ.get("DAIFUGO_TOKEN") or secrets.token_urlsafe(),
        help="who the bot is; the same token comes back to the same seat (default: $DAIFUGO_TOKEN, or a new one)",
    )
    p.add_argument(
        "--identity",
        metavar="ADDRESS",
        default=os.environ.get("DAIFUGO_IDENTITY"),
        help="an identity service at which the bots sign in by keys (default: $DAIFUGO_IDENTITY)",
    )
    p.add_argument(
        "--key-file",
        type=Path,
        help="the keys of the bots there, one a line (daifugo bot-key makes them; default: $DAIFUGO_BOT_KEY, for one)",
    )
    p.add_argument("--name", default="Bot", help="the name that others see, of several numbered (default: %(default)s)")
    p.add_argument("--seed", type=int, help="makes what the bots draw by lot repeatable")
    p.add_argument("--policy", choices=sorted(POLICIES), default="greedy", help="how it decides (default: %(default)s)")
    p.add_argument(
        "--think-seconds",
        type=seconds,
        default=0.0,
        metavar="S",
        help="how long it takes at least for an answer, so that its haste tells nothing of its cards "
        "(default: as fast as it can)",
    )
    return p


def seat_number(text: str) -> int:
    """Read a seat as people number it, from 1; the service does from 0."""
    return positive(text) - 1


def seconds(text: str) -> float:
    number = float(text)
    if not 0 <= number <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"{text} is not from 0 to {MOST_SECONDS:.0f}")
    return number


def policy_of(options: argparse.Namespace, player: Player) -> Policy:
    """Return a policy for one bot."""
    policy = POLICIES[options.policy](random.Random(player.seed))
    return Paced(policy, options.think_seconds) if options.think_seconds else policy


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def players(options: argparse.Namespace) -> list[Player]:
    """List the bots: a lone one keeps token and name, of several each gets its own."""
    if options.queue:
        options.table = [""]
    if options.count * len(options.table) == 1:
        return [Player(options.table[0], options.token, options.name, options.seed)]
    found: list[Player] = []
    for table in options.table:
        for number in range(1, options.count + 1):
            name = f"{options.name} {number}" if options.count > 1 else options.name
            seed = None if options.seed is None else options.seed + len(found)
            found.append(Player(table, f"{options.token}.{len(found)}", name, seed))
    return found


def with_keys(found: list[Player], keys: list[str]) -> list[Player]:
    """Give each bot a key of its own; what it is called there counts."""
    if len(found) > len(keys):
        raise ValueError(f"{len(found)} bots need as many keys, and there are {len(keys)}")
    return [replace(player, token=key) for player, key in zip(found, keys)]


def keys_of(options: argparse.Namespace) -> list[str]:
    """Read the keys."""
    if options.key_file is not None:
        return [line.strip() for line in options.key_file.read_text(encoding="ascii").splitlines() if line.strip()]
    return [key for key in [os.environ.get("DAIFUGO_BOT_KEY", "")] if key]


@contextlib.asynccontextmanager
async def credentials(options: argparse.Namespace, player: Player) -> AsyncIterator[Credentials]:
    """Return who a bot is: the one of its key, or whoever has its token."""
    if not options.identity:
        yield player.token
        return
    async with BotIdentity(options.identity, player.token) as bot:
        yield bot


async def play(options: argparse.Namespace, player: Player) -> int:
    """Let one bot play; what stops it does not stop the others."""
    policy = policy_of(options, player)
    async with credentials(options, player) as token, Session(options.address, token) as session:
        try:
            await Bot(session, player.table, policy, player.name, options.seat, options.code).play()
        except Refused as problem:
            said = f"no answer from a service at {options.address}" if problem.reason in UNREACHED else problem.text
            print(f"daifugo bot: {player.name}: {said}", file=sys.stderr)
            return 1
        except WatchEnded as end:
            print(f"daifugo bot: {player.name}: {end}", file=sys.stderr)
    return 0


async def queue_up(options: argparse.Namespace, player: Player) -> int:
    """Let one bot take ticket after ticket and play wherever that brings it, first where it was before."""
    async with credentials(options, player) as token, Tickets(options.matchmaker, token) as tickets:
        try:
            found = await came_from(tickets)
            while True:
                found = found or await tickets.seat(options.queue, bot=True)
                await play_at(options, player, token, found)
                found = None
        except (NoTable, Refused) as problem:
            said = problem.text if isinstance(problem, Refused) else problem.reason
            print(f"daifugo bot: {player.name}: {said}", file=sys.stderr)
            return 1


async def came_from(tickets: Tickets) -> matchmaker_pb2.Assignment | None:
    """Return the seat at which a bot of this name was before, as soon as the matchmaker answers."""
    while True:
        try:
            return await tickets.kept_seat()
        except Refused as problem:
            if not problem.is_transient:
                raise
        await asyncio.sleep(random.uniform(0.1, RETRY_SECONDS))


async def play_at(
    options: argparse.Namespace, player: Player, token: Credentials, found: matchmaker_pb2.Assignment
) -> None:
    """Play one match at a seat that a ticket has brought, and leave it."""
    async with Session(found.address, token) as session:
        policy = policy_of(options, player)
        try:
            await Bot(session, found.table_id, policy, player.name, found.seat).play()
        except (Refused, WatchEnded) as problem:
            print(f"daifugo bot: {player.name}: {problem}", file=sys.stderr)
        with contextlib.suppress(Refused):
            await answered(session.game.LeaveTable(game_pb2.LeaveTableRequest(table_id=found.table_id)))


async def drive(options: argparse.Namespace, found: list[Player]) -> int:
    """Let all bots sit down, and play on one stream; what stops one stops all."""
    seats: dict[int, Seat] = {}
    async with contextlib.AsyncExitStack() as stack:
        try:
            for handle, player in enumerate(found):
                token = await stack.enter_async_context(credentials(options, player))
                policy = policy_of(options, player)
                async with Session(options.address, token) as own:
                    await Bot(own, player.table, policy, player.name, options.seat, options.code).join()
                seats[handle] = Seat(player.table, token, policy)
            async with Session(options.address, seats[0].token) as session:
                await Drive(session, seats).play()
        except Refused as problem:
            print(f"daifugo bot: {problem.text}", file=sys.stderr)
            return 1
    return 0


async def run(options: argparse.Namespace) -> int:
    once = queue_up if options.queue else play
    found = players(options)
    if options.identity:
        found = with_keys(found, keys_of(options))
    if options.one_stream:
        return await drive(options, found)
    return max(await asyncio.gather(*[once(options, player) for player in found]))


def main(argv: list[str] | None = None) -> int:
    p = parser()
    options = p.parse_args(argv)
    if bool(options.queue) == bool(options.table):
        p.error("say either --table or --queue")
    if options.code and len(options.table) != 1:
        p.error("--code is for one --table")
    if options.one_stream and options.queue:
        p.error("--one-stream is for bots at a --table")
    if options.seat is not None and options.count > 1:
        p.error("--seat is for one bot at a table; leave it out with --count")
    if options.key_file is not None and not options.identity:
        p.error("--key-file is for signing in at --identity")
    try:
        return asyncio.run(run(options))
    except (OSError, ValueError) as problem:
        p.error(f"--identity: {problem}")
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
