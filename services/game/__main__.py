"""`python -m services.game`: runs the game service."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import click

from services.common.config import CannotStart, Config, options
from services.common.logs import configure
from services.game.app import serve


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@options
def command(**settings: Any) -> None:
    """Run the game service until SIGTERM or Ctrl-C. Prints `listening HOST:PORT` once it is ready."""
    config = Config(**settings)
    configure(config.log_level)
    asyncio.run(serve(config))


def main(argv: list[str] | None = None) -> int:
    """Run the command with arguments of one's own; those of the process if there are none."""
    name = "daifugo serve" if argv is not None else "python -m services.game"
    try:
        status = command.main(argv, prog_name=name, standalone_mode=False)
    except click.ClickException as problem:
        print(f"{name}: {problem.format_message()}", file=sys.stderr)
        return 1
    except CannotStart as problem:
        print(f"{name}: {problem}", file=sys.stderr)
        return 1
    except click.Abort:  # Ctrl-C before the service could listen for it
        return 130
    return status if isinstance(status, int) else 0


if __name__ == "__main__":
    sys.exit(main())
