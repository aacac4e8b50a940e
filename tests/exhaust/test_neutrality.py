"""Until a rule first acts, the game with it equals the game without it."""

from __future__ import annotations

import json

import pytest

from engine.catalogue import Value, settings
from engine.game import advance, begin_game, new_match
from engine.options import Options
from engine.ruleset import check_ruleset
from engine.saving import save
from engine.state import State
from tests.engine.stream import Stream
from tests.engine.tables import asked
from tests.exhaust.coverage import phases, switch
from tests.exhaust.play import deal
from tests.exhaust.rulesets import NoRuleset, choices, drawn
from tests.exhaust.watching import Watched

RULES = sorted({rule for _, rule in phases() if switch(rule)})
TABLES = 4
"""For each rule."""


@pytest.mark.parametrize("rule", RULES)
def test_until_a_rule_acts_the_game_is_the_same_as_without_it(rule: str) -> None:
    for number in range(TABLES):
        both = with_and_without(rule, Stream(f"{rule} {number}"))
        if both is not None:
            compare(rule, *both, Stream(f"{rule} {number} play"))


def with_and_without(rule: str, stream: Stream) -> tuple[Watched, Watched] | None:
    """Draw a table with a rule, and the same table without it."""
    (main, way) = next(iter((switch(rule) or {}).items()))
    try:
        table = drawn(stream, {main: way})
    except NoRuleset:
        return None
    for other in choices(main):
        values: dict[str, Value] = {name: value for name, value in table.values.items() if name in settings()}
        changed = {name: value for name, value in values.items() if choices(name) or name in table.changes()}
        without, problems = check_ruleset(table.preset, changed | {main: other}, table.seats)
        if other != way and without is not None and not problems and rule not in Watched(without).rules:
            return Watched(table), Watched(without)
    return None


def compare(rule: str, on: Watched, off: Watched, stream: Stream) -> None:
    """Play the same random match on both tables, until the rule has acted on the one that has it."""
    one, two = new_match(on, 2), new_match(off, 2)
    many, few = Options(on), Options(off)
    for _ in range(2):
        cards = deal(on, stream)
        for s in (one, two):
            begin_game(s, stream.name.encode(), *cards, [])
        while one.playing:
            number = 0
            if not acted(on, rule):
                seat = stream.pick(asked(one))
                number = many.look(one, seat)
            if acted(on, rule):
                return
            assert without_ruleset(one) == without_ruleset(two)
            assert few.look(two, seat) == number
            move = many.move(stream.below(number))
            advance(one, seat, move, [])
            advance(two, seat, move, [])
        if acted(on, rule):
            return
        assert without_ruleset(one) == without_ruleset(two)


def acted(program: Watched, rule: str) -> bool:
    """Say whether a rule has acted."""
    return any(rule == other for _, other in program.acted)


def without_ruleset(s: State) -> dict[str, object]:
    """Return a saved state but for the name of its ruleset and the place in its program."""
    saved: dict[str, object] = json.loads(save(s))
    del saved["ruleset"]
    return saved | {"cursor": 0}
