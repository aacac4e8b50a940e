"""`daifugo verify`: computes a match anew from its record, and says whether it was dealt and played as that says."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import click

from engine.cli import is_japanese
from services.common.command import run
from services.game.codec.verifying import NotChecked, commitment_from, lines, read, verify

AS_IT_SAYS: Final = 0
NOT_SO: Final = 1
NOT_CHECKED: Final = 2


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--commitment", metavar="HEX", default="", help="A commitment of the table that you noted beforehand.")
def command(record: Path, commitment: str) -> int:
    """Compute a match anew from its RECORD, a file as `daifugo records export` or `daifugo play --save` writes it,
    or a daifugo.v1.Record in binary or as JSON.

    Ends with 0 if every deal, draw, step and result is as the record says, with 1 if something is not, and with 2 if
    that cannot be said here. Who played and when cannot be computed.
    """
    japanese = is_japanese()
    try:
        known, message = commitment_from(commitment), read(record)
    except NotChecked as problem:
        print(problem.ja if japanese else problem.en, file=sys.stderr)
        return NOT_CHECKED
    verdict = verify(message, known)
    print("\n".join(lines(message, verdict, japanese)), file=sys.stderr if verdict.findings else sys.stdout)
    return NOT_SO if verdict.findings else AS_IT_SAYS


def main(argv: list[str] | None = None) -> int:
    """Run the command with arguments of one's own; those of the process if there are none."""
    return run(command, argv, "daifugo verify" if argv is not None else "python -m services.game.verify")


if __name__ == "__main__":
    sys.exit(main())
