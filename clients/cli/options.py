"""The command lines of `daifugo play` and `daifugo watch`, and what others take from them."""

from __future__ import annotations

import argparse
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Final

from clients.bot.policies import POLICIES
from clients.cli.texts import language_of

MOST: Final = 1_000_000_000
MOST_GAMES: Final = 1000
MOST_SECONDS: Final = 86400
OF_OWN_TABLES: Final = (
    *("address", "table", "code", "private", "spectators", "seat", "bots", "demo", "policy", "seed"),
    *("preset", "rule", "games", "until_host_ends", "deal", "record", "step"),
    *("turn_seconds", "bank_seconds", "choice_seconds", "idle_seconds"),
)
"""What a matchmaker leaves no choice of."""


def common(prog: str, description: str) -> argparse.ArgumentParser:
    """Begin a command line with what all have."""
    p = argparse.ArgumentParser(prog=prog, description=description)
    language = language_of(dict(os.environ))
    p.add_argument("--lang", choices=("ja", "en"), default=language, help="language (default: %(default)s, from LANG)")
    p.add_argument(
        "--token",
        default=os.environ.get("DAIFUGO_TOKEN") or secrets.token_urlsafe(),
        help="who you are at the service (default: $DAIFUGO_TOKEN, or somebody new)",
    )
    p.add_argument(
        "--identity",
        metavar="ADDRESS",
        default=os.environ.get("DAIFUGO_IDENTITY"),
        help="an identity service at which you are the guest of this device, instead of a token "
        "(default: $DAIFUGO_IDENTITY)",
    )
    return p


def shown(prog: str, description: str) -> argparse.ArgumentParser:
    """Begin the command line of a game that is shown."""
    p = common(prog, description)
    p.add_argument(
        "--cards",
        choices=("letters", "symbols", "words"),
        help="how cards are written: S8, ♠8, or in words (default: letters; symbols on the full screen)",
    )
    p.add_argument(
        "--plain", action="store_true", help="line by line; so it is anyway where there is no terminal of 80 by 24"
    )
    p.add_argument(
        "--verbose", action="store_true", help="also tell what goes without saying, such as whose turn it is"
    )
    return p


def play() -> argparse.ArgumentParser:
    p = shown("daifugo play", "Play in this terminal: at a table of your own against bots, or at one of a service.")
    p.add_argument("--demo", action="store_true", help="bots play alone, and only the results are told")
    p.add_argument("--preset", default="jdf4", help="the ruleset (default: %(default)s)")
    p.add_argument(
        "--rule", action="append", default=[], metavar="ID=VALUE", help="a setting that differs from the preset"
    )
    p.add_argument("--seats", type=count, help="how many play (default: as the preset says)")
    p.add_argument(
        "--games", type=within(1, MOST_GAMES), default=4, help="how many games (default: %(default)s, one set)"
    )
    p.add_argument(
        "--until-host-ends", action="store_true", help="games go on until the host ends the match: daifugo table end"
    )
    p.add_argument("--deal", metavar="P...", help="for practice: a deal number, at which everybody gets the same cards")
    p.add_argument(
        "--record", metavar="MATCH", help="for analysis: begin where this match of the service was, after --step"
    )
    p.add_argument(
        "--step", type=count, default=0, metavar="N", help="how many steps of it have been taken (default: 0)"
    )
    p.add_argument("--seed", type=int, help="makes what the bots draw by lot repeatable; the deal stays random")
    p.add_argument(
        "--policy", choices=sorted(POLICIES), default="greedy", help="how the bots play (default: %(default)s)"
    )
    p.add_argument(
        "--bots",
        type=count,
        metavar="N",
        help="how many bots to bring, with --identity those of the service; people can join the seats that stay free "
        "(default: bots for all of them)",
    )
    p.add_argument("--name", default="", help="your name at the table")
    p.add_argument("--address", help="a service that is running; without it one is started for this game")
    p.add_argument(
        "--matchmaker", metavar="ADDRESS", help="wait for others to play with, at a matchmaker that is running"
    )
    p.add_argument("--queue", help="what to wait for at the matchmaker (default: the only queue; several are listed)")
    p.add_argument(
        "--save",
        type=Path,
        metavar="FILE",
        help="keep the record of the match in this file, for daifugo replay and verify: .json, .binary, else 棋譜",
    )
    p.add_argument("--table", help="join this table of the service, without bots of your own")
    p.add_argument("--code", help="join the table of the service that this invite code leads to")
    p.add_argument(
        "--private", action="store_true", help="a table of your own that only those find who have its invite code"
    )
    p.add_argument(
        "--spectators",
        choices=("none", "public", "delayed", "open"),
        default="public",
        help="what spectators of your own table see: nothing, no hand, all hands a game late, all hands "
        "(default: %(default)s)",
    )
    p.add_argument("--seat", type=seat_number, help="the seat to take, from 1 (default: the first that is free)")
    p.add_argument(
        "--no-auto-pass",
        action="store_true",
        help="do not pass by yourself when you can do nothing else, where the table does that (auto_pass)",
    )
    p.add_argument(
        "--turn-seconds", type=within(0, MOST_SECONDS), default=0, help="time for a turn; 0 is no limit (default)"
    )
    p.add_argument(
        "--bank-seconds",
        type=within(0, MOST_SECONDS),
        default=0,
        help="time bank for longer turns, for everybody and the whole match; needs --turn-seconds (default: none)",
    )
    p.add_argument(
        "--choice-seconds", type=within(1, MOST_SECONDS), default=3600, help="time for a choice (default: %(default)s)"
    )
    p.add_argument(
        "--idle-seconds",
        type=within(1, MOST_SECONDS),
        default=3600,
        help="without a limit, the game goes on without you after this time (default: %(default)s)",
    )
    return p


def within(least: int, most: int) -> Callable[[str], int]:
    """Make what reads a number that is not out of these bounds."""

    def read(text: str) -> int:
        if not text.isdecimal() or len(text) > len(str(most)) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text[:30]} is not a number from {least} to {most}")
        return int(text)

    return read


count: Final = within(0, MOST)


def seat_number(text: str) -> int:
    """Read a seat as people number it, from 1; the service does from 0."""
    return within(1, MOST)(text) - 1


def watch() -> argparse.ArgumentParser:
    p = shown("daifugo watch", "Follow a table of a running service.")
    p.add_argument("--address", default="localhost:50051", help="where the service listens (default: %(default)s)")
    p.add_argument("--table", default="", help="the table's id (default: the newest that is being played at)")
    p.add_argument("--code", default="", help="the invite code of the table, for a private one")
    return p
