"""All tables of this server."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from functools import partial

from services.common.errors import Refused
from services.common.logs import about, log, log_bug
from services.game.answers import Kept
from services.game.codec.snapshots import snapshot_from
from services.game.desk import Desk
from services.game.invites import new_code
from services.game.lengths import check_length
from services.game.life import CLOSED, RUNNING
from services.game.records import Answer, Created
from services.game.seeds import new_root, seed_at
from services.game.snapshots import KEPT_VERSIONS, Snapshot
from services.game.table import Table


class Tables:
    """Finds, makes and closes tables."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._by_id: dict[str, Table] = {}
        self._last_number = 0
        self._closed: dict[str, float] = {}
        """When each table that is closed or lost was found to be so."""
        self._deleting: set[asyncio.Task[None]] = set()
        desk.metrics.tables.set_function(self._count_open)
        desk.metrics.matches_running.set_function(self.running_matches)
        for who, seats in desk.metrics.seats.items():
            seats.set_function(partial(self._count_seats, who))
        desk.metrics.watchers.set_function(self._count_watchers)
        self._sweep_later()

    async def create(self, created: Created, answer: Answer) -> Table:
        """Make a table, or return the one that the same request made before."""
        kept = self._created(answer)
        if kept is None:
            check_length(created.settings)
            self._check_room(created)
            table_id = secrets.token_hex(12)
            self._last_number += 1
            # claimed before anybody knows the id, so nothing can come between
            epoch = await self.desk.journal.claim(table_id, self.desk.writer.owner)
            kept = self._created(answer)
            if kept is None:
                try:
                    # others may have been made meanwhile
                    self._check_room(created)
                except Refused:
                    self._later(self._delete(table_id, never_was=True))
                    raise
                table = self._by_id[table_id] = Table(self.desk, table_id, epoch, self._last_number)
                root = new_root()
                table.create(replace(created, code=self.new_code(), root=root, commitment=seed_at(root, 0)), answer)
        table = self._by_id[kept.table_id] if kept is not None else table
        try:
            await table.history.settled(0)
        except Refused:
            self._undo(table)
            raise
        return table

    def _check_room(self, created: Created) -> None:
        """Refuse another table where there are too many, of all or of its host."""
        config, is_auto = self.desk.config, created.auto_start is not None
        limit = "auto_tables_per_identity" if is_auto else "tables_per_identity"
        for name, count in (
            ("max_tables", len(self._by_id)),
            (limit, sum(table.counts_for(created.host, is_auto) for table in self._by_id.values())),
        ):
            most: int = getattr(config, name)
            if count >= most:
                metadata = {"limit": name, "most": str(most)}
                raise Refused("TOO_MANY", retry_seconds=config.reconnect_seconds, metadata=metadata)

    async def begin_again(self) -> None:
        """Take up the tables that the journal has, where a service was that has stopped or died."""
        desk, died = self.desk, 0.0
        for kept in await desk.journal.created():
            desk.answers.keep(kept.answer, kept.table_id, kept.version, kept.time)
        going_on: list[Callable[[float], None]] = []
        for table_id, epoch in (await desk.journal.claim_all(desk.writer.owner)).items():
            snapshot = await self._snapshot(table_id)
            records = await desk.journal.load(table_id, snapshot.life.version - KEPT_VERSIONS if snapshot else -1)
            if not records:
                # it had been claimed, and never came to be
                await self._delete(table_id)
                continue
            self._last_number += 1
            table = Table(desk, table_id, epoch, self._last_number)
            try:
                go_on = table.begin_again(epoch, records, snapshot)
            except Exception as error:
                # the others can go on
                desk.metrics.bugs.inc()
                log_bug("table_not_resumed", error, table_id=table_id)
                continue
            self._by_id[table_id] = table
            going_on.append(go_on)
            died = max(died, records[-1].time)
        for go_on in going_on:
            go_on(died)
        if going_on:
            log().info("tables_resumed", tables=len(going_on), running_matches=self.running_matches())

    async def _snapshot(self, table_id: str) -> Snapshot | None:
        """Read the snapshot of a table. Without one it is made of all its records; so it is if that cannot be read."""
        try:
            kept = await self.desk.journal.snapshot(table_id)
            return snapshot_from(table_id, kept.body) if kept is not None else None
        except ValueError as error:
            log_bug("snapshot_not_read", error, table_id=table_id)
            return None

    def _created(self, answer: Answer) -> Kept | None:
        """Return the table that the same request made before, or None; refuse one whose table is gone by now."""
        kept = self.desk.answers.find(answer, self.desk.clock.now())
        if kept is not None and kept.table_id not in self._by_id:
            raise Refused("TABLE_CLOSED")
        return kept

    def repeated(self, answer: Answer) -> Kept | None:
        """Return the first result of a request that was sent before, or None."""
        kept = self.desk.answers.find(answer, self.desk.clock.now())
        return kept if kept is not None and kept.table_id in self._by_id else None

    def find(self, table_id: str) -> Table:
        """Return a table, or refuse an id that names none. Log lines of the call carry what it is."""
        table = self._by_id.get(table_id)
        if table is None or table.history.shown is None:
            raise Refused("TABLE_NOT_FOUND")
        about(table.history.about)
        return table

    def seen_by(self, identity: str, table_id: str, code: str = "") -> Table:
        """Return a table that a caller may know of, by its id or its invite code, or refuse as if there were none."""
        table = self._by_id.get(table_id)
        if table is not None and table.is_known_to(identity):
            return self.find(table_id)
        if not code:
            raise Refused("TABLE_NOT_FOUND")
        return self.find(self.desk.invites.table(code, identity, self.desk.clock.now(), table_id))

    def new_code(self) -> str:
        """Draw an invite code that leads nowhere yet."""
        code = new_code()
        while code in self.desk.invites:
            code = new_code()
        return code

    def newest_first(
        self, before: int | None, identity: str, mine: bool = False, joinable: bool = False
    ) -> Iterator[Table]:
        """Iterate over open tables that a caller may know of, the newest first: those made before a number."""
        for table in reversed(self._by_id.values()):
            if table.history.shown is None or table.shown.phase == CLOSED:
                continue
            if before is not None and table.number >= before:
                continue
            wanted = table.is_of(identity) if mine else table.is_known_to(identity)
            if wanted and not (joinable and not table.is_joinable(identity)):
                yield table

    def drain(self) -> None:
        """End every stream, because the server is about to stop."""
        for table in self._by_id.values():
            table.history.watchers.drain()

    # --- tidying up ------------------------------------------------------------------------------------------------

    def _sweep_later(self) -> None:
        config = self.desk.config
        seconds = min(config.table_idle_seconds, config.closed_table_seconds)
        self.desk.clock.call_at(self.desk.clock.now() + seconds, self._sweep)

    def _sweep(self) -> None:
        """Close tables that nobody uses, and forget those that have been closed for long or are lost."""
        self._sweep_later()
        now = self.desk.clock.now()
        for table in list(self._by_id.values()):
            try:
                self._tidy(table, now)
            except Exception as error:
                self.desk.metrics.bugs.inc()
                log_bug("bug", error, table_id=table.id)
        self._later(self._forget_old(now))

    def _tidy(self, table: Table, now: float) -> None:
        history = table.history
        if history.is_lost or (history.shown is not None and history.shown.phase == CLOSED):
            since = self._closed.setdefault(table.id, now)
            if now - since >= self.desk.config.closed_table_seconds:
                self._forget(table)
        else:
            self._closed.pop(table.id, None)
            table.reap(now)

    def _forget(self, table: Table) -> None:
        """Forget a table, but not what created it: the same request must not make another one."""
        self._closed.pop(table.id, None)
        if self._by_id.pop(table.id, None) is not None:
            self.desk.answers.forget_after(table.id, 0)
            self._later(self._delete(table.id))

    def _undo(self, table: Table) -> None:
        """Let a table that could not be created never have been."""
        if self._by_id.pop(table.id, None) is not None:
            table.history.lose()
            self.desk.answers.forget_after(table.id, -1)
            self._later(self._delete(table.id, never_was=True))

    def _later(self, deleting: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(deleting)
        self._deleting.add(task)
        task.add_done_callback(self._deleting.discard)

    async def _delete(self, table_id: str, never_was: bool = False) -> None:
        """Let the journal forget a table. If it cannot, that harms nobody: no one knows the id any more."""
        try:
            await self.desk.journal.forget(self.desk.writer.owner, table_id, never_was)
        except Exception as error:
            log_bug("forget_failed", error, table_id=table_id)

    async def _forget_old(self, now: float) -> None:
        """Let the journal forget what nobody will ask for any more. If it cannot, it can the next time."""
        try:
            await self.desk.journal.forget_created(now - self.desk.config.request_id_seconds)
            await self.desk.journal.forget_results(now - self.desk.config.result_seconds)
            await self.desk.journal.forget_matches(now - 86400 * self.desk.config.record_days)
            await self.desk.journal.compact()
        except Exception as error:
            log_bug("forget_failed", error)

    def _count_open(self) -> float:
        shown = [table.history.shown for table in list(self._by_id.values())]
        return sum([life is not None and life.phase != CLOSED for life in shown])

    def _count_seats(self, who: str) -> float:
        shown = [table.history.shown for table in list(self._by_id.values())]
        open_ones = [life for life in shown if life is not None and life.phase != CLOSED]
        return sum([seat.who == who for life in open_ones for seat in life.seats])

    def running_matches(self) -> int:
        """Count the matches that are being played."""
        shown = [table.history.shown for table in list(self._by_id.values())]
        return sum([life is not None and life.phase == RUNNING for life in shown])

    def _count_watchers(self) -> float:
        return sum([len(table.history.watchers) for table in list(self._by_id.values())])
