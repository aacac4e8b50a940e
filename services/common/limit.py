"""How long calls may take: all of them equally long, so that one timer serves them all."""

from __future__ import annotations

import asyncio
from contextvars import Context
from types import TracebackType
from typing import Any


class Limit:
    """Ends calls that take longer than so many seconds. A timer for each was a fiftieth of what an action costs."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since: dict[asyncio.Task[Any], float] = {}
        """When each call under way began, the oldest first."""
        self._late: set[asyncio.Task[Any]] = set()
        self._timer: asyncio.TimerHandle | None = None

    def one(self) -> Limited:
        """Let the task that runs this serve one call; raises TimeoutError when its time is up."""
        return Limited(self)

    def begin(self) -> asyncio.Task[Any]:
        """Let the time of the task that runs this begin; return the task."""
        loop = asyncio.get_running_loop()
        task = asyncio.current_task(loop)
        assert task is not None
        now = self._since[task] = loop.time()
        if self._timer is None:
            self._arm(loop, now)
        return task

    def end(self, task: asyncio.Task[Any]) -> bool:
        """Let the time of a task be over; say whether it was up."""
        del self._since[task]
        if task not in self._late:
            return False
        self._late.remove(task)
        return True

    def _arm(self, loop: asyncio.AbstractEventLoop, since: float) -> None:
        # in a context of its own: it belongs to no call
        self._timer = loop.call_at(since + self._seconds, self._end_late, context=Context())

    def _end_late(self) -> None:
        """End the calls whose time is up; come back when that of the next one is."""
        loop, self._timer = asyncio.get_running_loop(), None
        now = loop.time()
        for task, since in self._since.items():
            if since + self._seconds > now:
                self._arm(loop, since)
                return
            if task not in self._late:
                self._late.add(task)
                task.cancel()


class Limited:
    """One call whose time is limited."""

    __slots__ = ("_limit", "_task")

    def __init__(self, limit: Limit) -> None:
        self._limit = limit
        self._task: asyncio.Task[Any] | None = None

    def __enter__(self) -> None:
        self._task = self._limit.begin()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        task, self._task = self._task, None
        assert task is not None
        if self._limit.end(task) and isinstance(error, asyncio.CancelledError) and not task.uncancel():
            raise TimeoutError from None
