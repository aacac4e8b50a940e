"""A policy that takes its time: how fast an answer comes must not tell how hard the question was."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from clients.bot.policy import Legal, Policy
from daifugo.v1 import view_pb2


class Paced:
    """Answers as another policy does, but never sooner than `seconds` after it was asked."""

    def __init__(
        self,
        policy: Policy,
        seconds: float,
        now: Callable[[], float] = time.monotonic,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.policy = policy
        self.seconds = seconds
        self.now = now
        self.pause = pause

    async def decide(self, view: view_pb2.View, legal: Legal) -> view_pb2.Action:
        """Answer `view.decision`."""
        ready = self.now() + self.seconds
        action = await self.policy.decide(view, legal)
        await self.pause(max(0.0, ready - self.now()))
        return action
