"""Whatever happens to connections, the disk and the service: what a viewer has folded is what it would be shown.

Callers come and go by lot, on streams and call by call; they fall behind, and come back with old cursors or with none.
Some of the journal's writes fail, and the service is started again. Whoever follows knows no rule.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from daifugo.v1 import game_pb2
from services.game.codec.views import view_to
from services.game.eyes import BEHIND, OPEN, PUBLIC
from services.game.journal import MemoryJournal
from services.game.records import Record
from services.game.table import Table
from tests.services.folder import Folder, plain
from tests.services.harness import Failure, FakeClock, Stream, World, world

SEATS: Final = 4
SPECTATORS: Final = {
    PUBLIC: game_pb2.SPECTATORS_PUBLIC,
    OPEN: game_pb2.SPECTATORS_OPEN,
    BEHIND: game_pb2.SPECTATORS_DELAYED,
}
VIEWERS: Final = SEATS + 1
"""The seats, and a spectator."""
ACTS, WATCHES, DROPS, READS, CALLS, FORGETS, FAILS, RESTARTS, RESTS, LOOKS = range(10)

happenings = st.lists(
    st.tuples(
        st.sampled_from(
            [ACTS, ACTS, ACTS, WATCHES, WATCHES, DROPS, READS, CALLS, CALLS, FORGETS, FAILS, RESTARTS, RESTS, LOOKS]
        ),
        st.integers(0, VIEWERS - 1),
    ),
    min_size=20,
    max_size=60,
)


class Failing(MemoryJournal):
    """A store that outlives the service, and fails when it is told to: before it has written, or after; or it hangs."""

    def __init__(self) -> None:
        super().__init__()
        self.fails = 0
        self.open = asyncio.Event()
        self.open.set()

    async def append(self, owner: str, records: Sequence[Record]) -> frozenset[str]:
        await self.open.wait()
        fails, self.fails = self.fails, 0
        if fails == 2:
            await super().append(owner, records)
        if fails:
            raise OSError("no space left on device")
        return await super().append(owner, records)


class Viewer:
    """Somebody who follows a table, with breaks."""

    def __init__(self, name: str, seat: int) -> None:
        self.name, self.seat = name, seat
        self.folder = Folder()
        self.stream: Stream | None = None

    @property
    def after(self) -> game_pb2.Cursor | None:
        return self.folder.cursor if self.folder.cursor.epoch else None

    def forget(self) -> None:
        self.drop()
        self.folder = Folder()

    def drop(self) -> None:
        if self.stream is not None:
            self.stream.cancel()
            self.stream = None

    def take(self, message: game_pb2.WatchResponse) -> None:
        """Fold a message in; no version is left out, and none comes back that was seen before."""
        before = game_pb2.Cursor()
        before.CopyFrom(self.folder.cursor)
        kind = message.WhichOneof("message")
        if kind == "resumed":
            assert message.resumed.cursor == before
        self.folder.take(message)
        if kind == "snapshot" and message.snapshot.reason == game_pb2.SNAPSHOT_REASON_OTHER_HISTORY:
            assert before.epoch
        else:
            assert self.folder.cursor.version >= before.version
        if kind == "notice" and message.notice.HasField("going_away"):
            self.drop()

    def is_as_shown(self, table: Table) -> None:
        """Hold what was folded against what the service shows; who has not come back after a restart knows of none."""
        cursor = self.folder.cursor
        is_there = self.stream is not None or cursor.epoch == table.history.epoch
        if is_there and cursor.version == table.seen(self.seat).version:
            assert plain(self.folder.view) == plain(view_to(table, self.seat)), self.name

    async def catch_up(self, table: Table) -> None:
        """Read the stream up to what is shown."""
        while self.stream is not None and self.folder.cursor.version != table.seen(self.seat).version:
            try:
                self.take(await self.stream.read())
            except (EOFError, Failure):
                self.drop()
        self.is_as_shown(table)


class Course:
    """A table and those who follow it, through several lives of the service."""

    def __init__(self, seed: int, relaxed: bool, eyes: int) -> None:
        self.rng = random.Random(seed)
        self.durability = game_pb2.DURABILITY_RELAXED if relaxed else game_pb2.DURABILITY_STRICT
        self.clock, self.journal = FakeClock(), Failing()
        self.viewers = [Viewer(f"p{seat}", seat) for seat in range(SEATS)] + [Viewer("spectator", eyes)]
        self.id = ""

    async def run(self, happenings: list[tuple[int, int]]) -> None:
        async with AsyncExitStack() as stack:
            self.w = await stack.enter_async_context(self.service())
            self.id = await self.w.table(
                durability=self.durability,
                format=game_pb2.MatchFormat(games=50),
                spectators=SPECTATORS[self.viewers[-1].seat],
            )
            await self.w.start(self.id)
            if self.viewers[-1].seat == BEHIND:
                await self.finish_a_game()
            for what, who in happenings:
                if what == RESTARTS:
                    for viewer in self.viewers:
                        viewer.drop()
                    self.journal.open.set()
                    await stack.aclose()
                    self.w = await stack.enter_async_context(self.service())
                else:
                    await self.happen(what, self.viewers[who])
            await self.loaded()
            for viewer in self.viewers:
                viewer.drop()
                viewer.stream = self.w.caller(viewer.name).watch(self.id, viewer.after)
                await self.first(viewer)
                await viewer.catch_up(self.table)
                assert viewer.folder.cursor.version == self.table.seen(viewer.seat).version
                viewer.drop()

    def service(self) -> AbstractAsyncContextManager[World]:
        return world(self.clock, self.journal, recent_versions=6, watcher_versions=4)

    @property
    def table(self) -> Table:
        return self.w.app.tables.find(self.id)

    async def loaded(self) -> None:
        """Wait until nothing is on its way to the journal, nor read from it."""
        self.journal.open.set()
        history = self.table.history
        while history.head is None or history.head.version != history.durable_version:
            await self.w.caller("p0").view(self.id)

    async def first(self, viewer: Viewer) -> None:
        """Read what a stream begins with."""
        assert viewer.stream is not None
        viewer.take(await viewer.stream.read())
        told, history = viewer.folder.cursor, self.table.history
        # a relaxed table may have shown what it has lost by now; then it is in another run of its history
        assert (told.epoch, told.version) <= (history.epoch, self.table.seen(viewer.seat).version)

    async def happen(self, what: int, viewer: Viewer) -> None:
        caller = self.w.caller(viewer.name)
        if what == ACTS:
            if self.journal.open.is_set():
                await self.loaded()
            await self.act()
        elif what == WATCHES:
            viewer.drop()
            viewer.stream = caller.watch(self.id, viewer.after)
            await self.first(viewer)
        elif what == DROPS:
            viewer.drop()
        elif what == READS:
            await viewer.catch_up(self.table)
        elif what == CALLS:
            viewer.drop()
            answer = await caller.events(self.id, viewer.after)
            for message in answer.messages:
                viewer.take(message)
            assert viewer.folder.cursor == answer.cursor
            viewer.is_as_shown(self.table)
        elif what == FORGETS:
            viewer.forget()
        elif what == FAILS:
            self.journal.fails = self.rng.choice([1, 2])
            if self.durability == game_pb2.DURABILITY_RELAXED:
                # what is shown meanwhile is lost
                self.journal.open.clear()
        elif what == RESTS:
            await self.loaded()
            await self.w.advance(self.id, self.rng.choice([1.0, 25.0]))
        elif what == LOOKS:
            await self.loaded()
            shown = await caller.view(self.id)
            assert plain(shown.view) == plain(view_to(self.table, viewer.seat))

    async def finish_a_game(self) -> None:
        """Play until a game is over, for there to be something to see later."""
        while self.table.shown.state.game < 2:
            await self.act()
            await self.loaded()

    async def act(self) -> None:
        try:
            if not await self.w.step(self.id, self.rng):
                await self.w.advance(self.id, 3)
        except Failure as failure:
            if failure.reason not in ("NOT_STORED", "DECISION_CLOSED"):
                raise


@pytest.mark.timeout(120)
@settings(max_examples=25)
@given(happenings, st.integers(0, 2**16), st.booleans(), st.sampled_from([PUBLIC, OPEN, BEHIND]))
@example([(WATCHES, 4), (ACTS, 0), (RESTARTS, 0), (WATCHES, 4), (ACTS, 0), (CALLS, 4)], 1, False, OPEN)
@example(
    [(WATCHES, 1), (FAILS, 0), (ACTS, 0), (READS, 1), (DROPS, 1), (LOOKS, 0), (CALLS, 1), (ACTS, 0)], 0, True, PUBLIC
)
def test_folded_events_are_the_view_whatever_happens(
    happenings: list[tuple[int, int]], seed: int, relaxed: bool, eyes: int
) -> None:
    asyncio.run(Course(seed, relaxed and eyes != BEHIND, eyes).run(happenings))
