"""What tables tell of themselves, as events of their own."""

from __future__ import annotations

from dataclasses import dataclass

from engine.events import Event
from services.game.seats import EMPTY, Seat
from services.game.seeds import UNTOLD, Shuffle


@dataclass
class SeatChanged(Event):
    """A seat has been taken, left, or set to something else."""

    seat: int = 0
    now: Seat = EMPTY
    host: bool = False


@dataclass
class TableChanged(Event):
    """The table does something else now."""

    phase: int = 0
    games: int = 0
    seats: int = 0
    """How many seats it has, where it has been laid anew."""
    practice: bool = False
    deal: str = ""
    """The deal number, once it may be told."""
    shuffle: Shuffle = UNTOLD


@dataclass
class GamesChanged(Event):
    """The match has another length."""

    games: int = 0
