"""Numbers for operators. No label names a table, a player or a ticket, so their count does not grow with use."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, start_http_server

from services.common.config import CannotStart, bracketed, unbracketed
from services.common.often import Counts, Spans

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


Around = Callable[[Any], Any]
"""Makes another WSGI application of one."""


class Metrics:
    """The numbers that every service keeps. A service adds its own in a subclass."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = registry or CollectorRegistry()
        r = self.registry
        self._calls = Counts("daifugo_calls", "Calls that have ended", ["method", "code"], r)
        self._seconds = Spans("daifugo_call_seconds", "Duration of calls other than streams", ["method"], SECONDS, r)
        self._refused = Counter("daifugo_refused", "Calls refused, by reason", ["reason"], registry=r)
        self.bugs = Counter("daifugo_bugs", "Mistakes of the server", registry=r)
        self._served: tuple[WSGIServer, Thread] | None = None

    def called(self, method: str, code: str, seconds: float | None) -> None:
        """Count a call that has ended; a stream has no duration."""
        self._calls.of(method, code).inc()
        if seconds is not None:
            self._seconds.of(method).observe(seconds)

    def refused(self, reason: str) -> None:
        """Count a refusal."""
        self._refused.labels(reason).inc()

    def serve(self, port: int, host: str, around: Around | None = None) -> None:
        """Answer on an HTTP port of its own, from a thread of its own; `around` may answer for more than metrics."""
        try:
            self._served = start_http_server(port, unbracketed(host), self.registry)
            if around is not None:
                server = self._served[0]
                server.set_app(around(server.get_app()))
        except OSError as error:
            raise CannotStart(f"cannot listen on {bracketed(host, port)} (admin port): {error.strerror}") from None

    async def close(self) -> None:
        """Answer on that port no longer."""
        if self._served is not None:
            (server, thread), self._served = self._served, None
            await asyncio.to_thread(server.shutdown)
            server.server_close()
            thread.join()
