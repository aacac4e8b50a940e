"""Writing without waiting: one place writes to many streams, and no task has to be woken for each of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any


class Writing:
    """A write that begins at once; `done` is called at its end, with what went wrong, if anything did.

    It refers to itself only while it waits. A reference that stayed would make each message of each stream garbage that
    Python has to look for.
    """

    __slots__ = ("_done", "_write")

    def __init__(self, write: Coroutine[Any, Any, None], done: Callable[[BaseException | None], None]) -> None:
        self._write = write
        self._done = done
        self._go_on()

    def _go_on(self, _: object = None) -> None:
        try:
            waits_for: asyncio.Future[Any] | None = self._write.send(None)
        except StopIteration:
            self._done(None)
        except BaseException as error:
            self._done(error)
        else:
            if waits_for is None:  # it only lets others go first
                asyncio.get_running_loop().call_soon(self._go_on)
            else:
                waits_for.add_done_callback(self._go_on)
