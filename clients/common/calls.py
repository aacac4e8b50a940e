"""What goes along with every call: who calls, in which language, and until when."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from grpc import aio

from clients.common.errors import Refused, refused
from clients.common.identity import Credentials


class Calls:
    """Adds bearer token and language to calls, and a deadline to unary ones that have none."""

    def __init__(self, token: Credentials, language: str, call_seconds: float) -> None:
        self.token = token
        self.language = language
        self.call_seconds = call_seconds

    def interceptors(self) -> list[aio.ClientInterceptor]:
        return [_Unary(self), _Stream(self), _Streams(self)]

    async def details(self, given: aio.ClientCallDetails, seconds: float | None) -> aio.ClientCallDetails:
        token = self.token if isinstance(self.token, str) else await self.token.token()
        headers = (("authorization", f"Bearer {token}"), ("accept-language", self.language))
        metadata = aio.Metadata(*(given.metadata or ()), *headers)
        return aio.ClientCallDetails(given.method, seconds, metadata, given.credentials, given.wait_for_ready)

    def renews(self, problem: Refused) -> bool:
        """Say whether a call failed only because its token had ended, and let there be another one."""
        if isinstance(self.token, str) or problem.reason != "TOKEN_EXPIRED":
            return False
        self.token.forget()
        return True


class _Unary(aio.UnaryUnaryClientInterceptor):
    def __init__(self, calls: Calls) -> None:
        self.calls = calls

    async def intercept_unary_unary(
        self,
        continuation: Callable[[aio.ClientCallDetails, Any], Awaitable[Any]],
        client_call_details: aio.ClientCallDetails,
        request: Any,
    ) -> Any:
        calls, timeout = self.calls, client_call_details.timeout or self.calls.call_seconds
        call = await continuation(await calls.details(client_call_details, timeout), request)
        try:
            await call
        except aio.AioRpcError as error:
            # a machine that slept does not know how old its token is
            if calls.renews(refused(error)):
                return await continuation(await calls.details(client_call_details, timeout), request)
        return call


class _Stream(aio.UnaryStreamClientInterceptor):
    def __init__(self, calls: Calls) -> None:
        self.calls = calls

    async def intercept_unary_stream(
        self,
        continuation: Callable[[aio.ClientCallDetails, Any], Awaitable[Any]],
        client_call_details: aio.ClientCallDetails,
        request: Any,
    ) -> Any:
        return await continuation(await self.calls.details(client_call_details, client_call_details.timeout), request)


class _Streams(aio.StreamStreamClientInterceptor):
    def __init__(self, calls: Calls) -> None:
        self.calls = calls

    async def intercept_stream_stream(
        self,
        continuation: Callable[[aio.ClientCallDetails, Any], Awaitable[Any]],
        client_call_details: aio.ClientCallDetails,
        request_iterator: Any,
    ) -> Any:
        details = await self.calls.details(client_call_details, client_call_details.timeout)
        return await continuation(details, request_iterator)
