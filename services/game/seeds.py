"""Seeds of matches, and what their deals follow from.

The seeds of a table's matches are a row in which each is the SHA-256 of the next. It is drawn from its end, the root,
and its beginning is published as the first commitment. So what players give once holds for all matches that follow: the
service has no choice left by then. docs/fairness.md says how anybody checks it.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from hmac import digest
from typing import Final

from services.game.deals import seed_of

LINKS: Final = 256
"""How many matches one row of seeds is for."""
MOST_CLIENT_SEED: Final = 32
"""The most bytes that a player may give."""


@dataclass(frozen=True)
class Shuffle:
    """What is told of the seeds of a table."""

    commitment: bytes = b""
    """The SHA-256 of the seed of the match that runs or was played last."""
    client_seeds: tuple[bytes, ...] = ()
    """What players gave to it, by seat."""
    seed: bytes = b""
    """Its seed, once it is over."""
    next_commitment: bytes = b""
    """The SHA-256 of the seed of the next one, where that may be told."""


UNTOLD: Final = Shuffle()


def new_root() -> bytes:
    """Draw what a row of seeds follows from."""
    return secrets.token_bytes(32)


def seed_at(root: bytes, number: int) -> bytes:
    """Return the seed of the match of this number in a row, from 1; 0 is the commitment to the first."""
    seed = root
    for _ in range(LINKS - number):
        seed = sha256(seed).digest()
    return seed


def match_key(seed: bytes, client_seeds: Sequence[bytes]) -> bytes:
    """Return what the keys of a match's games follow from: the seed itself where no player gave anything."""
    if not any(client_seeds):
        return seed
    given = [bytes([len(each)]) + each for each in client_seeds]
    return digest(seed, b"daifugo match " + bytes([len(given)]) + b"".join(given), "sha256")


def dealt_from(seed: bytes, client_seeds: Sequence[bytes], deal: str) -> bytes:
    """Return what the deals of a match follow from: its deal number if it has one, or else its key."""
    return seed_of(deal) if deal else match_key(seed, client_seeds)
