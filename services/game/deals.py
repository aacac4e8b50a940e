"""Deal numbers: texts to share that fix every deal and draw of a match."""

from __future__ import annotations

from hashlib import sha256
from typing import Final
from unicodedata import normalize

from services.common.errors import malformed

LETTER: Final = "P"
MOST_DIGITS: Final = 39
BELOW: Final = 2**128
"""So many that nobody finds the number of a match by trying all of them against the cards that they see."""


def deal_from(field: str, typed: str) -> str:
    """Read a deal number as somebody typed it, or refuse it; none is none."""
    text = normalize("NFKC", typed[: 2 * MOST_DIGITS]).strip().upper()
    if not text:
        return ""
    digits = text.removeprefix(LETTER)
    is_number = text.startswith(LETTER) and digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS
    if not is_number or int(digits) >= BELOW:
        raise malformed(field, "P1151739204 のような番号です。", "It is a P and a number, such as P1151739204.")
    return f"{LETTER}{int(digits)}"


def deal_of(key: bytes) -> str:
    """Return the deal number of a match of this key, which nobody can guess: its first 16 bytes."""
    return f"{LETTER}{int.from_bytes(key[:16], 'big')}"


def seed_of(deal: str) -> bytes:
    """Return the match seed that a deal number stands for."""
    return sha256(b"daifugo deal " + deal.encode()).digest()
