"""The bots play at any table that this version can play, and answer whatever they are asked there."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from benchmarks.arena import decide
from clients.bot.greedy import Greedy
from clients.bot.policies import POLICIES
from clients.bot.policy import Policy
from daifugo.v1 import view_pb2
from engine.game import begin_game, is_match_over, new_match
from engine.program import Program
from engine.state import State
from tests.engine.stream import Stream
from tests.exhaust.rulesets import drawn

TABLES = 40
MOST_DECISIONS = 2000
"""Of a match of two games. Bots that know what they do need far fewer."""


def seated(stream: Stream, seats: int) -> list[Policy]:
    """Seat greedy bots, and some that draw by lot: they bring about what greedy ones avoid."""
    by_lot = random.Random(stream.name)
    return [
        Greedy() if seat == 0 or stream.below(3) else POLICIES["random"](random.Random(by_lot.random()))
        for seat in range(seats)
    ]


def play(program: Program, stream: Stream, policies: list[Policy]) -> Counter[str]:
    """Play a match of two games; return how often each rule has asked something."""
    asked: Counter[str] = Counter()

    def count(_s: State, _seat: int, view: view_pb2.View, _action: view_pb2.Action) -> None:
        asked[view.decision.choice.rule_id] += 1

    s = new_match(program, 2)
    while not is_match_over(s):
        begin_game(s, stream.name.encode(), (), 0, None)
        while s.playing:
            for seat in range(s.seats):
                if s.decisions[seat]:
                    decide(s, seat, policies[seat], count)
            assert sum(asked.values()) < MOST_DECISIONS, "they come to no end"
    return asked


@pytest.mark.parametrize("number", range(TABLES))
def test_bots_play_any_table_to_its_end(number: int) -> None:
    stream = Stream(f"any table {number}")
    program = Program(drawn(stream, others=30))
    play(program, stream, seated(stream, program.seats))
