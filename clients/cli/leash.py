"""Runs a command as a program that ends when whoever started it does, however that came to its end.

    (echo '["--queue", "home"]'; cat) | python -m clients.cli.leash clients.bot --name Aki

More arguments come on the first line of its standard input, so that it can get ready before they are known. The starter
holds the other end; when it is gone, even by kill -9, reading ends and so does the process. On Linux the kernel
is asked to do the same, which also reaches a process that has been stopped.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import threading
from importlib import import_module
from typing import Final

PR_SET_PDEATHSIG: Final = 1


def die_with_parent() -> None:
    """Ask Linux to kill this process when its parent ends."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def die_at_end_of_input() -> None:
    """Kill this process when its standard input ends. Whoever it has started itself is not its concern."""
    while os.read(0, 1024):
        pass
    os._exit(1)


def first_line() -> str:
    """Read no further than the first line, which the rest of the input is not part of."""
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            os._exit(1)
        line += byte
    return line.decode()


def leave_out_colours() -> None:
    """Keep structlog from loading rich, which takes a quarter of the start of a service that writes JSON."""
    sys.modules["rich"] = None  # type: ignore[assignment]  # so Python marks what cannot be imported


def main(argv: list[str]) -> int:
    die_with_parent()
    if argv[0].startswith("services."):
        leave_out_colours()
    command = import_module(f"{argv[0]}.__main__").main
    arguments = argv[1:] + json.loads(first_line())
    threading.Thread(target=die_at_end_of_input, name="leash", daemon=True).start()
    status: int = command(arguments)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
