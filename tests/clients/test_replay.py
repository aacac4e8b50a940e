"""Stepping through matches that are over, and what is said of them."""

from __future__ import annotations

import argparse
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import StringIO
from pathlib import Path

import pytest

from clients.cli import records as records_command
from clients.cli import replay as replay_command
from clients.cli.console import Console
from clients.cli.records import records
from clients.cli.replay import Player, asked, replay
from clients.cli.replay_texts import TEXTS
from clients.cli.settings import BadSetting
from clients.common.errors import Refused
from clients.common.session import Session
from daifugo.v1 import game_pb2, record_pb2
from tests.services.harness import World, world


async def a_match(w: World, games: int = 2, seed: int = 1) -> str:
    table = await w.table(format=game_pb2.MatchFormat(games=games))
    await w.start(table)
    await w.play(table, seed)
    return w.app.tables.find(table).shown.match_id


def options(*said: str) -> argparse.Namespace:
    return replay_command.parser().parse_args(["--lang", "en", "--token", "p0", *said])


@asynccontextmanager
async def player(w: World, *said: str) -> AsyncIterator[tuple[Player, StringIO]]:
    wanted, target = options(*said), StringIO()
    async with Session(w.address, "p0") as session:
        made = Player(session, asked(wanted), Console(StringIO(), target), wanted)
        await made.begin()
        yield made, target


async def test_a_match_is_told_from_its_beginning_to_its_end() -> None:
    async with world() as w:
        match_id = await a_match(w)
        async with player(w, match_id) as (p, target):
            p.show_all()
        text = target.getvalue()
        assert text.startswith("-- 0/")
        assert text.count("Result of the match:") == 1
        assert text.count("\n-- ") == p.seen.last
        # every hand is shown
        assert all(f"P{seat}'s hand" in text or f"P{seat}" in text for seat in range(4))


async def test_one_steps_forward_and_back_and_jumps() -> None:
    async with world() as w, player(w, await a_match(w)) as (p, _):
        there = [await p.obey(["n"]), await p.obey([]), p.at]
        assert there == [True, True, 2]
        assert await p.obey(["b"])
        assert p.at == 1
        assert await p.obey(["g", "2"])
        assert (p.seen.views[p.at].game, p.seen.views[p.at - 1].game) == (2, 1)
        for word, at in (("last", p.seen.last), ("first", 0), ("17", 17), ("99999", p.seen.last)):
            assert await p.obey([word])
            assert p.at == at
        assert await p.obey(["n"])
        assert p.at == p.seen.last, "there is nothing after the end"
        for nonsense in (["g", "9"], ["s", "Q"], ["s"], ["what"], ["-1"]):
            assert not await p.obey(nonsense)


async def test_one_sees_with_the_eyes_of_any_seat_or_of_all() -> None:
    async with world() as w, player(w, await a_match(w), "--public", "--at", "9") as (p, target):
        p.at = 9
        assert not p.seen.views[9].hands_shown
        assert await p.obey(["s", "c"])
        assert (p.at, p.seen.views[9].seat) == (9, 2)
        assert p.seen.views[9].hand
        p.show()
        assert "the eyes of seat C" in target.getvalue()
        assert await p.obey(["all"])
        assert p.seen.views[9].hands_shown


async def test_the_trace_says_which_rule_made_what_and_from_what_it_follows() -> None:
    async with world() as w:
        async with player(w, await a_match(w), "--trace") as (p, target):
            p.show_all()
        lines = target.getvalue().splitlines()
        assert any(line.endswith("field_flushed 8-cut (eight_cut)") or "(eight_cut)" in line for line in lines)
        assert any(line.startswith("  3 <2 ") for line in lines)


async def test_a_file_is_shown_by_a_service_of_its_own(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async with world() as w:
        match_id = await a_match(w, games=1)
        for form in ("kifu", "json", "binary"):
            path = tmp_path / form
            await said(w, "export", match_id, "--format", form, "--out", str(path))
            assert path.stat().st_size > 500
    target = StringIO()
    await replay(options(str(tmp_path / "kifu"), "--seat", "B"), Console(StringIO(), target))
    assert "Result of the match:" in target.getvalue()
    assert "the eyes of seat B" in target.getvalue()


async def said(w: World, *arguments: str, token: str = "p0", language: str = "en") -> str:
    """Run a command of `daifugo records`; return what it says."""
    target = StringIO()
    wanted = records_command.parser().parse_args(
        ["--lang", language, "--token", token, "--address", w.address, *arguments]
    )
    await records(wanted, Console(StringIO(), target))
    return target.getvalue()


async def test_records_are_listed_shown_and_checked(tmp_path: Path) -> None:
    async with world() as w:
        match_id = await a_match(w)
        assert (await said(w, "list", token="stranger")).startswith("You have no records here.")
        (line,) = (await said(w, "list")).splitlines()
        assert await said(w, "list", "--all", token="stranger") == line + "\n"
        assert match_id in line
        assert "A P0 (" in line
        shown = (await said(w, "show", match_id)).splitlines()
        assert shown[0] == line
        assert [row.split("  ")[0] for row in shown[1:]] == ["Game 1", "Game 2"]
        assert "第2ゲーム" in await said(w, "show", match_id, language="ja")
        path = tmp_path / "match.kifu"
        await said(w, "export", "--out", str(path))
        assert path.read_text(encoding="utf-8").startswith("大富豪棋譜 1")
        assert f"{path}: every match can be replayed (1)." in await said(w, "import", str(path))
        path.write_text(path.read_text(encoding="utf-8").replace("試合：", "試し：", 1), encoding="utf-8")
        with pytest.raises(Refused, match="line 2"):
            await said(w, "import", str(path))
        with pytest.raises(BadSetting, match="There is no file"):
            await said(w, "import", str(tmp_path / "nothing"))
        await said(w, "forget")
        assert (await said(w, "list")).startswith("You have no records here.")


def test_what_is_no_file_is_the_id_of_a_match(tmp_path: Path) -> None:
    assert asked(options("5f2c9d")).match_id == "5f2c9d"
    for path in (str(tmp_path / "a"), "match.kifu"):
        with pytest.raises(BadSetting, match="There is no file"):
            asked(options(path))
    request = asked(options("5f2c9d", "--seat", "C"))
    assert (request.eyes, request.seat) == (record_pb2.RECORD_EYES_SEAT, 2)


@pytest.mark.parametrize("key", TEXTS)
def test_both_languages_say_the_same_things(key: str) -> None:
    text = TEXTS[key]
    assert sorted(part.split("}")[0] for part in text.ja.split("{")[1:]) == sorted(
        part.split("}")[0] for part in text.en.split("{")[1:]
    )
