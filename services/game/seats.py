"""Who sits where, as values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from services.common.errors import Refused
from services.game.records import BOT, OPEN, PERSON, Occupant


@dataclass(frozen=True)
class Seat:
    """A seat: who it is for, and who has it."""

    kind: int = OPEN
    occupant: Occupant | None = None
    since: int = 0
    """The version at which the occupant sat down. What was told to the seat before is not theirs to know."""
    promised: str = ""
    """Who was to have the seat and has not come yet; empty if nobody was."""
    is_kept: bool = False
    """Whether nobody else may have it meanwhile."""
    left_by: str = ""
    """Who left it while a match was running, and may come back to it; empty if nobody did."""
    stand_in: int = 0
    """Why a stand-in plays for the occupant; 0 if none does."""
    auto_pass: bool = True
    """Whether it passes by itself when it can do nothing else, where the ruleset has that."""

    @property
    def who(self) -> str:
        """Say who has it: a person, a bot, or nobody."""
        if self.occupant is None:
            return "nobody"
        return "bot" if self.occupant.bot else "person"

    @property
    def client_seed(self) -> bytes:
        """What its occupant gives to shuffles."""
        return b"" if self.occupant is None else self.occupant.client_seed

    @property
    def has_stand_in(self) -> bool:
        """Say whether a stand-in plays it, in a match: nobody has it, or who has it is away."""
        return self.occupant is None or self.stand_in != 0

    @property
    def policy(self) -> str:
        """How the bot of the service decides that has it; empty if none does."""
        return "" if self.occupant is None else self.occupant.policy

    @property
    def is_visited(self) -> bool:
        """Say whether somebody has it who is no bot of the service."""
        return self.occupant is not None and not self.occupant.policy

    def takes(self, bot: bool) -> bool:
        """Say whether the seat is for somebody of this kind."""
        return self.kind in (OPEN, BOT if bot else PERSON)


EMPTY: Final = Seat()
"""A seat for anybody that nobody has."""


def seat_of(seats: Sequence[Seat], identity: str) -> int:
    """Return the seat of somebody, or -1."""
    for number, seat in enumerate(seats):
        if seat.occupant is not None and seat.occupant.identity == identity:
            return number
    return -1


def promised_to(seats: Sequence[Seat], identity: str) -> int:
    """Return the seat that was to be somebody's who has not come yet, or -1."""
    for number, seat in enumerate(seats):
        if seat.promised == identity:
            return number
    return -1


def left_by(seats: Sequence[Seat], identity: str) -> int:
    """Return the free seat that somebody has left and may come back to, or -1."""
    for number, seat in enumerate(seats):
        if seat.left_by == identity and seat.occupant is None:
            return number
    return -1


def seat_for(seats: Sequence[Seat], wanted: int | None, who: Occupant) -> int:
    """Return the seat that somebody gets: their own, the one wanted, or the first that is free; or refuse."""
    own, bot = promised_to(seats, who.identity), who.bot
    if own >= 0 and wanted in (None, own):
        if seats[own].occupant is not None:
            raise Refused("RESERVATION_OVER")
        if seats[own].is_kept and not seats[own].takes(bot):
            raise Refused("SEAT_RESERVED")
        return own
    if wanted is None:
        # a seat that is kept for this kind of caller leaves the open ones to others
        for kinds in ((BOT if bot else PERSON,), (OPEN,)):
            for number, seat in enumerate(seats):
                if seat.occupant is None and not seat.is_kept and seat.kind in kinds:
                    return number
        raise Refused("TABLE_FULL")
    seat = seats[existing(seats, wanted)]
    if seat.occupant is not None:
        raise Refused("SEAT_TAKEN")
    if seat.is_kept:
        raise Refused("SEAT_RESERVED_FOR_ANOTHER")
    if not seat.takes(bot):
        raise Refused("SEAT_RESERVED")
    return wanted


def has_seat_for(seats: Sequence[Seat], identity: str) -> bool:
    """Say whether somebody who has no seat could get one, at least of one kind."""
    if seat_of(seats, identity) >= 0:
        return False
    return any(seat.occupant is None and (not seat.is_kept or seat.promised == identity) for seat in seats)


def existing(seats: Sequence[Seat], number: int) -> int:
    """Return a seat's number, or refuse one that there is not."""
    if not 0 <= number < len(seats):
        raise Refused("NO_SUCH_SEAT", metadata={"seats": str(len(seats))})
    return number


def next_host(seats: Sequence[Seat], leaving: int, host: str) -> str:
    """Return who is host once a seat is left: the same, or the next person, or else the next bot that can be one."""
    occupant = seats[leaving].occupant
    if occupant is None or occupant.identity != host:
        return host
    others = [seats[(leaving + i) % len(seats)].occupant for i in range(1, len(seats))]
    # a bot of the service never calls it
    found = [other for other in others if other is not None and not other.policy]
    found.sort(key=lambda other: other.bot)
    return found[0].identity if found else host
