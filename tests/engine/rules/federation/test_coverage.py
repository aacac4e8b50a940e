"""Which articles of the federation's rulebook have tests: every one that says how the game is played."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
NOT_PLAYED = {
    "1": "purpose",
    "2": "scope",
    "3": "how to interpret",
    "4": "text and appendices",
    "78": "which chapter goes before which",
}
ARTICLES = [str(number) for number in range(1, 81)] + ["22-2", "38-2", "65-2"]


def test_every_article_that_speaks_of_play_is_named_by_a_module_of_tests() -> None:
    named = set()
    for path in HERE.glob("test_*.py"):
        for words in re.findall(r"^Articles: JDF (.*)$", path.read_text(), re.MULTILINE):
            named |= set(words.split())
    assert named <= set(ARTICLES)
    assert set(ARTICLES) - named == set(NOT_PLAYED)
