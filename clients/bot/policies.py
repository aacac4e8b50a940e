"""How bots decide: every policy by its name."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from clients.bot.greedy import Greedy
from clients.bot.policy import Legal, Policy, answer
from daifugo.v1 import view_pb2


class Random:
    """Takes anything that is legal, each with the same chance."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    async def decide(self, view: view_pb2.View, legal: Legal) -> view_pb2.Action:
        if view.decision.HasField("choice"):
            return answer(any_answer(self.rng, view.decision.choice))
        return self.rng.choice(await legal())


def any_answer(rng: random.Random, choice: view_pb2.Choice) -> list[int]:
    """Draw an answer: what is required, and options by lot up to a number by lot; in any order if order matters."""
    required = list(choice.required)
    others = [option for option in choice.options if option not in choice.required]
    least, most = max(choice.least, len(required)), min(choice.most, len(required) + len(others))
    values = required + rng.sample(others, rng.randint(least, most) - len(required))
    if choice.ordered:
        rng.shuffle(values)
    return values


POLICIES: Final[dict[str, Callable[[random.Random], Policy]]] = {"greedy": lambda rng: Greedy(), "random": Random}
"""Every policy by its name; each gets a generator of its own, seeded or not."""
