"""What a player is told who waits at a matchmaker."""

from __future__ import annotations

import asyncio
from io import StringIO
from pathlib import Path

import pytest

from clients.cli import options as command_lines
from clients.cli.console import Console
from clients.cli.home import queue
from clients.cli.play import main
from clients.cli.settings import BadSetting
from clients.cli.waiting import Waiting
from daifugo.v1 import matchmaker_pb2 as m
from daifugo.v1 import rules_pb2
from services.matchmaker.queues import read
from tests.services.office import Office, office


def waiting(o: Office, *arguments: str) -> tuple[Waiting, StringIO]:
    said = StringIO()
    line = ["--matchmaker", o.app.server.address, "--token", "p0", "--lang", "en", *arguments]
    return Waiting(command_lines.play().parse_args(line), Console(StringIO(), said)), said


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), ["Choose what to wait for, with --queue:", "  federation: Federation rules, four players. Seats: 4. "]),
        (("--queue", "none"), ["--queue none: there is no such queue.", "Choose what to wait for, with --queue:"]),
        (("--queue", "quick", "--seats", "5"), ["--seats 5: Federation rules, one game is for 4 players."]),
        (
            ("--lang", "ja"),
            ["待ち行列を --queue で選んでください:", "  federation: 公式ルール 4人、4人、待っている人 0人"],
        ),
    ],
)
async def test_queues_are_listed_where_it_is_not_clear_which(arguments: tuple[str, ...], told: list[str]) -> None:
    async with office() as o:
        with pytest.raises(BadSetting) as problem:
            await waiting(o, *arguments)[0].seat()
        lines = str(problem.value).splitlines()
        assert [line[: len(part)] for line, part in zip(lines, told)] == told


async def test_the_only_queue_needs_no_name(tmp_path: Path) -> None:
    file = tmp_path / "queues.toml"
    file.write_text('[one]\nname = { ja = "一", en = "One" }\npreset = "jdf4"\nsizes = [4]\n')
    async with office(queues=str(file)) as o:
        mine, said = waiting(o)
        seat = asyncio.ensure_future(mine.seat())
        for token in ("p1", "p2", "p3"):
            await o.take(token, queue_id="one")
        assert (await seat).seat in range(4)
        assert said.getvalue().splitlines()[0] == "Waiting for players (One). Ctrl-C gives up."


async def test_whoever_gives_up_is_told_so_and_waits_no_longer() -> None:
    async with office() as o:
        mine, said = waiting(o, "--queue", "federation")
        seat = asyncio.ensure_future(mine.seat())
        await o.until_waiting(1)
        seat.cancel()
        await asyncio.gather(seat, return_exceptions=True)
        assert (await o.get("p0")).state == m.TICKET_STATE_DELETED
        assert said.getvalue().splitlines() == [
            "Waiting for players (Federation rules, four players). Ctrl-C gives up.",
            "After 15 seconds bots that wait, too, take free seats.",
            "No longer waiting.",
        ]


async def test_whoever_comes_back_to_a_match_is_brought_to_the_seat_of_before() -> None:
    async with office() as o:
        for token in ("p0", "p1", "p2", "p3"):
            await o.take(token)
        found = (await o.until("p0", m.TICKET_STATE_ASSIGNED)).assignment
        mine, said = waiting(o, "--queue", "federation")
        assert await mine.seat() == found
        assert said.getvalue().splitlines() == ["Back to the seat of before."]


@pytest.mark.parametrize(
    "arguments",
    [["--games", "1"], ["--rule", "eight_cut=off"], ["--address", "x:1"], ["--bots", "2"], ["--turn-seconds", "5"]],
)
def test_what_the_queue_decides_cannot_be_asked_for(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--matchmaker", "localhost:50052", *arguments])
    assert f"{arguments[0]} is not for a --matchmaker" in capsys.readouterr().err


def test_a_queue_is_for_a_matchmaker(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--queue", "quick"])
    assert "--queue is for waiting at a --matchmaker" in capsys.readouterr().err


def test_the_queue_of_a_game_at_home_is_read_as_it_was_written() -> None:
    settings = [
        rules_pb2.Setting(id="eight_cut", flag=False),
        rules_pb2.Setting(id="turn_time_limit", number=5),
        rules_pb2.Setting(id="six_cut_condition", word='a "word"\n'),
        rules_pb2.Setting(id="rule.parameter", numbers=rules_pb2.Numbers(values=[3, -1])),
    ]
    ruleset = rules_pb2.Ruleset(preset="jdf5", settings=settings, seats=5)
    options = command_lines.play().parse_args(["--games", "3", "--turn-seconds", "9"])
    (found,) = read("\n".join(queue(ruleset, options))).values()
    assert (found.preset, found.sizes, found.games, found.turn_seconds) == ("jdf5", (5,), 3, 9)
    assert (found.choice_seconds, found.idle_seconds, found.bots_after_seconds) == (3600, 3600, 0)
    assert dict(found.settings) == {
        "eight_cut": False,
        "turn_time_limit": 5,
        "six_cut_condition": 'a "word"\n',
        "rule.parameter": (3, -1),
    }
