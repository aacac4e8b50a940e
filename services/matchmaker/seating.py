"""From a pairing to seats: the table is asked for until there is an answer, then the seats are told to their owners."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Protocol

from services.common.errors import Refused
from services.common.logs import log, log_bug
from services.matchmaker.office import Office
from services.matchmaker.patience import Patience, sleep
from services.matchmaker.tickets import ASSIGNED, FAILED, PAIRED, QUEUED, Change, Pairing, Ticket


@dataclass(frozen=True)
class Laid:
    """A table at the game service."""

    id: str
    is_open: bool
    """Whether people can still sit down."""
    reserved_until: float
    starts_by: float
    free: tuple[int, ...]
    """Seats that are for bots and that nobody has."""


class NoTable(Exception):
    """The game service says that it will never make this table, or has it no more."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NoAnswer(Exception):
    """Nobody knows what the game service has done; it is to be asked again."""


class Game(Protocol):
    """The game service, as far as pairings need it."""

    async def create(self, request: bytes) -> Laid:
        """Create a table, or return the one that the same request has created."""
        ...

    async def get(self, table_id: str) -> Laid:
        """Return a table."""
        ...


class Seating:
    """Brings each pairing to its seats, one task each."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.office: Office
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, pairing: Pairing) -> None:
        """Take care of a pairing, from whichever step it has reached."""
        task = asyncio.create_task(self._run(pairing))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """Leave pairings as they are; after a restart they go on."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, pairing: Pairing) -> None:
        patience = Patience(self.office.clock)
        while True:
            try:
                await self._step(pairing.id)
                return
            except (NoAnswer, Refused):
                log().warning("seating_waits", pairing_id=pairing.id, seconds=patience.seconds)
            except Exception as error:
                self.office.metrics.bugs.inc()
                log_bug("bug", error)
            await patience.pause()

    async def _step(self, pairing_id: str) -> None:
        """Do what is left to do for a pairing."""
        office = self.office
        pairing = office.pairings.get(pairing_id)
        if pairing is None:
            return
        if not pairing.table:
            try:
                laid = await self.game.create(pairing.request)
            except NoTable as problem:
                reason = problem.reason
                await self._give_up(pairing, FAILED, reason)
                return
            if not laid.is_open or laid.reserved_until <= office.clock.now():
                # it was made long ago, and its answer lost: nobody has been told of it, so they wait again
                await self._give_up(pairing, QUEUED, "")
                office.look_soon()
                return
            pairing = await self._assign(pairing, laid)
        await sleep(office.clock, pairing.reserved_until - office.clock.now())
        await self._fill_up(pairing)

    def _members(self, pairing: Pairing) -> list[Ticket]:
        tickets = [self.office.tickets[each] for each in pairing.tickets if each in self.office.tickets]
        return [ticket for ticket in tickets if ticket.state == PAIRED and ticket.pairing == pairing.id]

    async def _give_up(self, pairing: Pairing, state: int, reason: str) -> None:
        def decide() -> tuple[Change, None]:
            members = self._members(pairing)
            ended = 0.0 if state == QUEUED else self.office.clock.now()
            after = [replace(each, state=state, pairing="", failure=reason, ended=ended) for each in members]
            return Change(tickets=tuple(after), done=(pairing.id,)), None

        failed = len(self._members(pairing)) if state == FAILED else 0
        await self.office.change(decide)
        if failed:
            self.office.metrics.tickets.labels(pairing.queue, "failed").inc(failed)
        end = "failed" if state == FAILED else "too_late"
        self.office.metrics.pairings.labels(pairing.queue, end).inc()
        log().warning("not_seated", pairing_id=pairing.id, queue=pairing.queue, reason=reason)

    async def _assign(self, pairing: Pairing, laid: Laid) -> Pairing:
        seated = replace(pairing, table=laid.id, reserved_until=laid.reserved_until, starts_by=laid.starts_by)
        members = self._members(pairing)

        def decide() -> tuple[Change, None]:
            given = [self._given(each, seated, pairing.tickets.index(each.id)) for each in members]
            return Change(tickets=tuple(given), pairings=(seated,)), None

        await self.office.change(decide)
        self.office.metrics.pairings.labels(pairing.queue, "seated").inc()
        for ticket in members:
            self._count(ticket)
        return seated

    def _given(self, ticket: Ticket, pairing: Pairing, seat: int) -> Ticket:
        given = self.office.ended(ticket, ASSIGNED)
        take_by = pairing.reserved_until if ticket.id in pairing.tickets else pairing.starts_by
        return replace(given, pairing=pairing.id, table=pairing.table, seat=seat, take_by=take_by)

    def _count(self, ticket: Ticket) -> None:
        who = "bots" if ticket.bot else "people"
        self.office.metrics.wait_seconds.labels(ticket.queue, who).observe(self.office.clock.now() - ticket.created)
        self.office.metrics.tickets.labels(ticket.queue, "assigned").inc()

    async def _fill_up(self, pairing: Pairing) -> None:
        """Give seats that nobody took to bots that wait; then the pairing is done."""
        try:
            laid = await self.game.get(pairing.table)
            free = laid.free if laid.is_open else ()
        except NoTable:
            free = ()

        def decide() -> tuple[Change, list[Ticket]]:
            office = self.office
            bots = [
                ticket
                for ticket in sorted(office.tickets.values(), key=lambda ticket: ticket.number)
                if ticket.bot and ticket.state == QUEUED and ticket.queue == pairing.queue
            ]
            bots = [bot for bot in bots if bot.size in (0, len(pairing.tickets))]
            in_time = office.clock.now() < pairing.starts_by
            given = [self._given(bot, pairing, seat) for seat, bot in zip(free, bots) if in_time]
            return Change(tickets=tuple(given), done=(pairing.id,)), given

        for ticket in await self.office.change(decide):
            self._count(ticket)
