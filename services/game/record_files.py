"""Files of records: written piece by piece, and read with every match played again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

from services.common.errors import FieldProblem, Refused
from services.common.lifetimes import lifetime
from services.game.codec.again import Again, checked
from services.game.codec.exports import NoRecords, Record, pieces, records_in, size_of
from services.game.keeping import KeptMatch
from services.game.reviewing import kept_for
from services.game.tables import Tables

PIECE: Final = 65536
"""How many bytes come together."""
PAGE: Final = 50
"""How many records are looked up at once."""

Write = Callable[[bytes], Awaitable[None]]
Spend = Callable[[int], None]
"""Takes note of how many versions are made again."""


async def export(tables: Tables, identity: str, match_ids: list[str], form: int, write: Write, spend: Spend) -> None:
    """Write a file of records, as fast as it is read."""
    found = [await kept_for(tables, identity, match_id) for match_id in match_ids]
    is_first = True
    try:
        async with asyncio.timeout(lifetime(tables.desk.config)):
            async for kept in _each(found) if match_ids else _own(tables, identity):
                parts, size = await asyncio.to_thread(pieces, kept, form, is_first, PIECE)
                spend(size)
                for part in parts:
                    await write(part)
                is_first = False
    except TimeoutError:
        raise Refused("TOO_SLOW") from None


async def _each(found: list[KeptMatch]) -> AsyncIterator[KeptMatch]:
    for kept in found:
        yield kept


async def _own(tables: Tables, identity: str) -> AsyncIterator[KeptMatch]:
    """Iterate over somebody's own records, the newest first."""
    before: int | None = None
    while page := await tables.desk.journal.matches(identity, True, before, PAGE):
        for head in page:
            kept = await tables.desk.journal.match(head.match_id)
            if kept is not None:
                yield kept
        before = page[-1].number


def again_from(data: bytes) -> Again:
    """Return the match of a file with one record, to be played again; or refuse it."""
    records = _read(data)
    if len(records) != 1:
        problem = FieldProblem("data", "棋譜を1つだけ入れてください。", "One record is wanted.")
        raise Refused("NOT_A_RECORD", fields=[problem])
    return Again(records[0])


def _read(data: bytes) -> list[Record]:
    try:
        return records_in(data)
    except NoRecords as problem:
        raise Refused("NOT_A_RECORD", fields=[FieldProblem("data", problem.ja, problem.en)]) from None


async def read(data: bytes, spend: Spend) -> list[Record]:
    """Read a file of records, or refuse it; each is to make the match that it says."""
    records = _read(data)
    for record in records:
        spend(size_of(record))
        for _ in checked(record):
            await asyncio.sleep(0)
    return records
