"""The ticket office: every ticket and pairing, and each change of them, durable before anybody is told."""

from __future__ import annotations

import asyncio
import math
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from services.common.clocks import Clock, Timer
from services.common.errors import Refused
from services.common.logs import log, log_bug
from services.matchmaker.config import MatchmakerConfig
from services.matchmaker.metrics import MatchmakerMetrics
from services.matchmaker.pool import Waiting, pair
from services.matchmaker.queues import Queue
from services.matchmaker.store import Kept, Store
from services.matchmaker.tickets import DELETED, EXPIRED, LIVE, PAIRED, QUEUED, Change, Pairing, Ticket

T = TypeVar("T")
MOST_ENDED: Final = 20
"""How many tickets of one identity are remembered that have come to their end."""
Ask = Callable[[str, Queue, list[Ticket]], bytes]
"""Writes the request for a pairing's table."""


class Office:
    """Tickets and pairings. `paired` is called with every pairing that needs a table."""

    def __init__(
        self,
        config: MatchmakerConfig,
        clock: Clock,
        store: Store,
        queues: Mapping[str, Queue],
        metrics: MatchmakerMetrics,
        ask: Ask,
        paired: Callable[[Pairing], None],
    ) -> None:
        self.config, self.clock, self.store, self.queues, self.metrics = config, clock, store, queues, metrics
        self.ask, self.paired = ask, paired
        self.tickets: dict[str, Ticket] = {}
        self.pairings: dict[str, Pairing] = {}
        self._seen: dict[str, float] = {}
        """When each ticket's owner last asked for it."""
        self._watching: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._lock = asyncio.Lock()
        self._timer: Timer | None = None
        self._tasks: set[asyncio.Task[object]] = set()

    def resume(self, kept: Kept) -> None:
        """Go on from what the store holds. Owners get the whole time again to come back for their tickets."""
        self._hold(kept)
        for pairing in self.pairings.values():
            self.paired(pairing)
        self.look_soon()

    def _hold(self, kept: Kept) -> None:
        self.tickets = {ticket.id: ticket for ticket in sorted(kept.tickets, key=lambda ticket: ticket.number)}
        self.pairings = {pairing.id: pairing for pairing in kept.pairings}
        self._seen = {ticket_id: self._seen.get(ticket_id, self.clock.now()) for ticket_id in self.tickets}
        for events in self._watching.values():
            for event in events:
                event.set()
        self._count()

    async def stop(self) -> None:
        """Look no more, and let what is being stored be stored."""
        if self._timer is not None:
            self._timer.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def change(self, decide: Callable[[], tuple[Change, T]]) -> T:
        """Decide on a change, make it durable, then let it be seen. A caller who leaves does not stop it halfway."""
        task = asyncio.create_task(self._change(decide))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def _change(self, decide: Callable[[], tuple[Change, T]]) -> T:
        async with self._lock:
            change, result = decide()
            if change.is_empty():
                return result
            try:
                with self.metrics.store_seconds.time():
                    await self.store.save(change)
            except Exception as error:
                self.metrics.store_failures.inc()
                log_bug("not_stored", error)
                # it is unknown whether it was stored: what the store holds now is what is true
                self._hold(await self.store.load())
                raise Refused("NOT_STORED", retry_seconds=self.config.store_retry_seconds) from None
            self._apply(change)
            return result

    def _apply(self, change: Change) -> None:
        for ticket in change.tickets:
            self.tickets[ticket.id] = ticket
            for event in self._watching.get(ticket.id, ()):
                event.set()
        self.pairings |= {pairing.id: pairing for pairing in change.pairings}
        for ticket_id in change.forgotten:
            self.tickets.pop(ticket_id, None)
            self._seen.pop(ticket_id, None)
        for pairing_id in change.done:
            self.pairings.pop(pairing_id, None)
        self._count()

    def _count(self) -> None:
        for queue in self.queues:
            for who, bot in (("people", False), ("bots", True)):
                self.metrics.waiting.labels(queue, who).set(self.waiting(queue, bot))
        self.metrics.seating.set(len(self.pairings))

    def waiting(self, queue: str, bot: bool) -> int:
        """Count who waits in a queue."""
        return sum(t.queue == queue and t.bot == bot and t.state == QUEUED for t in self.tickets.values())

    async def take(self, asked: Ticket) -> Ticket:
        """Take a ticket, or return the one that the same request has taken before."""

        def decide() -> tuple[Change, Ticket]:
            own = [ticket for ticket in self.tickets.values() if ticket.identity == asked.identity]
            for ticket in own:
                if ticket.request_id == asked.request_id:
                    if ticket.fingerprint != asked.fingerprint:
                        raise Refused("REQUEST_ID_REUSED")
                    return Change(), ticket
            for ticket in own:
                if ticket.state in LIVE:
                    raise Refused("TICKET_EXISTS", metadata={"ticket_id": ticket.id})
            if sum(ticket.state in LIVE for ticket in self.tickets.values()) >= self.config.max_tickets:
                metadata = {"limit": "max_tickets", "most": str(self.config.max_tickets)}
                raise Refused("TOO_MANY", retry_seconds=self.config.reconnect_seconds, metadata=metadata)
            number = 1 + max([ticket.number for ticket in self.tickets.values()], default=0)
            taken = replace(asked, id=secrets.token_hex(12), number=number, created=self.clock.now())
            self._seen[taken.id] = self.clock.now()
            # somebody who comes and goes all the time must not fill the memory with that
            oldest = sorted(own, key=lambda ticket: ticket.number)[: max(0, len(own) - MOST_ENDED)]
            return Change(tickets=(taken,), forgotten=tuple([ticket.id for ticket in oldest])), taken

        taken = await self.change(decide)
        self.look_soon()
        return taken

    def find(self, identity: str, ticket_id: str) -> Ticket:
        """Return a ticket of a caller, or the one taken last; asking keeps it alive."""
        own = [t for t in self.tickets.values() if t.identity == identity and ticket_id in ("", t.id)]
        if not own:
            raise Refused("TICKET_NOT_FOUND")
        found = max(own, key=lambda ticket: ticket.number)
        self._seen[found.id] = self.clock.now()
        return found

    async def give_back(self, identity: str, ticket_id: str) -> Ticket:
        """Give a ticket back, unless a seat is being kept for it."""

        def decide() -> tuple[Change, Ticket]:
            ticket = self.find(identity, ticket_id)
            if ticket.state == QUEUED:
                ticket = self.ended(ticket, DELETED)
                self.metrics.tickets.labels(ticket.queue, "deleted").inc()
                return Change(tickets=(ticket,)), ticket
            if ticket.state in (DELETED, EXPIRED) or ticket.failure:
                return Change(), ticket
            raise Refused("TICKET_PAIRED")

        return await self.change(decide)

    def ended(self, ticket: Ticket, state: int) -> Ticket:
        """Return a ticket that has come to its end now."""
        return replace(ticket, state=state, ended=self.clock.now())

    def watch(self, ticket_id: str) -> asyncio.Event:
        """Return an event that is set whenever the ticket changes; while it is kept the ticket does not expire."""
        event = asyncio.Event()
        self._watching[ticket_id].add(event)
        return event

    def unwatch(self, ticket_id: str, event: asyncio.Event) -> None:
        """Take note that a stream has ended."""
        self._watching[ticket_id].discard(event)
        if not self._watching[ticket_id]:
            del self._watching[ticket_id]
        if ticket_id in self.tickets:
            self._seen[ticket_id] = self.clock.now()
        self.look_soon()

    def look_soon(self) -> None:
        """Look who can be paired as soon as what is under way is done."""
        self._look_at(self.clock.now())
        task = asyncio.create_task(self.look())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def look(self) -> None:
        """End what nobody asks for, pair who waits, and set a time for the next look."""
        try:
            await self.change(lambda: (self._outlived(), None))
            for queue in self.queues.values():
                for pairing in await self.change(partial(self._pairings, queue)):
                    log().info("paired", pairing_id=pairing.id, queue=queue.id, seats=len(pairing.tickets))
                    self.paired(pairing)
            self._look_at(self._next_look())
        except Refused:
            self._look_at(self.clock.now() + self.config.store_retry_seconds)

    def _look_at(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.clock.now() < when < math.inf:
            self._timer = self.clock.call_at(when, self.look_soon)

    def _outlived(self) -> Change:
        """Return the end of tickets that nobody asks for, and of the memory of those that ended long ago."""
        now = self.clock.now()
        left = [t for t in self._unwatched() if self._seen.get(t.id, now) + self.config.ticket_idle_seconds <= now]
        old = [t.id for t in self.tickets.values() if t.is_final and t.ended + self.config.request_id_seconds <= now]
        for ticket in left:
            self.metrics.tickets.labels(ticket.queue, "expired").inc()
        return Change(tickets=tuple([self.ended(ticket, EXPIRED) for ticket in left]), forgotten=tuple(old))

    def _unwatched(self) -> Iterable[Ticket]:
        return [t for t in self.tickets.values() if t.state == QUEUED and not self._watching.get(t.id)]

    def _waiting(self, queue: Queue) -> list[Waiting]:
        return [
            Waiting(t.id, t.number, t.size, t.bot, math.inf if t.bots_after is None else t.created + t.bots_after)
            for t in self.tickets.values()
            if t.queue == queue.id and t.state == QUEUED
        ]

    def _pairings(self, queue: Queue) -> tuple[Change, list[Pairing]]:
        found = pair(self._waiting(queue), self.clock.now(), queue.sizes[0], queue.bots_only)
        tickets: list[Ticket] = []
        pairings: list[Pairing] = []
        for group in found.groups:
            pairing_id = secrets.token_hex(16)
            members = [replace(self.tickets[each], state=PAIRED, pairing=pairing_id) for each in group]
            request = self.ask(pairing_id, queue, members)
            tickets += members
            pairings.append(Pairing(pairing_id, queue.id, group, request))
        return Change(tuple(tickets), tuple(pairings)), pairings

    def _next_look(self) -> float:
        now = self.clock.now()
        looks = [pair(self._waiting(q), now, q.sizes[0], q.bots_only).next_look for q in self.queues.values()]
        looks += [self._seen.get(t.id, now) + self.config.ticket_idle_seconds for t in self._unwatched()]
        return min(looks, default=math.inf)
