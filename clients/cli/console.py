"""Lines in and lines out. Reading never holds up what the table has to tell."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import shutil
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TextIO

from clients.cli import editing
from clients.cli.offers import columns, fitted

AHEAD: Final = 64
"""How many lines are read ahead of being used."""
WIDTH: Final = 79
PAGE: Final = 22
"""Rows of a page where there is no screen."""
PROMPT: Final = "> "
KEPT: Final = 20
"""How many lines are said again elsewhere."""
ERASE: Final = "\r\x1b[K"

Say = Callable[[list[str]], None]


class Console:
    """A person's keyboard and screen, or the two ends of a pipe."""

    def __init__(self, source: TextIO | None = None, target: TextIO | None = None) -> None:
        self.can_edit = source is None and target is None and editing.is_possible()
        # Not sys.stdin itself: the interpreter waits for its lock at the end, and the thread may be reading for ever.
        self.source = source if source is not None else open(0, closefd=False, errors="replace")  # noqa: SIM115
        self.target = target if target is not None else sys.stdout
        self.is_person = self.source.isatty()
        self.lines: queue.Queue[str | None] = queue.Queue(AHEAD)
        self.arrived = asyncio.Event()
        self.has_prompt = False
        self.is_editing = False
        self.said: deque[str] = deque(maxlen=KEPT)
        self.elsewhere: Say | None = None

    def divert(self, elsewhere: Say | None) -> None:
        """Let what is said from now on appear elsewhere, along with the last that was said here; None: here again."""
        self.elsewhere = elsewhere
        if elsewhere is not None:
            elsewhere(list(self.said))

    def start(self) -> None:
        """Begin to read. The thread is a daemon: it may hang in a read when everything else is over."""
        loop = asyncio.get_running_loop()
        if self.can_edit:
            editing.start()
            self.is_editing = True
        threading.Thread(target=self._read, args=(loop,), name="keyboard", daemon=True).start()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        # OSError: the terminal is gone. RuntimeError: the loop is closed, nobody wants lines any more.
        with contextlib.suppress(RuntimeError):
            with contextlib.suppress(OSError):
                for line in self._typed():
                    self._hand_over(loop, line.rstrip("\n"))
            self._hand_over(loop, None)

    def _typed(self) -> Iterator[str]:
        return editing.lines(PROMPT) if self.can_edit else iter(self.source)

    def _hand_over(self, loop: asyncio.AbstractEventLoop, line: str | None) -> None:
        self.lines.put(line)
        loop.call_soon_threadsafe(self.arrived.set)

    async def line(self) -> str | None:
        """Wait for a line; None at the end of the input."""
        while self.lines.empty():
            self.arrived.clear()
            await self.arrived.wait()
        self.has_prompt = False
        line = self.lines.get_nowait()
        self.is_editing = self.is_editing and line is not None
        return line

    def say(self, lines: Iterable[str], fleeting: bool = False) -> None:
        """Print lines, on a line of their own even while the player is being prompted; what is fleeting only once."""
        lines = list(lines)
        if self.elsewhere is not None:
            self.elsewhere(lines)
            return
        self.said += [] if fleeting else lines
        rows = [row for line in lines for row in self._fitted(line)]
        if not rows:
            return
        if self.is_editing:
            # Prompt and typed text move below what is said.
            said = "\n".join([*rows, PROMPT + editing.text()])
            print(ERASE + said, end="", file=self.target, flush=True)
            return
        if self.has_prompt:
            print(file=self.target)
            self.has_prompt = False
        print("\n".join(rows), file=self.target, flush=True)

    def _fitted(self, line: str) -> list[str]:
        return fitted(line, min(WIDTH, self._size()[0] - 1)) if self.is_person else [line]

    def _size(self) -> tuple[int, int]:
        return shutil.get_terminal_size((WIDTH + 1, PAGE + 3))

    def page(self, lines: list[str]) -> int:
        """Count how many of these lines fit on the screen, beside a title, a line on what follows, and the prompt."""
        width, height = self._size() if self.is_person else (WIDTH + 1, PAGE + 3)
        left = max(2, height - 3)
        for number, line in enumerate(lines):
            left -= sum([max(1, -(-columns(row) // width)) for row in self._fitted(line)])
            if left < 0:
                return max(1, number)
        return len(lines)

    def prompt(self) -> None:
        """Show that it is the player who is to type."""
        if self.is_person and not self.has_prompt and not self.is_editing:
            print(PROMPT, end="", file=self.target, flush=True)
            self.has_prompt = True

    def end(self) -> None:
        """Leave the line of the prompt, because nothing is asked any more."""
        if self.has_prompt or self.is_editing:
            print(file=self.target, flush=True)
        self.has_prompt = self.is_editing = False
