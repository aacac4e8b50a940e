"""Whether what can be waited for can be played: the game service is asked at the start, until it answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from services.common.clocks import Clock
from services.common.config import CannotStart
from services.common.logs import log
from services.matchmaker.patience import Patience
from services.matchmaker.queues import Queue
from services.matchmaker.seating import NoAnswer


class Rules(Protocol):
    """The game service, as far as queues need it."""

    async def problems(self, queue: Queue, seats: int) -> Sequence[str]:
        """Say what is wrong with the ruleset of a queue; nothing if it can be played. Raises NoAnswer."""
        ...


async def check(rules: Rules, queues: Iterable[Queue], path: str) -> None:
    """Raise CannotStart for the first queue that cannot be played, and NoAnswer if nobody knows."""
    for queue in queues:
        for seats in queue.sizes:
            problems = await rules.problems(queue, seats)
            if problems:
                raise CannotStart(f"--queues {path}: [{queue.id}] with {seats} seats: {' '.join(problems)}")


async def check_until_answered(rules: Rules, queues: Sequence[Queue], path: str, clock: Clock) -> None:
    """Ask until there is an answer; raise CannotStart if it is no."""
    patience = Patience(clock)
    while True:
        log().warning("queues_not_checked", seconds=patience.seconds)
        await patience.pause()
        try:
            return await check(rules, queues, path)
        except NoAnswer:
            pass
