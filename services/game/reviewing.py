"""Seeing matches again: whose record somebody may see, with which eyes, and how it is streamed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from services.common.errors import Refused
from services.common.lifetimes import lifetime
from services.game.codec.again import Again, told
from services.game.codec.kept import finished_games, running, whole
from services.game.eyes import BEHIND, OPEN, PUBLIC, eyes_or_refuse
from services.game.keeping import KeptMatch
from services.game.life import RUNNING
from services.game.results import so_far
from services.game.tables import Tables

ALL: Final = 1
SPECTATOR: Final = 2
SEAT: Final = 3
"""With whose eyes; numbers of the published RecordEyes. 0: whichever the caller has."""

TOGETHER: Final = 16
"""How many versions are passed over before others get a turn."""
VERSIONS_OF_ONE_CALL: Final = 4
"""As many calls more as it makes so many versions again, a call counts for: one takes half the time of a usual call."""

Write = Callable[[bytes], Awaitable[None]]


async def kept_for(tables: Tables, identity: str, match_id: str) -> KeptMatch:
    """Return the record of a match that is over, if somebody may see it."""
    kept = await tables.desk.journal.match(match_id)
    if kept is None or not kept.is_for(identity):
        raise Refused("RECORD_NOT_FOUND")
    return kept


async def seen_again(
    tables: Tables, identity: str, match_id: str, table_id: str, wanted: int, seat: int
) -> tuple[Again, int]:
    """Return a match to be played again, and the eyes with which somebody may see it; or refuse."""
    if table_id:
        table = tables.seen_by(identity, table_id)
        life = table.shown
        if life.match_id == match_id and life.phase == RUNNING:
            own = eyes_or_refuse(life, identity)
            if own >= 0 and life.seats[own].since > life.match_began:
                # what the seat was told before is not for who has it now
                own = PUBLIC
            _check_own(own, wanted, seat)
            versions = await tables.desk.journal.load(table_id, life.match_began - 1)
            told = [each for each in versions if each.version <= life.version]
            # a long match takes its time, and others must not wait for it
            record = await asyncio.to_thread(running, so_far(life), told)
            if own == BEHIND:
                finished_games(record)
            viewer = PUBLIC if wanted == SPECTATOR else OPEN if own == BEHIND else own
            return await asyncio.to_thread(Again, record), viewer
    kept = await kept_for(tables, identity, match_id)
    return with_eyes(await asyncio.to_thread(lambda: Again(whole(kept))), wanted, seat)


def with_eyes(again: Again, wanted: int, seat: int) -> tuple[Again, int]:
    """Return a match that is over, and the eyes that are wanted: of a match that is over everything is open."""
    if wanted == SEAT and seat >= again.seats:
        raise Refused("NO_SUCH_SEAT", metadata={"seats": str(again.seats)})
    return again, {SPECTATOR: PUBLIC, SEAT: seat}.get(wanted, OPEN)


def _check_own(own: int, wanted: int, seat: int) -> None:
    """Refuse the eyes of others while a match runs."""
    if (wanted == SEAT and seat != own) or (wanted == ALL and own not in (OPEN, BEHIND)):
        raise Refused("NOT_YOUR_SEAT")


async def stream(again: Again, viewer: int, first: int, write: Write, tables: Tables) -> None:
    """Write a match from a version on, as fast as it is read."""
    frames = again.frames()
    try:
        async with asyncio.timeout(lifetime(tables.desk.config)):
            while again.version < first and next(frames, None) is not None:
                if again.version % TOGETHER == 0:
                    await asyncio.sleep(0)
            await write(again.snapshot(viewer))
            for frame in frames:
                await write(told(frame, viewer))
    except TimeoutError:
        raise Refused("TOO_SLOW") from None
