"""`daifugo play` as people use it: real processes, from the command line to the last line, and nothing left behind."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SECONDS = 60.0
"""No test waits longer than this for anything."""
PLAY = (sys.executable, "-m", "clients.daifugo", "play", "--lang", "en")

linux = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="finds processes in /proc")


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
def running(*arguments: str, lines: str = "") -> Iterator[Run]:
    process = subprocess.Popen(
        [*PLAY, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
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


class Ends:
    """Waits for processes that are nobody's children any more."""

    def __init__(self, pids: list[int]) -> None:
        self.files = {os.pidfd_open(pid): pid for pid in pids}

    def wait(self) -> list[int]:
        """Return those that still run after the time allowed."""
        deadline = time.monotonic() + SECONDS
        for file in list(self.files):
            if select.select([file], [], [], max(0.0, deadline - time.monotonic()))[0]:
                del self.files[file]
            os.close(file)
        return list(self.files.values())


def test_the_demo_plays_a_set_and_shows_every_result() -> None:
    with running("--demo") as run:
        output = run.end()
    assert run.process.returncode == 0, output
    assert output.count("Result of game") == 4
    assert output.count("daifugo, 6 points") == 4
    assert output.count("Result of the match:") == 1


def test_whoever_always_takes_the_first_of_the_list_gets_through_a_game() -> None:
    with running("--games", "1", lines="1\n" * 500) as run:
        output = run.end()
    assert run.process.returncode == 0, output
    assert "Result of the match:" in output
    assert re.search(r"^[1-4]\. You, \w+, \d points", output, re.MULTILINE)


def test_the_end_of_the_input_ends_the_game() -> None:
    with running("--games", "1") as run:
        run.until("Game 1 of 1 begins")
        assert run.process.stdin is not None
        run.process.stdin.close()
        assert run.end().endswith("Goodbye.\n")
    assert run.process.returncode == 0


@linux
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, -9)]
)
def test_however_the_game_is_ended_nothing_is_left_running(number: signal.Signals, status: int) -> None:
    with running("--games", "1") as run:
        run.until("Game 1 of 1 begins")
        children = run.children()
        ends = Ends(list(children))
        assert len(children) == 4
        run.process.send_signal(number)
        run.process.wait(run.left())
        assert ends.wait() == []
    assert run.process.returncode == status


@linux
def test_a_stopped_bot_does_not_survive_the_game_either() -> None:
    with running("--games", "1") as run:
        run.until("Game 1 of 1 begins")
        children = run.children()
        ends = Ends(list(children))
        for pid in children:
            os.kill(pid, signal.SIGSTOP)
        run.process.kill()
        assert ends.wait() == []


@linux
def test_a_service_that_dies_ends_the_game_with_a_message() -> None:
    with running("--games", "1") as run:
        run.until("Game 1 of 1 begins")
        children = run.children()
        ends = Ends(list(children))
        os.kill(next(pid for pid, command in children.items() if "services.game" in command), signal.SIGKILL)
        assert "The service" in run.end()
        assert ends.wait() == []
    assert run.process.returncode == 1


@linux
def test_a_bot_that_hangs_or_dies_in_its_turn_does_not_stop_the_match() -> None:
    with running("--demo", "--verbose", "--games", "1", "--idle-seconds", "1") as run:
        run.until("Game 1 of 1 begins")
        bot = next(pid for pid, command in run.children().items() if "--name Aki" in command)
        os.kill(bot, signal.SIGSTOP)
        for _ in range(2):  # one action may have been under way
            run.until(r"^Aki (plays|passes)")
        os.kill(bot, signal.SIGKILL)
        assert "Result of the match:" in run.end()
    assert run.process.returncode == 0


def test_bad_rules_are_refused_by_name() -> None:
    with running("--demo", "--rule", "nine_lives=on") as run:
        assert "nine_lives" in run.end()
    assert run.process.returncode == 1
