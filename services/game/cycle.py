"""The life of a table as data: what may happen in which state, who may do it, and where it leads.

Whatever is not listed under `leads` is refused, with the reason under `refused`. docs/table-life.md is made from this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from services.common.errors import Refused
from services.game.life import CLOSED as GONE
from services.game.life import FILLING, RUNNING, Life
from services.game.records import (
    Acted,
    AutoPassSet,
    Closed,
    CodeRenewed,
    Created,
    GameStarted,
    HostChanged,
    MatchStarted,
    Operation,
    SeatKicked,
    SeatLeft,
    SeatSet,
    SeatsReleased,
    SeatsSwapped,
    SeatTaken,
    Shortened,
    Skipped,
    StandInCame,
    StandInLeft,
    Updated,
)
from services.game.seats import seat_of

OPEN: Final = "open"
PLAYING: Final = "playing"
BETWEEN: Final = "between games"
ENDED: Final = "ended"
CLOSED: Final = "closed"
STATES: Final = {
    OPEN: "No match has begun.",
    PLAYING: "A match runs, and a game is being played.",
    BETWEEN: "A match runs, and its next game has not been dealt yet.",
    ENDED: "A match is over; another can be started.",
    CLOSED: "The table is no more.",
}
"""What a table can be doing. Clients see `playing` and `between games` as TABLE_STATE_RUNNING."""

# who may
ANYBODY: Final = "anybody"
SEATED: Final = "whoever has a seat"
HOST: Final = "the host"
HOST_OR_SELF: Final = "the host, and whoever has a seat for their own"
LEFT: Final = "whoever left while the match runs"
TABLE: Final = "the table itself"


@dataclass(frozen=True)
class Event:
    """Something that can happen at a table."""

    who: str
    leads: Mapping[str, tuple[str, ...]]
    """The states in which it can happen, and those that it can lead to."""
    refused: Mapping[str, str]
    """The reason in each of the other states; nothing for what a table does not even try."""
    operations: tuple[type[Operation], ...]
    """What the journal keeps of it."""


def _stays(*states: str) -> dict[str, tuple[str, ...]]:
    return {state: (state,) for state in states}


_GONE: Final = {CLOSED: "TABLE_CLOSED"}
_NOT_IN_A_MATCH: Final = {PLAYING: "MATCH_RUNNING", BETWEEN: "MATCH_RUNNING", **_GONE}
_NOT_IN_A_GAME: Final = {PLAYING: "GAME_RUNNING", **_GONE}
_NO_MATCH: Final = {OPEN: "MATCH_NOT_RUNNING", ENDED: "MATCH_NOT_RUNNING", **_GONE}
_NO_GAME: Final = {OPEN: "NO_GAME", BETWEEN: "NO_GAME", ENDED: "NO_GAME", **_GONE}
_ON: Final = (PLAYING, BETWEEN, ENDED)
"""Where an action can lead: the game goes on, or it ends, or with it the match."""

EVENTS: Final[dict[str, Event]] = {
    "JoinTable": Event(ANYBODY, _stays(OPEN, BETWEEN, ENDED), _NOT_IN_A_GAME, (SeatTaken,)),
    "JoinTable, to come back": Event(LEFT, _stays(OPEN, PLAYING, BETWEEN, ENDED), _GONE, (SeatTaken,)),
    "LeaveTable": Event(
        ANYBODY,
        {OPEN: (OPEN,), PLAYING: (PLAYING, ENDED), BETWEEN: (BETWEEN, ENDED), ENDED: (ENDED,)},
        _GONE,
        (SeatLeft, SeatsReleased),
    ),
    "SetSeat": Event(HOST, _stays(OPEN, BETWEEN, ENDED), _NOT_IN_A_GAME, (SeatSet, SeatTaken)),
    "KickSeat": Event(HOST, {OPEN: (OPEN,), BETWEEN: (BETWEEN, ENDED), ENDED: (ENDED,)}, _NOT_IN_A_GAME, (SeatKicked,)),
    "MoveSeat": Event(HOST_OR_SELF, _stays(OPEN, ENDED), _NOT_IN_A_MATCH, (SeatsSwapped,)),
    "TransferHost": Event(HOST, _stays(OPEN, PLAYING, BETWEEN, ENDED), _GONE, (HostChanged,)),
    "UpdateTable": Event(HOST, {OPEN: (OPEN,), ENDED: (ENDED, OPEN)}, _NOT_IN_A_MATCH, (Updated,)),
    "RenewInviteCode": Event(HOST, _stays(OPEN, PLAYING, BETWEEN, ENDED), _GONE, (CodeRenewed,)),
    "StartMatch": Event(HOST, {OPEN: (PLAYING,), ENDED: (PLAYING,)}, _NOT_IN_A_MATCH, (MatchStarted,)),
    "EndMatch": Event(HOST, {PLAYING: (PLAYING,), BETWEEN: (ENDED,)}, _NO_MATCH, (Shortened,)),
    "Act": Event(SEATED, {PLAYING: _ON}, _NO_GAME, (Acted,)),
    "a seat's time is up": Event(TABLE, {PLAYING: _ON}, {}, (Acted,)),
    "SetSeatOptions": Event(
        SEATED, _stays(OPEN, PLAYING, BETWEEN, ENDED), _GONE, (StandInCame, StandInLeft, AutoPassSet)
    ),
    "somebody is away": Event(TABLE, _stays(PLAYING, BETWEEN), {}, (StandInCame,)),
    "somebody is back": Event(TABLE, _stays(PLAYING, BETWEEN), {}, (StandInLeft,)),
    "the next game is dealt": Event(TABLE, {BETWEEN: (PLAYING,)}, {}, (GameStarted,)),
    "seats are kept no longer": Event(TABLE, _stays(OPEN), {}, (SeatsReleased,)),
    "the match begins by itself": Event(TABLE, {OPEN: (PLAYING,)}, {}, (MatchStarted,)),
    "numbers of lost decisions are passed over": Event(TABLE, _stays(OPEN, PLAYING, BETWEEN, ENDED), {}, (Skipped,)),
    "nobody uses the table": Event(TABLE, dict.fromkeys((OPEN, PLAYING, BETWEEN, ENDED), (CLOSED,)), {}, (Closed,)),
}
"""Everything but CreateTable, which makes an open table."""

BEGINS: Final = ("CreateTable", OPEN, Created)
"""How the life of a table begins."""


def state_of(life: Life) -> str:
    """Return what a table is doing."""
    if life.phase == GONE:
        return CLOSED
    if life.phase == RUNNING:
        return PLAYING if life.state.playing else BETWEEN
    return OPEN if life.phase == FILLING else ENDED


def check(name: str, life: Life, identity: str) -> None:
    """Refuse what a caller may not do at a table, or not now."""
    check_caller(name, life, identity)
    check_state(name, life)


def check_caller(name: str, life: Life, identity: str) -> None:
    """Refuse what a caller may not do at a table, and anything once it is closed."""
    if life.phase == GONE:
        check_state(name, life)
    who = EVENTS[name].who
    if who == HOST and identity != life.host:
        raise Refused("NOT_HOST")
    if who == HOST_OR_SELF and identity != life.host and seat_of(life.seats, identity) < 0:
        raise Refused("NOT_HOST")
    if who == SEATED and seat_of(life.seats, identity) < 0:
        raise Refused("NOT_SEATED")


def check_state(name: str, life: Life) -> None:
    """Refuse what cannot be done at a table now."""
    reason = EVENTS[name].refused.get(state_of(life))
    if reason is not None:
        raise Refused(reason)
