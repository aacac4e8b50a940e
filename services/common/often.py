"""Numbers that cost little to add to: for what happens thousands of times a second."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.utils import floatToGoString


class Count:
    """How often something of one kind has happened."""

    def __init__(self) -> None:
        self.times = 0

    def inc(self) -> None:
        """Count one more."""
        self.times += 1


class Counts:
    """A counter by labels."""

    def __init__(self, name: str, about: str, labels: Sequence[str], registry: CollectorRegistry) -> None:
        self._name, self._about = name, about
        self.labels = tuple(labels)
        self._counts: dict[tuple[str, ...], Count] = {}
        registry.register(self)

    def of(self, *values: str) -> Count:
        """Return what counts for values of the labels."""
        count = self._counts.get(values)
        if count is None:
            count = self._counts[values] = Count()
        return count

    def describe(self) -> Iterator[CounterMetricFamily]:
        """Say what it is."""
        yield CounterMetricFamily(self._name, self._about, labels=self.labels)

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Say what has been counted by now."""
        (family,) = self.describe()
        for values, count in list(self._counts.items()):
            family.add_metric(values, count.times)
        yield family


class Span:
    """The seconds that something of one kind has taken."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self._bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        """Add a time."""
        place = 0
        for bound in self._bounds:  # most times are within the first few
            if seconds <= bound:
                break
            place += 1
        self.counts[place] += 1
        self.total += seconds


class Spans:
    """A histogram of seconds by labels."""

    def __init__(
        self, name: str, about: str, labels: Sequence[str], bounds: Sequence[float], registry: CollectorRegistry
    ) -> None:
        self._name, self._about, self._bounds = name, about, tuple(bounds)
        self.labels = tuple(labels)
        self._spans: dict[tuple[str, ...], Span] = {}
        registry.register(self)

    def of(self, *values: str) -> Span:
        """Return what times are added to for values of the labels."""
        span = self._spans.get(values)
        if span is None:
            span = self._spans[values] = Span(self._bounds)
        return span

    def describe(self) -> Iterator[HistogramMetricFamily]:
        """Say what it is."""
        yield HistogramMetricFamily(self._name, self._about, labels=self.labels)

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Say what has been added by now."""
        (family,) = self.describe()
        for values, span in list(self._spans.items()):
            buckets = zip([*map(floatToGoString, self._bounds), "+Inf"], accumulate(span.counts))
            family.add_metric(values, list(buckets), span.total)
        yield family
