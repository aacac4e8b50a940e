"""The command line as people meet it: pipes that close, poor terminals, languages, and what can be played."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from clients.daifugo import main
from engine.catalogue import entries, presets
from engine.cli import can_be_played
from engine.ruleset import check_ruleset

DAIFUGO = f"{sys.executable} -P -m clients.daifugo"


def run(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    settings = {**os.environ, "LC_ALL": "C.UTF-8", **environment}
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=settings, timeout=60)


@pytest.mark.parametrize("command", ["rules list", "simulate --games 1"])
def test_a_reader_that_leaves_is_no_mistake(command: str) -> None:
    ended = run(f"{DAIFUGO} {command} | (exec <&-; sleep 0)")
    assert ended.stderr == ""


def test_a_terminal_without_japanese_gets_question_marks() -> None:
    ended = run(f"{DAIFUGO} rules presets", PYTHONIOENCODING="ascii")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "jdf4 " in ended.stdout
    assert "?" in ended.stdout


def test_presets_and_rules_that_cannot_be_played_yet_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "presets"]) == 0
    marked = {line.split()[0]: "not in this version" in line for line in capsys.readouterr().out.splitlines()}
    assert marked == {preset: bool(check_ruleset(preset)[1]) for preset in presets()}
    assert main(["rules", "list"]) == 0
    marked = {line.split()[0]: "not in this version" in line for line in capsys.readouterr().out.splitlines()}
    assert marked == {entry.id: not can_be_played(entry) for entry in entries().values()}
    assert not marked["seven_pass"]


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en_GB.UTF-8", "this version plays the presets jdf4, jdf3, jdf5; "),
        ("ja_JP.UTF-8", "このバージョンで使えるプリセットは jdf4、jdf3、jdf5 です。"),
    ],
)
def test_a_preset_is_refused_in_the_language_of_the_locale(
    locale: str, text: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    other = next(preset for preset in presets() if check_ruleset(preset)[1])
    assert main(["simulate", "--preset", other]) == 2
    problems = capsys.readouterr().err.splitlines()
    assert len(problems) == 1
    assert problems[0].startswith(text)


def test_one_game_is_no_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--games", "1"]) == 0
    assert capsys.readouterr().out.startswith("1 game of jdf4 ")
