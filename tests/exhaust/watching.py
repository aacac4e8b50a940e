"""Seeing which rules act: a program whose rules tell when one of their phases does something."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, Final

from engine.program import Program
from engine.rules.base import ALL, Rule
from engine.ruleset import Ruleset
from engine.state import NORMAL_PROGRAM, State

NOTHING_SAID: Final[tuple[object, ...]] = (0, False, None, [])
"""What a phase answers when a rule has nothing to say."""
NOTHING: Final[dict[str, tuple[object, ...]]] = {"narrows": (ALL,)}
"""The same, of phases in which that is something else."""

BY_NAME: Final = ("counters", "acted", "settled")
"""Phases in which a rule is found by its name."""


class Watched(Program):
    """A program that notes each (phase, rule) which refused, offered, changed or told something."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.acted: set[tuple[str, str]] = set()
        super().__init__(ruleset)
        for rule in list(self.rules.values()):
            for name in BY_NAME:
                self.rules[rule.id] = self.watch(name, self.rules[rule.id])

    def phase(self, name: str, number: int = NORMAL_PROGRAM) -> tuple[Rule, ...]:
        return tuple([self.watch(name, rule) for rule in super().phase(name, number)])

    def watch(self, name: str, rule: Rule) -> Rule:
        """Return a rule that does the same and notes when it does anything in a phase."""
        twin = copy(rule)
        for each in (name, "opens") if name == "counters" else (name,):
            setattr(twin, each, self.noting(each, rule.id, getattr(rule, each)))
        return twin

    def noting(self, name: str, rule: str, method: Callable[..., Any]) -> Callable[..., Any]:
        """Return a phase's method that notes when it answers or tells something."""
        silence = NOTHING.get(name, NOTHING_SAID)

        def noted(s: State, *rest: Any) -> Any:
            before = traces(s)
            said = method(s, *rest)
            if said not in silence or traces(s) != before:
                self.acted.add((name, rule))
            return said

        return noted


def traces(s: object) -> tuple[object, ...]:
    """Return what most rules change when they act, beside what they answer."""
    if not isinstance(s, State):
        return ()
    told = len(s.sink) if s.sink is not None else 0
    here = s.flushing, s.to_lead, s.passed, s.skipped, s.order, s.row_start
    return told, here, len(s.emptied), len(s.backs), s.freeze
