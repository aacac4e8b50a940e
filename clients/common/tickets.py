"""Waiting for a match: a ticket is taken at the matchmaker and followed until it has a seat."""

from __future__ import annotations

import asyncio
import random
import uuid
from typing import Final

import grpc

from clients.common.calls import Calls
from clients.common.errors import refused
from daifugo.v1 import matchmaker_pb2, matchmaker_pb2_grpc

CALL_SECONDS: Final = 10.0
LONGEST_WAIT_SECONDS: Final = 5.0
FINAL: Final = frozenset(
    {
        matchmaker_pb2.TICKET_STATE_ASSIGNED,
        matchmaker_pb2.TICKET_STATE_DELETED,
        matchmaker_pb2.TICKET_STATE_EXPIRED,
        matchmaker_pb2.TICKET_STATE_FAILED,
    }
)


async def wait_for_seat(address: str, token: str, language: str, queue: str, bot: bool) -> matchmaker_pb2.Ticket:
    """Take a ticket and follow it to its end. Lost connections are made again; raises Refused for what stays so."""
    calls = Calls(token, language, CALL_SECONDS)
    request = matchmaker_pb2.CreateTicketRequest(request_id=str(uuid.uuid4()), queue_id=queue, bot=bot)
    wait = 0.1
    async with grpc.aio.insecure_channel(address, interceptors=calls.interceptors()) as channel:
        stub = matchmaker_pb2_grpc.MatchmakerServiceStub(channel)
        while True:
            try:
                return await _follow(stub, request)
            except grpc.aio.AioRpcError as error:
                problem = refused(error)
                if not problem.is_transient and problem.reason != "TICKET_EXISTS":
                    raise problem from None
            await asyncio.sleep(random.uniform(wait / 2, wait))
            wait = min(2 * wait, LONGEST_WAIT_SECONDS)


async def _follow(
    stub: matchmaker_pb2_grpc.MatchmakerServiceAsyncStub, request: matchmaker_pb2.CreateTicketRequest
) -> matchmaker_pb2.Ticket:
    ticket = (await stub.CreateTicket(request)).ticket
    while ticket.state not in FINAL:
        async for message in stub.WatchTicket(matchmaker_pb2.WatchTicketRequest(ticket_id=ticket.id)):
            if message.HasField("ticket"):
                ticket = message.ticket
    return ticket
