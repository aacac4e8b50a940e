"""A stream of numbers that costs little: most of what a random match does is drawing them."""

from __future__ import annotations

from random import Random

from tests.engine.stream import Stream


class Quick(Stream):
    """Numbers from Python's generator, seeded with the name; it promises the same ones in every version."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.draw = Random(name).random

    def below(self, n: int) -> int:
        self.used += 1
        return int(self.draw() * n)
