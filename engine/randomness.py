"""The randomness of a game: a keyed stream of numbers that anybody can recompute once the key is known.

Word i of the stream is the big-endian 32-bit word number i mod 8 of HMAC-SHA256(key, i div 8 as 8 bytes,
big-endian). A number below n is a word modulo n; words from the last incomplete multiple of n upward are thrown away.
"""

from __future__ import annotations

from hashlib import sha256
from hmac import digest
from typing import TYPE_CHECKING, Final

from engine.native import i64

if TYPE_CHECKING:
    from engine.state import State


def game_key(seed: bytes, game: int) -> bytes:
    """Derive the key of a match's game (from 1) from the match seed."""
    return digest(seed, b"daifugo game " + game.to_bytes(8, "big"), "sha256")


def commitment(seed: bytes) -> bytes:
    """Return what a table publishes about a seed before the match: its SHA-256."""
    return sha256(seed).digest()


def words(key: bytes, block: int) -> list[int]:
    """Return the eight words of one block of the stream."""
    made = digest(key, block.to_bytes(8, "big"), "sha256")
    return [int.from_bytes(made[i : i + 4], "big") for i in range(0, 32, 4)]


ALL: Final = 999
"""More places than any list has."""
MULTIPLIER: Final = 1610611926
"""m * 2**31 - 1 and half of m * 2**31 - 2 are prime: numbers repeat after about 2**60."""
LOW: Final = (1 << 31) - 1


class Chance:
    """A fast stream of numbers for simulations: multiply with carry. Whoever sees some of them can tell the next."""

    def __init__(self, seed: int) -> None:
        made = sha256(b"daifugo chance %d" % seed).digest()
        self.carried: i64 = int.from_bytes(made[:7], "big") + 1

    def below(self, limit: i64) -> i64:
        """Draw a number from 0 to `limit` - 1; `limit` is small."""
        self.carried = MULTIPLIER * (self.carried & LOW) + (self.carried >> 31)
        return (self.carried & LOW) * limit >> 31

    def shuffle(self, cards: list[int], first: i64) -> None:
        """Draw by lot what the `first` places of a list hold, in place."""
        number: i64 = len(cards)
        i: i64 = 0
        while i < first:
            j = i + self.below(number - i)
            cards[i], cards[j] = cards[j], cards[i]
            i += 1


def draw(s: State, below: int) -> int:
    """Draw a number from 0 to `below` - 1 from the game's stream."""
    if s.chance is not None:
        return s.chance.below(below)
    limit = 4294967296 - 4294967296 % below
    while True:
        word = words(s.key, s.drawn_words // 8)[s.drawn_words % 8]
        s.drawn_words += 1
        if word < limit:
            return word % below


def shuffle(s: State, cards: list[int], wanted: int = ALL) -> None:
    """Shuffle a list in place: Fisher–Yates from the last place down, one draw for each place but the first.

    A simulation draws only for the places that are `wanted`, from the first one up.
    """
    if s.chance is not None:
        s.chance.shuffle(cards, min(wanted, len(cards)))
        return
    number = s.drawn_words
    block = -1
    made: list[int] = []
    for i in range(len(cards) - 1, 0, -1):
        limit = 4294967296 - 4294967296 % (i + 1)
        word = limit
        while word >= limit:
            if number // 8 != block:
                block = number // 8
                made = words(s.key, block)
            word = made[number % 8]
            number += 1
        j = word % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    s.drawn_words = number
