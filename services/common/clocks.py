"""Time: one heap of timers for all tables and streams, driven by a clock that tests replace."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from contextvars import Context
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Final, Protocol

from services.common.logs import log_bug

LEAST_CANCELLED: Final = 64
"""Fewer cancelled timers than this are not worth throwing out."""


class Timer:
    """Something that will be done at a time, unless cancelled."""

    __slots__ = ("_heap", "callback", "when")

    def __init__(self, when: float, callback: Callable[[], None], heap: Heap) -> None:
        self.when = when
        self.callback: Callable[[], None] | None = callback
        self._heap = heap

    def is_set(self) -> bool:
        """Say whether it has neither rung nor been cancelled."""
        return self.callback is not None

    def cancel(self) -> None:
        """Forget it."""
        if self.callback is not None:
            self.callback = None
            self._heap.cancelled()


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
        self._cancelled = 0
        """How many of them will not ring."""

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, when: float, callback: Callable[[], None]) -> Timer:
        """Set a timer."""
        timer = Timer(when, callback, self)
        heappush(self._heap, (when, next(self._numbers), timer))
        return timer

    def next_time(self) -> float | None:
        """Return when the first timer is due, or None."""
        while self._heap and self._heap[0][2].callback is None:
            heappop(self._heap)
            self._cancelled -= 1
        return self._heap[0][0] if self._heap else None

    def cancelled(self) -> None:
        """Take note that a timer will not ring; when most will not, throw these out."""
        self._cancelled += 1
        if self._cancelled > LEAST_CANCELLED and 2 * self._cancelled > len(self._heap):
            self._heap = [entry for entry in self._heap if entry[2].is_set()]
            heapify(self._heap)
            self._cancelled = 0

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
        self._handle_time = math.inf
        """When it wakes us; never, while nothing is armed."""

    def now(self) -> float:
        """Return the seconds since 1970."""
        return time.monotonic() + self._offset

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call back once the time has come."""
        timer = self._heap.add(when, callback)
        if when < self._handle_time:
            self._arm()
        return timer

    def _arm(self) -> None:
        """Let the event loop wake us for the first timer."""
        if self._handle is not None:
            self._handle.cancel()
        self._handle, self._handle_time = None, math.inf
        first = self._heap.next_time()
        if first is not None:
            self._handle_time = first
            # in a context of its own: what rings belongs to no call, and its log lines must not say so
            loop, seconds = asyncio.get_running_loop(), max(0.0, first - self.now())
            self._handle = loop.call_later(seconds, self._ring, context=Context())

    def _ring(self) -> None:
        self._handle, self._handle_time = None, math.inf
        self._heap.run_due(self.now())
        if self._handle_time == math.inf:
            self._arm()
