"""Where histories are kept, and the one task that writes them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Protocol

from services.common.logs import log_bug
from services.game.answers import Kept, Key, key_of
from services.game.codec.kept import kept_of, without_name
from services.game.keeping import KeptMatch, MatchShelf
from services.game.metrics import GameMetrics
from services.game.records import KeptSnapshot, Posted, Record


class Journal(Protocol):
    """Keeps the records of tables. A table has one owner at a time; its epoch tells an owner from those before."""

    async def claim(self, table_id: str, owner: str) -> int:
        """Make `owner` the owner of a table, and return the epoch under which it may append from now on."""
        ...

    async def claim_all(self, owner: str) -> dict[str, int]:
        """Make `owner` the owner of all tables that one can go on with; return their epochs, the oldest table first."""
        ...

    async def append(self, owner: str, records: Sequence[Record]) -> frozenset[str]:
        """Make records durable, in order, and post the results among them to the outbox; return once that is done.

        A snapshot takes the place of the one before. Of a match that has ended the record is kept, made of its
        versions, which are all there still.

        Returns the tables that `owner` does not own any more, or not under the records' epoch: nothing of these was
        written. Raises whatever went wrong otherwise; then it is unknown what was written.
        """
        ...

    async def load(self, table_id: str, after: int = -1) -> list[Record]:
        """Return the records of a table after a version, in order."""
        ...

    async def snapshot(self, table_id: str) -> KeptSnapshot | None:
        """Return the last snapshot of a table that came with a record, or None."""
        ...

    async def compact(self) -> None:
        """Delete the records of tables that are not needed beside their snapshots, and give the space back."""
        ...

    async def tables(self) -> list[str]:
        """Return the tables that are kept and that one can go on with, in the order of their creation."""
        ...

    async def forget(self, owner: str, table_id: str, never_was: bool = False) -> None:
        """Delete a table that nobody can look at any more, unless `owner` does not own it.

        What created it is kept, unless it `never_was`: the same request must not make another one.
        """
        ...

    async def created(self) -> list[Kept]:
        """Return which requests have created tables, also tables that are deleted."""
        ...

    async def forget_created(self, before: float) -> None:
        """Forget which requests have created tables before a time."""
        ...

    async def results(self, after: int, most: int) -> list[Posted]:
        """Return results in the order in which they were posted: at most so many, from the first after a number on."""
        ...

    async def forget_results(self, before: float) -> None:
        """Forget the results of matches that ended before a time."""
        ...

    async def match(self, match_id: str) -> KeptMatch | None:
        """Return the record of a match, or None."""
        ...

    async def matches(self, identity: str, mine: bool, before: int | None, most: int) -> Sequence[KeptMatch]:
        """Return the heads of records that somebody may see, or of their own, the newest first.

        At most so many, from the first with a number below `before` on.
        """
        ...

    async def forget_matches(self, before: float) -> None:
        """Forget the records of matches that ended before a time."""
        ...

    async def forget_player(self, identity: str) -> None:
        """Take somebody's names out of all records, which are not theirs any more."""
        ...

    async def close(self) -> None:
        """Let go of it."""
        ...


class MemoryJournal:
    """Keeps records in memory, those of a table until it is forgotten."""

    def __init__(self) -> None:
        self.records: dict[str, list[Record]] = {}
        self.owners: dict[str, tuple[str, int]] = {}
        self._created: dict[Key, Kept] = {}
        self._results: list[Posted] = []
        self._last_result = 0
        self._matches = MatchShelf()
        self._snapshots: dict[str, KeptSnapshot] = {}

    async def claim(self, table_id: str, owner: str) -> int:
        """Make `owner` the owner of a table."""
        epoch = self.owners[table_id][1] + 1 if table_id in self.owners else 1
        self.owners[table_id] = (owner, epoch)
        return epoch

    async def claim_all(self, owner: str) -> dict[str, int]:
        """Make `owner` the owner of all tables."""
        return {table_id: await self.claim(table_id, owner) for table_id in await self.tables()}

    async def append(self, owner: str, records: Sequence[Record]) -> frozenset[str]:
        """Keep records."""
        fenced = {r.table_id for r in records if self.owners.get(r.table_id) != (owner, r.epoch)}
        for record in records:
            if record.table_id not in fenced:
                kept = self.records.setdefault(record.table_id, [])
                assert record.version == (kept[-1].version + 1 if kept else 0)
                is_more = record.result or record.ended or record.snapshot
                kept.append(replace(record, result=None, ended=None, snapshot=None) if is_more else record)
                if record.snapshot is not None:
                    self._snapshots[record.table_id] = record.snapshot
                if not record.version and record.answer is not None:
                    self._created[key_of(record.answer)] = Kept(record.answer, record.table_id, 0, record.time)
                if record.result is not None and record.result.match_id not in {
                    p.result.match_id for p in self._results
                }:
                    self._last_result += 1
                    self._results.append(Posted(self._last_result, record.table_id, record.time, record.result))
                if record.ended is not None:
                    self._matches.put(kept_of(record.ended, _after(kept, record.ended.first - 1)))
        return frozenset(fenced)

    async def load(self, table_id: str, after: int = -1) -> list[Record]:
        """Return the records of a table after a version."""
        return _after(self.records.get(table_id, []), after)

    async def snapshot(self, table_id: str) -> KeptSnapshot | None:
        """Return the last snapshot of a table."""
        return self._snapshots.get(table_id)

    async def compact(self) -> None:
        """Delete records that are not needed."""
        for table_id, snapshot in self._snapshots.items():
            kept = self.records[table_id]
            del kept[: max(0, snapshot.first - kept[0].version)]

    async def tables(self) -> list[str]:
        """Return the tables that are kept."""
        return list(self.owners)

    async def forget(self, owner: str, table_id: str, never_was: bool = False) -> None:
        """Delete a table."""
        if table_id in self.owners and self.owners[table_id][0] == owner:
            del self.owners[table_id]
            self.records.pop(table_id, None)
            self._snapshots.pop(table_id, None)
            if never_was:
                self._keep_created(lambda kept: kept.table_id != table_id)

    async def created(self) -> list[Kept]:
        """Return which requests have created tables."""
        return list(self._created.values())

    async def forget_created(self, before: float) -> None:
        """Forget old requests."""
        self._keep_created(lambda kept: kept.time >= before)

    async def results(self, after: int, most: int) -> list[Posted]:
        """Return results after a number."""
        return [posted for posted in self._results if posted.number > after][:most]

    async def forget_results(self, before: float) -> None:
        """Forget old results."""
        self._results = [posted for posted in self._results if posted.time >= before]

    def _keep_created(self, wanted: Callable[[Kept], bool]) -> None:
        self._created = {key: kept for key, kept in self._created.items() if wanted(kept)}

    async def match(self, match_id: str) -> KeptMatch | None:
        """Return the record of a match."""
        return self._matches.find(match_id)

    async def matches(self, identity: str, mine: bool, before: int | None, most: int) -> Sequence[KeptMatch]:
        """Return the heads of records."""
        return self._matches.newest_first(identity, mine, before, most)

    async def forget_matches(self, before: float) -> None:
        """Forget old records."""
        self._matches.forget(before)

    async def forget_player(self, identity: str) -> None:
        """Take somebody's names out of all records."""
        self._matches.keep([without_name(match, identity) for match in self._matches.of(identity)])

    async def close(self) -> None:
        """There is nothing to let go of."""


def _after(kept: list[Record], version: int) -> list[Record]:
    return kept[max(0, version + 1 - kept[0].version) :] if kept else []


class Waiting(Protocol):
    """Somebody who waits for one record to become durable."""

    record: Record

    def is_void(self) -> bool:
        """Say whether the history that this record belongs to was thrown away."""
        ...

    def stored(self) -> None:
        """Take note that the record is durable."""
        ...

    def fenced(self) -> None:
        """Take note that the table has another owner."""
        ...

    def failed(self) -> None:
        """Take note that it is unknown whether the record is durable."""
        ...


class Writer:
    """Appends the records of all tables, together and in order."""

    def __init__(self, journal: Journal, owner: str, metrics: GameMetrics) -> None:
        self.journal = journal
        self.owner = owner
        self.metrics = metrics
        self._queue: list[Waiting] = []
        self._wake: asyncio.Future[None] | None = None
        """What the one task waits for while nothing is queued."""
        self._idle = asyncio.Event()
        self._idle.set()

    def put(self, entry: Waiting) -> None:
        """Queue a record."""
        self._queue.append(entry)
        self._idle.clear()
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    async def run(self) -> None:
        """Write until cancelled."""
        while True:
            if not self._queue:
                self._wake = asyncio.get_running_loop().create_future()
                await self._wake
            batch, self._queue = self._queue, []
            await self._write([entry for entry in batch if not entry.is_void()])
            if not self._queue:
                self._idle.set()

    async def flushed(self) -> None:
        """Wait until nothing is queued."""
        await self._idle.wait()

    async def _write(self, batch: list[Waiting]) -> None:
        if not batch:
            return
        begun = perf_counter()
        try:
            fenced = await self.journal.append(self.owner, [entry.record for entry in batch])
        except Exception as error:
            self.metrics.journal_failures.inc()
            log_bug("journal_failed", error)
            for entry in batch:
                self._tell(entry, entry.failed)
            return
        self.metrics.append_seconds.observe(perf_counter() - begun)
        for entry in batch:
            self._tell(entry, entry.fenced if entry.record.table_id in fenced else entry.stored)

    def _tell(self, entry: Waiting, what: Callable[[], None]) -> None:
        """Pass the outcome on; a mistake at one table must not stop the others."""
        try:
            what()
        except Exception as error:
            self.metrics.bugs.inc()
            log_bug("bug", error, table_id=entry.record.table_id, version=entry.record.version)
