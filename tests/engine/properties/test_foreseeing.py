"""What is foreseen of an action: nothing certain fails to come, and nothing comes that was not foreseen at all."""

from __future__ import annotations

import pytest
from hypothesis import given

from engine.events import Event
from engine.foreseeing import Effect, effects_of, foresee
from engine.game import advance, is_match_over, new_match, start_game
from engine.program import Program
from engine.state import DEAL
from engine.view import view
from tests.engine.properties.draws import examples, names, tables
from tests.engine.stream import Stream
from tests.engine.tables import ANSWERS, EFFECTS, EXTRAS, LOCKS, STRENGTH, asked, moves_of, program
from tests.exhaust.play import deal

HIDDEN = ("dokan", "unreturnable_flush", "queen_bomber")
"""Rules that look into hands: what they do can only be supposed."""
TABLES = {
    "hands that are looked into": program("jdf4", *EXTRAS, *ANSWERS, "dokan", hand_size=6),
    "each hand by itself": program(
        "jdf4", *ANSWERS, "dokan", hand_size=6, unreturnable_flush__basis="exact_hands", miyako_ochi=False
    ),
    "effects of every rank": program("jdf4", *EXTRAS, *EFFECTS, *LOCKS, hand_size=6),
    "rules of strength": program("jdf4", *STRENGTH, *ANSWERS, hand_size=6, revolution__min_group=3),
    "bombs one after another, five players": program(
        "jdf5", *EXTRAS, "dokan", hand_size=5, bomber_removal_order="named_order"
    ),
}


def compare(table: Program, name: str) -> tuple[set[Effect], set[Effect]]:
    """Play two games and hold everything foreseen against what happened; return what was certain, and what was not."""
    certain, uncertain = set[Effect](), set[Effect]()
    stream = Stream(name)
    s = new_match(table, 2)
    while not is_match_over(s):
        s, _ = start_game(s, name.encode(), *deal(table, stream))
        while s.playing:
            seat = stream.pick(asked(s))
            move = stream.pick(moves_of(s, seat, 200))
            is_exchange = s.run_kind == DEAL
            seen = foresee(view(s, seat), move)
            told: list[Event] = []
            s = s.copy()
            advance(s, seat, move, told)
            happened = effects_of(told)
            assert set(seen.would) <= set(happened)
            assert not set(seen.would) & set(seen.may)
            if not is_exchange:
                assert set(happened) <= {*seen.would, *seen.may}
            certain |= set(seen.would)
            uncertain |= {effect for effect in happened if effect in seen.may}
    return certain, uncertain


@examples(40)
@given(tables(), names)
def test_what_is_certain_happens_and_what_happens_was_foreseen(table: Program, name: str) -> None:
    compare(table, name)


@pytest.mark.parametrize("name", TABLES)
def test_rules_that_look_into_hidden_hands_are_foreseen_as_well(name: str) -> None:
    certain, uncertain = set[str](), set[str]()
    for number in range(12):
        sure, open_ = compare(TABLES[name], f"{name} {number}")
        certain |= {effect.rule for effect in sure}
        uncertain |= {effect.rule for effect in open_}
    assert len(certain) > 3
    assert uncertain & set(HIDDEN) or not set(TABLES[name].rules) & set(HIDDEN)
