"""How long a match is: games, sets or rounds, or until its host ends it."""

from __future__ import annotations

from typing import Final

from services.common.errors import malformed
from services.game.life import program_of
from services.game.records import Settings

MOST_GAMES: Final = 1000
"""How many games a match may have."""
OPEN_ENDED: Final = MOST_GAMES + 1
"""How many games a match has that goes on until its host ends it."""


def games_of(settings: Settings) -> int:
    """Return how many games a match has here: whichever of games, sets and rounds ends first."""
    return _length(settings)[0]


def is_until_host_ends(settings: Settings) -> bool:
    """Say whether a match goes on until its host ends it: if that was asked for, or the ruleset says so."""
    if settings.until_host_ends:
        return True
    program = program_of(settings.preset, settings.values, settings.seats)
    asked = (settings.rounds, settings.sets, settings.games)
    return program.ruleset.bool("host_ends_party") and asked == (None, None, None)


def check_length(settings: Settings) -> None:
    """Refuse matches of more games than a match may have."""
    games, field = _length(settings)
    if MOST_GAMES < games != OPEN_ENDED:
        raise malformed(
            field,
            f"1試合は{MOST_GAMES}ゲームまでです。これでは{games}ゲームになります。",
            f"A match has at most {MOST_GAMES} games; this would make {games}.",
        )


def _length(settings: Settings) -> tuple[int, str]:
    """Return how many games a match has, and the field of the request that says so."""
    if is_until_host_ends(settings):
        return OPEN_ENDED, "format.until_host_ends"
    program = program_of(settings.preset, settings.values, settings.seats)
    in_round = program.games_in_round or 4
    in_set = program.games_in_set or in_round
    asked = [
        (settings.games, 1, "format.games"),
        (settings.sets, in_set, "format.sets"),
        (settings.rounds, in_round, "format.rounds"),
    ]
    lengths = [(number * games, field) for number, games, field in asked if number is not None]
    return min(lengths, default=(in_round, "ruleset.settings"))
