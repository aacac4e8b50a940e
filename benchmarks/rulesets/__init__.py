"""Rulesets for benchmarks: every preset that can be played, and the files beside this one.

python -m benchmarks.rulesets     writes these files anew, after new rules have come
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from engine.catalogue import Value, entries, presets
from engine.ruleset import Ruleset, RulesetError, make_ruleset, parse_ruleset

FOLDER: Final = Path(__file__).parent
BASE: Final = "jdf4"
"""What other rulesets are measured against."""
FILES: Final[dict[str, Sequence[str]]] = {"every_rule": (), "no_effects_of_ranks": ("rank_effect", "extra_play")}
"""The files, and the families that each leaves out."""


def ruleset(name: str) -> Ruleset:
    """Return a ruleset by the name of its file or preset."""
    path = FOLDER / f"{name}.txt"
    return parse_ruleset(path.read_text()) if path.exists() else make_ruleset(name, {}, None)


def names() -> list[str]:
    """List what can be measured here, the base first."""
    playable = [name for name in ("qdan",) if name in presets() and can_be_made(name, {})]
    return [BASE, *playable, *sorted(path.stem for path in FOLDER.glob("*.txt"))]


def every_rule(without: Sequence[str] = ()) -> Ruleset:
    """Switch on, in the catalogue's order, every rule that can be played and goes with the ones before.

    `without` names families that are left out.
    """
    values: dict[str, Value] = {}
    for entry in entries().values():
        if entry.kind == "rule" and entry.settings and entry.family not in without:
            main = entry.settings[0]
            if main.type == "bool" and not main.default and can_be_made(BASE, values | {main.id: True}):
                values[main.id] = True
    return make_ruleset(BASE, values)


def can_be_made(preset: str, values: dict[str, Value]) -> bool:
    """Say whether a ruleset can be played."""
    try:
        make_ruleset(preset, values, None)
    except RulesetError:
        return False
    return True
