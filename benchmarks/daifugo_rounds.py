"""One side of benchmarks/playouts.py: rounds of random games in this engine.

Reads lines "LOOP RULESET COUNT", plays, and answers each with the decisions made and the CPU seconds.
"""

from __future__ import annotations

import json
import random
import sys
import time
from typing import Final

from benchmarks.rulesets import ruleset
from engine.cli import is_compiled, play_games
from engine.playout import Simulator
from engine.program import Program

SEED: Final = 20


def own_loop(program: Program, count: int) -> int:
    """Play games in the engine's own loop, as `daifugo simulate` does."""
    return play_games(program, count, SEED)[1]


def stepped(program: Program, count: int) -> int:
    """Play games from Python: one call makes a move and answers how many there are next."""
    chance = random.Random(SEED).random
    plies = 0
    simulator = Simulator(program, SEED)
    take = simulator.take
    for _ in range(count):
        options = simulator.begin()
        while options:
            options = take(int(chance() * options))
        plies += simulator.state.actions
    return plies


LOOPS: Final = {"own": own_loop, "stepped": stepped}


def main() -> None:
    """Answer rounds until there are no more."""
    programs: dict[str, Program] = {}
    for line in sys.stdin:
        loop, name, count = line.split()
        if name not in programs:
            programs[name] = Program(ruleset(name))
        started = time.process_time()
        plies = LOOPS[loop](programs[name], int(count))
        seconds = time.process_time() - started
        answer = {"plies": plies, "games": int(count), "seconds": seconds, "compiled": is_compiled()}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
