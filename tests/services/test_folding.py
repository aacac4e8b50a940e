"""Whatever rules a table has: folding the events of a game gives at every step the view that the service would send."""

from __future__ import annotations

import pytest

from clients.common.fold import fold
from daifugo.v1 import game_pb2, view_pb2
from engine.catalogue import Value
from engine.events import Event
from engine.game import new_match
from engine.program import Program
from engine.state import State
from services.game.codec.views import view_to
from tests.engine.stream import Stream
from tests.exhaust.play import deal
from tests.exhaust.rulesets import drawn
from tests.secrecy.test_on_the_wire import Wire, table_of
from tests.secrecy.worlds import SPECTATOR, World, record

PARTS = 4
TABLES = 6
"""Of a part."""


def shown(s: State, seat: int) -> view_pb2.View:
    """The view of a seat, but for what changes without an event: how much time is left."""
    message = view_pb2.View()
    message.CopyFrom(view_to(table_of(s), seat))
    message.decision.ClearField("remaining")
    return message


def told(s: State, events: list[Event], seat: int) -> list[view_pb2.Event]:
    """The events of a version as a seat gets them."""
    (written,) = Wire().events(s, events, seat)
    assert isinstance(written, bytes)
    message = game_pb2.WatchResponse.FromString(written)
    return list(message.batches.batches[0].events)


def before(world: World) -> State:
    """The match as it stood before this game."""
    s = new_match(world.deal.program)
    s.previous, s.game = list(world.deal.previous), 1 if world.deal.previous else 0
    return s


@pytest.mark.sources
@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", range(PARTS))
def test_a_client_that_knows_no_rule_follows_every_game(part: int) -> None:
    for number in range(TABLES):
        stream = Stream(f"folding {part} {number}")
        wanted: dict[str, Value] = {"miyako_ochi_mode": "play_on"} if number % 3 == 1 else {}
        program = Program(drawn(stream, wanted, others=40, most_cards=8, least_cards=stream.pick((1, 5))))
        world = record(program, stream.name, number % 2 == 1, deal(program, stream)[0])
        for seat in range(SPECTATOR, program.seats):
            folded = shown(before(world), seat)
            for s, events in zip(world.states, world.events):
                for event in told(s, events, seat):
                    fold(folded, event)
                folded.decision.ClearField("remaining")
                assert folded == shown(s, seat), f"{stream.name}, seat {seat}\n{program.ruleset.text()}"
