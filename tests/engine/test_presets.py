"""Every preset that this version has is played to the end, with every number of players that it takes."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine.available import PRESETS
from engine.catalogue import presets, tables
from engine.game import apply, is_match_over, new_match, start_game
from engine.program import Program
from engine.ruleset import make_ruleset
from tests.engine.properties.draws import pick
from tests.engine.stream import Stream
from tests.engine.tables import asked

TABLES = [
    (preset, seats)
    for preset in PRESETS
    for seats in range(presets()[preset].seats_least, presets()[preset].seats_most + 1)
]
TABLE = pytest.mark.parametrize(("preset", "seats"), TABLES)


@TABLE
def test_a_preset_is_played_to_the_end(preset: str, seats: int) -> None:
    program = Program(make_ruleset(preset, None, seats))
    stream = Stream(f"{preset} {seats}")
    s, told = new_match(program, 3), list[ev.Event]()
    totals = [0] * seats
    while not is_match_over(s):
        s, events = start_game(s, stream.name.encode())
        told += events
        while s.playing:
            s, events = apply(s, *pick(stream, s))
            told += events
        assert sorted(s.places) == list(range(seats))
        for place, seat in enumerate(s.places):
            totals[seat] += program.points[place]
    ended = [event for event in told if isinstance(event, ev.GameEnded)]
    assert len(ended) == 3
    if not program.scoring_rules and not any(event.drawn for event in ended):
        assert s.totals == totals
    assert isinstance(told[-1], ev.MatchEnded)
    assert not asked(s)


@TABLE
def test_the_exchange_of_a_preset_is_between_the_places_that_its_document_names(preset: str, seats: int) -> None:
    ruleset = make_ruleset(preset, None, seats)
    s = new_match(Program(ruleset), 2)
    s.previous, s.game = list(range(seats)), 1
    s, _ = start_game(s, b"exchange")
    count = ruleset.number("card_exchange")
    if not count:
        assert s.group is None
        return
    pairs = tables().exchange[f"extra_classes_{count}" if ruleset.bool("extra_classes") else str(count)][seats]
    assert s.group is not None
    asked_for = {(min(c.seat, c.to_seat) + 1, max(c.seat, c.to_seat) + 1, c.most) for c in s.group.choices}
    assert asked_for == set(pairs)


@TABLE
def test_a_preset_has_a_title_and_points_for_every_place(preset: str, seats: int) -> None:
    ruleset = make_ruleset(preset, None, seats)
    assert len(ruleset.titles()) == len(ruleset.points()) == seats
    assert list(ruleset.points()) == sorted(ruleset.points(), reverse=True)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_number_of_players_that_a_preset_does_not_take_is_refused(preset: str) -> None:
    known = presets()[preset]
    for seats in (known.seats_least - 1, known.seats_most + 1):
        with pytest.raises(ValueError, match="players"):
            make_ruleset(preset, None, seats)
