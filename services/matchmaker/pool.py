"""Who is brought together: a pure function of the tickets that wait, the time, and what the queue allows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Waiting:
    """A ticket that waits."""

    id: str
    number: int
    """Its place in the order in which tickets were taken."""
    size: int
    """How many seats the table is to have; 0, for a bot, is any number."""
    bot: bool
    bots_from: float = math.inf
    """From when on bots are welcome to fill up its table."""


@dataclass(frozen=True)
class Found:
    """Tickets that are to share tables, each as many as the table has seats, and when it is worth looking again."""

    groups: tuple[tuple[str, ...], ...]
    next_look: float
    """Infinity: only when a ticket comes or goes."""


def pair(waiting: Sequence[Waiting], now: float, usual_size: int, bots_only: bool) -> Found:
    """Bring tickets together, the oldest first and people of one size only with each other.

    People are first paired with people. A table that is not full of them gets bots once the wait of one of those at it
    is over; whoever welcomes bots at all, however much later, comes along. Where the queue allows tables of bots only
    (`usual_size` is theirs, unless they name another), these take what is left once nobody waits who could need a bot.
    """
    in_order = sorted(waiting, key=lambda ticket: ticket.number)
    people = [ticket for ticket in in_order if not ticket.bot]
    bots = [ticket for ticket in in_order if ticket.bot]
    groups: list[list[Waiting]] = []
    for size in dict.fromkeys([ticket.size for ticket in people]):
        groups += _full([ticket for ticket in people if ticket.size == size], size)
    people = _without(people, groups)
    filled = _filled(people, bots, now)
    people, bots = _without(people, filled), _without(bots, filled)
    groups += filled
    if bots_only and not any(ticket.bots_from < math.inf for ticket in people):
        for size in dict.fromkeys([ticket.size or usual_size for ticket in bots]):
            groups += _full([ticket for ticket in bots if (ticket.size or usual_size) == size], size)
    later = [ticket.bots_from for ticket in people if ticket.bots_from > now]
    return Found(tuple([tuple([ticket.id for ticket in group]) for group in groups]), min(later, default=math.inf))


def _full(tickets: Sequence[Waiting], size: int) -> list[list[Waiting]]:
    """Split tickets into full tables; those that make none are left over."""
    return [list(tickets[start : start + size]) for start in range(0, len(tickets) - size + 1, size)]


def _without(tickets: Sequence[Waiting], groups: Sequence[Sequence[Waiting]]) -> list[Waiting]:
    taken = {ticket.id for group in groups for ticket in group}
    return [ticket for ticket in tickets if ticket.id not in taken]


def _filled(people: Sequence[Waiting], bots: Sequence[Waiting], now: float) -> list[list[Waiting]]:
    """Fill tables up with bots, first that of whoever has waited longest beyond the wait agreed to."""
    groups: list[list[Waiting]] = []
    ready = sorted([ticket for ticket in people if ticket.bots_from <= now], key=lambda t: (t.bots_from, t.number))
    for size in dict.fromkeys([ticket.size for ticket in ready]):
        together = [ticket for ticket in people if ticket.size == size and ticket.bots_from < math.inf]
        fitting = [bot for bot in _without(bots, groups) if bot.size in (0, size)]
        if len(together) + len(fitting) >= size:
            groups.append([*together, *fitting[: size - len(together)]])
    return groups
