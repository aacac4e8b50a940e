"""What a match came to: its result, for whoever rates players or runs a league, and what its record needs."""

from __future__ import annotations

from dataclasses import replace

from engine.finishing import match_ranks
from engine.game import is_match_over
from engine.version import ENGINE_VERSION
from services.game.life import ENDED, RUNNING, Life
from services.game.records import Ended, Operation, Result, Shortened


def result_of(before: Life | None, after: Life) -> Result | None:
    """Return the result of the match that ended between two versions, or None."""
    if after.practice:
        return None  # whoever knew the deal number knew every card
    if before is None or before.match_id != after.match_id or before.phase == after.phase or after.phase != ENDED:
        return None
    state = after.state
    return Result(
        match_id=after.match_id,
        ruleset_hash=after.settings.ruleset_hash,
        games=state.game - state.playing,
        is_whole=is_match_over(state),
        ranks=tuple(match_ranks(state)),
        points=tuple(state.totals),
        players=tuple([seat.occupant for seat in after.seats]),
        conduct=after.conduct,
    )


def ended_of(before: Life | None, operation: Operation, after: Life) -> Ended | None:
    """Return what the record needs of the match that ended between two versions, or was given up; or None."""
    if before is None or before.phase != RUNNING or after.phase == RUNNING:
        return None
    # a match that is cut short between two games has ended with one that was not to be its last
    return replace(so_far(after), games_planned=(before if isinstance(operation, Shortened) else after).state.games)


def so_far(life: Life) -> Ended:
    """Return what the record needs of the match that runs or was played last, as if it ended here."""
    return Ended(
        match_id=life.match_id,
        first=life.match_began,
        settings=life.settings,
        engine_version=ENGINE_VERSION,
        host=life.host,
        players=life.players,
        line_up=life.line_up,
        games_planned=life.state.games,
        seed=life.seed,
        client_seeds=life.client_seeds,
        deal=life.deal,
        practice=life.practice,
        scores=life.scores,
        is_whole=is_match_over(life.state),
        ranks=tuple(match_ranks(life.state)),
        totals=tuple(life.state.totals),
        conduct=life.conduct,
    )
