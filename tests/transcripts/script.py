"""A transcript as a text file: a header, and then for each action what it made everybody see.

    2.14 B plays S8 D8
      1 <0 FieldFlushed by eight_cut
      2 <1 CardsMoved: from hand B, to hand C, count 1, cards hidden
          B C: cards H4
      = all: game 2, turn B
      = B: hand S3 H10

Events are written as a spectator sees them; below stands what some seats see otherwise. Views begin with `=`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.transcripts.words import SEATS

FILES = Path(__file__).parent / "files"
EVENT = re.compile(r"  (\d+)(?: <(\d+))? (\w+)(?: by ([\w.]+))?(?:: (.*))?")
SEEN = re.compile(r"      ([A-L](?: [A-L])*): (.*)")
VIEW = re.compile(r"  = (\w+): ?(.*)")
STEP = re.compile(r"(\d+)\.(\d+) (.*)")

Fields = dict[str, str]


def fields_text(fields: Fields) -> str:
    """Write fields; one without a value is a flag."""
    return ", ".join([f"{name} {value}".rstrip() for name, value in fields.items()])


def read_fields(text: str) -> Fields:
    """Read fields."""
    parts = [part.partition(" ") for part in text.split(", ")] if text else []
    return {name: value for name, _, value in parts}


@dataclass(frozen=True)
class Told:
    """One event: its cause, its rule, what a spectator sees of it, and what some seats see otherwise."""

    name: str
    rule: str = ""
    because: int = -1
    fields: Fields = field(default_factory=dict)
    seen: dict[str, Fields] = field(default_factory=dict)

    def lines(self, index: int) -> list[str]:
        """Write the event; seats that see the same share a line."""
        cause = f" <{self.because}" if self.because >= 0 else ""
        rule = f" by {self.rule}" if self.rule else ""
        said = f": {fields_text(self.fields)}" if self.fields else ""
        alike: dict[str, list[str]] = {}
        for seat, fields in self.seen.items():
            alike.setdefault(fields_text(fields), []).append(seat)
        return [f"  {index}{cause} {self.name}{rule}{said}"] + [
            f"      {' '.join(seats)}: {text}" for text, seats in alike.items()
        ]


@dataclass
class Step:
    """One action, or an attempt at one that was refused, or the beginning of a game (action 0)."""

    game: int
    action: int
    text: str
    events: list[Told] = field(default_factory=list)
    views: dict[str, Fields] = field(default_factory=dict)

    @property
    def where(self) -> str:
        """Say which step it is."""
        return f"game {self.game}, action {self.action}: {self.text}"

    def lines(self) -> list[str]:
        """Write the step."""
        found = [f"{self.game}.{self.action} {self.text}"]
        for index, told in enumerate(self.events):
            found += told.lines(index)
        return found + [f"  = {who}: {fields_text(seen)}".rstrip() for who, seen in self.views.items()]


@dataclass
class Transcript:
    """Some games at one table. `counted` actions are taken to have been before each game's first one."""

    comment: str
    engine: str
    ruleset: str
    seed: str
    games: int
    counted: int = 0
    steps: list[Step] = field(default_factory=list)

    def text(self) -> str:
        """Write the file."""
        lines = [f"# {line}".rstrip() for line in self.comment.splitlines()]
        lines += [f"engine | {self.engine}", *[f"ruleset | {line}" for line in self.ruleset.splitlines()]]
        lines += [f"seed | {self.seed}", f"games | {self.games}"]
        lines += [f"counted | {self.counted}"] if self.counted else []
        for step in self.steps:
            lines += ["", *step.lines()] if step.action == 0 else step.lines()
        return "\n".join(lines) + "\n"


def read(text: str) -> Transcript:
    """Read a file; ValueError names the line that is wrong."""
    comment: list[str] = []
    head: dict[str, list[str]] = {}
    steps: list[Step] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line:
            continue
        if line.startswith("#"):
            comment.append(line[2:])
        elif not steps and " | " in line:
            key, _, value = line.partition(" | ")
            head.setdefault(key, []).append(value)
        elif not read_line(line, steps):
            raise ValueError(f"line {number}: {line}")
    (seed,), (games,), counted = head["seed"], head["games"], head.get("counted", ["0"])
    engine = head.get("engine", [""])[0]
    ruleset = "\n".join(head["ruleset"]) + "\n"
    return Transcript("\n".join(comment), engine, ruleset, seed, int(games), int(counted[0]), steps)


def read_line(line: str, steps: list[Step]) -> bool:
    """Read a line that belongs to a step; say whether it is one."""
    if step := STEP.fullmatch(line):
        steps.append(Step(int(step[1]), int(step[2]), step[3]))
    elif steps and (told := EVENT.fullmatch(line)):
        because = int(told[2]) if told[2] else -1
        steps[-1].events.append(Told(told[3], told[4] or "", because, read_fields(told[5] or "")))
    elif steps and steps[-1].events and (seen := SEEN.fullmatch(line)):
        steps[-1].events[-1].seen.update({seat: read_fields(seen[2]) for seat in seen[1].split()})
    elif steps and (view := VIEW.fullmatch(line)):
        steps[-1].views[view[1]] = read_fields(view[2])
    else:
        return False
    return True


def paths(names: Sequence[str] = ()) -> list[Path]:
    """List all transcripts, or those named."""
    return [FILES / f"{name}.txt" for name in names] if names else sorted(FILES.glob("*.txt"))


def ordered(seen: dict[str, Fields]) -> dict[str, Fields]:
    """Put what seats see into the order of seats."""
    return {seat: seen[seat] for seat in SEATS if seat in seen}
