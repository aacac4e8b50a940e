"""What a stream is told, as values; `codec.streams` writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from services.game.frames import Frame

# why a snapshot comes
NO_CURSOR: Final = "no_cursor"
FELL_BEHIND: Final = "fell_behind"

# why a stream ends
DRAINING: Final = "draining"
MOVED: Final = "moved"
SUPERSEDED: Final = "superseded"
TABLE_CLOSED: Final = "table_closed"
SEAT_LOST: Final = "seat_lost"
MAX_AGE: Final = "max_age"
EYES_CHANGED: Final = "eyes_changed"


@dataclass(frozen=True)
class Resumed:
    """The stream goes on after this cursor."""

    epoch: int
    version: int


@dataclass(frozen=True)
class Snapshot:
    """Send the whole view as it is when this is sent."""

    reason: str


@dataclass(frozen=True)
class Presence:
    """An occupant opened a stream, or has none left."""

    seat: int
    connected: bool


@dataclass(frozen=True)
class Heartbeat:
    """The stream is alive."""


@dataclass(frozen=True)
class GoingAway:
    """The stream ends."""

    reason: str


class Frames:
    """Versions that have waited together. One is made for each message of each stream, so it is no dataclass."""

    def __init__(self, frames: tuple[Frame, ...]) -> None:
        self.frames = frames


Item = Frame | Frames | Resumed | Snapshot | Presence | Heartbeat | GoingAway
"""What can wait for a stream."""
Message = Frames | Resumed | Snapshot | Presence | Heartbeat | GoingAway
"""What is sent on it."""
