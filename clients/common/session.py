"""A session with the service: one identity, one language, one connection that comes back by itself.

Unary calls are retried by gRPC itself, where the service is away or busy. A watch goes on from its cursor after every
interruption, so that whoever reads it sees each version once.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from types import TracebackType
from typing import Any, Final, Self

import grpc

from clients.common.calls import Calls
from clients.common.errors import Refused, answered, refusal
from clients.common.fairness import Witness, known_commitment, new_client_seed
from clients.common.identity import Credentials
from clients.common.watch import Update, Watch, WatchEnded
from daifugo.v1 import game_pb2, game_pb2_grpc, record_pb2_grpc, rules_pb2_grpc, view_pb2

CALL_SECONDS: Final = 10.0
"""The deadline of a unary call."""
ARRIVAL_SECONDS: Final = 2.0
"""How long to look out for having sat down, which only spares a snapshot."""
FIRST_WAIT_SECONDS: Final = 0.1
LONGEST_WAIT_SECONDS: Final = 5.0

SERVICE_CONFIG: Final = json.dumps(
    {
        "methodConfig": [
            {
                "name": [
                    {"service": f"daifugo.v1.{name}"} for name in ("GameService", "RulesService", "RecordService")
                ],
                "retryPolicy": {
                    "maxAttempts": 5,
                    "initialBackoff": "0.1s",
                    "maxBackoff": "2s",
                    "backoffMultiplier": 2,
                    "retryableStatusCodes": ["UNAVAILABLE", "RESOURCE_EXHAUSTED"],
                },
            },
            {"name": [{"service": "daifugo.v1.GameService", "method": "Watch"}]},
            {
                "name": [
                    {"service": "daifugo.v1.RecordService", "method": method}
                    for method in ("StreamRecord", "ExportRecords")
                ]
            },
        ]
    }
)
"""gRPC adds the jitter. A stream is not retried by gRPC: only `watch` knows the cursor reached."""

RECONNECT: Final = (
    ("grpc.initial_reconnect_backoff_ms", int(FIRST_WAIT_SECONDS * 1000)),
    ("grpc.min_reconnect_backoff_ms", 1000),
    ("grpc.max_reconnect_backoff_ms", int(LONGEST_WAIT_SECONDS * 1000)),
)
"""A service that was restarted is back in a second, which gRPC by itself would take twenty to find out."""


class Session:
    """A connection to the service as somebody. Use it with `async with`."""

    def __init__(
        self, address: str, token: Credentials, language: str = "en", *, patience_seconds: float = 60.0
    ) -> None:
        self.address = address
        self.patience_seconds = patience_seconds
        """How long a watch keeps trying to reach the service before it gives up."""
        self._calls = Calls(token, language, CALL_SECONDS)
        self._arrivals: dict[str, Watch] = {}
        """By table, the watch of a seat that has just been taken."""
        self.codes: dict[str, str] = {}
        """By table, the invite code that lets one look at it."""
        self.witnesses: dict[str, Witness] = {}
        """By table at which a seat was taken, what the shuffles can be checked with."""
        self._connect(address)

    def _connect(self, address: str) -> None:
        retries: list[tuple[str, Any]] = [("grpc.service_config", SERVICE_CONFIG), ("grpc.enable_retries", 1)]
        options = [*retries, *RECONNECT]
        self.channel = grpc.aio.insecure_channel(address, options=options, interceptors=self._calls.interceptors())
        self.game = game_pb2_grpc.GameServiceStub(self.channel)
        self.rules = rules_pb2_grpc.RulesServiceStub(self.channel)
        self.records = record_pb2_grpc.RecordServiceStub(self.channel)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.channel.close()

    @property
    def language(self) -> str:
        """The language in which texts are asked for."""
        return self._calls.language

    def speak(self, language: str) -> None:
        """Ask for texts in this language from now on."""
        self._calls.language = language

    async def join(self, request: game_pb2.JoinTableRequest) -> game_pb2.JoinTableResponse:
        """Take a seat, or raise Refused. The watch of the table then begins there, and misses nothing that follows."""
        watch = self._watch_of(request.table_id)
        async with aclosing(watch.follow(self.game)) as updates:
            with suppress(grpc.aio.AioRpcError, StopAsyncIteration):
                await anext(updates)
            # what is drawn for the shuffles goes out when the service can choose nothing any more
            before = watch.view.shuffle if watch.view is not None else view_pb2.Shuffle()
            request.client_seed = request.client_seed or new_client_seed()
            witness = Witness(request.client_seed, known_commitment(before), before.commitment if _runs(watch) else b"")
            answer = await answered(self.game.JoinTable(request))
            self.witnesses[request.table_id] = witness
            with suppress(grpc.aio.AioRpcError, TimeoutError):
                async with asyncio.timeout(ARRIVAL_SECONDS):
                    async for update in updates:
                        if update.view.seats[answer.seat].seat.occupied:
                            # until now a spectator has seen what everybody in the seat would have
                            update.view.seat = answer.seat
                            self._arrivals[request.table_id] = watch
                            break
        return answer

    async def act(self, table_id: str, decision_id: int, action: view_pb2.Action) -> game_pb2.ActResponse:
        """Answer a decision, or raise Refused. Sending the same answer again is harmless."""
        request = game_pb2.ActRequest(table_id=table_id, decision_id=decision_id, action=action)
        return await answered(self.game.Act(request))

    async def watch(self, table_id: str) -> AsyncGenerator[Update]:
        """Follow a table; each update has the view with everything folded in.

        Lost connections are made again from the cursor reached. Raises WatchEnded when there is nothing more to see,
        and Refused when the service says no, or cannot be reached for `patience_seconds`.
        """
        watch = self._arrivals.pop(table_id, None) or self._watch_of(table_id)
        loop = asyncio.get_running_loop()
        wait, reached = FIRST_WAIT_SECONDS, loop.time()
        while True:
            renews = False
            try:
                async with aclosing(watch.follow(self.game)) as updates:
                    async for update in updates:
                        wait, reached = FIRST_WAIT_SECONDS, loop.time()
                        yield update
            except (grpc.aio.AioRpcError, Refused) as error:
                watch.going_away = None
                problem = refusal(error)
                # the token may have ended, and the stream with it
                renews = self._calls.renews(problem)
                if not (problem.is_transient or renews) or loop.time() - reached > self.patience_seconds:
                    raise problem from None
                wait = max(wait, problem.retry_seconds)
            # an old stream is opened anew, and nothing is lost
            renews |= watch.going_away is not None and watch.going_away.reason == game_pb2.GOING_AWAY_REASON_MAX_AGE
            pause = await self._follow_advice(watch)
            if watch.view is not None and not renews:
                yield Update(watch.view, lost=True)
            await asyncio.sleep(max(pause, random.uniform(wait / 2, wait)))
            wait = min(wait * 2, LONGEST_WAIT_SECONDS)

    def _watch_of(self, table_id: str) -> Watch:
        return Watch(table_id, self.codes.get(table_id, ""))

    async def invited(self, code: str) -> game_pb2.Table:
        """Return the table that an invite code leads to, or raise Refused. From now on it can be watched."""
        table = (await answered(self.game.GetTable(game_pb2.GetTableRequest(invite_code=code)))).table
        self.codes[table.id] = code
        return table

    async def _follow_advice(self, watch: Watch) -> float:
        """Do what the server said when it went away; return how long it asked to wait."""
        notice, watch.going_away = watch.going_away, None
        if notice is None:
            return 0.0
        if notice.reason in (game_pb2.GOING_AWAY_REASON_SUPERSEDED, game_pb2.GOING_AWAY_REASON_TABLE_CLOSED):
            raise WatchEnded(notice.reason)
        if notice.reason in (game_pb2.GOING_AWAY_REASON_SEAT_LOST, game_pb2.GOING_AWAY_REASON_EYES_CHANGED):
            watch.forget()
        if notice.address and notice.address != self.address:
            await self.channel.close()
            self.address = notice.address
            self._connect(notice.address)
        return notice.reconnect_after.ToTimedelta().total_seconds()


def _runs(watch: Watch) -> bool:
    return watch.view is not None and watch.view.state == view_pb2.TABLE_STATE_RUNNING
