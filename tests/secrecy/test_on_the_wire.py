"""The same, for the bytes that leave the game service: views, events, legal actions and refusals as messages."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
from google.protobuf.message import Message

from engine.actions import Action, Meaning
from engine.events import Event
from engine.state import State
from engine.view import view
from services.common.errors import Refused
from services.game.codec.actions import action_to
from services.game.codec.legal import check_action, legal_actions
from services.game.codec.streams import frames_to
from services.game.codec.views import Visible, view_to
from services.game.deadlines import Limit
from services.game.frames import Frame, Told
from services.game.life import RUNNING
from services.game.records import Conduct
from services.game.seats import Seat
from services.game.seeds import Shuffle
from tests.engine.stream import Stream
from tests.engine.tables import EXTRAS, program
from tests.secrecy.observing import Observer, leaks
from tests.secrecy.worlds import SPECTATOR, record

NOW = 1_000.0
TABLES = {
    "the federation's second game": program("jdf4", hand_size=7),
    "five more rules, bombs in order": program("jdf4", *EXTRAS, hand_size=6, bomber_removal_order="named_order"),
}


def written(message: Message) -> bytes:
    """A message as it is sent."""
    return message.SerializeToString(deterministic=True)


def table_of(s: State) -> Visible:
    """A table that shows this state: as much of one as the messages are written from."""
    shown = SimpleNamespace(
        state=s,
        phase=RUNNING,
        seats=[Seat()] * s.seats,
        host="host",
        began=0,
        banks=(),
        conduct=(),
        practice=False,
        deal_shown="",
        shuffle=Shuffle(),
    )
    table = SimpleNamespace(id="table", seen=lambda viewer: shown, now=lambda: NOW)
    table.connected, table.limit_of = lambda seat: False, lambda seat: Limit(NOW + 30)
    return cast(Visible, table)


class Wire(Observer):
    """What the service sends to a seat."""

    def view(self, s: State, seat: int) -> object:
        return written(view_to(table_of(s), seat))

    def events(self, s: State, events: list[Event], seat: int) -> list[object]:
        limits = {decision: Limit(NOW + 30) for decision in s.decisions if decision}
        conduct, nobody = (Conduct(),) * s.seats, frozenset[int]()
        told = Told(tuple(events), view(s, -1), limits, not s.trick, nobody, (), s.program, conduct, None, True)
        return [frames_to((Frame(1, 1, NOW, told),), seat, NOW)]

    def moves(self, s: State, seat: int) -> list[object]:
        found, more = legal_actions(view(s, max(seat, SPECTATOR)), 0, 0, 200)
        return [*[written(message) for message in found], more]

    def refusal(self, s: State, seat: int, action: Action) -> str:
        if seat < 0 or action.kind not in range(1, 7) or not all(isinstance(m, Meaning) for m in action.meanings):
            return ""
        said = []
        for locale in ("ja", "en"):
            try:
                said.append(written(check_action(view(s, seat), action_to(action), locale)).hex())
            except Refused as refused:
                said.append(repr(refused))
        return " ".join(said)


class Spectators(Wire):
    """Sends everybody what the next seat is sent."""

    def events(self, s: State, events: list[Event], seat: int) -> list[object]:
        return super().events(s, events, (seat + 1) % s.seats)


class Sizes(Wire):
    """Sends as many bytes more as somebody else holds low cards."""

    def view(self, s: State, seat: int) -> object:
        return written(view_to(table_of(s), seat)) + bytes((s.hands[(seat + 1) % s.seats] & 0xFFFF).bit_count())


@pytest.mark.parametrize("name", TABLES)
def test_the_bytes_for_a_seat_do_not_depend_on_what_it_cannot_know(name: str) -> None:
    for number in range(2):
        found, seen = leaks(Wire(), record(TABLES[name], f"{name} {number}", True), Stream(f"{name} {number}"))
        assert not found
        assert seen


@pytest.mark.parametrize("mutant", [Spectators, Sizes])
def test_a_leak_on_the_wire_is_found(mutant: type[Wire]) -> None:
    name = "five more rules, bombs in order"
    assert leaks(mutant(), record(TABLES[name], f"{name} 0", True), Stream(f"{name} 0"))[0]
