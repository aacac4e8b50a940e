"""The history of a table: `head` is everything accepted, `shown` everything that may leave the process.

Accepting is synchronous. Each version goes to the journal's writer; when it is durable, in order, it is shown, and
whoever waits for it is answered. If that fails, `head` is thrown away and the history is read from the journal again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from engine.events import Event
from engine.version import ENGINE_VERSION
from services.common.errors import Refused
from services.common.logs import log, log_bug
from services.game.decisions import Decisions
from services.game.desk import Desk
from services.game.frames import OTHER_HISTORY, Frame, Recent, public_for
from services.game.life import Life, begin, follow
from services.game.records import Answer, Created, Operation, Record
from services.game.watchers import MOVED, Watchers

T = TypeVar("T")


class Entry:
    """One version on its way into the journal."""

    def __init__(self, history: History, record: Record, life: Life, events: Sequence[Event]) -> None:
        self.history = history
        self.generation = history.generation
        self.record = record
        self.life = life
        self.events = tuple(events)
        self.published = False

    def is_void(self) -> bool:
        """Say whether the head that this belongs to was thrown away."""
        return self.generation != self.history.generation

    def stored(self) -> None:
        """Show the version, unless it is shown already."""
        if not self.is_void():
            self.history.stored(self)

    def fenced(self) -> None:
        """Give the table up."""
        if not self.is_void():
            self.history.lose()

    def failed(self) -> None:
        """Throw the head away."""
        if not self.is_void():
            self.history.fail()


class History:
    """Head, shown, and what lies between."""

    def __init__(
        self, desk: Desk, table_id: str, epoch: int, on_shown: Callable[[Sequence[Event]], dict[int, float]]
    ) -> None:
        self.desk = desk
        self.table_id = table_id
        self.epoch = epoch
        self.generation = 0
        """Counts the heads; what belongs to an earlier one is void."""
        self.head: Life | None = None
        self.shown: Life | None = None
        self.durable_version = -1
        self.recent = Recent(desk.config.recent_versions)
        self.decisions = Decisions()
        self.watchers = Watchers()
        self.is_loading = False
        self.is_lost = False
        self._on_shown = on_shown
        self._waiting: list[tuple[int, asyncio.Future[None]]] = []
        self._reload: asyncio.Task[None] | None = None

    def accept(self, operation: Operation, answer: Answer | None = None) -> int:
        """Take an operation on the head; return its version. Raises IllegalAction, and then nothing has happened."""
        self.check_ready()
        now = self.desk.clock.now()
        if self.head is None:
            assert isinstance(operation, Created)
            life, events = begin(operation, now), list[Event]()
        else:
            life, events = follow(self.head, operation)
        self.head = life
        record = Record(self.table_id, self.epoch, life.version, now, operation, answer)
        entry = Entry(self, record, life, events)
        self.decisions.keep(record)
        if answer is not None:
            self.desk.answers.keep(answer, self.table_id, life.version, now)
        self.desk.writer.put(entry)
        if life.settings.relaxed and life.version:
            self._show(entry)
        return life.version

    def check_ready(self) -> None:
        """Refuse whatever needs a head while there is none."""
        if self.is_lost:
            raise Refused("MOVED", retry_seconds=self.desk.config.reconnect_seconds)
        if self.is_loading:
            raise Refused("NOT_STORED", retry_seconds=self.desk.config.store_retry_seconds)

    def about(self) -> dict[str, str | int]:
        """Return what log lines say of the table."""
        assert self.shown is not None
        return {
            "table_id": self.table_id,
            "version": self.shown.version,
            "ruleset_hash": self.shown.settings.ruleset_hash,
            "engine_version": ENGINE_VERSION,
        }

    async def decided(self, decide: Callable[[], T]) -> T:
        """Decide something on the head. A refusal waits, as everything does, until what it rests on is durable."""
        try:
            return decide()
        except Refused:
            if self.head is not None:
                await self.settled(self.head.version)
            raise

    async def settled(self, version: int) -> None:
        """Wait until a version may be spoken of: until it is durable, or at once at a relaxed table."""
        if self.shown is not None and self.shown.version >= version:
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((version, future))
        await future

    # --- what the writer says --------------------------------------------------------------------------------------

    def stored(self, entry: Entry) -> None:
        """Show a version that has become durable."""
        self.durable_version = entry.record.version
        if not entry.published:
            self._show(entry)

    def fail(self) -> None:
        """Throw the head away, because it is unknown what of it is durable, and read the history again."""
        self._throw_away("NOT_STORED", self.desk.config.store_retry_seconds)
        self.is_loading = True
        self._load_later()

    def lose(self) -> None:
        """Give the table up: somebody else owns it now."""
        log().warning("table_lost", table_id=self.table_id, epoch=self.epoch)
        self._throw_away("MOVED", self.desk.config.reconnect_seconds)
        self.is_lost = True
        self.watchers.leave(MOVED)

    def _throw_away(self, reason: str, retry_seconds: float) -> None:
        self.generation += 1
        self.head = None
        self.desk.answers.forget_after(self.table_id, self.durable_version)
        self.decisions.forget_after(self.durable_version)
        waiting, self._waiting = self._waiting, []
        for _, future in waiting:
            if not future.done():
                future.set_exception(Refused(reason, retry_seconds=retry_seconds))

    def _show(self, entry: Entry) -> None:
        """Let a version out: to watchers, to whoever waits for it, and to the clocks."""
        entry.published = True
        self.shown = entry.life
        deadlines = self._on_shown(entry.events)
        record = entry.record
        public = public_for(entry.life, entry.events)
        state = entry.life.state
        connected = self.watchers.connected_seats()
        frame = Frame(
            record.epoch, record.version, record.time, entry.events, public, deadlines, not state.trick, connected
        )
        self.recent.add(frame)
        self.watchers.tell(frame)
        self._answer(record.version)

    def _answer(self, version: int) -> None:
        ready = [future for wanted, future in self._waiting if wanted <= version]
        self._waiting = [each for each in self._waiting if each[0] > version]
        for future in ready:
            if not future.done():
                future.set_result(None)

    # --- reading it again ------------------------------------------------------------------------------------------

    def _load_later(self) -> None:
        self._reload = asyncio.get_running_loop().create_task(self._load())

    async def _load(self) -> None:
        """Read the history from the journal; when that fails, try again a little later."""
        try:
            epoch = await self.desk.journal.claim(self.table_id, self.desk.writer.owner)
            records = await self.desk.journal.load(self.table_id)
            self.restore(epoch, records)
        except Exception as error:
            log_bug("load_failed", error, table_id=self.table_id)
            again = self.desk.clock.now() + self.desk.config.store_retry_seconds
            self.desk.clock.call_at(again, self._load_later)

    def restore(self, epoch: int, records: Sequence[Record]) -> None:
        """Become what the records say, and show what was not shown yet."""
        self.is_loading = False
        if not records:
            self.is_lost = True
            return
        shown = self.shown.version if self.shown is not None else -1
        self.epoch = epoch
        last = records[-1].version
        self.durable_version = last
        if shown > last:
            # only a relaxed table has shown what is not durable
            self.recent = Recent(self.desk.config.recent_versions)
            self.watchers.resync(OTHER_HISTORY)
        for record in records:
            self._replay(record, shown if shown <= last else last)
        if shown > last:
            self.shown = self.head
            self._on_shown(())
        self.recent.reached(epoch, last)

    def _replay(self, record: Record, shown: int) -> None:
        operation = record.operation
        if self.head is None:
            assert isinstance(operation, Created)
            life, events = begin(operation, record.time), list[Event]()
        else:
            life, events = follow(self.head, operation)
        self.head = life
        self.decisions.keep(record)
        if record.answer is not None:
            self.desk.answers.keep(record.answer, self.table_id, record.version, record.time)
        if record.version > shown:
            self._show(Entry(self, record, life, events))
        elif record.version == shown:
            self.recent.reached(record.epoch, record.version)
