"""A call that waits for what a stream would tell next."""

from __future__ import annotations

from collections.abc import Iterable

from services.game.frames import Frame
from services.game.messages import Heartbeat, Item
from services.game.watcher import Watcher


class Poll(Watcher):
    """A stream for as long as it takes until something happens. Nothing is sent on it: all is taken at its end."""

    is_stream = False
    _has_news = False

    @property
    def is_coming_back(self) -> bool:
        """Say whether its caller will be back at once when it ends: as a rule there is a next call."""
        return not self.is_leaving

    def begin(self, items: Iterable[Item]) -> None:
        """Queue the first messages; who is there is no news."""
        super().begin(items)
        self._has_news = any(isinstance(item, Frame) for item in self._queue)

    async def wait(self, seconds: float) -> None:
        """Wait until something has happened, or so long."""
        if not self._has_news and seconds > 0:
            timer = self._desk.clock.call_at(self._desk.clock.now() + seconds, self._end)
            try:
                await self._ended
            finally:
                timer.cancel()
        if not self._has_news:
            self.tell(Heartbeat())

    def _go_on(self) -> None:
        self._has_news = True
        self._end()

    def _end(self) -> None:
        if not self._ended.done():
            self._ended.set_result(None)
