"""Numbers for operators. No label names a table, a player or a ticket, so their count does not grow with use."""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server
from prometheus_client.metrics_core import HistogramMetricFamily
from prometheus_client.utils import floatToGoString

from services.common.config import CannotStart, bracketed, unbracketed

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Spans:
    """A histogram of seconds by part that costs little to add to: for what happens thousands of times a second."""

    labels = ("part",)

    def __init__(
        self, name: str, about: str, parts: Sequence[str], bounds: Sequence[float], registry: CollectorRegistry
    ) -> None:
        self._name, self._about, self._bounds = name, about, tuple(bounds)
        self.parts = {part: Span(self._bounds) for part in parts}
        registry.register(self)

    def describe(self) -> Iterator[HistogramMetricFamily]:
        """Say what it is."""
        yield HistogramMetricFamily(self._name, self._about, labels=self.labels)

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Say what has been added by now."""
        (family,) = self.describe()
        for part, span in self.parts.items():
            buckets = zip([*map(floatToGoString, self._bounds), "+Inf"], accumulate(span.counts))
            family.add_metric([part], list(buckets), span.total)
        yield family


class Span:
    """The seconds of one part."""

    __slots__ = ("_bounds", "counts", "total")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self._bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        """Add a time."""
        self.counts[bisect_left(self._bounds, seconds)] += 1
        self.total += seconds


Around = Callable[[Any], Any]
"""Makes another WSGI application of one."""


class Metrics:
    """The numbers that every service keeps. A service adds its own in a subclass."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = registry or CollectorRegistry()
        r = self.registry
        self._calls = Counter("daifugo_calls", "Calls that have ended", ["method", "code"], registry=r)
        self._seconds = Histogram(
            "daifugo_call_seconds", "Duration of calls other than streams", ["method"], buckets=SECONDS, registry=r
        )
        self._refused = Counter("daifugo_refused", "Calls refused, by reason", ["reason"], registry=r)
        self.bugs = Counter("daifugo_bugs", "Mistakes of the server", registry=r)
        self._children: dict[tuple[str, str], Counter] = {}
        self._histograms: dict[str, Histogram] = {}
        self._served: tuple[WSGIServer, Thread] | None = None

    def called(self, method: str, code: str, seconds: float | None) -> None:
        """Count a call that has ended; a stream has no duration."""
        child = self._children.get((method, code))
        if child is None:
            child = self._children[method, code] = self._calls.labels(method, code)
        child.inc()
        if seconds is not None:
            histogram = self._histograms.get(method)
            if histogram is None:
                histogram = self._histograms[method] = self._seconds.labels(method)
            histogram.observe(seconds)

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
