"""First results of requests that carry a request_id, so that repeating one is harmless."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from services.common.errors import Refused
from services.game.records import Answer


@dataclass(frozen=True)
class Kept:
    """An answer, and the table and version that it came with."""

    answer: Answer
    table_id: str
    version: int
    time: float


class Answers:
    """Answers by identity, method and request_id, kept for a limited time."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._kept: OrderedDict[tuple[str, str, str], Kept] = OrderedDict()

    def find(self, asked: Answer, now: float) -> Kept | None:
        """Return what a request was answered before, or None; refuse another request under the same id."""
        self._forget_old(now)
        kept = self._kept.get((asked.identity, asked.method, asked.request_id))
        if kept is not None and kept.answer.fingerprint != asked.fingerprint:
            raise Refused("REQUEST_ID_REUSED")
        return kept

    def keep(self, answer: Answer, table_id: str, version: int, now: float) -> None:
        """Remember an answer."""
        key = (answer.identity, answer.method, answer.request_id)
        self._kept.pop(key, None)  # the newest goes last
        self._kept[key] = Kept(answer, table_id, version, now)

    def forget_after(self, table_id: str, version: int) -> None:
        """Forget a table's answers from versions after this one: they never came to be."""
        gone = [key for key, kept in self._kept.items() if kept.table_id == table_id and kept.version > version]
        for key in gone:
            del self._kept[key]

    def _forget_old(self, now: float) -> None:
        while self._kept:
            key, kept = next(iter(self._kept.items()))
            if now - kept.time < self.seconds:
                return
            del self._kept[key]
