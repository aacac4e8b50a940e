"""A table after a version, with what is remembered of those before: what need not be replayed after a restart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from services.game.answers import Kept
from services.game.life import RUNNING, Life

KEPT_VERSIONS: Final = 64
"""So many versions before a snapshot stay in the store: an action that is sent again is known by them."""


@dataclass(frozen=True)
class Snapshot:
    """A table and what it remembers."""

    life: Life
    answers: tuple[Kept, ...]
    """First results of requests that may be repeated."""
    asked: Mapping[int, float]
    """Since when each open decision has been asked."""
    runs: Mapping[int, int]
    """The last version of each epoch."""


def first_needed(life: Life) -> int:
    """Return the first version that is needed beside a snapshot: the record of a match is made of all of its own."""
    first = max(0, life.version - KEPT_VERSIONS)
    return min(first, life.match_began) if life.phase == RUNNING else first
