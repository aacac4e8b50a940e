"""Writing without waiting: one place writes to many streams, and no task has to be woken for each of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any


def begin(write: Coroutine[Any, Any, None], done: Callable[[BaseException | None], None]) -> None:
    """Begin to write before this returns; `done` is called once it is done, with what went wrong, if anything did."""

    def go_on(_: object = None) -> None:
        try:
            waits_for: asyncio.Future[Any] | None = write.send(None)
        except StopIteration:
            done(None)
        except BaseException as error:
            done(error)
        else:
            if waits_for is None:  # it only lets others go first
                asyncio.get_running_loop().call_soon(go_on)
            else:
                waits_for.add_done_callback(go_on)

    go_on()
