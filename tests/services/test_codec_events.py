"""Versions are written once for all who see no more of them than a spectator, and go together if they waited so."""

from __future__ import annotations

import pytest

from daifugo.v1 import game_pb2, view_pb2
from engine.state import State
from engine.view import view
from services.game import watcher
from services.game.codec.events import seeing_more, write_event
from services.game.codec.streams import frames_to
from services.game.deadlines import Limit
from services.game.frames import Frame, Told
from services.game.records import Conduct
from tests.engine.tables import EXTRAS, program
from tests.secrecy.worlds import record
from tests.services.harness import world

NOW = 1_000.0
TABLES = {
    "the federation's second game": program("jdf4", hand_size=7),
    "five more rules": program("jdf4", *EXTRAS, hand_size=6),
}


def versions(name: str) -> list[tuple[Told, State]]:
    """The versions of a game."""
    world = record(TABLES[name], name, True)
    return [
        (
            Told(
                tuple(events),
                view(s, -1),
                {decision: Limit(NOW + 30) for decision in s.decisions if decision},
                not s.trick,
                frozenset(),
                (),
                s.program,
                (Conduct(),) * s.seats,
                None,
            ),
            s,
        )
        for s, events in zip(world.states, world.events)
    ]


def sees_more(seat: int, told: Told) -> bool:
    return any(seat in seeing_more(event) for event in told.events)


def alone_for(seat: int, told: Told, s: State, now: float) -> list[view_pb2.Event]:
    """The events of a version, each written for one seat."""
    events = []
    for index, event in enumerate(told.events):
        because = event.because if event.because >= 0 else None
        message = view_pb2.Event(index=index, rule_id=event.rule, because=because)
        write_event(message, event, told, seat, now)
        events.append(message)
    return events


@pytest.mark.parametrize("name", TABLES)
def test_whoever_sees_no_more_than_a_spectator_gets_the_same(name: str) -> None:
    alone = shared = 0
    for told, s in versions(name):
        frame = Frame(1, 1, NOW, told)
        # at first as it is told, then to streams that come back later: with the time that is left by then
        for now in (NOW, NOW + 5.25):
            for seat in range(-1, s.seats):
                own = alone_for(seat, told, s, now)
                said = game_pb2.WatchResponse.FromString(frames_to((frame,), seat, now))
                assert list(said.batches.batches[0].events) == own
                if sees_more(seat, told):
                    alone += 1
                    assert own != alone_for(-1, told, s, now)
                else:
                    shared += 1
    assert alone
    assert shared > alone


def test_a_version_is_written_once_for_all_of_them() -> None:
    for told, s in versions("the federation's second game"):
        frame = Frame(1, 1, NOW, told)
        others = [seat for seat in range(-1, s.seats) if not sees_more(seat, told)]
        written = [frames_to((frame,), seat, NOW) for seat in others]
        assert all(each is written[0] for each in written)


async def test_versions_that_have_waited_together_come_in_one_message() -> None:
    async with world() as w:
        table = await w.table()
        await w.start(table)
        for token in ("p1", "spectator"):
            stream = w.caller(token).watch(table, game_pb2.Cursor(epoch=1, version=2))
            assert (await stream.read()).resumed.cursor.version == 2
            batches = (await stream.read()).batches.batches
            assert [batch.cursor.version for batch in batches] == [3, 4, 5]
            stream.cancel()


@pytest.mark.sources
async def test_a_message_holds_no_more_than_so_many_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watcher, "MOST_TOGETHER", 2)
    async with world() as w:
        table = await w.table()
        await w.start(table)
        stream = w.caller("spectator").watch(table, game_pb2.Cursor(epoch=1, version=0))
        assert (await stream.read()).HasField("resumed")
        sizes = [len((await stream.read()).batches.batches) for _ in range(3)]
        assert sizes == [2, 2, 1]
