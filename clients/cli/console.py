"""Lines in and lines out. Reading never holds up what the table has to tell."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sys
import textwrap
import threading
from collections.abc import Iterable
from typing import Final, TextIO

AHEAD: Final = 64
"""How many lines are read ahead of being used."""
WIDTH: Final = 79
PROMPT: Final = "> "


class Console:
    """A person's keyboard and screen, or the two ends of a pipe."""

    def __init__(self, source: TextIO | None = None, target: TextIO | None = None) -> None:
        # Not sys.stdin itself: the interpreter waits for its lock at the end, and the thread may be reading for ever.
        self.source = source if source is not None else open(0, closefd=False, errors="replace")  # noqa: SIM115
        self.target = target if target is not None else sys.stdout
        self.is_person = self.source.isatty()
        self.lines: queue.Queue[str | None] = queue.Queue(AHEAD)
        self.arrived = asyncio.Event()
        self.has_prompt = False

    def start(self) -> None:
        """Begin to read. The thread is a daemon: it may hang in a read when everything else is over."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(loop,), name="keyboard", daemon=True).start()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        # OSError: the terminal is gone. RuntimeError: the loop is closed, nobody wants lines any more.
        with contextlib.suppress(RuntimeError):
            with contextlib.suppress(OSError):
                for line in self.source:
                    self._hand_over(loop, line.rstrip("\n"))
            self._hand_over(loop, None)

    def _hand_over(self, loop: asyncio.AbstractEventLoop, line: str | None) -> None:
        self.lines.put(line)
        loop.call_soon_threadsafe(self.arrived.set)

    async def line(self) -> str | None:
        """Wait for a line; None at the end of the input."""
        while self.lines.empty():
            self.arrived.clear()
            await self.arrived.wait()
        self.has_prompt = False
        return self.lines.get_nowait()

    def say(self, lines: Iterable[str]) -> None:
        """Print lines, on a line of their own even while the player is being prompted."""
        for line in lines:
            if self.has_prompt:
                print(file=self.target)
                self.has_prompt = False
            print("\n".join(self._fitted(line)), file=self.target)
        self.target.flush()

    def _fitted(self, line: str) -> list[str]:
        """Break long lines between words. Japanese text has none; the terminal breaks it anywhere."""
        if not self.is_person or len(line) <= WIDTH or not line.isascii():
            return [line]
        return textwrap.wrap(line, WIDTH, subsequent_indent="  ")

    def prompt(self) -> None:
        """Show that it is the player who is to type."""
        if self.is_person and not self.has_prompt:
            print(PROMPT, end="", file=self.target, flush=True)
            self.has_prompt = True
