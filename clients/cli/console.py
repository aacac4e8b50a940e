"""Lines in and lines out. Reading never holds up what the table has to tell."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
from collections.abc import Iterable
from concurrent.futures import CancelledError
from typing import Final, TextIO

AHEAD: Final = 64
"""How many lines are read ahead of being used."""
PROMPT: Final = "> "


class Console:
    """A person's keyboard and screen, or the two ends of a pipe."""

    def __init__(self, source: TextIO | None = None, target: TextIO | None = None) -> None:
        # Not sys.stdin itself: the interpreter waits for its lock at the end, and the thread may be reading for ever.
        self.source = source if source is not None else open(0, closefd=False, errors="replace")  # noqa: SIM115
        self.target = target if target is not None else sys.stdout
        self.is_person = self.source.isatty()
        self.lines: asyncio.Queue[str | None] = asyncio.Queue(AHEAD)
        self.has_prompt = False

    def start(self) -> None:
        """Begin to read. The thread is a daemon: it may hang in a read when everything else is over."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(loop,), name="keyboard", daemon=True).start()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        # The loop has ended, or its tasks have: nobody wants lines any more.
        with contextlib.suppress(RuntimeError, CancelledError, OSError):
            for line in self.source:
                asyncio.run_coroutine_threadsafe(self.lines.put(line.rstrip("\n")), loop).result()
        with contextlib.suppress(RuntimeError):
            asyncio.run_coroutine_threadsafe(self.lines.put(None), loop)

    async def line(self) -> str | None:
        """Wait for a line; None at the end of the input."""
        line = await self.lines.get()
        self.has_prompt = False
        return line

    def say(self, lines: Iterable[str]) -> None:
        """Print lines, on a line of their own even while the player is being prompted."""
        for line in lines:
            if self.has_prompt:
                print(file=self.target)
                self.has_prompt = False
            print(line, file=self.target)
        self.target.flush()

    def prompt(self) -> None:
        """Show that it is the player who is to type."""
        if self.is_person and not self.has_prompt:
            print(PROMPT, end="", file=self.target, flush=True)
            self.has_prompt = True
