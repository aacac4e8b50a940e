"""One side of benchmarks/playouts.py: rounds of random games in OpenSpiel, run by the environment that has it.

Reads lines "LOOP GAME COUNT", plays, and answers each with the decisions made and the CPU seconds.
"""

from __future__ import annotations

import json
import random
import sys
import time
from typing import Any, Final

import pyspiel  # type: ignore[import-not-found]  # only the environment of open_spiel.lock has it

SEED: Final = 20
CHANCE_PLAYER: Final = -1


def own_loop(game: Any, count: int) -> list[Any]:
    """Play games in C++: one call a game, with OpenSpiel's own uniformly random bots."""
    bots = [pyspiel.make_uniform_random_bot(player, SEED + player) for player in range(game.num_players())]
    states = [game.new_initial_state() for _ in range(count)]
    for number, state in enumerate(states):
        pyspiel.evaluate_bots(state, bots, number)
    return states


def stepped(game: Any, count: int) -> list[Any]:
    """Play games from Python, an action a call; cards are dealt in the same way, as all outcomes are equally likely."""
    chance = random.Random(SEED).random
    states = [game.new_initial_state() for _ in range(count)]
    for state in states:
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(chance() * len(actions))])
    return states


def by_odds(game: Any, count: int) -> list[Any]:
    """Play games from Python in a loop that fits any of its games: chance is asked for its odds."""
    chance = random.Random(SEED)
    states = [game.new_initial_state() for _ in range(count)]
    for state in states:
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                action = chance.choices(outcomes, odds)[0]
            else:
                action = chance.choice(state.legal_actions())
            state.apply_action(action)
    return states


LOOPS: Final = {"own": own_loop, "stepped": stepped, "by_odds": by_odds}


def check_dealing(game: Any) -> None:
    """Make sure, in one game, that chance is even, as `stepped` takes it to be."""
    chance = random.Random(SEED)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node() and len({odds for _, odds in state.chance_outcomes()}) > 1:
            raise SystemExit(f"{game} does not deal evenly")
        state.apply_action(chance.choice(state.legal_actions()))


def main() -> None:
    """Answer rounds until there are no more."""
    games: dict[str, Any] = {}
    for line in sys.stdin:
        loop, name, count = line.split()
        if name not in games:
            games[name] = pyspiel.load_game(name)
            check_dealing(games[name])
        started = time.process_time()
        states = LOOPS[loop](games[name], int(count))
        seconds = time.process_time() - started
        plies = sum(player != CHANCE_PLAYER for state in states for player in players(state))
        print(json.dumps({"plies": plies, "games": int(count), "seconds": seconds}), flush=True)


def players(state: Any) -> list[int]:
    """List who acted in a game, chance included."""
    return [step.player for step in state.full_history()]


if __name__ == "__main__":
    main()
