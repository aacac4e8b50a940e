"""The steps of one kind of run, in order. Steps are objects, as a compiled call of a method costs less than of a value.

A step of a rule calls the rule's method of the same name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.rules.base import Rule
    from engine.state import State


class Step:
    """One step of a run; `run` answers to go on to the `next` one, to wait, or with the label to go to."""

    def __init__(self) -> None:
        self.number = 0
        self.next: Step = self

    def run(self, s: State) -> int:
        """Act on the state."""
        raise NotImplementedError


class Track:
    """The steps of one kind of run, and the step at which each label stands."""

    def __init__(self, steps: list[Step], at: list[int]) -> None:
        for i, step in enumerate(steps):
            step.number = i
            step.next = steps[min(i + 1, len(steps) - 1)]
        self.steps = tuple(steps)
        self.at = tuple([steps[i] for i in at])


class RuleStep(Step):
    """A step of a rule."""

    def __init__(self, rule: Rule) -> None:
        super().__init__()
        self.rule = rule


class Seated(RuleStep):
    def run(self, s: State) -> int:
        return self.rule.seated(s)


class Dealt(RuleStep):
    def run(self, s: State) -> int:
        return self.rule.dealt(s)


class Exchanged(RuleStep):
    def run(self, s: State) -> int:
        return self.rule.exchanged(s)


class Passed(RuleStep):
    def run(self, s: State) -> int:
        return self.rule.passed(s)


class Played(RuleStep):
    def run(self, s: State) -> int:
        return self.rule.played(s)


class Flushed(RuleStep):
    def run(self, s: State) -> int:
        return self.rule.flushed(s)


class Leading(RuleStep):
    def run(self, s: State) -> int:
        return self.rule.leading(s)


class Turned(RuleStep):
    def run(self, s: State) -> int:
        return self.rule.turned(s)


class Titled(RuleStep):
    def run(self, s: State) -> int:
        return self.rule.titled(s)
