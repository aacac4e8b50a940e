"""How a client runs: until its work is done, something that it needs fails, or a signal tells it to stop."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

from clients.cli.processes import Part, PartFailed
from clients.cli.settings import BadSetting
from clients.cli.texts import Words
from clients.common.errors import UNREACHED, Refused

T = TypeVar("T")


class Unreachable(Exception):
    """No service answers at this address, which the user did not give."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


async def needs(part: Part) -> None:
    """Fail when a process ends that must not."""
    await part.process.wait()
    raise PartFailed(part)


async def first_of(main: Coroutine[Any, Any, T], *others: Coroutine[Any, Any, None]) -> T:
    """Run something to its end, beside others that may end before it, but not fail."""
    task = asyncio.ensure_future(main)
    waiting: set[asyncio.Future[Any]] = {task, *map(asyncio.ensure_future, others)}
    try:
        while not task.done():
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for ended in done:
                ended.result()
        return task.result()
    finally:
        for left in waiting:
            left.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


def run(work: Coroutine[Any, Any, None], words: Words, address: str | None = None) -> int:
    """Run the client; a signal cancels it, so that it takes everything down with it. Return the exit status.

    `address` is that of the service as the user gave it.
    """
    received: list[int] = []

    async def cancellable() -> None:
        task = asyncio.ensure_future(work)
        loop = asyncio.get_running_loop()

        def stop(number: int) -> None:
            received.append(number)
            task.cancel()

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, stop, number)
        await task

    try:
        asyncio.run(cancellable())
    except asyncio.CancelledError:
        return 128 + received[0] if received else 1
    except BrokenPipeError:
        # Whoever read along has had enough. What is still in the buffer must not be tried again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except Refused as problem:
        is_away = problem.reason in UNREACHED and address
        print(words("unreachable", address=address) if is_away else problem.text, file=sys.stderr)
        return 1
    except Unreachable as problem:
        print(words("unreachable", address=problem.address), file=sys.stderr)
        return 1
    except PartFailed as problem:
        part = problem.part
        print(words("part_ended", name=part.name, detail=part.ending(words)), file=sys.stderr)
        return 1
    except BadSetting as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0
