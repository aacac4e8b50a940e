"""`daifugo bot`: seat a bot at a table of a running service."""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import secrets
import sys

from clients.bot.bot import Bot
from clients.bot.policies import POLICIES
from clients.common.errors import Refused
from clients.common.session import Session
from clients.common.watch import WatchEnded


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="daifugo bot", description="Seat a bot at a table and play one match.")
    p.add_argument("--address", default="localhost:50051", help="where the service listens (default: %(default)s)")
    p.add_argument("--table", required=True, help="the table's id")
    p.add_argument("--seat", type=int, help="which seat, from 0 (default: the first that is free for a bot)")
    p.add_argument(
        "--token",
        default=os.environ.get("DAIFUGO_TOKEN") or secrets.token_urlsafe(),
        help="who the bot is; the same token comes back to the same seat (default: $DAIFUGO_TOKEN, or a new one)",
    )
    p.add_argument("--name", default="Bot", help="the name that others see (default: %(default)s)")
    p.add_argument("--seed", type=int, help="makes what the bot draws by lot repeatable")
    p.add_argument("--policy", choices=sorted(POLICIES), default="random", help="how it decides (default: %(default)s)")
    return p


async def run(options: argparse.Namespace) -> int:
    policy = POLICIES[options.policy](random.Random(options.seed))
    async with Session(options.address, options.token) as session:
        try:
            await Bot(session, options.table, policy, options.name, options.seat).play()
        except Refused as problem:
            print(f"daifugo bot: {problem}", file=sys.stderr)
            return 1
        except WatchEnded as end:
            print(f"daifugo bot: {end}", file=sys.stderr)
    return 0


def main(argv: list[str] | None = None) -> int:
    options = parser().parse_args(argv)
    try:
        return asyncio.run(run(options))
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
