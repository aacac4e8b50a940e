"""`python -m tests.rulings FILE...`: run files of rulings and say which do not hold."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import yaml

from tests.rulings.judge import FAILED, PASSED, SKIPPED, judge_row
from tests.rulings.notation import NotationError, read_file


def main(arguments: Sequence[str]) -> int:
    """Run every ruling of the files, and return the exit status."""
    if not arguments:
        print("usage: python -m tests.rulings FILE...", file=sys.stderr)
        return 2
    counts = {PASSED: 0, FAILED: 0, SKIPPED: 0}
    for name in arguments:
        try:
            rows = read_file(Path(name))
        except (OSError, UnicodeDecodeError, yaml.YAMLError, NotationError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 2
        for row in rows:
            verdict = judge_row(row)
            counts[verdict.result] += 1
            if verdict.result == FAILED:
                print(f"{verdict.id}: {verdict.text}")
    print(f"{counts[PASSED]} passed, {counts[FAILED]} failed, {counts[SKIPPED]} skipped")
    return 1 if counts[FAILED] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
