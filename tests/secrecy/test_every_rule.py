"""Whatever rules a table has, nothing hidden changes what a seat is told: every rule acts in a game that is looked at.

What rules disclose by design is written down in `worlds.disclosed`; what they do with cards that lie open is open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from engine.program import Program
from engine.ruleset import Ruleset
from tests.engine.stream import Stream
from tests.exhaust.coverage import Goal, phases, switch
from tests.exhaust.play import deal
from tests.exhaust.rulesets import NoRuleset, drawn
from tests.exhaust.watching import Watched
from tests.secrecy.observing import Observer, leaks
from tests.secrecy.test_on_the_wire import Wire
from tests.secrecy.worlds import World, record

PARTS = 8
"""The rules are dealt out to so many tests, which can run side by side."""
RULES = sorted({rule for _, rule in phases()})
TRIES = 25
"""Games in which a rule gets the chance to act."""
MOST_SEATS = 7
"""Games of more seats take long, and one more or less makes no difference to a secret."""
SILENT = 0.4
"""The share of rules that may not have acted: some want a hand, and an opponent, that hardly ever come together."""


@dataclass(frozen=True)
class Game:
    """A game to play: its table, its name, the hands and which ranks are favoured."""

    ruleset: Ruleset
    name: str
    hands: tuple[int, ...]
    favoured: int

    def play(self, program: Program) -> World:
        """Play it, every other one as a second game."""
        return record(program, self.name, Stream(self.name).below(2) == 1, self.hands, self.favoured)


def games(rule: str) -> Iterator[Game]:
    """Draw tables with a rule, and hands with which it may well act."""
    goal = Goal(rule, switch(rule) or {}, of=rule)
    for number in range(TRIES):
        stream = Stream(f"{rule} {number}")
        try:
            ruleset = drawn(stream, goal.wanted, most_cards=8, least_cards=stream.pick((1, 4, 6)))
        except NoRuleset:
            continue
        if ruleset.seats > MOST_SEATS:
            continue
        program = Program(ruleset)
        favoured = goal.favoured(program, stream)
        yield Game(ruleset, stream.name, deal(program, stream, favoured)[0], favoured)


def looked_at(rules: list[str]) -> Iterator[tuple[Game, set[str]]]:
    """Iterate over a game for each rule that has not acted in those before; with the rules that act in it."""
    acted: set[str] = set()
    for rule in rules:
        if rule in acted:
            continue
        for game in games(rule):
            program = Watched(game.ruleset)
            game.play(program)
            acting = {other for _, other in program.acted}
            if rule in acting:
                acted |= acting
                yield game, acting
                break


@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_hidden_changes_what_is_told_under_any_rule(part: int) -> None:
    rules = RULES[part::PARTS]
    silent = set(rules)
    for game, acting in looked_at(rules):
        found, seen = leaks(Observer(), game.play(Program(game.ruleset)), Stream(game.name))
        assert not found, f"{found}\n{game}\n{game.ruleset.text()}"
        if seen:
            silent -= acting
    assert len(silent) <= SILENT * len(rules), silent


@pytest.mark.parametrize("number", range(6))
def test_nothing_hidden_changes_a_byte_under_any_rules(number: int) -> None:
    stream = Stream(f"bytes {number}")
    program = Program(drawn(stream, others=30, most_cards=6))
    found, seen = leaks(Wire(), record(program, stream.name, number % 2 == 1), stream)
    assert not found, f"{found}\n{program.ruleset.text()}"
    assert seen
