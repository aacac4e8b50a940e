"""What goes along with every call: who calls, in which language, and until when."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from grpc import aio


class Calls:
    """Adds bearer token and language to calls, and a deadline to unary ones that have none."""

    def __init__(self, token: str, language: str, call_seconds: float) -> None:
        self.token = token
        self.language = language
        self.call_seconds = call_seconds

    def interceptors(self) -> list[aio.ClientInterceptor]:
        return [_Unary(self), _Stream(self)]

    def details(self, given: aio.ClientCallDetails, timeout: float | None) -> aio.ClientCallDetails:
        headers = (("authorization", f"Bearer {self.token}"), ("accept-language", self.language))
        metadata = aio.Metadata(*(given.metadata or ()), *headers)
        return aio.ClientCallDetails(given.method, timeout, metadata, given.credentials, given.wait_for_ready)


class _Unary(aio.UnaryUnaryClientInterceptor):
    def __init__(self, calls: Calls) -> None:
        self.calls = calls

    async def intercept_unary_unary(
        self,
        continuation: Callable[[aio.ClientCallDetails, Any], Awaitable[Any]],
        client_call_details: aio.ClientCallDetails,
        request: Any,
    ) -> Any:
        timeout = client_call_details.timeout or self.calls.call_seconds
        return await continuation(self.calls.details(client_call_details, timeout), request)


class _Stream(aio.UnaryStreamClientInterceptor):
    def __init__(self, calls: Calls) -> None:
        self.calls = calls

    async def intercept_unary_stream(
        self,
        continuation: Callable[[aio.ClientCallDetails, Any], Awaitable[Any]],
        client_call_details: aio.ClientCallDetails,
        request: Any,
    ) -> Any:
        return await continuation(self.calls.details(client_call_details, client_call_details.timeout), request)
