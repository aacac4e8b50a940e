"""The command line as people meet it: pipes that close, poor terminals, languages, and what can be played."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from clients.cli.processes import Part
from clients.cli.texts import Words
from clients.daifugo import main
from engine.available import can_be_played, is_available
from engine.catalogue import entries, presets
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
    for entry in entries().values():
        if entry.kind == "rule" and entry.settings and entry.settings[0].type == "word" and not marked[entry.id]:
            main_setting = entry.settings[0]
            others = [word for word in main_setting.words if word != main_setting.default]
            assert any(is_available(main_setting.id, word) for word in others), entry.id


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en_GB.UTF-8", "joker_count = 7 is not possible"),
        ("ja_JP.UTF-8", "joker_count = 7 は範囲外です"),
    ],
)
def test_a_setting_is_refused_in_the_language_of_the_locale(
    locale: str, text: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    assert main(["simulate", "--rule", "joker_count=7"]) == 2
    problems = capsys.readouterr().err.splitlines()
    assert len(problems) == 1
    assert problems[0].startswith(text)


@pytest.mark.parametrize("word", ["six_cut_condition", "6切りの条件", "when six cut works"])
def test_a_rule_is_explained_in_both_languages(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", word]) == 0
    said = capsys.readouterr().out
    entry = entries()["six_cut_condition"]
    assert entry.text.ja in said
    assert entry.text.en in said
    assert "six_cut_condition = always | revolution_only  (default always)" in said
    assert "  revolution_only: 革命中だけ / in a revolution only" in said
    assert "needs     six_cut = true" in said
    assert "sources   000:L222 002:L129" in said


def test_every_rule_can_be_explained(capsys: pytest.CaptureFixture[str]) -> None:
    for entry in entries().values():
        assert main(["rules", "explain", entry.id]) == 0
        assert entry.text.en in capsys.readouterr().out


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en_GB.UTF-8", "there is no rule 'four_sto'; did you mean four_stop"),
        ("ja_JP.UTF-8", "ルール 'four_sto' はありません（four_stop"),
    ],
)
def test_a_rule_that_does_not_exist_is_not_explained(
    locale: str, text: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    assert main(["rules", "explain", "four_sto"]) == 2
    assert capsys.readouterr().err.startswith(text)


def test_a_preset_can_be_named_without_its_flag(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "show", "jdf5", "--rule", "four_stop=true"]) == 0
    named = capsys.readouterr().out
    assert main(["rules", "show", "--preset", "jdf5", "--rule", "four_stop=true"]) == 0
    assert named == capsys.readouterr().out
    assert named.startswith("preset jdf5\n")
    assert "four_stop" in named


def test_one_game_is_no_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--games", "1"]) == 0
    assert capsys.readouterr().out.startswith("1 game of jdf4 ")


@pytest.mark.parametrize("flag", ["--games", "--seats", "--seat", "--turn-seconds", "--idle-seconds", "--bots"])
@pytest.mark.parametrize("value", ["-1", "99999999999", "many", "9" * 5000])
def test_numbers_out_of_bounds_are_refused_by_name(flag: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["play", f"{flag}={value}"])
    assert flag in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("status", "log", "text"),
    [
        (-9, '{"event": "listening", "level": "info"}', "killed by signal 9"),
        (
            1,
            '{"event": "bug", "error_type": "KeyError", "level": "error"}\n{"event": "x", "level": "info"}',
            "bug: KeyError",
        ),
        (1, "I1130 03:42:12 chttp2: Got goaway\n", "exit status 1"),
        (1, "daifugo serve: cannot listen\n", "daifugo serve: cannot listen"),
        (3, "", "exit status 3"),
    ],
)
def test_what_is_told_of_a_process_that_has_died(status: int, log: str, text: str, tmp_path: Path) -> None:
    said = tmp_path / "log"
    said.write_text(log)
    process = SimpleNamespace(returncode=status)
    assert Part("the service", process, said).ending(Words("en")) == text  # type: ignore[arg-type]  # only its status is read
