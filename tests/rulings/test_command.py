"""`python -m tests.rulings FILE...` says which rulings fail, and how many."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.rulings.__main__ import main
from tests.rulings.test_notation import ROW


def written(path: Path, *changes: dict[str, Any]) -> str:
    rows = [ROW | {"id": f"T{number}"} | change for number, change in enumerate(changes)]
    path.write_text(yaml.safe_dump({"schema_version": 1, "notation": {}, "rulings": rows}, allow_unicode=True))
    return str(path)


def test_rulings_that_hold_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                written(tmp_path / "a.yaml", {}, {"preset": "none"}),
                written(tmp_path / "b.yaml", {}),
            ]
        )
        == 0
    )
    assert capsys.readouterr().out == "2 passed, 0 failed, 1 skipped\n"


def test_a_ruling_that_fails_is_named_with_what_was_expected_and_what_came(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([written(tmp_path / "a.yaml", {"expect": {"legal": True, "next": "C"}}, {})]) == 1
    assert capsys.readouterr().out == "T0: next: expected C, got B\n1 passed, 1 failed, 0 skipped\n"


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"action": "A: sing"}, "not in the notation"),
        ({"action": "A: give D5"}, "expected a choice"),
        ({"action": "A: play DA; B: play S3"}, "step 2|legal: expected legal, got refused"),
        ({"state": "turn=A; A=DA D5; field=D:H3,S9"}, "cannot be set up"),
        ({"expect": {"legal": False, "code": "not_stronger"}}, "legal: expected refused, got legal"),
        ({"settings": {"joker_count": 0}}, "spade3_counter"),
    ],
)
def test_whatever_goes_wrong_is_said_in_one_line(
    change: dict[str, Any], text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([written(tmp_path / "a.yaml", change)]) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("T0: ")
    assert any(part in first for part in text.split("|"))
    assert last == "0 passed, 1 failed, 0 skipped"


def test_a_file_that_cannot_be_read_is_said_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nothing.yaml")]) == 2
    assert main([]) == 2
    broken = tmp_path / "broken.yaml"
    broken.write_text("rulings: [")
    assert main([str(broken)]) == 2
    assert "nothing.yaml" in capsys.readouterr().err
