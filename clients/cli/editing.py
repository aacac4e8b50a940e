"""Editing of the line being typed, and a history of lines, where Python has readline and a person is at a terminal."""

from __future__ import annotations

import atexit
import io
import os
import sys
from collections.abc import Iterator

try:
    import readline
    import termios
except ImportError:  # not on this system
    HAS_READLINE = False
else:
    HAS_READLINE = True


def is_possible() -> bool:
    """Whether lines can be edited: both ends must be a terminal that can, or `input` would read in another way."""
    if os.environ.get("TERM", "dumb") == "dumb":
        return False
    try:
        return HAS_READLINE and sys.stdin.fileno() == 0 and sys.stdin.isatty() and sys.stdout.isatty()
    except (AttributeError, ValueError, OSError):
        return False


def start() -> None:
    """Prepare the terminal, and have it given back as it was: the reading thread may be cut off in mid-line."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    atexit.register(termios.tcsetattr, 0, termios.TCSADRAIN, termios.tcgetattr(0))


def lines(prompt: str) -> Iterator[str]:
    """Read lines until the end of the input."""
    while True:
        try:
            yield input(prompt)
        except EOFError:
            return


def text() -> str:
    """Return what has been typed of the line so far."""
    return readline.get_line_buffer()
