"""Waiting for a match: a ticket is taken at a matchmaker and followed until a seat comes of it."""

from __future__ import annotations

import asyncio
import contextlib
import random
import uuid
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from time import time
from types import TracebackType
from typing import Final, Self

import grpc

from clients.common.calls import Calls
from clients.common.errors import Refused, answered, refusal, refused
from clients.common.identity import Credentials
from clients.common.session import CALL_SECONDS, FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS, Session
from clients.common.watch import SILENCE_SECONDS
from daifugo.v1 import game_pb2, matchmaker_pb2, matchmaker_pb2_grpc, rules_pb2, view_pb2

GOODBYE_SECONDS: Final = 2.0
"""How long giving a ticket back may take for somebody who leaves."""
FINAL: Final = frozenset(
    {
        matchmaker_pb2.TICKET_STATE_ASSIGNED,
        matchmaker_pb2.TICKET_STATE_DELETED,
        matchmaker_pb2.TICKET_STATE_EXPIRED,
        matchmaker_pb2.TICKET_STATE_FAILED,
    }
)
PLAYABLE: Final = (view_pb2.TABLE_STATE_OPEN, view_pb2.TABLE_STATE_RUNNING)


class NoTable(Exception):
    """The game service will never make such a table; `reason` is the name of a Reason without `REASON_`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Tickets:
    """A connection to a matchmaker as somebody. Use it with `async with`."""

    def __init__(
        self, address: str, token: Credentials, language: str = "en", told: Callable[[str], None] = lambda news: None
    ) -> None:
        self.address = address
        self.token = token
        self.language = language
        self.told = told
        """Hears news of the wait: "lost" and "back" for the connection, "paired" and "queued" for the ticket."""
        self._calls = Calls(token, language, CALL_SECONDS)
        self.channel = grpc.aio.insecure_channel(address, interceptors=self._calls.interceptors())
        self.matchmaker = matchmaker_pb2_grpc.MatchmakerServiceStub(self.channel)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.channel.close()

    async def queues(self) -> Sequence[matchmaker_pb2.Queue]:
        """List what can be waited for."""
        return (await answered(self.matchmaker.ListQueues(matchmaker_pb2.ListQueuesRequest()))).queues

    async def seat(self, queue: str, *, bot: bool = False, size: int = 0) -> matchmaker_pb2.Assignment:
        """Wait in a queue for a seat, however long it takes; whoever stops waiting gives the ticket back.

        Lost connections are made again. Raises Refused for what stays so, and NoTable.
        """
        while True:
            request = matchmaker_pb2.CreateTicketRequest(
                request_id=str(uuid.uuid4()), queue_id=queue, size=size, bot=bot
            )
            try:
                ticket = await self._end_of(request)
            except asyncio.CancelledError:
                with contextlib.suppress(Refused, TimeoutError):
                    async with asyncio.timeout(GOODBYE_SECONDS):
                        await self.give_back()
                raise
            if ticket.HasField("assignment"):
                return ticket.assignment
            if ticket.state == matchmaker_pb2.TICKET_STATE_FAILED:
                raise NoTable(rules_pb2.Reason.Name(ticket.failure).removeprefix("REASON_"))

    async def kept_seat(self) -> matchmaker_pb2.Assignment | None:
        """Return the seat that the ticket before has brought, if it can still be played on: for those who come back."""
        try:
            ticket = (await answered(self.matchmaker.GetTicket(matchmaker_pb2.GetTicketRequest()))).ticket
        except Refused as problem:
            if problem.reason != "TICKET_NOT_FOUND":
                raise
            return None
        if not ticket.HasField("assignment"):
            return None
        request = game_pb2.GetTableRequest(table_id=ticket.assignment.table_id)
        async with Session(ticket.assignment.address, self.token, self.language) as session:
            try:
                table = (await answered(session.game.GetTable(request))).table
            except Refused:
                return None
        if table.HasField("your_seat"):
            return ticket.assignment if table.state in PLAYABLE else None
        can_come = ticket.assignment.take_by.ToMilliseconds() > 1000 * time()
        return ticket.assignment if can_come and table.state == view_pb2.TABLE_STATE_OPEN else None

    async def _end_of(self, request: matchmaker_pb2.CreateTicketRequest) -> matchmaker_pb2.Ticket:
        """Take a ticket and return what has become of it in the end."""
        wait, is_lost, was_paired = FIRST_WAIT_SECONDS, False, False
        while True:
            try:
                async with aclosing(self._follow(request)) as changes:
                    async for ticket in changes:
                        if is_lost:
                            self.told("back")
                        is_paired = ticket.state == matchmaker_pb2.TICKET_STATE_PAIRED
                        if is_paired != was_paired and ticket.state not in FINAL:
                            self.told("paired" if is_paired else "queued")
                        wait, is_lost, was_paired = FIRST_WAIT_SECONDS, False, is_paired
                        if ticket.state in FINAL:
                            return ticket
            except (grpc.aio.AioRpcError, Refused) as error:
                problem = refusal(error)
                if not problem.is_transient and not self._calls.renews(problem):
                    raise problem from None
                wait = max(wait, problem.retry_seconds)
            except TimeoutError:
                pass
            if not is_lost:
                self.told("lost")
            is_lost = True
            await asyncio.sleep(random.uniform(wait / 2, wait))
            wait = min(2 * wait, LONGEST_WAIT_SECONDS)

    async def _follow(self, request: matchmaker_pb2.CreateTicketRequest) -> AsyncGenerator[matchmaker_pb2.Ticket]:
        """Take a ticket, or the one taken before, and tell each of its states for as long as the stream lasts."""
        try:
            ticket = (await self.matchmaker.CreateTicket(request)).ticket
        except grpc.aio.AioRpcError as error:
            ticket = await self._before(request, error)
        yield ticket
        is_old = True
        while is_old:
            # a stream that ends because it is old is gone on with at once: nothing is lost
            is_old = False
            call = self.matchmaker.WatchTicket(matchmaker_pb2.WatchTicketRequest(ticket_id=ticket.id))
            try:
                messages = call.__aiter__()
                while not is_old:
                    async with asyncio.timeout(SILENCE_SECONDS):
                        message = await anext(messages)
                    if message.HasField("ticket"):
                        yield message.ticket
                    is_old = message.going_away.reason == game_pb2.GOING_AWAY_REASON_MAX_AGE
            except StopAsyncIteration:
                pass
            finally:
                call.cancel()

    async def _before(
        self, request: matchmaker_pb2.CreateTicketRequest, error: grpc.aio.AioRpcError
    ) -> matchmaker_pb2.Ticket:
        """Return the ticket with which somebody who comes back waits for the same; raise the error otherwise."""
        if refused(error).reason != "TICKET_EXISTS":
            raise error
        ticket = (await self.matchmaker.GetTicket(matchmaker_pb2.GetTicketRequest())).ticket
        if (ticket.queue_id, ticket.bot) != (request.queue_id, request.bot) or request.size not in (0, ticket.size):
            raise error
        return ticket

    async def give_back(self) -> None:
        """Give the ticket back, or the seat if it has just come."""
        try:
            await answered(self.matchmaker.DeleteTicket(matchmaker_pb2.DeleteTicketRequest()))
        except Refused as problem:
            if problem.reason != "TICKET_PAIRED":
                raise
            ticket = (await answered(self.matchmaker.GetTicket(matchmaker_pb2.GetTicketRequest()))).ticket
            if ticket.HasField("assignment"):
                await leave(ticket.assignment, self.token)


async def leave(assignment: matchmaker_pb2.Assignment, token: Credentials) -> None:
    """Give up a seat that is kept, or taken."""
    async with Session(assignment.address, token) as session:
        await answered(session.game.LeaveTable(game_pb2.LeaveTableRequest(table_id=assignment.table_id)))
