"""The steps of one kind of run, in order. Steps are objects, as a compiled call of a method costs less than of a value.

A step of a rule calls the rule's method of the same name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.native import i64
from engine.rules.base import PAST_ROWS

if TYPE_CHECKING:
    from engine.rules.base import Rule
    from engine.state import State


class Step:
    """One step of a run; `run` answers to go on to the `next` one, to wait, or with the label to go to."""

    def __init__(self, idle: bool = False) -> None:
        self.number: i64 = 0
        self.next: Step = self
        self.idle = idle
        """Whether it has nothing to do in its run: it is numbered like others, and passed over."""

    def run(self, s: State) -> int:
        """Act on the state."""
        raise NotImplementedError


class Track:
    """The steps of one kind of run, and the step at which each label stands."""

    def __init__(self, steps: list[Step], at: list[int]) -> None:
        self.steps = tuple(steps)
        following = steps[-1]
        busy: list[Step] = []
        for i in range(len(steps) - 1, -1, -1):
            step = steps[i]
            step.number, step.next = i, following
            if not step.idle:
                following = step
            busy.append(following)
        busy.reverse()
        self.at = tuple([busy[i] for i in at])
        self.first = self.steps[0]


class RuleStep(Step):
    """A step of a rule."""

    def __init__(self, rule: Rule, idle: bool = False) -> None:
        super().__init__(idle)
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


class PlayedInRow(RuleStep):
    """A rule about plays in a row: it and its like are passed over together while too few of them lie there."""

    def __init__(self, rule: Rule, idle: bool, plays: int) -> None:
        super().__init__(rule, idle)
        self.plays: i64 = plays

    def run(self, s: State) -> int:
        row: i64 = len(s.trick)
        return PAST_ROWS if row - s.row_start < self.plays else self.rule.played(s)


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
