"""How a match begins, and how a table comes to it by itself: it fills up, gives seats to bots, starts, or closes."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from services.game.deals import deal_of, seed_of
from services.game.lengths import games_of
from services.game.life import ENDED, FILLING, Life
from services.game.records import Closed, MatchStarted, Operation, SeatsReleased
from services.game.seeds import LINKS, match_key, new_root, seed_at


@dataclass(frozen=True)
class Step:
    """What a table does by itself next."""

    when: float
    operation: Operation


def start_of_match(life: Life) -> MatchStarted:
    """Return the beginning of a match: with the next seed of its row, unless it is practice with a known deal number.

    What players gave before a row was drawn does not count for it: it could have been drawn to suit.
    """
    match_id, games, deal = secrets.token_hex(16), games_of(life.settings), life.settings.deal
    if life.settings.position is not None:
        return MatchStarted(match_id, life.settings.position.seed, games)
    if deal:
        return MatchStarted(match_id, seed_of(deal), games, deal)
    goes_on = bool(life.root) and life.links < LINKS
    root = life.root if goes_on else new_root()
    seed = seed_at(root, life.links + 1 if goes_on else 1)
    given = tuple([seat.client_seed for seat in life.seats]) if goes_on else ()
    if life.program.ruleset.bool("deal_number"):
        deal = deal_of(match_key(seed, given))
    return MatchStarted(match_id, seed, games, deal, given, b"" if goes_on else root)


def reserved_until(life: Life) -> float | None:
    """Return until when seats are kept, where the match begins by itself."""
    return None if life.auto_start is None else life.created + life.auto_start.reserved_seconds


def starts_by(life: Life) -> float | None:
    """Return when the match begins even if seats are free, where it begins by itself."""
    until = reserved_until(life)
    return None if until is None or life.auto_start is None else until + life.auto_start.bot_seconds


def next_step(life: Life) -> Step | None:
    """Return what a table that begins by itself does next; None if that is for others to say."""
    until, latest = reserved_until(life), starts_by(life)
    if until is None or latest is None:
        return None
    if life.phase == ENDED:
        return None if any(seat.is_visited for seat in life.seats) else Step(0.0, Closed())
    if life.phase != FILLING:
        return None
    if all(seat.occupant is not None for seat in life.seats):
        return Step(0.0, start_of_match(life))
    kept = tuple([number for number, seat in enumerate(life.seats) if seat.is_kept])
    if kept:
        return Step(until, SeatsReleased(kept) if _is_wanted(life) else Closed())
    return Step(max(until, latest), start_of_match(life) if _is_wanted(life) else Closed())


def _is_wanted(life: Life) -> bool:
    """Say whether somebody is there for whom the match may begin: a person, where seats were kept for people."""
    assert life.auto_start is not None
    for_people = any(not kept.bot for kept in life.auto_start.reservations)
    sitting = [seat.occupant for seat in life.seats if seat.occupant is not None]
    return any(not occupant.bot for occupant in sitting) or (bool(sitting) and not for_people)
