"""What the properties are tried on: any table that this version can play, and any way to play there."""

from __future__ import annotations

import os
from collections.abc import Iterator

from hypothesis import settings
from hypothesis import strategies as st

from engine.actions import Action
from engine.catalogue import Value
from engine.game import apply, is_match_over, new_match, start_game
from engine.program import Program
from engine.state import State
from tests.engine.stream import Stream
from tests.engine.tables import ANSWERS, EFFECTS, EXTRAS, LOCKS, STRENGTH, asked, moves_of, program

MANY = int(os.environ.get("DAIFUGO_EXAMPLES", "1"))
"""How many times more examples than usual; more than one also makes them new ones on every run."""


def examples(number: int) -> settings:
    """Settings for a property tried on `number` examples: the same ones every time, so it takes the same time."""
    return settings(max_examples=number * MANY, derandomize=MANY == 1, deadline=None, database=None)


@st.composite
def tables(draw: st.DrawFn, most_cards: int = 9) -> Program:
    """Draw a table: a preset or four players' rules with 2 to 12 seats, one or two packs, some extra rules."""
    preset = draw(st.sampled_from(["jdf4", "jdf4", "jdf5", "jdf3"]))
    values: dict[str, Value] = {"hand_size": draw(st.integers(1, most_cards))}
    extras: list[str] = []
    if preset == "jdf4":
        values["deal_method"] = draw(st.sampled_from(["standard", "two_packs"]))
        seats = draw(st.integers(2, 12))
        values["seats"] = seats
        jokers = draw(st.integers(0, 2))
        values["joker_count"] = jokers
        values["spade3_counter"] = jokers != 0 and draw(st.booleans())
        values["lock_plays_required"] = draw(st.integers(2, 3))
        extras = draw(st.lists(st.sampled_from(EXTRAS), unique=True))
        extras += draw(st.lists(st.sampled_from(EFFECTS), unique=True, max_size=8))
        rules = STRENGTH[:-4] if jokers == 0 else STRENGTH[:-4] + STRENGTH[-2:] if jokers == 1 else STRENGTH
        extras += draw(st.lists(st.sampled_from(rules), unique=True, max_size=5))
        if "omen" in extras:
            values["triple_six_effect"] = draw(st.sampled_from(["omen", "damian", "satan"]))
        if "jack_back" in extras:
            values["jack_back__optional"] = draw(st.booleans())
        extras += draw(st.lists(st.sampled_from([*LOCKS, *ANSWERS]), unique=True))
        values["seven_strength"] = draw(st.sampled_from(["none", "red_seven", "black_seven"]))
        if "down_number" in extras:
            values["down_number_after"] = draw(st.sampled_from(["normal", "keep_down"]))
            values["down_number_count"] = draw(st.sampled_from(["single_only", "same_suit_groups"]))
        if "queen_bomber" in extras:
            values["bomber_removal_order"] = draw(st.sampled_from(["at_once", "named_order", "weakest_first"]))
        room = (104 if values["deal_method"] == "two_packs" else 52) - 2
        values["hand_size"] = min(draw(st.integers(1, most_cards)), room // seats)
    return program(preset, *extras, **values)


names = st.integers(0, 2**32 - 1).map(lambda number: f"property {number}")
"""Draw the name of a stream: it seeds the cards and picks the moves."""


def pick(stream: Stream, s: State) -> tuple[int, Action]:
    """Pick a seat that is asked and one of its moves, of the first 200."""
    seat = stream.pick(asked(s))
    return seat, stream.pick(moves_of(s, seat, 200)).action()


def states(table: Program, name: str, games: int = 2) -> Iterator[State]:
    """Play some games and yield every state, the last ones included."""
    stream = Stream(name)
    s = new_match(table, games)
    while not is_match_over(s):
        s, _ = start_game(s, name.encode())
        yield s
        while s.playing:
            s, _ = apply(s, *pick(stream, s))
            yield s
