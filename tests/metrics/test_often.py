"""Numbers that are counted by hand are told as the library tells its own."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from services.common.often import Counts, Spans

BOUNDS = (0.001, 0.5, 2.0)


def told(registry: CollectorRegistry) -> list[str]:
    """Return what is told, without when a series began, which is told of the library's own only."""
    return [line for line in generate_latest(registry).decode().splitlines() if "_created" not in line]


def test_counts_are_told_as_the_library_tells_a_counter() -> None:
    ours, theirs = CollectorRegistry(), CollectorRegistry()
    counts = Counts("calls", "Calls", ["method", "code"], ours)
    counter = Counter("calls", "Calls", ["method", "code"], registry=theirs)
    assert told(ours) == told(theirs)
    for values in (("Act", "OK"), ("Act", "OK"), ("Watch", 'a "quoted" one')):
        counts.of(*values).inc()
        counter.labels(*values).inc()
    assert told(ours) == told(theirs)


def test_spans_are_told_as_the_library_tells_a_histogram() -> None:
    ours, theirs = CollectorRegistry(), CollectorRegistry()
    spans = Spans("seconds", "Seconds", ["part"], BOUNDS, ours)
    histogram = Histogram("seconds", "Seconds", ["part"], buckets=BOUNDS, registry=theirs)
    assert told(ours) == told(theirs)
    for part, seconds in (("rules", 0.0), ("rules", 0.001), ("rules", 0.0011), ("journal", 2.0), ("journal", 2.5)):
        spans.of(part).observe(seconds)
        histogram.labels(part).observe(seconds)
    assert told(ours) == told(theirs)
