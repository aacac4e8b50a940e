"""MatchmakerService: tickets are taken, followed and given back."""

from __future__ import annotations

import asyncio

from daifugo.v1 import game_pb2, matchmaker_pb2, matchmaker_pb2_grpc
from services.common.auth import caller
from services.common.context import Context
from services.common.errors import Refused
from services.common.lifetimes import lifetime
from services.common.times import duration_to, time_to
from services.matchmaker.codec import queue_to, ticket_from, ticket_to
from services.matchmaker.office import Office
from services.matchmaker.tickets import Ticket


class MatchmakerServicer(matchmaker_pb2_grpc.MatchmakerServiceServicer):
    """Tickets and queues."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.address = office.config.table_address or office.config.game_address
        self.stopping = asyncio.Event()

    async def CreateTicket(  # noqa: N802
        self, request: matchmaker_pb2.CreateTicketRequest, context: Context
    ) -> matchmaker_pb2.CreateTicketResponse:
        """Take a ticket."""
        asked = ticket_from(request, caller(), self.office.queues.get(request.queue_id))
        return matchmaker_pb2.CreateTicketResponse(ticket=self._said(await self.office.take(asked)))

    async def GetTicket(  # noqa: N802
        self, request: matchmaker_pb2.GetTicketRequest, context: Context
    ) -> matchmaker_pb2.GetTicketResponse:
        """Show a ticket."""
        return matchmaker_pb2.GetTicketResponse(ticket=self._said(self._find(request.ticket_id)))

    async def DeleteTicket(  # noqa: N802
        self, request: matchmaker_pb2.DeleteTicketRequest, context: Context
    ) -> matchmaker_pb2.DeleteTicketResponse:
        """Give a ticket back."""
        ticket = await self.office.give_back(caller().identity, request.ticket_id)
        return matchmaker_pb2.DeleteTicketResponse(ticket=self._said(ticket))

    async def ListQueues(  # noqa: N802
        self, request: matchmaker_pb2.ListQueuesRequest, context: Context
    ) -> matchmaker_pb2.ListQueuesResponse:
        """List what can be waited for."""
        office = self.office
        return matchmaker_pb2.ListQueuesResponse(
            queues=[
                queue_to(q, office.waiting(q.id, False), office.waiting(q.id, True)) for q in office.queues.values()
            ]
        )

    async def WatchTicket(  # type: ignore[override]  # noqa: N802
        self, request: matchmaker_pb2.WatchTicketRequest, context: Context
    ) -> None:
        """Follow a ticket. It writes its messages itself, to know when nobody reads them."""
        await context.send_initial_metadata(())
        ticket_id = self._find(request.ticket_id).id
        changed = self.office.watch(ticket_id)
        try:
            await self._follow(ticket_id, changed, context)
        finally:
            self.office.unwatch(ticket_id, changed)

    async def _follow(self, ticket_id: str, changed: asyncio.Event, context: Context) -> None:
        old_at = self.office.clock.now() + lifetime(self.office.config)
        while True:
            changed.clear()
            ticket = self._find(ticket_id)
            await self._write(context, matchmaker_pb2.WatchTicketResponse(ticket=self._said(ticket)))
            if ticket.is_final:
                return
            while not await self._is_set(changed):
                if self.stopping.is_set():
                    wait = duration_to(self.office.config.reconnect_seconds)
                    going = game_pb2.GoingAway(reason=game_pb2.GOING_AWAY_REASON_DRAINING, reconnect_after=wait)
                    await self._write(context, matchmaker_pb2.WatchTicketResponse(going_away=going))
                    return
                if self.office.clock.now() >= old_at:
                    going = game_pb2.GoingAway(reason=game_pb2.GOING_AWAY_REASON_MAX_AGE)
                    await self._write(context, matchmaker_pb2.WatchTicketResponse(going_away=going))
                    return
                alive = matchmaker_pb2.TicketHeartbeat()
                await self._write(context, matchmaker_pb2.WatchTicketResponse(heartbeat=alive))

    async def _is_set(self, changed: asyncio.Event) -> bool:
        """Wait for a change, the time for a heartbeat, or the end of the server."""
        clock, beat = self.office.clock, asyncio.Event()
        timer = clock.call_at(clock.now() + self.office.config.heartbeat_seconds, beat.set)
        waits = [asyncio.ensure_future(event.wait()) for event in (changed, beat, self.stopping)]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            timer.cancel()
            for wait in waits:
                wait.cancel()
        return changed.is_set()

    async def _write(self, context: Context, message: matchmaker_pb2.WatchTicketResponse) -> None:
        message.time.CopyFrom(time_to(self.office.clock.now()))
        try:
            async with asyncio.timeout(self.office.config.write_seconds):
                await context.write(message)
        except TimeoutError:
            raise Refused("TOO_SLOW", retry_seconds=self.office.config.reconnect_seconds) from None

    def _find(self, ticket_id: str) -> Ticket:
        return self.office.find(caller().identity, ticket_id)

    def _said(self, ticket: Ticket) -> matchmaker_pb2.Ticket:
        return ticket_to(ticket, self.address)
