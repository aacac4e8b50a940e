"""The five-minute start works as printed: every command of the page is run here, on other ports than it names."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.docs.pages import ROOT, blocks, commands, page
from tests.e2e.conftest import Run
from tests.services.harness import free_port

PAGE: Final = page("start.md")
GROUPS: Final = {
    "game": r"make play",
    "again": r"\S+/daifugo (replay|verify) ",
    "demo": r"make demo",
    "alone": r"\S+ -m benchmarks|\S+/daifugo (rules|simulate) ",
    "serve": r"\S+/daifugo serve ",
    "host": r"\S+/daifugo play --address ",
    "bot": r"\S+/daifugo bot --address ",
    "watch": r"\S+/daifugo watch ",
    "matchmaker": r"\S+/daifugo matchmaker",
    "queue": r"\S+/daifugo bot --matchmaker ",
    "wait": r"\S+/daifugo play --matchmaker ",
    "numbers": r"curl ",
}
"""How the commands begin that each test runs."""
FIRST_OF_THE_LIST: Final = "1\n" * 2000

Shell = Callable[..., AbstractContextManager[Run]]


def lines(group: str) -> list[str]:
    """List the commands of the page that belong to a group."""
    return [line for line in commands(PAGE) if re.match(GROUPS[group], line)]


@pytest.fixture
def shell(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """Runs lines as they are printed, in a folder that is the repository with the Python of these tests in .venv.

    `make` takes for granted that everything is prepared.
    """
    for entry in ROOT.iterdir():
        if entry.name != ".venv":
            (tmp_path / entry.name).symlink_to(entry)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    tools = tmp_path_factory.mktemp("tools")
    (tools / "make").write_text(f'#!/bin/sh\nexec {shutil.which("make")} -o setup "$@"\n')
    (tools / "make").chmod(0o755)
    path = os.pathsep.join([str(tools), os.environ["PATH"]])

    @contextmanager
    def run(line: str, typed: str = "", **environment: str) -> Iterator[Run]:
        process = subprocess.Popen(
            ["bash", "-c", line],
            cwd=tmp_path,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PATH": path, "LC_ALL": "C.UTF-8", **environment},
        )
        assert process.stdin is not None
        try:
            process.stdin.write(typed)
            process.stdin.flush()
            yield Run(process)
        finally:
            process.terminate()
            with contextlib.suppress(BrokenPipeError), process:
                pass

    return run


@pytest.fixture
def ports() -> dict[str, str]:
    """Other ports for those that the page names."""
    return {named: str(free_port()) for named in ("50051", "50052", "9090")}


@pytest.fixture
def typed(ports: dict[str, str]) -> Callable[[str], str]:
    """Puts the other ports into a command."""
    return lambda line: re.sub(r"(?<=[: ])(50051|50052|9090)\b", lambda found: ports[found[1]], line)


@pytest.fixture
def service(shell: Shell, ports: dict[str, str], typed: Callable[[str], str]) -> Iterator[Run]:
    """The service of the page."""
    (line,) = lines("serve")
    with shell(typed(line), DAIFUGO_PORT=ports["50051"]) as run:
        run.until("^listening ")
        yield run


def test_every_command_of_the_page_is_run_by_a_test() -> None:
    for line in commands(PAGE):
        assert [group for group, begins in GROUPS.items() if re.match(begins, line)], line
    assert all(lines(group) for group in GROUPS)


@pytest.mark.parametrize("line", lines("game"))
def test_a_game_is_played_to_its_end(line: str, shell: Shell) -> None:
    with shell(line, FIRST_OF_THE_LIST) as play:
        said = play.end()
    assert play.process.returncode == 0, said
    assert said.count("Result of game") == (1 if "--games 1" in line else 4)
    assert "Result of the match:" in said


def test_a_match_is_looked_at_again(shell: Shell) -> None:
    (line,) = [line for line in lines("game") if "--save" in line]
    with shell(line, FIRST_OF_THE_LIST) as play:
        said = play.end()
    assert play.process.returncode == 0, said
    for line, expected in zip(lines("again"), ("Result of the match:", "is what the record says"), strict=True):
        with shell(line) as run:
            assert expected in run.end()
        assert run.process.returncode == 0


@pytest.mark.parametrize("line", [*lines("demo"), *lines("alone")])
def test_what_needs_nobody_comes_to_its_end(line: str, shell: Shell) -> None:
    with shell(line) as run:
        said = run.end()
    assert run.process.returncode == 0, said
    assert len(said.splitlines()) > 5


def test_people_bots_and_spectators_come_together_at_a_table(
    shell: Shell, service: Run, typed: Callable[[str], str]
) -> None:
    (host,), (bot,), (watch,), ((_, told),) = lines("host"), lines("bot"), lines("watch"), blocks(PAGE, "")
    with shell(typed(host)) as play:
        said = play.until(re.escape(typed(told)).replace("5c0e…", r"\w+"))
        table = said.split()[-1]
        with shell(typed(watch)) as spectator, shell(typed(bot).replace("5c0e…", table)) as other:
            spectator.until(f"Watching table {table}")
            assert play.process.stdin is not None
            play.process.stdin.write(FIRST_OF_THE_LIST)
            play.process.stdin.flush()
            for run in (play, spectator):
                assert "Result of the match:" in run.end()
            other.end()
    assert [run.process.returncode for run in (play, spectator, other)] == [0, 0, 0]


def test_bots_that_wait_in_the_queue_play_with_whoever_comes(
    shell: Shell, service: Run, typed: Callable[[str], str], ports: dict[str, str]
) -> None:
    (matchmaker,), (queue,), (wait,) = lines("matchmaker"), lines("queue"), lines("wait")
    addresses = {"DAIFUGO_PORT": ports["50052"], "DAIFUGO_GAME_ADDRESS": f"127.0.0.1:{ports['50051']}"}
    with shell(matchmaker, **addresses) as run, shell(typed(queue)):
        run.until("^listening ")
        with shell(typed(wait), FIRST_OF_THE_LIST) as play:
            assert "Result of the match:" in play.end()


@pytest.mark.skipif(shutil.which("curl") is None, reason="the page takes curl for granted, this machine has none")
def test_the_service_tells_its_numbers(shell: Shell, service: Run, typed: Callable[[str], str]) -> None:
    (line,) = lines("numbers")
    with shell(typed(line)) as run:
        assert re.search(r"^daifugo_games_total \d", run.end(), re.MULTILINE)
