"""The history of a table: `head` is everything accepted, `shown` everything that may leave the process.

Accepting is synchronous. Each version goes to the journal's writer; when it is durable, in order, it is shown, and
whoever waits for it is answered. If that fails, `head` is thrown away, and what the journal has after the last version
known to be durable is read again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Final, TypeVar

from engine.events import Event
from engine.version import ENGINE_VERSION
from services.common.errors import Refused
from services.common.logs import log, log_bug
from services.game.behind import Behind, is_being_played
from services.game.changes import SeatChanged, TableChanged
from services.game.codec.snapshots import snapshot_to
from services.game.deadlines import Limit
from services.game.decisions import Decisions
from services.game.desk import Desk
from services.game.eyes import changed_eyes, shows_hands
from services.game.frames import OTHER_HISTORY, UNCHANGED, Frame, Recent, told_of
from services.game.life import RUNNING, Life, begin, follow
from services.game.messages import FELL_BEHIND, MOVED
from services.game.records import HANDS_LATER, Acted, Answer, Created, KeptSnapshot, Operation, Record, Skipped
from services.game.results import ended_of, result_of
from services.game.snapshots import Snapshot, first_needed
from services.game.watchers import Watchers

T = TypeVar("T")

EYES_MAY_CHANGE: Final = frozenset({SeatChanged, TableChanged})
NOBODY: Final = frozenset[int]()
MOST_LOST: Final = 1_000_000
"""More decisions than a table can have told between two writes."""


class Entry:
    """One version on its way into the journal."""

    def __init__(
        self, history: History, record: Record, life: Life, events: Sequence[Event], ends_match: bool = False
    ) -> None:
        self.history = history
        self.generation = history.generation
        self.record = record
        self.life = life
        self.events = tuple(events)
        self.ends_match = ends_match
        self.published = False
        self.accepted = perf_counter()

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
    """Head, shown, and what lies between.

    `on_shown` is called with each version that is shown, and returns the limits of new decisions; `on_resumed` when
    the history goes on from where it was read again, and whatever was under way may have failed.
    """

    def __init__(
        self,
        desk: Desk,
        table_id: str,
        epoch: int,
        on_shown: Callable[[Life, Sequence[Event]], dict[int, Limit]],
        on_resumed: Callable[[Life], None],
    ) -> None:
        self.desk = desk
        self.table_id = table_id
        self.epoch = epoch
        self.generation = 0
        """Counts the heads; what belongs to an earlier one is void."""
        self.head: Life | None = None
        self.shown: Life | None = None
        self.recent = Recent(desk.config.recent_versions)
        self.decisions = Decisions()
        self.watchers = Watchers(desk)
        self.behind: Behind | None = None
        """The table for spectators who see hands later, where there are any."""
        self.is_loading = False
        self.is_lost = False
        self._durable: Life | None = None
        self._told_decision = 0
        """The last decision that was ever told; a relaxed table may have lost it."""
        self._on_shown, self._on_resumed = on_shown, on_resumed
        self._waiting: list[tuple[int, asyncio.Future[None]]] = []
        self._reload: asyncio.Task[None] | None = None
        self._asked: dict[int, float] = {}
        """Since when each open decision of the head has been asked."""
        self._snapped = 0
        """The version of the last snapshot."""

    @property
    def durable_version(self) -> int:
        """The last version known to be durable, or -1."""
        return self._durable.version if self._durable is not None else -1

    def accept(self, operation: Operation, answer: Answer | None = None) -> int:
        """Take an operation on the head; return its version. Raises IllegalAction, and then nothing has happened."""
        self.check_ready()
        begun = perf_counter()
        now, operations, life = self.desk.clock.now(), [operation], self.head
        if life is not None and life.state.last_decision < self._told_decision:
            operations.insert(0, Skipped(self._told_decision))
        entries = []
        for each in operations:
            before = life
            life, events = _after(life, each, now)
            given = answer if each is operation else None
            result = result_of(before, life)
            ended = ended_of(before, each, life) if self.desk.config.record_days else None
            record = Record(self.table_id, self.epoch, life.version, now, each, given, result, ended)
            is_over = before is not None and before.phase == RUNNING and life.phase != RUNNING
            entries.append(Entry(self, record, life, events, is_over))
        self.desk.metrics.spent["rules"].observe(entries[-1].accepted - begun)
        for entry in entries:
            self._take(entry)
            self._add_snapshot(entry)
            self.desk.writer.put(entry)
            if entry.life.settings.relaxed and entry.life.version:
                self._show(entry)
        return entries[-1].life.version

    def _add_snapshot(self, entry: Entry) -> None:
        """Let the store have the table after a version: where it has not for long, and after a match, of which it needs
        no version any more then.
        """
        life = entry.life
        if life.version - self._snapped < self.desk.config.snapshot_versions and not entry.ends_match:
            return
        if life.settings.spectators == HANDS_LATER and is_being_played(life):
            return  # they see the table as it was before the game, which is not in it
        self._snapped = life.version
        answers = tuple(self.desk.answers.of(self.table_id))
        runs = {**self.recent.runs, self.epoch: life.version}
        body = snapshot_to(Snapshot(life, answers, self._asked, runs))
        entry.record = replace(entry.record, snapshot=KeptSnapshot(life.version, first_needed(life), body))

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
        self._durable = entry.life
        self.desk.metrics.spent["journal"].observe(perf_counter() - entry.accepted)
        if not entry.published:
            self._show(entry)

    def fail(self) -> None:
        """Throw the head away, because it is unknown what of it is durable, and read the history again."""
        self._throw_away("NOT_STORED", self.desk.config.store_retry_seconds)
        self.is_loading = True
        self._load_later()

    def lose(self) -> None:
        """Give the table up: somebody else owns it now, or it never came to be."""
        log().warning("table_lost", table_id=self.table_id, epoch=self.epoch)
        self._throw_away("MOVED", self.desk.config.reconnect_seconds)
        self.is_lost = True
        self.is_loading = False
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

    def _take(self, entry: Entry) -> None:
        """Let a version be the head, and remember what it answered."""
        self._remember(entry.record, entry.life)

    def _remember(self, record: Record, life: Life) -> None:
        self.head = life
        self.decisions.keep(record)
        self._asked = {each: self._asked.get(each, record.time) for each in life.state.decisions if each}
        if record.answer is not None:
            self.desk.answers.keep(record.answer, self.table_id, record.version, record.time)

    def _show(self, entry: Entry) -> None:
        """Let a version out: to the clocks, to watchers, and to whoever waits for it."""
        entry.published = True
        before, self.shown = self.shown, entry.life
        self._told_decision = max(self._told_decision, entry.life.state.last_decision)
        begun = perf_counter()
        try:
            self._tell(entry, before)
        except Exception as error:
            self._start_anew(error)
        self.desk.metrics.spent["telling"].observe(perf_counter() - begun)
        self._answer(entry.life.version)

    def _tell(self, entry: Entry, before: Life | None) -> None:
        life, record = entry.life, entry.record
        limits = self._on_shown(life, entry.events)
        kinds = set(map(type, entry.events))
        may_change = not kinds.isdisjoint(EYES_MAY_CHANGE)
        connected = self.watchers.connected_seats() if SeatChanged in kinds else NOBODY
        changed = changed_eyes(before, life) if may_change else UNCHANGED
        if may_change or not kinds:
            self.watchers.lose_eyes(life)
        acted = record.operation if isinstance(record.operation, Acted) else None
        told = told_of(life, entry.events, limits, connected, acted, shows_hands(life))
        frame = Frame(record.epoch, record.version, record.time, told, changed)
        self.watchers.tell(frame)
        if before is not None and before.settings.spectators != life.settings.spectators:
            self._change_spectators(record.epoch, life)
            return
        self.recent.add(frame)
        if life.settings.spectators == HANDS_LATER:
            self.watchers.tell_behind(self._behind().take(frame, life))

    def _change_spectators(self, epoch: int, life: Life) -> None:
        """Let no stream go on from what was told to other eyes."""
        self._forget_recent()
        self.recent.reached(epoch, life.version)
        self.behind = None
        if life.settings.spectators == HANDS_LATER:
            self._behind().pass_over(epoch, life)

    def _behind(self) -> Behind:
        if self.behind is None:
            self.behind = Behind()
        return self.behind

    def _start_anew(self, error: Exception) -> None:
        """A version could not be told, by a mistake of the server: everybody gets a snapshot instead of a gap."""
        assert self.shown is not None
        self.desk.metrics.bugs.inc()
        log_bug("bug", error, **self.about())
        self._forget_recent()
        self.recent.reached(self.epoch, self.shown.version)
        if self.behind is not None:
            self.behind.lose(self.shown)
            self.behind.reached(self.epoch)
        self.watchers.lose_eyes(self.shown)
        self.watchers.resync(FELL_BEHIND)
        self._resume()

    def _forget_recent(self) -> None:
        self.recent = Recent(self.desk.config.recent_versions)

    def _resume(self) -> None:
        """Let the table go on by itself. A mistake there must not keep people from going on."""
        assert self.shown is not None
        try:
            self._on_resumed(self.shown)
        except Exception as error:
            self.desk.metrics.bugs.inc()
            log_bug("bug", error, **self.about())

    def _answer(self, version: int) -> None:
        if not self._waiting:
            return
        ready = [future for wanted, future in self._waiting if wanted <= version]
        self._waiting = [each for each in self._waiting if each[0] > version]
        for future in ready:
            if not future.done():
                future.set_result(None)

    # --- reading it again ------------------------------------------------------------------------------------------

    def _load_later(self) -> None:
        self._reload = asyncio.get_running_loop().create_task(self._load())

    async def _load(self) -> None:
        """Read from the journal what came after the last version known to be durable; if that fails, a little later."""
        try:
            epoch = await self.desk.journal.claim(self.table_id, self.desk.writer.owner)
            records = await self.desk.journal.load(self.table_id, self.durable_version)
            if not self.is_lost:
                self.restore(epoch, records)
        except Exception as error:
            log_bug("load_failed", error, table_id=self.table_id)
            again = self.desk.clock.now() + self.desk.config.store_retry_seconds
            self.desk.clock.call_at(again, self._load_later)

    def restore(self, epoch: int, records: Sequence[Record]) -> None:
        """Become what the records after the durable version say, and show what was not shown; or raise and stay."""
        life, entries = self._durable, []
        for record in records:
            life, events = _after(life, record.operation, record.time)
            entries.append(Entry(self, record, life, events))
        if life is None:
            self.lose()
            return
        self.epoch, self.head, self._durable, self.is_loading = epoch, life, life, False
        for entry in entries:
            self._take(entry)
        if self.shown is not None and self.shown.version > life.version:
            self._go_back(life)
        else:
            for entry in entries:
                if self.shown is None or entry.life.version > self.shown.version:
                    self._show(entry)
        self.recent.reached(epoch, life.version)
        if self.behind is not None:
            self.behind.reached(epoch)
        log().info("table_reloaded", epoch=epoch, **self.about())
        self._resume()

    def begin_again(
        self, epoch: int, records: Sequence[Record], snapshot: Snapshot | None = None
    ) -> Mapping[int, float]:
        """Become, after a restart, what all the records say; return since when each open decision has been asked.

        With a snapshot, those after it are enough, and those before it only tell of what was answered. The table does
        not go on by itself yet: that is for `on_resumed`.
        """
        life = self._begin_with(snapshot) if snapshot is not None else None
        for record in records:
            if snapshot is not None and record.version <= snapshot.life.version:
                self.decisions.keep(record)
                continue
            life, _ = _after(life, record.operation, record.time)
            self._remember(record, life)
            self.recent.reached(record.epoch, record.version)
            if life.settings.spectators == HANDS_LATER:
                self._behind().pass_over(record.epoch, life)
        assert life is not None
        self.epoch, self._durable, self.shown = epoch, life, life
        self._told_decision = life.state.last_decision
        if life.settings.relaxed:
            # whatever was told of what was lost, no other question may get its number
            self._told_decision += MOST_LOST
        self.recent.reached(epoch, life.version)
        self.recent.begin(epoch)
        if self.behind is not None:
            self.behind.reached(epoch)
            self.behind.recent.begin(epoch)
        return self._asked

    def _begin_with(self, snapshot: Snapshot) -> Life:
        self.head, self._asked, self._snapped = snapshot.life, dict(snapshot.asked), snapshot.life.version
        for kept in snapshot.answers:
            self.desk.answers.keep(kept.answer, self.table_id, kept.version, kept.time)
        for epoch, version in snapshot.runs.items():
            self.recent.reached(epoch, version)
        if snapshot.life.settings.spectators == HANDS_LATER:
            self._behind().pass_over(max(snapshot.runs), snapshot.life)
        return snapshot.life

    def _go_back(self, life: Life) -> None:
        """Show less than before: only a relaxed table has shown what was not durable."""
        self._forget_recent()
        self.shown = life
        self.watchers.lose_eyes(life)
        self.watchers.resync(OTHER_HISTORY)


def _after(life: Life | None, operation: Operation, time: float) -> tuple[Life, list[Event]]:
    """Return a table after an operation, the first of which makes it."""
    if life is not None:
        return follow(life, operation)
    assert isinstance(operation, Created)
    return begin(operation, time), []
