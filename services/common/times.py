"""Times and durations."""

from __future__ import annotations

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp


def time_to(seconds: float) -> Timestamp:
    """Write seconds since 1970, to the millisecond."""
    written = Timestamp()
    write_time(written, seconds)
    return written


def write_time(message: Timestamp, seconds: float) -> None:
    """Write seconds since 1970 into a message, to the millisecond."""
    milliseconds = round(seconds * 1000)
    message.seconds, message.nanos = milliseconds // 1000, milliseconds % 1000 * 1_000_000


def seconds_of(message: Timestamp) -> float:
    """Read a time, as seconds since 1970."""
    return message.seconds + message.nanos / 1e9


def seconds_from(message: Duration) -> float:
    """Read a duration; one that is below nothing is none."""
    return max(0.0, message.seconds + message.nanos / 1e9)


def duration_to(seconds: float) -> Duration:
    """Write seconds, to the millisecond; a time that is over is none."""
    written = Duration()
    write_duration(written, seconds)
    return written


def write_duration(message: Duration, seconds: float) -> None:
    """Write seconds into a message, to the millisecond; a time that is over is none."""
    milliseconds = max(0, round(seconds * 1000))
    message.seconds, message.nanos = milliseconds // 1000, milliseconds % 1000 * 1_000_000
