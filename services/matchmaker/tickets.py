"""Tickets and pairings as values: what the matchmaker knows, and what its store keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

# what has become of a ticket: numbers of the published TicketState
QUEUED: Final = 1
PAIRED: Final = 2
ASSIGNED: Final = 3
DELETED: Final = 4
EXPIRED: Final = 5
FAILED: Final = 6

LIVE: Final = frozenset({QUEUED, PAIRED})
"""States in which a ticket keeps its owner from taking another one."""


@dataclass(frozen=True)
class Ticket:
    """Somebody's place in a queue."""

    id: str
    number: int
    """Its place in the order in which tickets were taken."""
    identity: str
    request_id: str
    fingerprint: bytes
    """A digest of the request that took it, to tell a repeated one from another with the same id."""
    created: float
    """Seconds since 1970."""
    queue: str
    size: int
    bot: bool
    bots_after: float | None
    """After how many seconds bots may fill up the table; None is never."""
    state: int = QUEUED
    ended: float = 0.0
    """When its state became final."""
    pairing: str = ""
    table: str = ""
    seat: int = -1
    take_by: float = 0.0
    failure: str = ""
    """The published reason for which no table could be made."""

    @property
    def is_final(self) -> bool:
        """Say whether nothing will become of it any more."""
        return self.state not in LIVE


@dataclass(frozen=True)
class Pairing:
    """Tickets that share a table. Without a table yet, one is asked for until there is an answer."""

    id: str
    """Also the request_id with which the table is asked for, so that asking again gets the same one."""
    queue: str
    tickets: tuple[str, ...]
    """By seat."""
    request: bytes
    """The CreateTableRequest: sent again it must be the same, even if the queues are other ones by then."""
    table: str = ""
    reserved_until: float = 0.0
    starts_by: float = 0.0


@dataclass(frozen=True)
class Change:
    """What becomes of tickets and pairings at once, or not at all."""

    tickets: tuple[Ticket, ...] = ()
    pairings: tuple[Pairing, ...] = ()
    forgotten: tuple[str, ...] = ()
    """Tickets that are no longer kept."""
    done: tuple[str, ...] = ()
    """Pairings that are no longer kept."""

    def is_empty(self) -> bool:
        """Say whether it changes nothing."""
        return not (self.tickets or self.pairings or self.forgotten or self.done)
