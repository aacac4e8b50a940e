"""Until a rule first fires the game with it is the game without it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.game import apply, is_match_over, new_match, start_game
from engine.saving import save
from engine.state import State
from tests.engine.properties.draws import pick
from tests.engine.stream import Stream
from tests.engine.tables import EFFECTS, STRENGTH, asked, moves_of, program

ABOUT_THE_PROGRAM = ("ruleset", "cursor")
"""What a saved state says of its program: another one has other steps."""


def value(s: State) -> dict[str, Any]:
    """Return a state without what names its program."""
    return {name: each for name, each in json.loads(save(s)).items() if name not in ABOUT_THE_PROGRAM}


def keys(s: State, seat: int) -> list[object]:
    """List what a seat may do."""
    return [(move.play.key(), move.values) for move in moves_of(s, seat, 300)]


def plies_in_step(rule: str, name: str) -> int:
    """Play a match with a rule and without it in step until it fires; return how far they went together."""
    on, off = (new_match(program("jdf4", *rules, hand_size=8), 2) for rules in ([rule], []))
    stream, plies = Stream(name), 0
    while not is_match_over(on):
        on, _ = start_game(on, name.encode())
        off, _ = start_game(off, name.encode())
        while on.playing:
            assert value(on) == value(off)
            seat = asked(on)[0]
            if keys(on, seat) != keys(off, seat):
                offered = [move for move in moves_of(on, seat, 300) if move.rule == rule]
                assert offered, "only what the rule offers may be new"
                return plies
            seat, action = pick(stream, on)
            on, events = apply(on, seat, action)
            off, others = apply(off, seat, action)
            if [event.rule for event in events] != [event.rule for event in others]:
                assert rule in [event.rule for event in events]
                return plies
            plies += 1
    return plies


NEEDING_ANOTHER = {
    "optional_revolution": "it asks before a revolution does",
    "delayed_revolution": "it keeps a revolution back under that name",
    "weak_joker_in_revolution": "it moves the joker when a revolution comes",
    "sequence_card_effects": "other rules fire in sequences",
    "next_ace": "it shows in who leads only",
}
"""Rules that no event of their own names."""


@pytest.mark.parametrize("rule", [rule for rule in (*STRENGTH, *EFFECTS) if rule not in NEEDING_ANOTHER])
def test_until_a_rule_fires_the_game_with_it_is_the_game_without_it(rule: str) -> None:
    assert sum([plies_in_step(rule, f"{rule} {number}") for number in range(3)]) > 3
