"""Play random games on random tables: `python -m tests.exhaust reach`, `many` or `again`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Final

from tests.exhaust.matches import IS_COMPILED, again
from tests.exhaust.pool import run
from tests.exhaust.runner import Runner, all_goals, read

STOPPED: Final = 130
"""What programs answer that Ctrl-C has ended."""


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="tests.exhaust", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    reach = commands.add_parser("reach", help="until every rule, value and pair of neighbours has acted")
    many = commands.add_parser("many", help="as many games as wanted, on any tables; fastest with the compiled engine")
    reach.add_argument("--attempts", type=int, default=300, help="matches for each goal in turn")
    for command, games in ((reach, 1_000_000), (many, 1_000_000)):
        command.add_argument("--games", type=int, default=games, help="how many games to play at most")
        command.add_argument("--name", default=command.prog.split()[-1], help="what the random numbers come from")
        command.add_argument("--folder", type=Path, default=Path("build/exhaust"), help="where to go on from, and save")
        command.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    one = commands.add_parser("again", help="play a match that went wrong once more")
    one.add_argument("file", type=Path)
    return parser.parse_args()


def main() -> int:
    """Play, print the figures; 1 if anything went wrong or has not been reached."""
    args = arguments()
    if args.command == "again":
        print(again(args.file.read_text(encoding="utf-8")), "actions, and nothing went wrong")
        return 0
    goals = args.command == "reach"
    if goals and IS_COMPILED:
        print("rules can only be watched in the sources, not in the compiled engine", file=sys.stderr)
        return 2
    args.folder.mkdir(parents=True, exist_ok=True)
    path = args.folder / f"{args.name}.json"
    runner = Runner(read(path, args.name), all_goals() if goals else [], args.attempts if goals else 0)
    to_the_end = run(runner, args.games, args.processes, lambda: runner.progress.write(path))
    print(runner.report())
    for failure in runner.progress.failures:
        file = args.folder / f"{failure.name.replace(' ', '-')}.txt"
        file.write_text(failure.file, encoding="utf-8")
        print(f"play it again: .venv/bin/python -m tests.exhaust again {file}")
    if not to_the_end:
        return STOPPED
    return 1 if runner.open() or runner.progress.failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
