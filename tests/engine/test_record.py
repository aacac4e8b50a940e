"""Recorded matches: what is played again is what was played, and what cannot be the same is refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given

from engine.actions import PASSING
from engine.catalogue import Value
from engine.game import apply, is_match_over, new_match, start_game
from engine.program import Program
from engine.record import CannotReplay, Game, Record, Step, replay
from engine.saving import save
from engine.state import State
from engine.version import ENGINE_VERSION
from tests.engine.properties.draws import examples, names, pick, tables
from tests.engine.stream import Stream
from tests.engine.tables import program
from tests.exhaust.play import deal

SEED = bytes(range(32))


def recorded(table: Program, name: str = "records", games: int = 2) -> tuple[Record, list[State]]:
    """Play a match and write it down; return the record and every state after a deal or a step."""
    stream, states, played = Stream(name), [], []
    s = new_match(table, games)
    while not is_match_over(s):
        hands, blind = deal(table, stream)
        s, _ = start_game(s, SEED, hands, blind)
        states.append(s)
        steps, before = [], s.totals
        while s.playing:
            seat, action = pick(stream, s)
            steps.append(Step(seat, action))
            s, _ = apply(s, seat, action)
            states.append(s)
        points = tuple([now - then for now, then in zip(s.totals, before)])
        played.append(Game(tuple(steps), hands, blind, tuple(s.places), points))
    ruleset = table.ruleset
    changes: tuple[tuple[str, Value], ...] = tuple(ruleset.changes().items())
    record = Record(
        ruleset.preset, changes, ruleset.seats, ruleset.hash, ENGINE_VERSION, games, SEED, tuple(played)
    )  # fmt: skip
    return record, states


@examples(25)
@given(tables(), names)
def test_a_record_makes_every_state_of_its_match_again(table: Program, name: str) -> None:
    record, states = recorded(table, name)
    assert [save(moment.state) for moment in replay(record)] == [save(state) for state in states]


@pytest.fixture(scope="module")
def record() -> Record:
    return recorded(program("jdf4"))[0]


def test_every_moment_says_what_led_to_it(record: Record) -> None:
    moments = list(replay(record))
    deals = [moment for moment in moments if moment.step is None]
    assert [moment.game for moment in deals] == [1, 2]
    assert [moment.step for moment in moments if moment.step] == [step for game in record.games for step in game.steps]
    for moment, after in pairwise(moments):
        assert after.before is moment.state
        assert after.number == moment.number + (after.step is not None)
        assert after.events


def test_a_game_that_was_broken_off_is_replayed_as_far_as_it_went(record: Record) -> None:
    first = record.games[0]
    part = replace(record, games=(replace(first, steps=first.steps[:5], places=(), points=()),))
    assert [moment.number for moment in replay(part)] == [0, 1, 2, 3, 4, 5]


def test_another_engine_version_is_refused(record: Record) -> None:
    with pytest.raises(CannotReplay, match="recorded with engine version 0; this is version") as refused:
        next(replay(replace(record, engine_version="0")))
    assert "版 0" in refused.value.ja


def test_a_ruleset_that_is_not_the_hashed_one_is_refused(record: Record) -> None:
    with pytest.raises(CannotReplay, match=r"the hash of its ruleset is .*, but its settings make"):
        next(replay(replace(record, values=(*record.values, ("nine_reverse", True)))))
    with pytest.raises(CannotReplay, match="not valid"):
        next(replay(replace(record, values=(("no_such_rule", True),))))


def with_steps(record: Record, steps: tuple[Step, ...]) -> Record:
    return replace(record, games=(replace(record.games[0], steps=steps), *record.games[1:]))


def test_a_step_against_the_rules_is_named(record: Record) -> None:
    steps = record.games[0].steps
    # whoever opens a trick cannot pass
    with pytest.raises(CannotReplay, match="step 1, in game 1, is against the rules"):
        list(replay(with_steps(record, (Step(steps[0].seat, PASSING), *steps[1:]))))
    with pytest.raises(CannotReplay, match=r"step \d+, in game 1, is against the rules"):
        list(replay(with_steps(record, (*steps, steps[-1]))))


def test_a_game_that_ends_otherwise_is_refused(record: Record) -> None:
    first = record.games[0]
    for other, said in (
        (replace(first, places=first.places[::-1]), "game 1 ends otherwise: places"),
        (replace(first, places=()), "game 1 ends otherwise: places"),
        (replace(first, points=tuple([points + 1 for points in first.points])), "game 1 ends otherwise: points"),
        (replace(first, steps=first.steps[:-1]), "game 1 ends otherwise: places"),
    ):
        with pytest.raises(CannotReplay, match=said):
            list(replay(replace(record, games=(other, *record.games[1:]))))


def test_hands_that_cannot_be_dealt_are_refused(record: Record) -> None:
    first = replace(record.games[0], hands=(1, 1, 2, 4))
    with pytest.raises(CannotReplay, match="game 1 cannot be dealt"):
        list(replay(replace(record, games=(first,))))
