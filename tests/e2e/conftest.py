"""The `daifugo` command as a process, read line by line with a deadline."""

from __future__ import annotations

import contextlib
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
DAIFUGO = (sys.executable, "-P", "-m", "clients.daifugo")


class Run:
    """A running command: its lines as they come, with a deadline."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.deadline = time.monotonic() + SECONDS
        self.output = ""

    def until(self, pattern: str) -> str:
        """Read on to a line that matches."""
        while not (found := re.search(pattern, self.output, re.MULTILINE)):
            if not self.read():
                raise AssertionError(f"no {pattern!r} in:\n{self.output}")
        self.output = self.output[found.end() :]
        return found[0]

    def end(self) -> str:
        """Wait for the end and return what was said until then."""
        while self.read():
            pass
        self.process.wait(self.left())
        return self.output

    def read(self) -> bool:
        """Read what has been said meanwhile; False at the end, or when time is up."""
        assert self.process.stdout is not None
        file = self.process.stdout.fileno()
        if not select.select([file], [], [], self.left())[0]:
            return False
        chunk = os.read(file, 65536).decode(errors="replace")
        self.output += chunk
        return bool(chunk)

    def left(self) -> float:
        return max(0.0, self.deadline - time.monotonic())

    def children(self) -> dict[int, str]:
        """Find the processes that it has started, with their command lines."""
        pids = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return {int(pid): Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ") for pid in pids}


@contextmanager
def running(command: str, *arguments: str, lines: str = "", **environment: str) -> Iterator[Run]:
    process = subprocess.Popen(
        [*DAIFUGO, command, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "DAIFUGO_STORE": "memory", "LC_ALL": "C.UTF-8", **environment},
    )
    assert process.stdin is not None
    process.stdin.write(lines)
    process.stdin.flush()
    try:
        yield Run(process)
    finally:
        process.kill()
        with contextlib.suppress(BrokenPipeError), process:
            pass


@pytest.fixture(scope="session", autouse=True)
def fresh_build() -> None:
    """Processes run what is compiled: what is older than its sources would be tested instead of them."""
    root = Path(__file__).parents[2]
    services = (root / "services" / "compiled.txt").read_text(encoding="utf-8").split()
    for part, sources in (
        ("engine", (root / "engine").rglob("*.py")),
        ("services", [root / name for name in services]),
    ):
        compiled = root / "build" / "compiled" / part
        if compiled.exists():
            newest = max(path.stat().st_mtime for path in sources)
            made = max(path.stat().st_mtime for path in compiled.rglob("*") if path.suffix in (".so", ".pyd"))
            if made < newest:
                pytest.fail(f"the compiled {part} is older than its sources: make compile", pytrace=False)


@pytest.fixture
def start() -> Callable[..., AbstractContextManager[Any]]:
    """Starts a command with arguments, and `lines` to type."""
    return running
