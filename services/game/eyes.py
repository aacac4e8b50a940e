"""With whose eyes a caller sees a table: the one place where that is decided.

Eyes are the number of a seat, or those of a spectator. Nobody changes them while a match runs but by giving up a seat,
and whoever has or had one in the match is no spectator who sees hands.
"""

from __future__ import annotations

from typing import Final

from engine.events import OPEN as OPEN
from services.common.errors import Refused
from services.game.life import RUNNING, Life
from services.game.records import HANDS, HANDS_LATER, NO_SPECTATORS, PUBLIC_PART
from services.game.seats import promised_to, seat_of

PUBLIC: Final = -1
"""The eyes of a spectator who sees no hand. OPEN are those of one who sees every hand."""
BEHIND: Final = -3
"""The eyes of one who sees every hand, but of no game that is still being played."""
NONE: Final = -4
"""No eyes at all."""


def eyes(life: Life, identity: str) -> int:
    """Return with whose eyes a caller sees a table."""
    seat = seat_of(life.seats, identity)
    if seat >= 0:
        return seat
    spectators = life.settings.spectators
    if spectators == NO_SPECTATORS:
        return PUBLIC if identity == life.host or promised_to(life.seats, identity) >= 0 else NONE
    if spectators == PUBLIC_PART or (life.phase == RUNNING and identity in life.players):
        return PUBLIC
    return OPEN if spectators == HANDS else BEHIND


def eyes_or_refuse(life: Life, identity: str) -> int:
    """Return with whose eyes a caller sees a table; refuse those who may not look."""
    found = eyes(life, identity)
    if found == NONE:
        raise Refused("NO_SPECTATORS")
    return found


def hands_of(life: Life, viewer: int) -> int:
    """Return whose hand somebody sees, as the engine says it.

    That is the seat's own; none, -1, also if the match began before its occupant came; or OPEN.
    """
    if viewer >= 0:
        return viewer if life.seats[viewer].since <= life.began else -1
    return OPEN if viewer in (OPEN, BEHIND) else -1


def shows_hands(life: Life) -> bool:
    """Say whether there may be spectators who see hands."""
    return life.settings.spectators in (HANDS_LATER, HANDS)


def has_seen_hands(life: Life, identity: str) -> bool:
    """Say whether somebody may have seen hands of the match that is running, and so gets no seat in it."""
    return shows_hands(life) and identity not in life.players


def changed_eyes(before: Life | None, after: Life) -> dict[str, int]:
    """Return whose eyes are others now, with those that they had; strangers, who all see the same, are not named."""
    if before is None:
        return {}
    sitting = [seat.occupant.identity for seat in (*before.seats, *after.seats) if seat.occupant is not None]
    known = {*sitting, *before.players, *after.players, before.host, after.host}
    had = {identity: eyes(before, identity) for identity in known}
    return {identity: seen for identity, seen in had.items() if seen != eyes(after, identity)}
