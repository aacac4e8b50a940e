"""Waiting by the clock of the service, and longer from one attempt to the next."""

from __future__ import annotations

import asyncio
import random
from typing import Final

from services.common.clocks import Clock

FIRST_WAIT_SECONDS: Final = 0.1
LONGEST_WAIT_SECONDS: Final = 5.0


class Patience:
    """The pauses between attempts at the same thing."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.seconds = FIRST_WAIT_SECONDS
        """How long the next pause is at most."""

    async def pause(self) -> None:
        """Wait before the next attempt, and twice as long before the one after it."""
        most = self.seconds
        self.seconds = min(2 * most, LONGEST_WAIT_SECONDS)
        await sleep(self.clock, random.uniform(most / 2, most))


async def sleep(clock: Clock, seconds: float) -> None:
    """Wait for some time; not at all if it is over."""
    if seconds <= 0:
        return
    over = asyncio.Event()
    timer = clock.call_at(clock.now() + seconds, over.set)
    try:
        await over.wait()
    finally:
        timer.cancel()
