"""Who may know of a table."""

from __future__ import annotations

from services.game.life import Life
from services.game.seats import promised_to, seat_of


def belongs(life: Life, identity: str) -> bool:
    """Say whether somebody may know of a private table without its code."""
    seats = life.seats
    at_it = seat_of(seats, identity) >= 0 or promised_to(seats, identity) >= 0
    return at_it or identity == life.host or identity in life.guests
