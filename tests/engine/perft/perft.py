"""Counting all ways to go on: files of positions with their numbers, and the engine's count."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.cards import members, parse_cards
from engine.game import advance, new_match, start_game
from engine.program import Program
from engine.ruleset import parse_ruleset
from engine.state import State
from tests.engine.stream import Stream
from tests.engine.tables import asked, moves_of

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Line:
    """`seed 7 | depth 3 | nodes 120`."""

    seed: int
    depth: int
    nodes: int

    def __str__(self) -> str:
        return f"seed {self.seed} | depth {self.depth} | nodes {self.nodes}"


@dataclass(frozen=True)
class File:
    """One ruleset, how hands are dealt from which cards, the places of the game before, and the counts."""

    comment: str
    ruleset: str
    hand: int
    cards: str
    previous: str
    lines: tuple[Line, ...]

    def text(self) -> str:
        """Write the file."""
        head = [f"# {line}".rstrip() for line in self.comment.splitlines()]
        settings = [f"ruleset | {line}" for line in self.ruleset.splitlines()]
        deal = [f"hand | {self.hand}", f"cards | {self.cards}", f"previous | {self.previous}".rstrip()]
        return "\n".join([*head, *settings, *deal, *map(str, self.lines)]) + "\n"


def read(path: Path) -> File:
    """Read a file of counts."""
    comment, ruleset, fields, lines = [], [], {}, []
    for line in path.read_text().splitlines():
        words = [word.strip() for word in line.split("|")]
        if line.startswith("#"):
            comment.append(line[2:])
        elif words[0] == "ruleset":
            ruleset.append(words[1])
        elif words[0].startswith("seed"):
            lines.append(Line(*[int(word.split()[1]) for word in words]))
        else:
            fields[words[0]] = words[1]
    texts = "\n".join(comment), "\n".join(ruleset)
    return File(*texts, int(fields["hand"]), fields["cards"], fields["previous"], tuple(lines))


def files() -> list[Path]:
    """List all files of counts."""
    return sorted(HERE.glob("*.perft"))


def position(file: File, seed: int) -> State:
    """Deal hands from the named cards, shuffled by the stream `perft/<seed>`, one card to each seat in turn."""
    program = Program(parse_ruleset(file.ruleset))
    deck = members(program.deck if file.cards == "all" else parse_cards(file.cards))
    mixed = Stream(f"perft/{seed}").shuffled(deck)
    seats = program.seats
    hands = tuple([sum(1 << c for c in mixed[seat : file.hand * seats : seats]) for seat in range(seats)])
    s = new_match(program)
    if file.previous:
        s.previous, s.game = [int(word) for word in file.previous.split()], 1
    return start_game(s, b"perft", hands)[0]


def perft(s: State, depth: int) -> int:
    """Count the ways to make `depth` moves; of several seats asked at once the lowest moves first."""
    seats = asked(s)
    if depth == 0 or not seats:
        return int(depth == 0)
    moves = moves_of(s, seats[0])
    if depth == 1:
        return len(moves)
    nodes = 0
    for move in moves:
        after = s.copy()
        advance(after, seats[0], move)
        nodes += perft(after, depth - 1)
    return nodes
