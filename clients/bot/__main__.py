"""`daifugo bot`: seat bots at tables of a running service."""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import secrets
import sys
from dataclasses import dataclass

from clients.bot.bot import Bot
from clients.bot.policies import POLICIES
from clients.common.errors import UNREACHED, Refused
from clients.common.session import Session
from clients.common.watch import WatchEnded


@dataclass(frozen=True)
class Player:
    """One bot of a command line."""

    table: str
    token: str
    name: str
    seed: int | None


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="daifugo bot", description="Seat bots at tables, and let each play one match.")
    p.add_argument("--address", default="localhost:50051", help="where the service listens (default: %(default)s)")
    p.add_argument("--table", required=True, action="append", help="the table's id; may be given several times")
    p.add_argument("--count", type=positive, default=1, metavar="N", help="bots for each table (default: %(default)s)")
    p.add_argument("--seat", type=int, help="which seat, from 0 (default: the first that is free for a bot)")
    p.add_argument(
        "--token",
        default=os.environ.get("DAIFUGO_TOKEN") or secrets.token_urlsafe(),
        help="who the bot is; the same token comes back to the same seat (default: $DAIFUGO_TOKEN, or a new one)",
    )
    p.add_argument("--name", default="Bot", help="the name that others see, of several numbered (default: %(default)s)")
    p.add_argument("--seed", type=int, help="makes what the bots draw by lot repeatable")
    p.add_argument("--policy", choices=sorted(POLICIES), default="greedy", help="how it decides (default: %(default)s)")
    return p


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def players(options: argparse.Namespace) -> list[Player]:
    """List the bots: a lone one keeps token and name, of several each gets its own."""
    if options.count * len(options.table) == 1:
        return [Player(options.table[0], options.token, options.name, options.seed)]
    found: list[Player] = []
    for table in options.table:
        for number in range(1, options.count + 1):
            name = f"{options.name} {number}" if options.count > 1 else options.name
            seed = None if options.seed is None else options.seed + len(found)
            found.append(Player(table, f"{options.token}.{len(found)}", name, seed))
    return found


async def play(options: argparse.Namespace, player: Player) -> int:
    """Let one bot play; what stops it does not stop the others."""
    policy = POLICIES[options.policy](random.Random(player.seed))
    async with Session(options.address, player.token) as session:
        try:
            await Bot(session, player.table, policy, player.name, options.seat).play()
        except Refused as problem:
            said = f"no answer from a service at {options.address}" if problem.reason in UNREACHED else problem.text
            print(f"daifugo bot: {player.name}: {said}", file=sys.stderr)
            return 1
        except WatchEnded as end:
            print(f"daifugo bot: {player.name}: {end}", file=sys.stderr)
    return 0


async def run(options: argparse.Namespace) -> int:
    return max(await asyncio.gather(*[play(options, player) for player in players(options)]))


def main(argv: list[str] | None = None) -> int:
    p = parser()
    options = p.parse_args(argv)
    if options.seat is not None and options.count > 1:
        p.error("--seat is for one bot at a table; leave it out with --count")
    try:
        return asyncio.run(run(options))
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
