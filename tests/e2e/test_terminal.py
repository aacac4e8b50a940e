"""Playing at a terminal: lines can be edited, what happens does not disturb them, and the terminal is given back."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time

import pytest

pytest.importorskip("readline")
SECONDS = 60.0


class Terminal:
    """A terminal in which a command runs."""

    def __init__(self, *arguments: str) -> None:
        self.ours, self.theirs = pty.openpty()
        self.before = termios.tcgetattr(self.theirs)
        self.screen = ""
        self.deadline = time.monotonic() + SECONDS
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "clients.daifugo", *arguments],
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            env={**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm"},
            start_new_session=True,
        )

    def until(self, text: str) -> None:
        """Read to a text."""
        while text not in self.screen:
            left = self.deadline - time.monotonic()
            assert select.select([self.ours], [], [], max(0.0, left))[0], self.screen
            self.screen += os.read(self.ours, 65536).decode(errors="replace")
        self.screen = self.screen.partition(text)[2]

    def type(self, text: str) -> None:
        os.write(self.ours, text.encode())

    def end(self) -> None:
        try:
            self.process.wait(max(0.0, self.deadline - time.monotonic()))
            assert termios.tcgetattr(self.theirs) == self.before
        finally:
            self.process.kill()
            self.process.wait()
            os.close(self.ours)
            os.close(self.theirs)


def test_a_line_can_be_edited_and_the_terminal_is_as_before() -> None:
    terminal = Terminal("play", "--games", "1")
    terminal.until("Your turn")
    terminal.type("zx\x7f\x01y\r")  # backspace, then to the beginning of the line
    terminal.until("I do not understand YZ.")
    terminal.type("\x1b[A\r")  # the line before
    terminal.until("I do not understand YZ.")
    terminal.type("half a li")
    terminal.until("half a li")
    terminal.process.send_signal(signal.SIGINT)
    terminal.end()
    assert terminal.process.returncode == 128 + signal.SIGINT


def test_the_end_of_the_input_ends_the_game_at_a_terminal_too() -> None:
    terminal = Terminal("play", "--games", "1")
    terminal.until("Your turn")
    terminal.type("\x04")
    terminal.until("Goodbye.")
    terminal.end()
    assert terminal.process.returncode == 0
