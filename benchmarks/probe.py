"""Looks at a server from inside: its CPU time, its memory, and what its CPU time goes into.

A command a line comes on standard input, an answer a line goes out on standard output; the end of the input ends the
process.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, Final

SAMPLE_SECONDS: Final = 0.001
LOOP: Final = "event loop and grpc.aio"
PARTS: Final = (
    ("/prometheus_client/", "metrics"),
    ("/services/common/metrics", "metrics"),
    ("/structlog/", "log fields"),
    ("/services/common/logs", "log fields"),
    ("/services/common/clocks", "clocks"),
    ("/services/game/metrics", "metrics"),
    ("/services/common/", "edge: identity, deadline, refusals"),
    ("/asyncio/timeouts", "edge: identity, deadline, refusals"),
    ("/services/game/codec/actions", "reading the action"),
    ("/services/game/codec/", "writing the messages"),
    ("/services/game/watch", "streams"),
    ("/services/game/frames", "streams"),
    ("/services/game/writing", "streams"),
    ("/services/game/journal", "journal and history"),
    ("/services/game/history", "journal and history"),
    ("/services/game/life", "the engine"),
    ("/engine/", "the engine"),
    ("/services/game/clocks", "clocks"),
    ("/services/game/deadlines", "clocks"),
    ("/services/game/course", "clocks"),
    ("/services/", "table: who may, answers given before"),
    ("/asyncio/base_events", LOOP),
    ("/asyncio/events", LOOP),
    ("/benchmarks/", "bare server"),
)
"""What a sample counts for: the first piece that is in the path of its innermost file that has one."""


def part_of(frame: FrameType | None) -> str:
    """Return what the code under way belongs to; what has no part of its own counts for whoever called it."""
    while frame is not None:
        for piece, part in PARTS:
            if piece in frame.f_code.co_filename:
                return part
        frame = frame.f_back
    return LOOP


class Probe:
    """Answers what a benchmark asks of a server."""

    def __init__(self) -> None:
        self._samples: Counter[str] = Counter()
        self._main = time.pthread_getcpuclockid(threading.main_thread().ident or 0)
        signal.signal(signal.SIGPROF, self._sample)
        self._commands: dict[str, Callable[[], Any]] = {
            "cpu": self._cpu,
            "memory": self._memory,
            "sample": self._begin,
            "parts": self._end,
        }

    def listen(self, ended: Callable[[], None]) -> None:
        """Answer commands from a thread of its own; call back when there are no more."""

        def answer() -> None:
            for line in sys.stdin:
                print(json.dumps(self._commands[line.strip()]()), flush=True)
            ended()

        threading.Thread(target=answer, daemon=True).start()

    def _cpu(self) -> list[float]:
        """Return the seconds of CPU time of the process, and those of its main thread."""
        return [time.process_time(), time.clock_gettime(self._main)]

    def _memory(self) -> int:
        """Return the bytes of memory that are in use."""
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def _sample(self, _number: int, frame: FrameType | None) -> None:
        self._samples[part_of(frame)] += 1

    def _begin(self) -> None:
        self._samples.clear()
        signal.setitimer(signal.ITIMER_PROF, SAMPLE_SECONDS, SAMPLE_SECONDS)

    def _end(self) -> dict[str, int]:
        signal.setitimer(signal.ITIMER_PROF, 0)
        return dict(self._samples)
