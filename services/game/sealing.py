"""Seals what a store keeps of tables: without its key the file tells nobody what is dealt, given or drawn.

A body is sealed by AES-256-GCM with a nonce by lot: the id of the key, the nonce, and what was encrypted, one after the
other. What the body is about is authenticated with it, so that none can be put in another's place.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY: Final = 32
ID: Final = 4
NONCE: Final = 12


class Seal:
    """Closes with the first of its keys, and opens with all of them."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._ciphers = {_id_of(key): AESGCM(key) for key in keys}
        self.newest = _id_of(keys[0])
        self._cipher = self._ciphers[self.newest]

    def __repr__(self) -> str:
        """Write which keys it has, and none of them."""
        return f"Seal({', '.join([each.hex() for each in self.ids])})"

    @property
    def ids(self) -> frozenset[bytes]:
        """The ids of its keys."""
        return frozenset(self._ciphers)

    def close(self, body: bytes, about: str) -> bytes:
        """Seal a body."""
        nonce = os.urandom(NONCE)
        return self.newest + nonce + self._cipher.encrypt(nonce, body, about.encode())

    def open(self, sealed: bytes, about: str) -> bytes:
        """Return what was sealed; ValueError if it was by another key, about something else, or is damaged."""
        cipher = self._ciphers.get(sealed[:ID])
        if cipher is None:
            raise ValueError(f"{about} is sealed with a key that is not here")
        try:
            return cipher.decrypt(sealed[ID : ID + NONCE], sealed[ID + NONCE :], about.encode())
        except InvalidTag:
            raise ValueError(f"{about} is damaged, or was put in another's place") from None


def _id_of(key: bytes) -> bytes:
    return sha256(b"daifugo store key " + key).digest()[:ID]


def read_keys(path: Path) -> Seal:
    """Read keys from a file: one a line, the newest first. OSError where there is none."""
    try:
        lines = path.read_text(encoding="ascii").split()
        keys = [bytes.fromhex(line) for line in lines]
    except FileNotFoundError:
        raise OSError(f"its keys are not there: no file {path}") from None
    except ValueError:
        keys = []
    if not keys or any(len(key) != KEY for key in keys):
        raise OSError(f"{path} holds no keys: one a line is wanted, of {2 * KEY} hexadecimal digits")
    return Seal(keys)


def make_key(path: Path) -> Seal:
    """Draw a key into a new file that nobody else may read. It is whole and on the disk before anything is sealed."""
    making = path.with_name(f"{path.name}.new")
    file = os.open(making, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(file, f"{secrets.token_hex(KEY)}\n".encode())
        os.fsync(file)
    finally:
        os.close(file)
    making.rename(path)
    folder = os.open(path.absolute().parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return read_keys(path)
