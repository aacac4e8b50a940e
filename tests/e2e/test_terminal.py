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
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

pytest.importorskip("readline")
SECONDS = 60.0


class Terminal:
    """A terminal in which a command runs."""

    running: ClassVar[list[subprocess.Popen[bytes]]] = []

    def __init__(self, *arguments: str, size: tuple[int, int] = (24, 80)) -> None:
        self.ours, self.theirs = pty.openpty()
        termios.tcsetwinsize(self.theirs, size)
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
        self.running.append(self.process)

    def until(self, text: str) -> None:
        """Read to a text."""
        while text not in self.screen:
            left = self.deadline - time.monotonic()
            assert select.select([self.ours], [], [], max(0.0, left))[0], self.screen
            self.screen += os.read(self.ours, 65536).decode(errors="replace")
        self.screen = self.screen.partition(text)[2]

    def type(self, text: str) -> None:
        os.write(self.ours, text.encode())

    def close(self) -> None:
        """Close the window. Nobody sends the program a signal: this is not its controlling terminal."""
        os.close(self.theirs)
        os.close(self.ours)

    def end(self) -> None:
        try:
            self.process.wait(max(0.0, self.deadline - time.monotonic()))
            assert termios.tcgetattr(self.theirs) == self.before
        finally:
            self.process.kill()
            self.process.wait()
            os.close(self.ours)
            os.close(self.theirs)


@pytest.fixture(autouse=True)
def nothing_goes_on() -> Iterator[None]:
    """A test that fails leaves nothing running."""
    yield
    while Terminal.running:
        process = Terminal.running.pop()
        process.kill()
        process.wait()


def test_a_line_can_be_edited_and_the_terminal_is_as_before() -> None:
    terminal = Terminal("play", "--plain", "--games", "1")
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
    terminal = Terminal("play", "--plain", "--games", "1")
    terminal.until("Your turn")
    terminal.type("\x04")
    terminal.until("Goodbye.")
    terminal.end()
    assert terminal.process.returncode == 0


MAIN_SCREEN = "\x1b[?1049l"
"""The last that a full screen says: the screen that was there before it comes back."""


def test_the_full_screen_is_drawn_answers_keys_and_gives_the_terminal_back() -> None:
    terminal = Terminal("play", "--games", "1")
    terminal.until("\x1b[?1049h")
    terminal.until("Game 1 of 1")
    terminal.type("l")
    terminal.until("全1")
    terminal.type("q")
    terminal.until("終了しますか")
    terminal.type("\r")
    terminal.until(MAIN_SCREEN)
    terminal.until("終了します。")
    terminal.end()
    assert terminal.process.returncode == 0


@pytest.mark.parametrize("how", ["key", signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_however_the_full_screen_ends_the_terminal_is_given_back(how: str | signal.Signals) -> None:
    terminal = Terminal("play", "--games", "1")
    terminal.until("Game 1 of 1")
    if isinstance(how, signal.Signals):
        terminal.process.send_signal(how)
    else:
        terminal.type("\x03")
    terminal.until(MAIN_SCREEN)
    terminal.end()
    assert terminal.process.returncode == 128 + (how if isinstance(how, signal.Signals) else signal.SIGINT)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds processes in /proc")
def test_a_service_that_dies_takes_the_full_screen_down_and_is_named() -> None:
    terminal = Terminal("play", "--games", "1")
    terminal.until("Game 1 of 1")
    pids = Path(f"/proc/{terminal.process.pid}/task/{terminal.process.pid}/children").read_text().split()
    service = next(pid for pid in pids if "services.game" in Path(f"/proc/{pid}/cmdline").read_text())
    os.kill(int(service), signal.SIGKILL)
    terminal.until(MAIN_SCREEN)
    terminal.until("The service has stopped (killed by signal 9).")
    terminal.end()
    assert terminal.process.returncode == 1


def test_a_window_that_is_closed_ends_the_full_screen_and_all_that_it_started() -> None:
    terminal = Terminal("play", "--games", "1")
    terminal.until("Game 1 of 1")
    terminal.close()
    assert terminal.process.wait(max(0.0, terminal.deadline - time.monotonic())) == 128 + signal.SIGHUP


def test_a_terminal_that_is_too_small_is_played_line_by_line() -> None:
    terminal = Terminal("play", "--games", "1", size=(23, 80))
    terminal.until("To play, type cards")
    terminal.until("Your turn")
    terminal.type("\x04")
    terminal.until("Goodbye.")
    terminal.end()
    assert MAIN_SCREEN not in terminal.screen
