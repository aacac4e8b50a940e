"""Times and durations."""

from __future__ import annotations

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp


def time_to(seconds: float) -> Timestamp:
    """Write seconds since 1970, to the millisecond."""
    written = Timestamp()
    written.FromMilliseconds(round(seconds * 1000))
    return written


def duration_to(seconds: float) -> Duration:
    """Write seconds, to the millisecond; a time that is over is none."""
    written = Duration()
    written.FromMilliseconds(max(0, round(seconds * 1000)))
    return written
