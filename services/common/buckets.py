"""How many calls somebody may make: a bucket of tokens each, which fills up again at a steady rate."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from services.common.errors import Refused

MOST_KEYS: Final = 100_000
"""How many callers are remembered. Whoever has not called for the longest time is forgotten first."""


class Bucket:
    """One bucket for each caller. It is kept as one number: when it will be full again."""

    def __init__(self, limit: str, per_second: float, burst: int, now: Callable[[], float] = time.monotonic) -> None:
        self.limit = limit
        """The setting that a refusal names."""
        self._each = 1.0 / per_second
        self._most = burst * self._each
        self._per_second = per_second
        self._now = now
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def take(self, who: str, tokens: float = 1.0) -> None:
        """Take a token out of somebody's bucket; refuse if there is none, and say when there will be one."""
        now = self._now()
        full_at = max(self._full_at.get(who, now), now) + tokens * self._each
        wait = full_at - now - self._most
        if wait > 1e-9:
            metadata = {"limit": self.limit, "most": f"{self._per_second:g}"}
            raise Refused("TOO_MANY", retry_seconds=wait, metadata=metadata)
        self._full_at[who] = full_at
        self._full_at.move_to_end(who)
        if len(self._full_at) > MOST_KEYS:
            self._full_at.popitem(last=False)

    def charge(self, who: str, tokens: float) -> None:
        """Take more out of somebody's bucket than is in it, if need be: for what has been done already."""
        now = self._now()
        self._full_at[who] = max(self._full_at.get(who, now), now) + tokens * self._each

    def __len__(self) -> int:
        return len(self._full_at)


def host_of(peer: str) -> str:
    """Return the host of a peer as gRPC writes it, such as ipv4:127.0.0.1:5000 or ipv6:%5B::1%5D:5000."""
    return peer.rpartition(":")[0]
