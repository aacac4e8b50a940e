"""A state saved in the middle of anything and loaded again goes on as if nothing had happened."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from engine.game import apply, is_match_over, new_match, start_game
from engine.program import Program
from engine.saving import CannotLoad, load, save
from engine.state import DEAL, State
from tests.engine.properties.draws import examples, names, pick, states, tables
from tests.engine.stream import Stream
from tests.engine.tables import EXTRAS, program
from tests.engine.values import plain

KINDS = {
    "turn",
    "window",
    "single choice",
    "group that nobody has answered",
    "group partly answered",
    "choice in order",
    "exchange",
    "exchange partly answered",
    "chain of choices after the flush",
    "nothing",
}


def kind_of_question(s: State) -> str:
    """Say what is being asked."""
    if not s.playing:
        return "nothing"
    if s.window_seats:
        return "window"
    if s.group is None:
        return "turn"
    partly = any(given is not None for given in s.held)
    if s.run_kind == DEAL:
        return "exchange partly answered" if partly else "exchange"
    if len(s.group.choices) > 1:
        return "group partly answered" if partly else "group that nobody has answered"
    if s.group.rule == "salvage":
        return "chain of choices after the flush"
    return "choice in order" if s.group.choices[0].ordered else "single choice"


@examples(40)
@given(tables(), names)
def test_the_rest_of_a_match_is_the_same_from_any_saved_state(table: Program, name: str) -> None:
    other = Program(table.ruleset)
    one, two = new_match(table, 2), new_match(other, 2)
    stream = Stream(name)
    while not is_match_over(one):
        if one.playing:
            seat, action = pick(stream, one)
            (one, told), (two, again) = apply(one, seat, action), apply(two, seat, action)
        else:
            (one, told), (two, again) = start_game(one, name.encode()), start_game(two, name.encode())
        text = save(two)
        two = load(other, text)
        assert save(two) == text == save(one)
        assert plain(two) == plain(one)
        assert plain(again) == plain(told)


def test_every_kind_of_question_is_saved_and_loaded() -> None:
    seen = set()
    for number in range(12):
        table = program("jdf4", *EXTRAS, hand_size=9, bomber_removal_order="named_order")
        for s in states(table, f"saving {number}"):
            seen.add(kind_of_question(s))
            assert plain(load(table, save(s))) == plain(s)
    assert seen == KINDS


def test_a_match_that_has_not_begun_can_be_saved() -> None:
    s = new_match(program("jdf4"))
    assert plain(load(program("jdf4"), save(s))) == plain(s)


def test_a_state_is_saved_as_the_same_text_on_every_machine() -> None:
    s, _ = start_game(new_match(program("jdf4")), b"seed")
    assert save(s) == save(s.copy())
    assert json.loads(save(s))["engine"] == "1"
    assert "\n" not in save(s)


def test_another_ruleset_or_engine_version_is_refused() -> None:
    text = save(new_match(program("jdf4")))
    with pytest.raises(CannotLoad, match="ruleset"):
        load(program("jdf4", "seven_pass"), text)
    with pytest.raises(CannotLoad, match="version"):
        load(program("jdf4"), json.dumps(json.loads(text) | {"engine": "0"}))


def test_a_damaged_text_is_refused() -> None:
    s, _ = start_game(new_match(program("jdf4")), b"seed")
    s, _ = apply(s, *pick(Stream("damage"), s))
    good = json.loads(save(s))
    damaged = ["", "{}", "[]", "7", "null", save(s)[:-1]]
    damaged += [json.dumps({name: value for name, value in good.items() if name != lost}) for lost in good]
    damaged += [json.dumps(good | {"key": "xyz"}), json.dumps(good | {"trick": [[0]]}), json.dumps(good | {"plays": 5})]
    damaged += [json.dumps(good | {"trick": [[0, 99]]}), json.dumps(good | {"plays": [[1, 2, 3]]})]
    for text in damaged:
        with pytest.raises(CannotLoad):
            load(program("jdf4"), text)
