"""What the properties are tried on: any table that this version can play, and any way to play there."""

from __future__ import annotations

import os
from collections.abc import Iterator

from hypothesis import Phase, settings
from hypothesis import strategies as st

from engine.actions import Action
from engine.game import apply, is_match_over, new_match, start_game
from engine.program import Program
from engine.state import State
from tests.engine.stream import Stream
from tests.engine.tables import asked, moves_of
from tests.exhaust.play import deal
from tests.exhaust.rulesets import drawn

MANY = int(os.environ.get("DAIFUGO_EXAMPLES", "1"))
"""How many times more examples than usual; more than one also makes them new ones on every run."""


def examples(number: int) -> settings:
    """Settings for a property tried on `number` examples: the same ones every time, so it takes the same time.

    A smaller number seeds quite another table, so nothing is gained by looking for one.
    """
    phases = (Phase.explicit, Phase.generate)
    return settings(max_examples=number * MANY, derandomize=MANY == 1, deadline=None, database=None, phases=phases)


def tables(most_cards: int = 9) -> st.SearchStrategy[Program]:
    """Draw a table: any preset or rules, 2 to 12 seats, hands of up to so many cards where the rules let that be."""
    return names.map(lambda name: Program(drawn(Stream(f"{name} table"), others=24, most_cards=most_cards)))


names = st.integers(0, 2**32 - 1).map(lambda number: f"property {number}")
"""Draw the name of a stream: it seeds the cards and picks the moves."""


def pick(stream: Stream, s: State) -> tuple[int, Action]:
    """Pick a seat that is asked and one of its moves, of the first 200."""
    seat = stream.pick(asked(s))
    return seat, stream.pick(moves_of(s, seat, 200)).action()


def states(table: Program, name: str, games: int = 2) -> Iterator[State]:
    """Play some games and yield every state, the last ones included; some hands have many equal cards."""
    stream = Stream(name)
    s = new_match(table, games)
    while not is_match_over(s):
        s, _ = start_game(s, name.encode(), *deal(table, stream))
        yield s
        while s.playing:
            s, _ = apply(s, *pick(stream, s))
            yield s
