"""The program in docs/simulate.md runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent.parent / "docs" / "simulate.md"


def test_the_program_of_the_page_plays_four_games(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    exec(compile(code, str(PAGE), "exec"), {})
    games = capsys.readouterr().out.splitlines()
    assert len(games) == 4
    assert all(sorted(re.findall(r"\d+", places)) == ["0", "1", "2", "3"] for places in games)
