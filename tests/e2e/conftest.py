"""The `daifugo` command as a process, read line by line with a deadline."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

SECONDS = 60.0
"""No test waits longer than this for a line or an end."""
DAIFUGO = (sys.executable, "-m", "clients.daifugo")


class Run:
    """A running command: its lines as they come, with a deadline."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.deadline = time.monotonic() + SECONDS
        self.output = ""

    def until(self, pattern: str) -> str:
        """Read on to a line that matches."""
        assert self.process.stdout is not None
        while self.left() and select.select([self.process.stdout], [], [], self.left())[0]:
            chunk = os.read(self.process.stdout.fileno(), 65536).decode()
            if not chunk:
                break
            self.output += chunk
            if found := re.search(pattern, self.output, re.MULTILINE):
                self.output = self.output[found.end() :]
                return found[0]
        raise AssertionError(f"no {pattern!r} in:\n{self.output}")

    def end(self) -> str:
        """Wait for the end and return what was said until then."""
        assert self.process.stdout is not None
        while chunk := os.read(self.process.stdout.fileno(), 65536).decode():
            self.output += chunk
        self.process.wait(self.left())
        return self.output

    def left(self) -> float:
        return max(0.0, self.deadline - time.monotonic())

    def children(self) -> dict[int, str]:
        """Find the processes that it has started, with their command lines."""
        pids = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return {int(pid): Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ") for pid in pids}


@contextmanager
def running(command: str, *arguments: str, lines: str = "") -> Iterator[Run]:
    process = subprocess.Popen(
        [*DAIFUGO, command, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    assert process.stdin is not None
    process.stdin.write(lines)
    process.stdin.flush()
    try:
        with process:
            yield Run(process)
            process.stdin.close()
    finally:
        process.kill()


@pytest.fixture
def start() -> Callable[..., AbstractContextManager[Any]]:
    """Starts a command with arguments, and `lines` to type."""
    return running
