"""A stream of numbers for tests, the same on every machine: SHA-256 of a name and a counter."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")


class Stream:
    """Number i is the first 8 bytes, big-endian, of SHA-256("name/i"); a choice is the number modulo what there is."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.used = 0

    def below(self, n: int) -> int:
        """Draw a number from 0 to n - 1."""
        word = sha256(f"{self.name}/{self.used}".encode()).digest()[:8]
        self.used += 1
        return int.from_bytes(word, "big") % n

    def pick(self, things: Sequence[T]) -> T:
        """Draw one of several things."""
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """Return the things in a drawn order: Fisher–Yates from the last place down."""
        mixed = list(things)
        for i in range(len(mixed) - 1, 0, -1):
            j = self.below(i + 1)
            mixed[i], mixed[j] = mixed[j], mixed[i]
        return mixed
