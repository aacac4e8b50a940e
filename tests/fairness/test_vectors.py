"""The golden vectors of shuffles hold, and the page that explains them computes what it prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from tests.fairness.vectors import FILE, text


def test_the_engine_and_the_service_still_make_the_golden_vectors() -> None:
    assert FILE.read_text() == text(), "`python -m tests.fairness` writes them anew, if every deal is meant to change"


@pytest.mark.parametrize("page", ["fairness.md", "fairness.ja.md"])
def test_the_program_on_the_page_prints_what_the_page_says(page: str, tmp_path: Path) -> None:
    blocks = (ROOT / "docs" / page).read_text().split("```")
    program = next(block.removeprefix("python\n") for block in blocks if block.startswith("python\n"))
    printed = next(block.strip() for block in blocks if block.strip().startswith("commitment"))
    alone = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert alone.returncode == 0, alone.stderr
    assert alone.stdout.strip() == printed
