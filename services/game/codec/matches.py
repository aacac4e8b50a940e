"""Records of matches (棋譜): made of what the journal has of a match, and read for the engine to replay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from daifugo.v1 import cards_pb2, game_pb2, record_pb2, rules_pb2
from engine import record as played
from engine.cards import members
from engine.catalogue import Value
from engine.randomness import commitment
from services.common.errors import Refused
from services.common.times import seconds_of, time_to
from services.game import records as r
from services.game.codec.actions import action_from, action_to, cards_from
from services.game.codec.rulesets import ruleset_from, setting_to, value_from
from services.game.deals import deal_from
from services.game.lengths import OPEN_ENDED
from services.game.seeds import dealt_from

FORMAT: Final = 1
"""Of the message Record."""
YEAR_9000: Final = 221_845_392_000
"""In seconds since 1970; all that follows is still before the year 10000, with which timestamps end."""

BY: Final = {
    r.BY_SEAT: record_pb2.STEP_BY_UNSPECIFIED,
    r.BY_CLOCK: record_pb2.STEP_BY_CLOCK,
    r.BY_STAND_IN: record_pb2.STEP_BY_STAND_IN,
    r.BY_AUTO_PASS: record_pb2.STEP_BY_AUTO_PASS,
}


# --- of the journal --------------------------------------------------------------------------------------------------


def record_to(ended: r.Ended, versions: Sequence[r.Record]) -> record_pb2.Record:
    """Write the record of a match, of all its versions from the first to the last."""
    table_id, first, last = versions[0].table_id, versions[0].time, versions[-1].time
    settings = ended.settings
    message = record_pb2.Record(
        format=FORMAT,
        match_id=ended.match_id,
        table_id=table_id,
        table_name=settings.name,
        ruleset=rules_pb2.PinnedRuleset(
            ruleset=rules_pb2.Ruleset(
                preset=settings.preset,
                settings=[setting_to(setting, value) for setting, value in settings.values],
                seats=settings.seats,
            ),
            hash=settings.ruleset_hash,
            engine_version=ended.engine_version,
        ),
        games_planned=0 if ended.games_planned == OPEN_ENDED else ended.games_planned,
        clock=_clock_to(settings),
        start_time=time_to(first),
        end_time=time_to(last),
        practice=ended.practice,
        deal_number=ended.deal,
        seed=ended.seed,
        commitment=b"" if ended.practice else commitment(ended.seed),
        client_seeds=ended.client_seeds,
        result=record_pb2.RecordResult(is_whole=ended.is_whole, ranks=ended.ranks, totals=ended.totals),
    )
    for conduct in ended.conduct:
        message.result.conduct.add(
            time_outs=conduct.time_outs, take_overs=conduct.take_overs, stood_in=conduct.stood_in
        )
    for occupants in occupants_of(ended, versions):
        seat = message.seats.add()
        for who, from_step in occupants:
            seat.players.append(_player_to(who, from_step))
    _write_games(message, ended, versions)
    return message


def occupants_of(ended: r.Ended, versions: Sequence[r.Record]) -> list[list[tuple[r.Occupant | None, int]]]:
    """Return, by seat, who had it one after the other, and after how many steps."""
    had: list[list[tuple[r.Occupant | None, int]]] = [[(who, 0)] for who in ended.line_up]
    steps = ended.settings.position.steps if ended.settings.position is not None else 0
    for version in versions:
        match version.operation:
            case r.Acted():
                steps += 1
            case r.SeatTaken(seat, occupant):
                had[seat].append((occupant, steps))
            case r.SeatLeft(seat, _) | r.SeatKicked(seat, _) | r.SeatSet(seat, _, True):
                had[seat].append((None, steps))
            case _:
                pass
    return had


def _clock_to(settings: r.Settings) -> game_pb2.Clock:
    return game_pb2.Clock(
        turn_seconds=settings.turn_seconds,
        choice_seconds=settings.choice_seconds,
        idle_seconds=settings.idle_seconds,
        bank_seconds=settings.bank_seconds or None,
        bank_each_game=settings.bank_each_game,
    )


def _player_to(who: r.Occupant | None, from_step: int) -> record_pb2.RecordPlayer:
    if who is None:
        return record_pb2.RecordPlayer(kind=record_pb2.RecordPlayer.KIND_NOBODY, from_step=from_step)
    kind = record_pb2.RecordPlayer.KIND_BOT if who.bot else record_pb2.RecordPlayer.KIND_PERSON
    return record_pb2.RecordPlayer(kind=kind, display_name=who.name, from_step=from_step)


def _write_games(message: record_pb2.Record, ended: r.Ended, versions: Sequence[r.Record]) -> None:
    reached, scores = versions[0].time, iter(ended.scores)
    for version in versions:
        operation = version.operation
        if not isinstance(operation, r.MatchStarted | r.GameStarted | r.Acted):
            continue
        # what is rounded away of one step is not lost to the next
        after_ms = max(0, round(1000 * (version.time - reached)))
        reached += after_ms / 1000
        if isinstance(operation, r.Acted):
            message.games[-1].steps.add(
                seat=operation.seat, action=action_to(operation.action), by=BY[operation.by], after_ms=after_ms
            )
            continue
        position = ended.settings.position if isinstance(operation, r.MatchStarted) else None
        begun = position.games if position is not None else ()
        if position is not None:
            message.given_steps = position.steps
        for each in begun or (played.Game(()),):
            message.games.append(begun_to(each, after_ms))
            score = next(scores, None)
            if score is not None:
                message.games[-1].places.extend(score.places)
                message.games[-1].points.extend(score.points)


def begun_to(game: played.Game, after_ms: int = 0) -> record_pb2.RecordGame:
    """Write how a game was dealt, and the steps that it begins with."""
    message = record_pb2.RecordGame(
        after_ms=after_ms,
        steps=[record_pb2.RecordStep(seat=step.seat, action=action_to(step.action)) for step in game.steps],
    )
    if game.hands:
        message.deal.hands.extend([cards_pb2.PrescribedHand(cards=members(hand)) for hand in game.hands])
        message.deal.blinds.extend(members(game.blind))
    return message


def begun_from(game: record_pb2.RecordGame) -> played.Game:
    """Read how a game was dealt, and what has been done in it."""
    return played.Game(
        steps=tuple([played.Step(step.seat, action_from(step.action)) for step in game.steps]),
        hands=tuple([cards_from(hand.cards, "deal.hands") for hand in game.deal.hands]),
        blind=cards_from(game.deal.blinds, "deal.blinds"),
        places=tuple(game.places),
        points=tuple(game.points),
    )


# --- for the engine --------------------------------------------------------------------------------------------------


def replayable(message: record_pb2.Record) -> played.Record:
    """Read a record for the engine; raise CannotReplay for one that cannot be read."""
    if message.format != FORMAT:
        raise played.CannotReplay(
            f"棋譜の形式 {message.format} は読めません（読めるのは {FORMAT} です）",
            f"its format is {message.format}; this version reads {FORMAT}",
        )
    if not 0 <= seconds_of(message.start_time) < YEAR_9000:
        raise played.CannotReplay("開始時刻が正しくありません。", "it began at no time that there is")
    pinned = message.ruleset
    try:
        ruleset_from(pinned.ruleset)
        return played.Record(
            preset=pinned.ruleset.preset,
            values=tuple([(each.id, cast(Value, value_from(each))) for each in pinned.ruleset.settings]),
            seats=pinned.ruleset.seats,
            ruleset_hash=pinned.hash,
            engine_version=pinned.engine_version,
            games_planned=message.games_planned or OPEN_ENDED,
            seed=dealt_from(message.seed, message.client_seeds, deal_from("deal_number", message.deal_number)),
            games=tuple([begun_from(game) for game in message.games]),
        )
    except Refused as refused:
        problem = refused.fields[0]
        raise played.CannotReplay(problem.ja, problem.en) from None
