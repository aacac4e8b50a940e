"""Which matches are played next, and what has come of those so far: kept in a file, so that a run can go on."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.exhaust.matches import Job, Outcome, known_goals


@dataclass
class Failure:
    """A match that went wrong, and the file that brings it back."""

    name: str
    error: str
    file: str


@dataclass
class Progress:
    """What has been played: figures, goals that have been reached, what went wrong. The file holds just this."""

    name: str
    begun: int = 0
    matches: int = 0
    games: int = 0
    actions: int = 0
    by_seats: dict[str, int] = field(default_factory=dict)
    """Matches for each number of seats."""
    reached: list[str] = field(default_factory=list)
    tried: dict[str, int] = field(default_factory=dict)
    """How many matches have been aimed at each goal."""
    failures: list[Failure] = field(default_factory=list)

    def write(self, path: Path) -> None:
        """Replace the file as a whole: whoever is killed meanwhile leaves the one before."""
        new = path.with_suffix(".new")
        new.write_text(json.dumps(asdict(self), ensure_ascii=False, indent=1), encoding="utf-8")
        new.replace(path)


def read(path: Path, name: str) -> Progress:
    """Go on with what a file holds, or begin; ValueError if the file is about another run."""
    if not path.exists():
        return Progress(name)
    saved = json.loads(path.read_text(encoding="utf-8"))
    progress = Progress(**saved | {"failures": [Failure(**each) for each in saved["failures"]]})
    if progress.name != name:
        raise ValueError(f"{path} is about the run {progress.name}; name another folder")
    return progress


class Runner:
    """Says which match comes next and takes what came of it. Without goals it just goes on."""

    def __init__(self, progress: Progress, goals: list[str], attempts: int = 0) -> None:
        self.progress = progress
        self.goals = goals
        self.attempts = attempts
        """Matches for each goal, in turn; 0: no match is aimed at anything."""
        self.reached = set(progress.reached)

    def next(self) -> Job | None:
        """Return the next match to play: one for a goal that few have been aimed at. None when none is left."""
        goal = ""
        if self.attempts:
            tried = self.progress.tried
            goal = min(self.open(), key=lambda each: tried.get(each, 0), default="")
            if not goal or tried.get(goal, 0) >= self.attempts:
                return None
            tried[goal] = tried.get(goal, 0) + 1
        self.progress.begun += 1
        return Job(f"{self.progress.name} {self.progress.begun}", goal)

    def take(self, outcome: Outcome) -> None:
        """Note what came of a match."""
        progress = self.progress
        progress.matches += 1
        progress.games += outcome.games
        progress.actions += outcome.actions
        seats = Counter(progress.by_seats)
        if outcome.seats:
            seats[str(outcome.seats)] += 1
        progress.by_seats = dict(seats)
        self.reached.update(outcome.reached)
        progress.reached = sorted(self.reached)
        if outcome.error:
            progress.failures.append(Failure(outcome.job.name, outcome.error, outcome.file))

    def open(self) -> list[str]:
        """List the goals that have not been reached."""
        return [goal for goal in self.goals if goal not in self.reached]

    def share(self) -> float:
        """Return the share of the goals that have been reached."""
        return 1 - len(self.open()) / len(self.goals)

    def report(self) -> str:
        """Say what has been played, what has not been reached, and what went wrong."""
        p = self.progress
        seats = ", ".join(
            [f"{seats}: {number}" for seats, number in sorted(p.by_seats.items(), key=lambda x: int(x[0]))]
        )
        lines = [f"{p.matches} matches, {p.games} games, {p.actions} actions; matches by seats: {seats}"]
        if self.goals:
            lines[0] += f"; {len(self.goals) - len(self.open())} of {len(self.goals)} reached"
        lines += [f"not reached: {goal}" for goal in self.open()]
        for failure in p.failures:
            lines += [f"went wrong: {failure.name}", failure.error, failure.file]
        return "\n".join(lines)


def all_goals(part: int = 0, parts: int = 1) -> list[str]:
    """List the names of the goals, or of one part of them."""
    return list(known_goals())[part::parts]
