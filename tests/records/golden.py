"""Golden records: matches that were played once at a service, as 棋譜, each with a digest of what came of it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

from daifugo.v1 import record_pb2
from engine.record import Moment, replay
from services.game.codec.kifu.reading import read
from services.game.codec.kifu.writing import write
from services.game.codec.matches import replayable

FILES: Final = Path(__file__).parent / "files"
DIGEST: Final = "；経過："
"""What the digest stands behind, in a line of its own."""
SEATS: Final = ("hands", "places", "totals", "rests", "decisions")
REST: Final = (
    "turn",
    "order",
    "discard",
    "stock",
    "blind",
    "laid_away",
    "passed",
    "seating",
    "revolution",
    "drawn_words",
)


def outcome(moment: Moment) -> str:
    """Write what the game is like at a moment, as far as players could ever tell."""
    s = moment.state
    events = [type(event).__name__ + event.rule for event in moment.events]
    return repr([[list(getattr(s, name)) for name in SEATS], [getattr(s, name) for name in REST], events])


def digest(record: record_pb2.Record) -> str:
    """Replay a record; return a digest of every moment of its match."""
    made = sha256()
    for moment in replay(replayable(record)):
        made.update(outcome(moment).encode())
    return made.hexdigest()[:32]


def paths() -> list[Path]:
    """List the files."""
    return sorted(FILES.glob("*.kifu"))


def kept(path: Path) -> tuple[record_pb2.Record, str]:
    """Read a golden record and its digest."""
    text = path.read_text(encoding="utf-8")
    (line,) = [line for line in text.splitlines() if line.startswith(DIGEST)]
    return read(text), line.removeprefix(DIGEST)


def keep(name: str, record: record_pb2.Record) -> None:
    """Write a golden record."""
    (FILES / f"{name}.kifu").write_text(f"{write(record)}{DIGEST}{digest(record)}\n", encoding="utf-8")
