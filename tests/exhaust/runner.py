"""Random games on random tables, each aimed at something that has not been reached yet."""

from __future__ import annotations

from dataclasses import dataclass

from engine.ruleset import Ruleset
from tests.engine.stream import Stream
from tests.exhaust.coverage import Goal, goals
from tests.exhaust.play import play
from tests.exhaust.rulesets import NoRuleset, drawn
from tests.exhaust.watching import Watched


@dataclass
class Failure:
    """A match that went wrong, and what brings it back."""

    name: str
    ruleset: Ruleset
    error: str


class Runner:
    """Plays matches until every goal of one part of them is reached. The same name gives the same matches."""

    def __init__(self, name: str, part: int = 0, parts: int = 1) -> None:
        self.name = name
        self.open = goals()[part::parts]
        self.all = len(self.open)
        self.matches = 0
        self.actions = 0
        self.failures: list[Failure] = []

    def run(self, most: int, attempts: int) -> None:
        """Play at most that many matches; for each goal in turn at most so many attempts."""
        tried: dict[str, int] = {}
        while self.open and self.matches < most:
            goal = min(self.open, key=lambda goal: tried.get(goal.name, 0))
            if tried.get(goal.name, 0) >= attempts:
                return
            tried[goal.name] = tried.get(goal.name, 0) + 1
            self.aim(goal)

    def aim(self, goal: Goal) -> None:
        """Play a match that may reach a goal, and strike off whatever it reaches."""
        self.matches += 1
        stream = Stream(f"{self.name} {self.matches}")
        try:
            ruleset = drawn(stream, goal.wanted)
        except NoRuleset:
            return
        program = Watched(ruleset)
        try:
            self.actions += play(program, stream)
        except Exception as error:
            self.failures.append(Failure(stream.name, ruleset, f"{type(error).__name__}: {error}"))
            return
        self.open = [goal for goal in self.open if not goal.reached(program)]

    def report(self) -> str:
        """Say what has been reached, what has not, and what went wrong."""
        lines = [f"{self.matches} matches, {self.actions} actions; {self.all - len(self.open)} of {self.all} reached"]
        lines += [f"not reached: {goal.name}" for goal in self.open]
        for failure in self.failures:
            lines += [f"went wrong: {failure.name}: {failure.error}", failure.ruleset.text()]
        return "\n".join(lines)
