"""Invite codes: short enough to be told, drawn by lot, and not to be guessed.

A code is looked up by a digest that nobody else can compute, so that no time tells how much of a wrong one was right.
"""

from __future__ import annotations

import secrets
from collections import Counter, deque
from hmac import digest
from typing import Final
from unicodedata import normalize

from services.common.errors import Refused

LETTERS: Final = "23456789CDFHJKMNPQRTVWXY"
"""No vowels, so that no words come about, and nothing that looks like something else here."""
LENGTH: Final = 8
"""Letters of a code: one of 110,000,000,000."""

GUESS_SECONDS: Final = 600.0
MOST_GUESSES: Final = 10
"""Wrong codes that a caller may try in this time."""
MOST_GUESSES_OF_ALL: Final = 2_000
"""And all callers together, who need not be many people."""


def new_code() -> str:
    """Draw a code by lot."""
    number, drawn = int(secrets.token_hex(16), 16), []
    for _ in range(LENGTH):
        number, letter = divmod(number, len(LETTERS))
        drawn.append(LETTERS[letter])
    return "".join(drawn)


def grouped(code: str) -> str:
    """Write a code as people tell it to each other."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}" if code else ""


def plain(typed: str) -> str:
    """Return the code that somebody has typed: letters may be small or wide, and what stands between is no matter."""
    return "".join([letter for letter in normalize("NFKC", typed[: 8 * LENGTH]).upper() if letter.isalnum()])


class Invites:
    """The codes of all tables, found by digests that nobody else can compute, and the wrong ones that were tried."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._tables: dict[bytes, str] = {}
        self._codes: dict[str, bytes] = {}
        self._guesses: deque[tuple[float, str]] = deque()
        self._by_caller: Counter[str] = Counter()

    def __contains__(self, code: str) -> bool:
        return self._digest(code) in self._tables

    def put(self, table_id: str, code: str) -> None:
        """Let a code lead to a table, and the one before no more; an empty code leads nowhere."""
        before = self._codes.pop(table_id, None)
        if before is not None:
            self._tables.pop(before, None)
        if code:
            found = self._codes[table_id] = self._digest(code)
            self._tables[found] = table_id

    def table(self, typed: str, identity: str, now: float, table_id: str = "") -> str:
        """Return the table that a code leads to, or refuse a wrong one: as if there were no such table.

        A code of another table than `table_id`, where that is known, is as wrong as any.
        """
        self._check(identity, now)
        found = self._tables.get(self._digest(plain(typed)))
        if found is None or table_id not in ("", found):
            self._guesses.append((now, identity))
            self._by_caller[identity] += 1
            raise Refused("TABLE_NOT_FOUND")
        return found

    def _check(self, identity: str, now: float) -> None:
        """Refuse another code from somebody who has tried too many wrong ones."""
        while self._guesses and now - self._guesses[0][0] >= GUESS_SECONDS:
            _, who = self._guesses.popleft()
            self._by_caller[who] -= 1
            if not self._by_caller[who]:
                del self._by_caller[who]
        own, all_ = self._by_caller.get(identity, 0), len(self._guesses)
        if own >= MOST_GUESSES or all_ >= MOST_GUESSES_OF_ALL:
            first = next(when for when, who in self._guesses if all_ >= MOST_GUESSES_OF_ALL or who == identity)
            raise Refused("TOO_MANY_CODES", retry_seconds=first + GUESS_SECONDS - now)

    def _digest(self, code: str) -> bytes:
        return digest(self._key, code.encode(), "sha256")
