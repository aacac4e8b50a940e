"""Every event of an action has a cause, and every chain of causes ends in the action itself."""

from __future__ import annotations

from hypothesis import given

from engine.actions import ADD, PASS, PLAY
from engine.events import CardsMoved, DecisionClosed, Event, GameStarted, Passed
from engine.game import apply, is_match_over, new_match, start_game
from engine.program import Program
from tests.engine.properties.draws import examples, names, pick, tables
from tests.engine.stream import Stream
from tests.exhaust.play import deal


def roots(events: list[Event]) -> set[int]:
    """Return where the chains of causes end; an event follows from an earlier one."""
    found = set()
    for at, event in enumerate(events):
        assert event.because < at
        while event.because >= 0:
            at, event = event.because, events[event.because]
        found.add(at)
    return found


@examples(40)
@given(tables(), names)
def test_whatever_happens_follows_from_the_action_or_from_the_deal(table: Program, name: str) -> None:
    stream = Stream(name)
    s = new_match(table, 2)
    while not is_match_over(s):
        s, events = start_game(s, name.encode(), *deal(table, stream))
        assert [type(events[at]) for at in roots(events)] == [GameStarted]
        while s.playing:
            seat, action = pick(stream, s)
            s, events = apply(s, seat, action)
            ends = sorted(roots(events))
            assert ends[0] == 0
            assert isinstance(events[0], DecisionClosed)
            own = [at for at, event in enumerate(events) if isinstance(event, Passed | CardsMoved)][:1]
            assert ends[1:] == (own if action.kind in (PLAY, PASS, ADD) else [])
