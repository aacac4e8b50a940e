"""What happens around every call: identity, size, deadline, numbers, and errors turned into statuses."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from time import perf_counter
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError, Message

from services.common.access import OPEN, access_to, check_access
from services.common.auth import NOBODY, Caller, Doorkeeper, Identity, locale_of, set_caller, token_of
from services.common.buckets import Bucket, host_of
from services.common.config import Config
from services.common.context import Context, Handler
from services.common.errors import DETAILS_KEY, Refused, malformed, message_of, status_of
from services.common.limit import Limit
from services.common.logs import log, log_bug
from services.common.metrics import Metrics

OPEN_TO_ALL: Final = ("/grpc.health.", "/grpc.reflection.")
"""Services that need no identity and are not counted."""

BYTES_OF_ONE_CALL: Final = 4096
"""As many calls more as it has times so many bytes, an answer counts for."""

Serve = Callable[[Any, Context], Awaitable[Any]]


class Edge:
    """The one way in. `draining` refuses new calls while the server stops."""

    def __init__(self, config: Config, metrics: Metrics, door: Doorkeeper, open_calls: Bucket | None = None) -> None:
        self.config = config
        self.door = door
        self.metrics = metrics
        self.limit = Limit(config.call_seconds)
        self.calls = Bucket("calls_per_second", config.calls_per_second, config.calls_burst)
        self.open_calls = open_calls
        self.streams: Counter[str] = Counter()
        """How many streams each identity has."""
        self.draining = False

    def around(self, path: str, handler: Handler) -> Handler:
        """Return a handler with everything around it."""
        if path.startswith(OPEN_TO_ALL):
            return handler
        read = handler.request_deserializer
        if handler.request_streaming:
            serve = self._around(path, read, handler.stream_stream, False, self._read_each)
            return grpc.stream_stream_rpc_method_handler(serve, None, _written)
        if handler.response_streaming:
            serve = self._around(path, read, handler.unary_stream, False)
            return grpc.unary_stream_rpc_method_handler(serve, None, _written)
        serve = self._around(path, read, handler.unary_unary, True)
        return grpc.unary_unary_rpc_method_handler(serve, None, None)

    def _around(self, path: str, read: Any, serve: Any, ends: bool, take: Any = None) -> Serve:
        """Return `serve` with everything around it. A stream may go on for as long as its token holds.

        `take` makes of what has come in, and of how a message is read, what is to be served.
        """
        take = take or self._read
        method, access = path.rpartition("/")[2], access_to(path)

        async def around(data: Any, context: Context) -> Any:
            begun = perf_counter()
            locale = self.config.locale
            refused: Refused | None = None
            code = "OK"
            try:
                metadata = context.invocation_metadata() or ()
                locale = locale_of(metadata, locale)
                if access == OPEN:
                    who = NOBODY
                    if self.open_calls is not None:
                        self.open_calls.take(host_of(context.peer()))
                else:
                    token = token_of(metadata)
                    # most are known, and need no coroutine
                    who = self.door.known(token) or await self.door.identify(token)
                    self.calls.take(who.name)
                    del token
                del metadata  # these would lie in memory for as long as a stream goes on
                check_access(access, who)
                set_caller(Caller(who, locale))
                if ends:
                    with self.limit.one():
                        return self._weighed(await serve(take(data, read), context), who)
                self._begin_stream(who.name)
                try:
                    if who.until is None:
                        return await serve(take(data, read), context)
                    async with asyncio.timeout(_seconds_until(who.until)):
                        return await serve(take(data, read), context)
                finally:
                    self._end_stream(who.name)
            except TimeoutError as error:
                refused = self._translate(method, error) if ends else Refused("TOKEN_EXPIRED")
                code = refused.code.name
            except asyncio.CancelledError:
                code = grpc.StatusCode.CANCELLED.name
                raise
            except Exception as error:
                refused = self._translate(method, error)
                code = refused.code.name
            finally:
                self.metrics.called(method, code, perf_counter() - begun if ends else None)
            self.metrics.refused(refused.reason)
            log().debug("refused", method=method, reason=refused.reason)
            return await refuse(context, refused, locale)

        return around

    async def who_has(self, token: str) -> Identity:
        """Return who holds a token, or refuse it."""
        return self.door.known(token) or await self.door.identify(token)

    def _weighed(self, answer: Message, who: Identity) -> bytes:
        """Write an answer. A long one counts as several calls: until it is read it lies in memory here."""
        written = answer.SerializeToString()
        if len(written) > BYTES_OF_ONE_CALL and who is not NOBODY:
            self.calls.charge(who.name, len(written) / BYTES_OF_ONE_CALL)
        return written

    def _begin_stream(self, name: str) -> None:
        """Let there be one more stream of an identity, or refuse it. No context manager: each would lie in memory."""
        most = self.config.streams_per_identity
        if self.streams[name] >= most:
            limit = {"limit": "streams_per_identity", "most": str(most)}
            raise Refused("TOO_MANY", retry_seconds=self.config.reconnect_seconds, metadata=limit)
        self.streams[name] += 1

    def _end_stream(self, name: str) -> None:
        self.streams[name] -= 1
        if not self.streams[name]:
            del self.streams[name]

    def _translate(self, method: str, error: Exception) -> Refused:
        """Return the refusal that an error means; what is none is a bug."""
        if isinstance(error, Refused):
            return error
        if isinstance(error, TimeoutError):
            return Refused("TIMED_OUT", retry_seconds=self.config.reconnect_seconds)
        self.metrics.bugs.inc()
        log_bug("bug", error, method=method)
        return Refused("INTERNAL")

    def _read(self, data: bytes, read: Any) -> Any:
        if self.draining:
            raise Refused("DRAINING", retry_seconds=self.config.reconnect_seconds)
        if len(data) > self.config.max_message_bytes:
            raise Refused("TOO_LARGE", metadata={"most_bytes": str(self.config.max_message_bytes)})
        try:
            return read(data)
        except DecodeError:
            raise malformed("", "メッセージを読めません。", "The message cannot be read.") from None

    async def _read_each(self, messages: AsyncIterator[bytes], read: Any) -> AsyncIterator[Any]:
        async for data in messages:
            yield self._read(data, read)

    def unknown(self) -> Handler:
        """Return how a method is served that there is not."""

        async def serve(_data: bytes, context: Context) -> Any:
            locale = locale_of(context.invocation_metadata() or (), self.config.locale)
            await refuse(context, Refused("NOT_IMPLEMENTED"), locale)

        return grpc.unary_unary_rpc_method_handler(serve, None, None)


def _seconds_until(when: float) -> float:
    """Return how long a stream may last whose token holds until then."""
    return max(0.0, when - time.time())


def _written(message: Message | bytes) -> bytes:
    """Return what goes out on a stream, which may have been written once for many streams."""
    return message if isinstance(message, bytes) else message.SerializeToString()


async def refuse(context: Context, refused: Refused, locale: str) -> None:
    """End a call with the status of a refusal."""
    details = status_of(refused, locale).SerializeToString()
    await context.abort(refused.code, message_of(refused, locale), ((DETAILS_KEY, details),))
