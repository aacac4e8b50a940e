"""Writing without waiting: one place writes to many streams, and no task has to be woken for each of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

ENDED: Final = object()


class Writing:
    """A write that begins at once; `done` is called at its end, with what went wrong, if anything did.

    It refers to itself only while it waits. A reference that stayed would make each message of each stream garbage that
    Python has to look for.
    """

    __slots__ = ("_done", "_steps")

    def __init__(self, write: Awaitable[None], done: Callable[[BaseException | None], None]) -> None:
        self._steps = write.__await__()
        self._done = done
        self._go_on()

    def _go_on(self, _: object = None) -> None:
        try:
            # an end that is asked for is cheaper than one that is caught
            waits_for: Any = next(self._steps, ENDED)
        except BaseException as error:
            self._done(error)
            return
        if waits_for is ENDED:
            self._done(None)
        elif waits_for is None:  # it only lets others go first
            asyncio.get_running_loop().call_soon(self._go_on)
        else:
            waits_for.add_done_callback(self._go_on)
