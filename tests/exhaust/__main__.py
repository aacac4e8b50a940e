"""Play random games on random tables until every rule has acted: `python -m tests.exhaust`."""

from __future__ import annotations

import argparse

from tests.exhaust.runner import Runner


def main() -> int:
    """Play, print what has been reached and what has not; 1 if anything is missing or went wrong."""
    parser = argparse.ArgumentParser(prog="tests.exhaust", description=__doc__)
    parser.add_argument("--games", type=int, default=50000, help="how many matches to play at most")
    parser.add_argument("--name", default="exhaust", help="what the random numbers are drawn from")
    parser.add_argument("--attempts", type=int, default=300, help="matches for each goal in turn")
    args = parser.parse_args()
    runner = Runner(args.name)
    runner.run(args.games, args.attempts)
    print(runner.report())
    return 1 if runner.open or runner.failures else 0


raise SystemExit(main())
