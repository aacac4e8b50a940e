"""One match of the many: drawn from a name, played, and what came of it; or played again from a file."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field
from functools import cache

import engine.game
from engine.program import Program
from engine.ruleset import Ruleset, parse_ruleset
from tests.exhaust.coverage import Goal, goals
from tests.exhaust.play import GAMES, play
from tests.exhaust.quick import Quick
from tests.exhaust.rulesets import NoRuleset, drawn
from tests.exhaust.watching import Watched

IS_COMPILED = not str(engine.game.__file__).endswith(".py")
"""Compiled rules cannot be watched."""

FEW = (0, 4, 12)
"""How many settings beside those of a goal are drawn: others get in its way, or bring it about."""
LEAST = (1, 1, 6, 10)
"""Cards of the smallest hands where there is a goal: many rules want a hand with all cards of a rank."""
MANY = (6, 12, 25, 60)
"""How many settings are drawn where there is no goal."""


@dataclass(frozen=True)
class Job:
    """A match to play: the name that its random numbers come from, and the goal it is aimed at, if any."""

    name: str
    goal: str = ""


@dataclass
class Outcome:
    """What came of a match."""

    job: Job
    games: int = 0
    actions: int = 0
    seats: int = 0
    reached: list[str] = field(default_factory=list)
    error: str = ""
    file: str = ""
    """Of a match that went wrong: what `again` reads."""


@cache
def known_goals() -> dict[str, Goal]:
    """Return all goals by their names."""
    return {goal.name: goal for goal in goals()}


def played(job: Job) -> Outcome:
    """Draw a table, play a match there and say what came of it; a match that is aimed at a goal is watched."""
    goal = known_goals()[job.goal] if job.goal else None
    stream = Quick(f"{job.name} table")
    try:
        if goal is not None:
            ruleset = drawn(stream, goal.wanted, stream.pick(FEW), least_cards=stream.pick(LEAST))
        else:
            ruleset = drawn(stream, None, stream.pick(MANY))
    except NoRuleset:
        return Outcome(job)
    return played_at(job, ruleset)


def played_at(job: Job, ruleset: Ruleset) -> Outcome:
    """Play a match at a table and say what came of it."""
    outcome = Outcome(job, seats=ruleset.seats)
    favoured = 0
    try:
        if IS_COMPILED or not job.goal:
            outcome.actions = play(Program(ruleset), Quick(job.name))
        else:
            program = Watched(ruleset)
            favoured = known_goals()[job.goal].favoured(program, Quick(f"{job.name} ranks"))
            outcome.actions = play(program, Quick(job.name), favoured)
            outcome.reached = [goal.name for goal in known_goals().values() if goal.reached(program)]
        outcome.games = GAMES
    except Exception:
        outcome.error = traceback.format_exc()
        outcome.file = f"match {job.name}\nfavoured {favoured}\n{ruleset.text()}"
    return outcome


def again(text: str) -> int:
    """Play a match that went wrong once more, from the file about it; return the number of its actions."""
    name, favoured, ruleset = text.split("\n", 2)
    program = Program(parse_ruleset(ruleset))
    return play(program, Quick(name.removeprefix("match ")), int(favoured.removeprefix("favoured ")))
