"""`daifugo backup`: copies the store of a game service, also of one that is running."""

from __future__ import annotations

import sqlite3
import sys

import click

from services.common.command import run
from services.common.config import CannotStart
from services.game.config import GameConfig
from services.game.sqlite_file import back_up


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("copy")
@click.option(
    "--store", default=GameConfig.store, envvar="DAIFUGO_STORE", show_default=True, show_envvar=True, help="The store."
)
def command(copy: str, store: str) -> None:
    """Copy the store of a game service to the new file COPY, also while the service runs.

    `daifugo serve --store COPY` goes on from there, with the same keys: they are not in the copy. Put them beside it as
    COPY.key, or name them with --store-keys.
    """
    try:
        back_up(store, copy)
    except FileExistsError:
        raise CannotStart(f"{copy} is there already, and nothing is overwritten") from None
    except FileNotFoundError as problem:
        raise CannotStart(f"there is no {problem.filename or problem}") from None
    except (OSError, sqlite3.Error) as problem:
        raise CannotStart(f"{store} cannot be copied to {copy}: {problem}") from None


def main(argv: list[str] | None = None) -> int:
    """Run the command with arguments of one's own; those of the process if there are none."""
    return run(command, argv, "daifugo backup" if argv is not None else "python -m services.game.backup")


if __name__ == "__main__":
    sys.exit(main())
