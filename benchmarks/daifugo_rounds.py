"""One side of benchmarks/playouts.py: rounds of random games in this engine.

Reads lines "LOOP PRESET COUNT", plays, and answers each with the decisions made and the CPU seconds.
"""

from __future__ import annotations

import json
import random
import sys
import time
from itertools import islice
from typing import Final

from engine.cli import is_compiled, play_games
from engine.game import advance, begin_game, is_match_over, new_match
from engine.legal import legal_moves
from engine.program import Program
from engine.ruleset import make_ruleset
from engine.view import open_choice

SEED: Final = 20


def own_loop(program: Program, count: int) -> int:
    """Play games in the engine's own loop, as `daifugo simulate` does."""
    return play_games(program, count, SEED)[1]


def stepped(program: Program, count: int) -> int:
    """Play games from Python: what is legal is one call, to do it another."""
    chance = random.Random(SEED)
    plies = 0
    s = new_match(program)
    for _ in range(count):
        if is_match_over(s):
            s = new_match(program)
        begin_game(s, chance.randbytes(32), (), 0, None)
        while s.playing:
            seat = next(seat for seat in range(s.seats) if s.decisions[seat])
            moves = list(islice(legal_moves(s, seat, s.hands[seat], open_choice(s, seat)), 200))
            advance(s, seat, moves[int(chance.random() * len(moves))])
        plies += s.actions
    return plies


LOOPS: Final = {"own": own_loop, "stepped": stepped}


def main() -> None:
    """Answer rounds until there are no more."""
    programs: dict[str, Program] = {}
    for line in sys.stdin:
        loop, preset, count = line.split()
        if preset not in programs:
            programs[preset] = Program(make_ruleset(preset, {}, None))
        started = time.process_time()
        plies = LOOPS[loop](programs[preset], int(count))
        seconds = time.process_time() - started
        answer = {"plies": plies, "games": int(count), "seconds": seconds, "compiled": is_compiled()}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
