"""A service that says what a test tells it to say, over real gRPC."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc
import pytest
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from daifugo.v1 import game_pb2, game_pb2_grpc, view_pb2

Stream = list[game_pb2.WatchResponse | BaseException]


class FakeService(game_pb2_grpc.GameServiceServicer):
    """Plays one prepared stream for each Watch, and remembers what it was asked.

    A stream's last message may be an exception to end it with; after the prepared streams a Watch stays open.
    """

    def __init__(self) -> None:
        self.streams: list[Stream] = []
        self.watched: list[game_pb2.WatchRequest] = []
        self.metadata: list[dict[str, Any]] = []
        self.acted: list[game_pb2.ActRequest] = []
        self.act_answers: list[game_pb2.ActResponse | status_pb2.Status | grpc.StatusCode] = []
        self.options: list[game_pb2.SetSeatOptionsRequest] = []
        self.legal: list[view_pb2.Action] = []
        self.checks: Callable[[view_pb2.Action], bool] = lambda action: True
        self.verdicts: Callable[[view_pb2.Action], game_pb2.CheckActionResponse] = lambda action: (
            game_pb2.CheckActionResponse(legal=self.checks(action), reading=action)
        )
        self.hints: list[game_pb2.Hint] = []
        self.table = game_pb2.Table()
        """What is told of the table to whoever joins."""
        self.address = ""

    async def Watch(self, request: Any, context: Any) -> AsyncIterator[game_pb2.WatchResponse]:
        self.watched.append(request)
        self.metadata.append(dict(context.invocation_metadata()))
        if not self.streams:
            await asyncio.Event().wait()
        for message in self.streams.pop(0):
            if isinstance(message, game_pb2.WatchResponse):
                yield message
            else:
                await context.abort(grpc.StatusCode.UNAVAILABLE, "cut")

    async def Act(self, request: Any, context: Any) -> game_pb2.ActResponse:
        self.acted.append(request)
        self.metadata.append(dict(context.invocation_metadata()))
        answer = self.act_answers.pop(0) if self.act_answers else game_pb2.ActResponse(version=1)
        if isinstance(answer, grpc.StatusCode):
            await context.abort(answer, "not now")
        if isinstance(answer, status_pb2.Status):
            await context.abort_with_status(rpc_status.to_status(answer))
        assert isinstance(answer, game_pb2.ActResponse)
        return answer

    async def JoinTable(self, request: Any, context: Any) -> game_pb2.JoinTableResponse:
        return game_pb2.JoinTableResponse(seat=request.seat, table=self.table)

    async def SetSeatOptions(self, request: Any, context: Any) -> game_pb2.SetSeatOptionsResponse:
        self.options.append(request)
        return game_pb2.SetSeatOptionsResponse()

    async def GetLegalActions(self, request: Any, context: Any) -> game_pb2.GetLegalActionsResponse:
        return game_pb2.GetLegalActionsResponse(actions=[game_pb2.LegalAction(action=action) for action in self.legal])

    async def GetHint(self, request: Any, context: Any) -> game_pb2.GetHintResponse:
        return game_pb2.GetHintResponse(hints=self.hints)

    async def CheckAction(self, request: Any, context: Any) -> game_pb2.CheckActionResponse:
        return self.verdicts(request.action)


@pytest.fixture
async def service() -> AsyncIterator[FakeService]:
    fake = FakeService()  # type: ignore[abstract]  # the rest is not called
    server = grpc.aio.server()
    game_pb2_grpc.add_GameServiceServicer_to_server(fake, server)
    fake.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    yield fake
    await server.stop(None)


def packed(*details: Any) -> list[any_pb2.Any]:
    anys = [any_pb2.Any() for _ in details]
    for box, detail in zip(anys, details):
        box.Pack(detail)
    return anys


@pytest.fixture
def refusal() -> Callable[..., status_pb2.Status]:
    """Makes the google.rpc.Status of a refusal, as the proto describes it."""

    def make(reason: str, text: str, code: grpc.StatusCode, *more: Any) -> status_pb2.Status:
        info = error_details_pb2.ErrorInfo(reason=reason, domain="daifugo.v1")
        message = error_details_pb2.LocalizedMessage(locale="en", message=text)
        return status_pb2.Status(code=code.value[0], message="raw", details=packed(info, message, *more))

    return make


@pytest.fixture
def view() -> view_pb2.View:
    """Four seats, the viewer at seat 0, in the first game of a match."""
    names = ("Mio", "Aki", "Haru", "Nao")
    view = view_pb2.View(seat=0, table_id="t", state=view_pb2.TABLE_STATE_RUNNING, games=4, game=1, set=1, round=1)
    view.playing, view.clockwise = True, True
    view.seating.extend(range(4))
    for index, name in enumerate(names):
        seat = view_pb2.Seat(index=index, occupied=True, display_name=name, connected=True)
        view.seats.add(seat=seat, standing=view_pb2.STANDING_IN, hand_count=13)
    return view
