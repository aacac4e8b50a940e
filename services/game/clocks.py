"""Time: one heap of timers for all tables and streams, driven by a clock that tests replace."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Protocol

from services.common.logs import log_bug


class Timer:
    """Something that will be done at a time, unless cancelled."""

    __slots__ = ("callback", "when")

    def __init__(self, when: float, callback: Callable[[], None]) -> None:
        self.when = when
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        """Forget it."""
        self.callback = None


class Clock(Protocol):
    """The time, and a way to be called later."""

    def now(self) -> float:
        """Return the seconds since 1970. They never go back."""
        ...

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call back once the time has come."""
        ...


class Heap:
    """Timers by their time; equal ones in the order in which they were set."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Timer]] = []
        self._numbers = count()

    def add(self, when: float, callback: Callable[[], None]) -> Timer:
        """Set a timer."""
        timer = Timer(when, callback)
        heappush(self._heap, (when, next(self._numbers), timer))
        return timer

    def next_time(self) -> float | None:
        """Return when the first timer is due, or None."""
        while self._heap and self._heap[0][2].callback is None:
            heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def run_due(self, now: float) -> None:
        """Call back every timer that is due. A mistake in one does not keep the others from running."""
        while (first := self.next_time()) is not None and first <= now:
            timer = heappop(self._heap)[2]
            callback, timer.callback = timer.callback, None
            assert callback is not None
            try:
                callback()
            except Exception as error:
                log_bug("bug", error)


class SystemClock:
    """The machine's time. It is read once; from there on it goes by the monotonic clock, so it never jumps."""

    def __init__(self) -> None:
        self._offset = time.time() - time.monotonic()
        self._heap = Heap()
        self._handle: asyncio.TimerHandle | None = None
        self._handle_time = 0.0

    def now(self) -> float:
        """Return the seconds since 1970."""
        return time.monotonic() + self._offset

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call back once the time has come."""
        timer = self._heap.add(when, callback)
        if self._handle is None or when < self._handle_time:
            self._arm()
        return timer

    def _arm(self) -> None:
        """Let the event loop wake us for the first timer."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        first = self._heap.next_time()
        if first is not None:
            self._handle_time = first
            self._handle = asyncio.get_running_loop().call_later(max(0.0, first - self.now()), self._ring)

    def _ring(self) -> None:
        self._handle = None
        self._heap.run_due(self.now())
        if self._handle is None:
            self._arm()
