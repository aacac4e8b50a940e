"""First results of requests that carry a request_id, so that repeating one is harmless."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from dataclasses import dataclass
from typing import Final

from services.common.errors import Refused
from services.game.records import Answer

MOST: Final = 100_000
"""How many are remembered; beyond that the oldest go before their time."""

Key = tuple[str, str, str]


@dataclass(frozen=True)
class Kept:
    """An answer, and the table and version that it came with."""

    answer: Answer
    table_id: str
    version: int
    time: float


class Answers:
    """Answers by identity, method and request_id, kept for a limited time."""

    def __init__(self, seconds: float, most: int = MOST) -> None:
        self.seconds = seconds
        self.most = most
        self._kept: OrderedDict[Key, Kept] = OrderedDict()
        self._by_table: defaultdict[str, set[Key]] = defaultdict(set)

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, asked: Answer, now: float) -> Kept | None:
        """Return what a request was answered before, or None; refuse another request under the same id."""
        self._forget_old(now)
        kept = self._kept.get(key_of(asked))
        if kept is not None and now - kept.time >= self.seconds:
            self._forget(key_of(asked))  # after a restart they do not stand in the order of their times
            return None
        if kept is not None and kept.answer.fingerprint != asked.fingerprint:
            raise Refused("REQUEST_ID_REUSED")
        return kept

    def keep(self, answer: Answer, table_id: str, version: int, now: float) -> None:
        """Remember an answer."""
        key = key_of(answer)
        if key in self._kept:
            self._forget(key)  # the newest goes last
        self._kept[key] = Kept(answer, table_id, version, now)
        self._by_table[table_id].add(key)
        self._forget_old(now)
        if len(self._kept) > self.most:
            self._forget(next(iter(self._kept)))

    def of(self, table_id: str) -> list[Kept]:
        """Return what is remembered of a table."""
        return [self._kept[key] for key in self._by_table.get(table_id, ())]

    def forget_after(self, table_id: str, version: int) -> None:
        """Forget a table's answers from versions after this one: they never came to be, or are of no use any more."""
        for key in list(self._by_table.get(table_id, ())):
            if self._kept[key].version > version:
                self._forget(key)

    def _forget(self, key: Key) -> None:
        table_id = self._kept.pop(key).table_id
        keys = self._by_table[table_id]
        keys.discard(key)
        if not keys:
            del self._by_table[table_id]

    def _forget_old(self, now: float) -> None:
        while self._kept:
            key, kept = next(iter(self._kept.items()))
            if now - kept.time < self.seconds:
                return
            self._forget(key)


def key_of(answer: Answer) -> Key:
    """Return what tells a request from all others."""
    return answer.identity, answer.method, answer.request_id
