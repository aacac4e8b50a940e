"""Runs a module as a program that ends when whoever started it does, however that came to its end.

    python -m clients.cli.leash services.game --port 0

The starter holds the other end of this process's standard input; when it is gone, even by kill -9, reading ends and so
does the process. On Linux the kernel is asked to do the same, which also reaches a process that has been stopped.
"""

from __future__ import annotations

import ctypes
import os
import runpy
import signal
import sys
import threading
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


def main(argv: list[str]) -> None:
    die_with_parent()
    threading.Thread(target=die_at_end_of_input, name="leash", daemon=True).start()
    module, sys.argv[1:] = argv[0], argv[1:]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
