"""Records of matches as a store keeps them, long after their tables are gone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

NO_SEAT = -1
"""Of those who belonged to a match without playing: the host of its table."""


@dataclass(frozen=True)
class Belonging:
    """Somebody who may always see a record, and where in it their name stands."""

    identity: str
    seat: int = NO_SEAT
    entry: int = 0
    """Which of the seat's players they were."""


@dataclass(frozen=True)
class KeptMatch:
    """A record to keep. Head and games are messages: one after the other they are the whole."""

    match_id: str
    table_id: str
    time: float
    """When the match ended, in seconds since 1970."""
    is_open: bool
    """Whether everybody may see it."""
    belonging: tuple[Belonging, ...]
    head: bytes = field(repr=False)
    """Everything but the games."""
    games: bytes = field(repr=False)
    number: int = 0
    """Grows from one to the next; 0: not kept yet."""

    def is_for(self, identity: str) -> bool:
        """Say whether somebody may see it."""
        return self.is_open or self.is_of(identity)

    def is_of(self, identity: str) -> bool:
        """Say whether somebody belonged to the match."""
        return any(each.identity == identity for each in self.belonging)


class MatchShelf:
    """Keeps records in memory."""

    def __init__(self) -> None:
        self._kept: dict[str, KeptMatch] = {}
        self._last = 0

    def put(self, matches: Iterable[KeptMatch]) -> None:
        """Keep records; one that is kept already stays as it is."""
        for match in matches:
            if match.match_id not in self._kept:
                self._last += 1
                self._kept[match.match_id] = replace(match, number=self._last)

    def find(self, match_id: str) -> KeptMatch | None:
        """Return a record, or None."""
        return self._kept.get(match_id)

    def newest_first(self, identity: str, mine: bool, before: int | None, most: int) -> Sequence[KeptMatch]:
        """Return the heads of records that somebody may see, or of their own: those with numbers below one."""
        seen = [
            replace(match, games=b"")
            for match in reversed(self._kept.values())
            if (match.is_of(identity) if mine else match.is_for(identity)) and (before is None or match.number < before)
        ]
        return seen[:most]

    def keep(self, matches: Iterable[KeptMatch]) -> None:
        """Put records in the place of those with the same ids."""
        for match in matches:
            self._kept[match.match_id] = match

    def of(self, identity: str) -> list[KeptMatch]:
        """Return the records to which somebody belongs."""
        return [match for match in self._kept.values() if match.is_of(identity)]

    def forget(self, before: float) -> None:
        """Forget records of matches that ended before a time."""
        self._kept = {match_id: match for match_id, match in self._kept.items() if match.time >= before}
