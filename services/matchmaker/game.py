"""The game service, called: what it answers, what it refuses for good, and when nobody knows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import grpc
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from daifugo.v1 import game_pb2, game_pb2_grpc, rules_pb2, rules_pb2_grpc
from services.common.errors import DETAILS_KEY
from services.common.texts import TEXTS
from services.matchmaker.codec import laid_from, ruleset_to
from services.matchmaker.queues import Queue
from services.matchmaker.seating import Laid, NoAnswer, NoTable
from services.matchmaker.token import Token

T = TypeVar("T")

FOR_GOOD: Final = frozenset(
    {
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.ALREADY_EXISTS,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.OUT_OF_RANGE,
    }
)
"""Answers that asking again does not change."""


class GameClient:
    """A connection to the game service as somebody."""

    def __init__(self, address: str, token: Token, seconds: float) -> None:
        self.channel = grpc.aio.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)])
        self.stub = game_pb2_grpc.GameServiceStub(self.channel)
        self.rules = rules_pb2_grpc.RulesServiceStub(self.channel)
        self.token = token
        self.seconds = seconds

    async def create(self, request: bytes) -> Laid:
        """Create a table, or return the one that the same request has created."""
        asked = game_pb2.CreateTableRequest.FromString(request)
        answer = await self._answered(self.stub.CreateTable, asked)
        return laid_from(answer.table)

    async def get(self, table_id: str) -> Laid:
        """Return a table."""
        asked = game_pb2.GetTableRequest(table_id=table_id)
        answer = await self._answered(self.stub.GetTable, asked)
        return laid_from(answer.table)

    async def problems(self, queue: Queue, seats: int) -> list[str]:
        """Say what is wrong with the ruleset of a queue; nothing if it can be played."""
        asked = rules_pb2.CheckRulesetRequest(ruleset=ruleset_to(queue, seats))
        try:
            answer = await self._answered(self.rules.CheckRuleset, asked)
        except NoTable as problem:
            return [TEXTS[problem.reason].en]
        return [problem.text.en for problem in answer.problems]

    async def close(self) -> None:
        """Let go of it."""
        await self.channel.close()
        await self.token.close()

    async def _answered(self, method: Callable[..., Awaitable[T]], request: Message) -> T:
        try:
            metadata = (("authorization", f"Bearer {await self.token.now()}"),)
            return await method(request, metadata=metadata, timeout=self.seconds)
        except grpc.aio.AioRpcError as error:
            if error.code() == grpc.StatusCode.UNAUTHENTICATED:
                self.token.forget()
            if error.code() in FOR_GOOD:
                raise NoTable(_reason(error)) from None
            raise NoAnswer from None


def _reason(error: grpc.aio.AioRpcError) -> str:
    data = dict(error.trailing_metadata() or ()).get(DETAILS_KEY, b"")
    info = ErrorInfo()
    for detail in Status.FromString(data if isinstance(data, bytes) else b"").details:
        if detail.Unpack(info) and info.reason in TEXTS:
            return info.reason
    return "INTERNAL"
