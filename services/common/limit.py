"""How long calls may take: all of them equally long, so that one timer serves them all."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import Context


class Limit:
    """Ends calls that take longer than so many seconds. A timer for each was a fiftieth of what an action costs."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since: dict[asyncio.Task[object], float] = {}
        """When each call under way began, the oldest first."""
        self._late: set[asyncio.Task[object]] = set()
        self._timer: asyncio.TimerHandle | None = None

    @contextmanager
    def one(self) -> Iterator[None]:
        """Let the task that runs this serve one call; raises TimeoutError when its time is up."""
        task = asyncio.current_task()
        assert task is not None
        loop = asyncio.get_running_loop()
        self._since[task] = loop.time()
        if self._timer is None:
            self._arm(loop.time())
        try:
            yield
        except asyncio.CancelledError:
            if task in self._late and not task.uncancel():
                raise TimeoutError from None
            raise
        finally:
            del self._since[task]
            self._late.discard(task)

    def _arm(self, since: float) -> None:
        # in a context of its own: it belongs to no call
        self._timer = asyncio.get_running_loop().call_at(since + self._seconds, self._end_late, context=Context())

    def _end_late(self) -> None:
        """End the calls whose time is up; come back when that of the next one is."""
        now, self._timer = asyncio.get_running_loop().time(), None
        for task, since in self._since.items():
            if since + self._seconds > now:
                self._arm(since)
                return
            if task not in self._late:
                self._late.add(task)
                task.cancel()
