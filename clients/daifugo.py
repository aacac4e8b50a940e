"""The `daifugo` command: a table of commands, each loaded only when it is used.

Playing needs no engine and simulating needs no gRPC, so nothing but this table knows both. A target is
`main(argv) -> int`; it parses its own arguments and answers `--help` itself.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from io import TextIOWrapper
from typing import Final, NamedTuple, cast


class Command(NamedTuple):
    target: str
    """Module and function, as `module:function`."""
    summary: str


COMMANDS: Final[dict[str, Command]] = {
    "play": Command("clients.cli.play:main", "play in the terminal against bots, or at a table of a running service"),
    "watch": Command("clients.cli.watch:main", "follow a table of a running service as a spectator"),
    "table": Command("clients.cli.table:main", "show a table of a running service, or change it as its host"),
    "records": Command("clients.cli.records:main", "list, show, export and check matches that are over"),
    "replay": Command("clients.cli.replay:main", "step through a match, forward and back, with anybody's eyes"),
    "bot": Command("clients.bot.__main__:main", "seat bots at a table of a running service, or in a queue"),
    "account": Command("clients.cli.account:account", "sign in as the guest of this device; show, rename or delete it"),
    "bot-key": Command("clients.cli.account:bot_key", "make, list and revoke keys by which bots sign in"),
    "serve": Command("services.game.__main__:main", "run the game service"),
    "matchmaker": Command("services.matchmaker.__main__:main", "run the matchmaker, which brings people to tables"),
    "identity": Command("services.identity.__main__:main", "run the identity service, which keeps accounts"),
    "backup": Command("services.game.backup:main", "copy the store of a game service, also of one that is running"),
    "verify": Command("services.game.verify:main", "compute a match anew from its record: deals, steps, results"),
    "simulate": Command("engine.cli:simulate", "play games on the bare engine and count titles and actions per second"),
    "rules": Command("engine.cli:rules", "list presets and rules, explain one, and print what a ruleset compiles to"),
}

Main = Callable[[list[str]], int]


def usage() -> str:
    width = max(map(len, COMMANDS))
    rows = [f"  {name:<{width}}  {command.summary}" for name, command in COMMANDS.items()]
    return "\n".join(["usage: daifugo COMMAND [ARGUMENT...]", "", *rows, "", "daifugo COMMAND --help says more."])


def load(target: str) -> Main:
    module, _, function = target.partition(":")
    return cast(Main, getattr(import_module(module), function))


def main(argv: list[str] | None = None) -> int:
    name, *rest = (sys.argv[1:] if argv is None else argv) or ["--help"]
    if name in ("-h", "--help", "help"):
        print(usage())
        return 0
    if name in ("-V", "--version"):
        print(f"daifugo {installed_version()}")
        return 0
    if name not in COMMANDS:
        near = get_close_matches(name, COMMANDS, n=1)
        hint = f"did you mean '{near[0]}'?" if near else "see 'daifugo --help'."
        print(f"daifugo: no command '{name}'; {hint}", file=sys.stderr)
        return 2
    return run(load(COMMANDS[name].target), rest)


def run(command: Main, arguments: list[str]) -> int:
    """Run a command. A terminal that lacks a character, a reader that leaves and Ctrl-C are nobody's mistake."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        status = command(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still in the buffer must not be tried again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return status


def installed_version() -> str:
    try:
        return version("daifugo")
    except PackageNotFoundError:
        return "(not installed)"


if __name__ == "__main__":
    sys.exit(main())
