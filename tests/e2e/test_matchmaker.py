"""A service, a matchmaker, bots that wait and a player who comes: real processes, from the ticket to the result."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.services.harness import free_port

Start = Callable[..., AbstractContextManager[Any]]

QUEUES = """
[short]
name = { ja = "短い", en = "Short" }
preset = "jdf4"
sizes = [4]
games = 1
turn_seconds = 0
bots_after_seconds = 0
"""


@dataclass
class Venue:
    """A game service and a matchmaker that are running."""

    game: str
    matchmaker: str
    arguments: tuple[str, ...]
    """How the matchmaker was started."""
    matchmaker_run: Any


def listening(run: Any) -> str:
    found: str = run.until(r"^listening \S+$").split()[1]
    return found


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


@pytest.fixture
def venue(start: Start, stack: ExitStack, tmp_path: Path) -> Venue:
    queues = tmp_path / "queues.toml"
    queues.write_text(QUEUES, encoding="utf-8")
    game = listening(stack.enter_context(start("serve", "--port", "0")))
    arguments = ("--queues", str(queues), "--store", str(tmp_path / "tickets"), "--game-address", game)
    run = stack.enter_context(start("matchmaker", "--port", "0", *arguments))
    return Venue(game, listening(run), arguments, run)


def test_bots_that_wait_play_match_after_match_with_whoever_comes(start: Start, stack: ExitStack, venue: Venue) -> None:
    where = ("--matchmaker", venue.matchmaker)
    bots = stack.enter_context(start("bot", "--queue", "short", "--count", "3", *where))
    for _ in range(2):
        with start("play", "--plain", *where, "--name", "Mio", lines="1\n" * 500) as run:
            assert run.until(r"^Waiting for players .*$") == "Waiting for players (Short). Ctrl-C gives up."
            run.until(r"^The match begins\. Games: 1\.$")
            said = run.end()
        assert run.process.returncode == 0, said
        assert "Result of the match:" in said
        assert "You, " in said
    assert bots.process.poll() is None


def test_four_people_are_brought_to_one_table(start: Start, stack: ExitStack, venue: Venue) -> None:
    where = ("--matchmaker", venue.matchmaker)
    runs = [
        stack.enter_context(start("play", "--plain", *where, "--name", f"Mio {n}", lines="1\n" * 500)) for n in range(4)
    ]
    for run in runs:
        said = run.end()
        assert run.process.returncode == 0, said
        assert "Result of the match:" in said


def test_whoever_gives_up_waits_no_longer_and_says_so(start: Start, venue: Venue) -> None:
    with start("play", "--plain", "--matchmaker", venue.matchmaker) as run:
        run.until(r"^After 0 seconds bots that wait, too, take free seats\.$")
        run.process.send_signal(signal.SIGINT)
        assert run.end().endswith("No longer waiting.\n")
    assert run.process.returncode == 130


def test_a_matchmaker_that_is_killed_goes_on_where_it_was(start: Start, stack: ExitStack, venue: Venue) -> None:
    where = ("--matchmaker", venue.matchmaker)
    with start("play", "--plain", *where, lines="1\n" * 500) as run:
        run.until(r"^Waiting for players")
        venue.matchmaker_run.process.kill()
        run.until(r"^The connection is lost")
        port = venue.matchmaker.rpartition(":")[2]
        listening(stack.enter_context(start("matchmaker", "--port", port, *venue.arguments)))
        run.until(r"^The connection is back")
        stack.enter_context(start("bot", "--queue", "short", "--count", "3", *where))
        said = run.end()
    assert run.process.returncode == 0, said
    assert "Result of the match:" in said


def test_a_bot_that_has_died_comes_back_to_its_seat(start: Start, stack: ExitStack, venue: Venue) -> None:
    where = ("--queue", "short", "--matchmaker", venue.matchmaker)
    stack.enter_context(start("bot", *where, "--count", "2", "--name", "Other"))
    bot = stack.enter_context(start("bot", *where, "--name", "Aki", "--token", "aki"))
    with start("play", "--plain", "--verbose", "--matchmaker", venue.matchmaker) as run:
        run.until(r"^Your turn")
        bot.process.kill()
        stack.enter_context(start("bot", *where, "--name", "Aki", "--token", "aki"))
        run.process.stdin.write("1\n" * 500)
        run.process.stdin.flush()
        said = run.end()
    assert run.process.returncode == 0, said
    assert "Result of the match:" in said


def test_a_matchmaker_that_was_first_serves_as_soon_as_there_is_a_game_service(start: Start, tmp_path: Path) -> None:
    queues, port = tmp_path / "queues.toml", free_port()
    queues.write_text(QUEUES, encoding="utf-8")
    arguments = ("--queues", str(queues), "--game-address", f"127.0.0.1:{port}")
    with start("matchmaker", "--port", "0", *arguments) as matchmaker:
        where = ("--matchmaker", listening(matchmaker))
        with (
            start("play", "--plain", *where, lines="1\n" * 500) as run,
            start("bot", "--queue", "short", *where, "--count", "3"),
        ):
            run.until(r"^Players have been found\.$")
            with start("serve", "--port", str(port)):
                assert "Result of the match:" in run.end()
    assert run.process.returncode == 0


@pytest.mark.parametrize("first", ["matchmaker", "serve"])
def test_a_queue_that_cannot_be_played_ends_the_matchmaker_with_its_name(
    first: str, start: Start, stack: ExitStack, tmp_path: Path
) -> None:
    queues, port = tmp_path / "queues.toml", free_port()
    queues.write_text(QUEUES.replace('"jdf4"', '"none"'), encoding="utf-8")
    arguments = ("--port", "0", "--queues", str(queues), "--game-address", f"127.0.0.1:{port}")
    if first == "serve":
        listening(stack.enter_context(start("serve", "--port", str(port))))
        run = stack.enter_context(start("matchmaker", *arguments))
    else:
        run = stack.enter_context(start("matchmaker", *arguments))
        listening(run)
        listening(stack.enter_context(start("serve", "--port", str(port))))
    assert f"daifugo matchmaker: --queues {queues}: [short] with 4 seats: no preset 'none'" in run.end()
    assert run.process.returncode == 1
