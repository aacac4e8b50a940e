"""Checks the shuffles of a match by what a player knew before it. docs/fairness.md says how anybody can do more."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from typing import Final

from daifugo.v1 import view_pb2

MOST_LINKS: Final = 256
"""So many matches can follow from one commitment."""


class Verdict(Enum):
    """What can be said of the shuffles of a match."""

    UNCHECKED = "unchecked"
    """Nothing: the match is not over, is practice, or had begun before the player came."""
    FAIR = "fair"
    OTHER_SEED = "other_seed"
    """The seed is not the one that the service had committed itself to when the match began."""
    NOT_BOUND = "not_bound"
    """That commitment was made only after the player's seed was known, and may have been made to suit."""
    LEFT_OUT = "left_out"
    """The player's seed was not used."""


def new_client_seed() -> bytes:
    """Draw what a player gives to the shuffles."""
    return secrets.token_bytes(32)


def known_commitment(shuffle: view_pb2.Shuffle) -> bytes:
    """Return what the service has committed itself to by now, from which all later commitments follow."""
    return shuffle.next_commitment or shuffle.commitment


@dataclass(frozen=True)
class Witness:
    """What a player has to check matches with."""

    client_seed: bytes
    """What the player gave."""
    known: bytes
    """What the service had committed itself to before that."""
    running: bytes = b""
    """The commitment of a match that was running then, for which it came too late."""

    def verdict(self, shuffle: view_pb2.Shuffle, seat: int) -> Verdict:
        """Judge the match that was played last, in which the player had this seat."""
        if not shuffle.seed or not self.known or shuffle.commitment == self.running:
            return Verdict.UNCHECKED
        if sha256(shuffle.seed).digest() != shuffle.commitment:
            return Verdict.OTHER_SEED
        if not leads_to(shuffle.commitment, self.known):
            return Verdict.NOT_BOUND
        used = seat < len(shuffle.client_seeds) and shuffle.client_seeds[seat] == self.client_seed
        return Verdict.FAIR if used else Verdict.LEFT_OUT


def leads_to(commitment: bytes, known: bytes) -> bool:
    """Say whether a commitment was fixed once another was known: hashing it again and again comes to that."""
    for _ in range(MOST_LINKS):
        if commitment == known:
            return True
        commitment = sha256(commitment).digest()
    return False
