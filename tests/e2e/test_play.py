"""`daifugo play` as people use it: real processes, from the command line to the last line, and nothing left behind."""

from __future__ import annotations

import os
import re
import select
import signal
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.services.harness import free_port

SECONDS = 60.0
"""Nobody waits longer than this for the end of a process."""
Start = Callable[..., AbstractContextManager[Any]]

linux = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="finds processes in /proc")


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


def test_the_demo_plays_a_set_and_shows_every_result(start: Start) -> None:
    with start("play", "--demo") as run:
        output = run.end()
    assert run.process.returncode == 0, output
    assert output.count("Result of game") == 4
    assert output.count("daifugo, 6 points") == 4
    assert output.count("Result of the match:") == 1


def test_the_record_of_a_match_at_home_can_be_kept_and_checked(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    with start("play", "--demo", "--games", "1", "--save", str(path)) as run:
        assert f"The record is in {path}" in run.end()
    assert run.process.returncode == 0
    with start("replay", str(path)) as again:
        assert "Result of the match:" in again.end()
    with start("verify", str(path)) as verify:
        assert "is what the record says" in verify.end()
    assert verify.process.returncode == 0


def test_of_a_match_that_is_not_over_nothing_is_kept(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    with start("play", "--games", "1", "--save", str(path), lines="q\n") as run:
        assert "Nothing is saved" in run.end()
    assert not path.exists()


def test_whoever_always_takes_the_first_of_the_list_gets_through_a_game(start: Start) -> None:
    with start("play", "--games", "1", lines="1\n" * 500) as run:
        output = run.end()
    assert run.process.returncode == 0, output
    assert "Result of the match:" in output
    assert re.search(r"^[1-4]\. You, \w+, \d points", output, re.MULTILINE)


def test_the_end_of_the_input_ends_the_game(start: Start) -> None:
    with start("play", "--games", "1") as run:
        run.until("Game 1 of 1 begins")
        assert run.process.stdin is not None
        run.process.stdin.close()
        assert run.end().endswith("Goodbye.\n")
    assert run.process.returncode == 0


@linux
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, -9)]
)
def test_however_the_game_is_ended_nothing_is_left_running(start: Start, number: signal.Signals, status: int) -> None:
    with start("play", "--games", "1") as run:
        run.until("Game 1 of 1 begins")
        children = run.children()
        ends = Ends(list(children))
        assert len(children) == 5
        run.process.send_signal(number)
        run.process.wait(run.left())
        assert ends.wait() == []
    assert run.process.returncode == status


@linux
def test_a_stopped_bot_does_not_survive_the_game_either(start: Start) -> None:
    with start("play", "--games", "1") as run:
        run.until("Game 1 of 1 begins")
        children = run.children()
        ends = Ends(list(children))
        for pid in children:
            os.kill(pid, signal.SIGSTOP)
        run.process.kill()
        assert ends.wait() == []


@linux
def test_a_service_that_dies_ends_the_game_with_a_message(start: Start) -> None:
    with start("play", "--games", "1") as run:
        run.until("Game 1 of 1 begins")
        children = run.children()
        ends = Ends(list(children))
        os.kill(next(pid for pid, command in children.items() if "services.game" in command), signal.SIGKILL)
        assert run.end().endswith("The service has stopped (killed by signal 9).\n")
        assert ends.wait() == []
    assert run.process.returncode == 1


@linux
def test_a_bot_that_hangs_or_dies_in_its_turn_does_not_stop_the_match(start: Start) -> None:
    with start("play", "--demo", "--verbose", "--games", "1", "--idle-seconds", "1") as run:
        run.until("Game 1 of 1 begins")
        bot = next(pid for pid, command in run.children().items() if "--name Aki" in command)
        os.kill(bot, signal.SIGSTOP)
        for _ in range(2):  # one action may have been under way
            run.until(r"^Aki (plays|passes)")
        os.kill(bot, signal.SIGKILL)
        assert "Result of the match:" in run.end()
    assert run.process.returncode == 0


@linux
def test_a_bot_that_dies_comes_back_to_its_seat(start: Start) -> None:
    with start("play", "--plain", "--games", "1") as run:
        run.until(r"^Your turn")
        bot = next(pid for pid, command in run.children().items() if "--name Aki" in command)
        os.kill(bot, signal.SIGKILL)
        run.until(r"^Aki had stopped and was started again\.$")
        run.process.stdin.write("1\n" * 500)
        run.process.stdin.flush()
        assert "Result of the match:" in run.end()
    assert run.process.returncode == 0


@linux
def test_a_matchmaker_that_dies_does_not_end_the_game(start: Start) -> None:
    with start("play", "--plain", "--games", "1") as run:
        run.until(r"^Your turn")
        matchmaker = next(pid for pid, command in run.children().items() if "services.matchmaker" in command)
        os.kill(matchmaker, signal.SIGKILL)
        run.process.stdin.write("1\n" * 500)
        run.process.stdin.flush()
        assert "Result of the match:" in run.end()
    assert run.process.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--preset", "none"), "none"),
        (("--rule", "eight_cut=maybe"), "eight_cut"),
        (("--rule", "nine_lives=on", "--lang", "ja"), "設定 'nine_lives' はありません"),
        (("--seats", "40"), "40"),
    ],
)
def test_what_cannot_be_played_at_home_is_refused_by_name(start: Start, arguments: tuple[str, ...], said: str) -> None:
    with start("play", *arguments) as run:
        output = run.end()
    assert run.process.returncode == 1
    assert said in output
    assert "Traceback" not in output


def test_what_the_environment_says_to_other_matchmakers_is_not_for_this_one(start: Start, tmp_path: Path) -> None:
    said = {"STORE": str(tmp_path / "store"), "TABLE_ADDRESS": "nowhere.invalid:1", "ADMIN_PORT": str(free_port())}
    with start("play", "--plain", "--games", "1", **{f"DAIFUGO_{name}": value for name, value in said.items()}) as run:
        run.until(r"^Your turn")
    assert not (tmp_path / "store").exists()


def test_bad_rules_are_refused_by_name(start: Start) -> None:
    with start("play", "--demo", "--rule", "nine_lives=on") as run:
        assert "nine_lives" in run.end()
    assert run.process.returncode == 1


@pytest.mark.parametrize("command", [("play",), ("watch", "--table", "t"), ("bot", "--table", "t")])
def test_a_service_that_is_not_there_is_named_by_its_address(start: Start, command: tuple[str, ...]) -> None:
    with start(*command, "--address", "nowhere.invalid:1") as run:
        output = run.end()
    assert run.process.returncode == 1
    assert output.removeprefix("Starting.\n").count("\n") == 1
    assert "service at nowhere.invalid:1" in output


def test_a_terminal_without_japanese_can_still_play_in_it(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("PYTHONUTF8", "0"), ("PYTHONCOERCECLOCALE", "0"), ("PYTHONIOENCODING", "ascii")):
        monkeypatch.setenv(name, value)
    with start("play", "--demo", "--lang", "ja", "--games", "1", LC_ALL="C") as run:
        output = run.end()
    assert run.process.returncode == 0, output
    assert "1? " in output
