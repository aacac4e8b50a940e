"""What a match came to, for whoever rates players or runs a league."""

from __future__ import annotations

from engine.finishing import match_ranks
from engine.game import is_match_over
from services.game.life import ENDED, Life
from services.game.records import Result


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
