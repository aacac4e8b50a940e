"""`python -m tests.transcripts [NAME...]`: write transcripts anew, all or those named.

Recorded actions are kept as long as they are legal; from there on the player of `player.py` goes on. A new transcript
is a file with a header only. `--until RULE` tries seed after seed until a rule fires in the named transcript.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from tests.transcripts.evidence import fired
from tests.transcripts.record import record
from tests.transcripts.script import paths, read


def main() -> None:
    """Write transcripts anew."""
    parser = argparse.ArgumentParser(prog="python -m tests.transcripts", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="a file in tests/transcripts/files, without .txt")
    parser.add_argument("--afresh", action="store_true", help="forget the recorded actions")
    parser.add_argument("--until", action="append", metavar="RULE", help="try seeds until this rule fires")
    wanted = parser.parse_args()
    for path in paths(wanted.names):
        before = read(path.read_text(encoding="utf-8"))
        if wanted.afresh or wanted.until:
            before.steps.clear()
        after = record(before)
        stem, tried = before.seed.partition("-")[0], 0
        while wanted.until and not set(wanted.until) <= fired(after):
            tried += 1
            after = record(replace(before, seed=f"{stem}-{tried}"))
        path.write_text(after.text(), encoding="utf-8")
        actions = sum(1 for step in after.steps if step.events)
        print(f"{path.stem}: seed {after.seed}, {after.games} games, {actions} actions, {len(after.text())} characters")


if __name__ == "__main__":
    main()
