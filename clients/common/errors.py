"""Refusals of the service as one exception: the published reason, and what to tell the player."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

import grpc
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from daifugo.v1 import game_pb2

DOMAIN = "daifugo.v1"


class Refused(Exception):
    """The service said no.

    `reason` is the name of a Reason without `REASON_`, or the name of the status code when the service sent none;
    `text` is the sentence for players in the language of the session.
    """

    def __init__(self, code: grpc.StatusCode, reason: str, text: str) -> None:
        super().__init__(reason, text)
        self.code = code
        self.reason = reason
        self.text = text
        self.refusal = game_pb2.Refusal()
        """For a refused action: everything that speaks against it, and its possible readings."""
        self.retry_seconds = 0.0
        """How long the service asks to wait before the next attempt."""

    def __str__(self) -> str:
        return f"{self.reason}: {self.text}"

    @property
    def is_transient(self) -> bool:
        """Whether the same request may well succeed later: the connection failed, or the server is busy or moving."""
        return self.code in TRANSIENT


UNREACHED = frozenset({"UNAVAILABLE", "DEADLINE_EXCEEDED"})
"""Reasons that no service has sent: nobody answered."""

TRANSIENT = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNKNOWN,
    }
)


Answer = TypeVar("Answer")


async def answered(call: Awaitable[Answer]) -> Answer:
    """Wait for a call; raise Refused if it fails."""
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        raise refused(error) from None


def refusal(error: grpc.aio.AioRpcError | Refused) -> Refused:
    """Return what a failed call says, also where it failed before it was sent because there was no token for it."""
    return error if isinstance(error, Refused) else refused(error)


def refused(error: grpc.aio.AioRpcError) -> Refused:
    """Read what a failed call says: google.rpc.Status with ErrorInfo, LocalizedMessage, RetryInfo and Refusal."""
    answer = Refused(error.code(), error.code().name, error.details() or error.code().name)
    status = _status(error)
    for detail in status.details if status is not None else ():
        info, message = error_details_pb2.ErrorInfo(), error_details_pb2.LocalizedMessage()
        retry, refusal = error_details_pb2.RetryInfo(), game_pb2.Refusal()
        if detail.Unpack(info) and info.domain == DOMAIN:
            answer.reason = info.reason
        elif detail.Unpack(message):
            answer.text = message.message
        elif detail.Unpack(retry):
            answer.retry_seconds = retry.retry_delay.ToTimedelta().total_seconds()
        elif detail.Unpack(refusal):
            answer.refusal = refusal
    return answer


def _status(error: grpc.aio.AioRpcError) -> status_pb2.Status | None:
    try:
        status: status_pb2.Status | None = rpc_status.from_call(error)  # type: ignore[arg-type]
    except ValueError:  # the details do not belong to the status: made up on the way, by a proxy
        return None
    return status
