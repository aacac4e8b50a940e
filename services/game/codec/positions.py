"""Where matches begin that are to be analysed: in the record of a match, or with prescribed hands."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Final

from daifugo.store.v1 import record_pb2 as stored_pb2
from daifugo.v1 import cards_pb2, record_pb2, rules_pb2
from engine.game import is_match_over
from engine.record import CannotReplay, Game, Record, replay
from services.common.errors import malformed
from services.game.codec.actions import cards_from
from services.game.codec.matches import begun_from, begun_to, replayable
from services.game.lengths import games_of
from services.game.life import program_of
from services.game.records import Position, Settings

FIELD: Final = "position"
MOST_STEPS: Final = 5000
"""That are played again when a match begins."""


def position_in(record: record_pb2.Record, steps: int) -> tuple[rules_pb2.Ruleset, Position]:
    """Return what a match was played by, and where it stood after so many steps; refuse what is not in it."""
    try:
        played = replayable(record)
    except CannotReplay as problem:
        raise malformed(FIELD, problem.ja, problem.en) from None
    games: list[Game] = []
    left = steps
    for game in played.games:
        games.append(replace(game, steps=game.steps[:left], places=(), points=()))
        left -= len(game.steps)
        if left <= 0:
            break
    if left > 0 or not games:
        raise malformed(f"{FIELD}.record.steps", "そこまで進んでいません。", "The match did not come so far.")
    if steps > MOST_STEPS:
        raise malformed(f"{FIELD}.record.steps", f"{MOST_STEPS}手までです。", f"There may be {MOST_STEPS} at most.")
    return record.ruleset.ruleset, Position(played.seed, tuple(games))


def position_with(deal: cards_pb2.PrescribedDeal) -> Position:
    """Return the beginning of a match with prescribed hands; what else is drawn is drawn by lot."""
    hands = tuple([cards_from(hand.cards, f"{FIELD}.deal.hands") for hand in deal.hands])
    if not hands:
        raise malformed(f"{FIELD}.deal.hands", "手札がありません。", "It has no hands.")
    return Position(secrets.token_bytes(32), (Game((), hands, cards_from(deal.blinds, f"{FIELD}.deal.blinds")),))


def check_position(settings: Settings) -> None:
    """Refuse a position that matches with these settings cannot begin in."""
    position = settings.position
    if position is None:
        return
    program = program_of(settings.preset, settings.values, settings.seats)
    record = Record("", (), settings.seats, "", "", games_of(settings), position.seed, position.games)
    last = None
    try:
        for moment in replay(record, program, open_ends=True):
            last = moment
    except CannotReplay as problem:
        raise malformed(FIELD, problem.ja, problem.en) from None
    if last is None or is_match_over(last.state):
        raise malformed(FIELD, "そこで試合は終わっています。", "The match is over there.")


def position_to(position: Position) -> stored_pb2.Position:
    """Write a position for the store."""
    return stored_pb2.Position(seed=position.seed, games=[begun_to(game) for game in position.games])


def position_from(kept: stored_pb2.Position) -> Position:
    """Read a position of the store."""
    return Position(kept.seed, tuple([begun_from(game) for game in kept.games]))
