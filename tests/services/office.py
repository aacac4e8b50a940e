"""A matchmaker beside a game service, on free ports and with one clock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import grpc
from google.protobuf.message import Message

from daifugo.v1 import matchmaker_pb2, matchmaker_pb2_grpc
from services.matchmaker.app import App
from services.matchmaker.config import MatchmakerConfig
from services.matchmaker.store import MemoryStore, Store
from tests.services.harness import Failure, World, world

S = matchmaker_pb2


class Office:
    """A running matchmaker and the game service beside it."""

    def __init__(self, app: App, address: str, w: World) -> None:
        self.app, self.w = app, w
        self.channel = grpc.aio.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)])
        self.stub = matchmaker_pb2_grpc.MatchmakerServiceStub(self.channel)

    async def call(self, token: str, method: str, request: Message) -> Any:
        try:
            return await getattr(self.stub, method)(
                request, metadata=[("authorization", f"Bearer {token}")], timeout=20
            )
        except grpc.aio.AioRpcError as error:
            raise Failure(error) from None

    async def take(self, token: str, request_id: str = "r", **more: Any) -> matchmaker_pb2.Ticket:
        more.setdefault("queue_id", "federation")
        bot = token.startswith("b")
        request = S.CreateTicketRequest(request_id=request_id, bot=bot, **more)
        ticket: matchmaker_pb2.Ticket = (await self.call(token, "CreateTicket", request)).ticket
        return ticket

    async def get(self, token: str) -> matchmaker_pb2.Ticket:
        ticket: matchmaker_pb2.Ticket = (await self.call(token, "GetTicket", S.GetTicketRequest())).ticket
        return ticket

    async def until(self, token: str, state: int) -> matchmaker_pb2.Ticket:
        """Ask for a ticket until it has come to a state."""
        async with asyncio.timeout(20):
            while (ticket := await self.get(token)).state != state:
                pass
        return ticket

    async def until_waiting(self, count: int, bots: bool = False) -> None:
        """Ask until so many people, or bots, wait for a match by the federation's rules."""
        async with asyncio.timeout(20):
            while True:
                queue = (await self.call("anybody", "ListQueues", S.ListQueuesRequest())).queues[0]
                if (queue.bots_waiting if bots else queue.people_waiting) == count:
                    return


@asynccontextmanager
async def beside(w: World, store: Store | None = None, **settings: Any) -> AsyncIterator[Office]:
    """Run a matchmaker beside a game service."""
    usual = MatchmakerConfig(port=0, game_address=w.address, grace_seconds=0.2, calls_per_second=1e6, calls_burst=10**6)
    config = replace(usual, **settings)
    app = App(config, w.clock, store or MemoryStore())
    made = Office(app, await app.start(), w)
    try:
        yield made
    finally:
        await made.channel.close()
        await app.stop()
        assert app.metrics.registry.get_sample_value("daifugo_bugs_total") == 0, w.logs.getvalue()


@asynccontextmanager
async def office(**settings: Any) -> AsyncIterator[Office]:
    """Run both."""
    async with world() as w, beside(w, **settings) as made:
        yield made
