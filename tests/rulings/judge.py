"""Judging a ruling: it holds, it does not, or it speaks of what this version does not have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.reasons import IllegalAction
from engine.ruleset import NOT_AVAILABLE, UNKNOWN_PRESET, UNKNOWN_SETTING, Ruleset, check_ruleset
from tests.rulings.given import translate
from tests.rulings.notation import NotationError, Ruling, parse_ruling
from tests.rulings.outcome import differences
from tests.rulings.position import FILLINGS, CannotSetUp, NotAsked, run

PASSED: Final = "passed"
FAILED: Final = "failed"
SKIPPED: Final = "skipped"
NOT_YET: Final = frozenset({UNKNOWN_PRESET, UNKNOWN_SETTING, NOT_AVAILABLE})
"""What is wrong with a ruleset that does not exist yet."""


@dataclass(frozen=True)
class Verdict:
    """What came of a ruling, and why."""

    id: str
    result: str
    text: str = ""


def judge_row(row: Mapping[str, object]) -> Verdict:
    """Judge a ruling as it stands in a file."""
    try:
        return judge(parse_ruling(row))
    except NotationError as error:
        name, _, text = str(error).partition(": ")
        return Verdict(name, FAILED, f"not in the notation: {text}")


def judge(ruling: Ruling) -> Verdict:
    """Judge a ruling with several fillings; the first that fails decides."""
    try:
        ruleset, problems = check_ruleset(ruling.preset, translate(ruling.settings), ruling.position.players)
    except (ValueError, AssertionError) as error:
        return Verdict(ruling.id, FAILED, f"settings that cannot be read: {error}")
    if {problem.kind for problem in problems} & NOT_YET:
        return Verdict(ruling.id, SKIPPED, "; ".join(problem.text_en for problem in problems))
    if problems or ruleset is None:
        return Verdict(ruling.id, FAILED, "; ".join(problem.text_en for problem in problems))
    for filling in range(FILLINGS):
        text = said(ruling, ruleset, filling)
        if text:
            return Verdict(ruling.id, FAILED, text)
    return Verdict(ruling.id, PASSED)


def said(ruling: Ruling, ruleset: Ruleset, filling: int) -> str:
    """Say what is wrong with one filling, or nothing."""
    try:
        return "; ".join(differences(run(ruling, ruleset, filling)))
    except NotAsked as error:
        return f"expected a choice, got none: {error}"
    except CannotSetUp as error:
        return f"cannot be set up: {error}"
    except IllegalAction as error:
        return f"cannot be set up: what went before is refused ({error})"
