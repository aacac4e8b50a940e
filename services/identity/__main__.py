"""`python -m services.identity`: runs the identity service."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import click

from services.common.command import run
from services.common.config import options
from services.common.logs import configure
from services.identity.app import serve
from services.identity.config import IdentityConfig


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@options(IdentityConfig)
def command(**settings: Any) -> None:
    """Run the identity service until SIGTERM or Ctrl-C. Prints `listening HOST:PORT` once it is ready."""
    config = IdentityConfig(**settings)
    configure(config.log_level)
    asyncio.run(serve(config))


def main(argv: list[str] | None = None) -> int:
    """Run the command with arguments of one's own; those of the process if there are none."""
    return run(command, argv, "daifugo identity" if argv is not None else "python -m services.identity")


if __name__ == "__main__":
    sys.exit(main())
