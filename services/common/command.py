"""How the command of a service is run: what keeps it from starting is one line, and an exit status."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from services.common.config import CannotStart


def run(command: click.Command, argv: Sequence[str] | None, name: str) -> int:
    """Run a command with arguments of one's own; those of the process if there are none. Return the exit status."""
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
