"""The records of tables, as they are kept on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

from google.protobuf.message import DecodeError

from daifugo.store.v1 import record_pb2 as pb
from daifugo.v1 import rules_pb2, view_pb2
from engine.catalogue import Value
from services.common.errors import Refused
from services.game import records as r
from services.game.codec.actions import action_bytes, action_from
from services.game.codec.positions import position_from, position_to
from services.game.codec.rulesets import setting_to, value_from
from services.game.codec.wire import inside, number, tag_of

BY: Final = {
    r.BY_SEAT: pb.Acted.BY_SEAT,
    r.BY_CLOCK: pb.Acted.BY_CLOCK,
    r.BY_AUTO_PASS: pb.Acted.BY_AUTO_PASS,
    r.BY_STAND_IN: pb.Acted.BY_STAND_IN,
}
WHO: Final = {number: by for by, number in BY.items()}
ACTED: Final = tag_of(pb.Record, "acted")
SEAT: Final = tag_of(pb.Acted, "seat")
DECISION: Final = tag_of(pb.Acted, "decision")
ACTION: Final = tag_of(pb.Acted, "action")
ANSWERED_BY: Final = tag_of(pb.Acted, "by")
BANK: Final = tag_of(pb.Acted, "bank")


def record_to(record: r.Record) -> bytes:
    """Write a record; its table, epoch and version are kept beside it."""
    if isinstance(record.operation, r.Acted) and record.answer is None:
        return pb.Record(time=record.time).SerializeToString() + inside(ACTED, _acted_to(record.operation))
    message = pb.Record(time=record.time, **_operation_to(record.operation))
    if record.answer is not None:
        given = record.answer
        message.answer.CopyFrom(
            pb.Answer(
                identity=given.identity,
                method=given.method,
                request_id=given.request_id,
                fingerprint=given.fingerprint,
                seat=given.seat,
            )
        )
    return message.SerializeToString()


def _acted_to(acted: r.Acted) -> bytes:
    """Write an answer to a decision by hand: nothing else is written so often."""
    return (
        number(SEAT, acted.seat)
        + number(DECISION, acted.decision)
        + inside(ACTION, action_bytes(acted.action))
        + number(ANSWERED_BY, BY[acted.by])
        + number(BANK, acted.bank)
    )


def record_from(table_id: str, epoch: int, version: int, body: bytes) -> r.Record:
    """Read a record; raise ValueError if it says nothing that this version understands."""
    try:
        message = pb.Record.FromString(body)
        operation = _operation_from(message)
    except (DecodeError, KeyError, Refused) as problem:
        raise ValueError(f"version {version} of table {table_id} cannot be read: {problem!r}") from None
    answer = None
    if message.HasField("answer"):
        kept = message.answer
        answer = r.Answer(kept.identity, kept.method, kept.request_id, kept.fingerprint, kept.seat)
    return r.Record(table_id, epoch, version, message.time, operation, answer)


def result_to(result: r.Result) -> bytes:
    """Write a result for the outbox."""
    players = [who or r.Occupant("", "", False) for who in result.players]
    return pb.Result(
        match_id=result.match_id,
        ruleset_hash=result.ruleset_hash,
        games=result.games,
        is_whole=result.is_whole,
        ranks=result.ranks,
        points=result.points,
        players=[pb.Player(identity=who.identity, name=who.name, bot=who.bot) for who in players],
        conduct=[
            pb.Conduct(time_outs=c.time_outs, in_a_row=c.in_a_row, take_overs=c.take_overs, stood_in=c.stood_in)
            for c in result.conduct
        ],
    ).SerializeToString()


def result_from(body: bytes) -> r.Result:
    """Read a result of the outbox."""
    kept = pb.Result.FromString(body)
    return r.Result(
        match_id=kept.match_id,
        ruleset_hash=kept.ruleset_hash,
        games=kept.games,
        is_whole=kept.is_whole,
        ranks=tuple(kept.ranks),
        points=tuple(kept.points),
        players=tuple([r.Occupant(who.identity, who.name, who.bot) if who.identity else None for who in kept.players]),
        conduct=tuple([r.Conduct(c.time_outs, c.in_a_row, c.take_overs, c.stood_in) for c in kept.conduct]),
    )


def _operation_to(operation: r.Operation) -> dict[str, Any]:
    match operation:
        case r.Acted():
            return {"acted": pb.Acted.FromString(_acted_to(operation))}
        case r.Created(settings, host, auto_start, code, root, commitment):
            created = pb.Created(settings=settings_to(settings), host=host, code=code, root=root, commitment=commitment)
            if auto_start is not None:
                created.auto_start.CopyFrom(auto_start_to(auto_start))
            return {"created": created}
        case r.SeatTaken(seat, who):
            taken = pb.SeatTaken(seat=seat, identity=who.identity, name=who.name, bot=who.bot)
            taken.client_seed, taken.policy = who.client_seed, who.policy
            return {"seat_taken": taken}
        case r.SeatsReleased(seats):
            return {"seats_released": pb.SeatsReleased(seats=seats)}
        case r.SeatLeft(seat, host):
            return {"seat_left": pb.SeatLeft(seat=seat, host=host)}
        case r.SeatSet(seat, kind, removes, host):
            said = cast(view_pb2.SeatKind, kind)
            return {"seat_set": pb.SeatSet(seat=seat, kind=said, removes=removes, host=host)}
        case r.SeatKicked(seat, host, code, for_good):
            return {"seat_kicked": pb.SeatKicked(seat=seat, host=host, code=code, for_good=for_good)}
        case r.SeatsSwapped(seat, other):
            return {"seats_swapped": pb.SeatsSwapped(seat=seat, other=other)}
        case r.HostChanged(host):
            return {"host_changed": pb.HostChanged(host=host)}
        case r.Updated(settings):
            return {"updated": pb.Updated(settings=settings_to(settings))}
        case r.Shortened():
            return {"shortened": pb.Shortened()}
        case r.CodeRenewed(code):
            return {"code_renewed": pb.CodeRenewed(code=code)}
        case r.MatchStarted(match_id, seed, games, deal, given, root):
            begun = pb.MatchStarted(match_id=match_id, seed=seed, games=games, deal=deal, client_seeds=given, root=root)
            return {"match_started": begun}
        case r.GameStarted():
            return {"game_started": pb.GameStarted()}
        case r.StandInCame(seat, why):
            return {"stand_in_came": pb.StandInCame(seat=seat, why=cast(view_pb2.StandIn, why))}
        case r.StandInLeft(seat):
            return {"stand_in_left": pb.StandInLeft(seat=seat)}
        case r.AutoPassSet(seat, on):
            return {"auto_pass_set": pb.AutoPassSet(seat=seat, on=on)}
        case r.Skipped(last_decision):
            return {"skipped": pb.Skipped(last_decision=last_decision)}
        case r.Closed():
            return {"closed": pb.Closed()}


def _operation_from(message: pb.Record) -> r.Operation:
    kind = message.WhichOneof("operation")
    if kind is None:
        raise KeyError("operation")
    return READ[kind](getattr(message, kind))


def _created_from(created: pb.Created) -> r.Created:
    auto_start = auto_start_from(created.auto_start) if created.HasField("auto_start") else None
    settings = settings_from(created.settings)
    return r.Created(settings, created.host, auto_start, created.code, created.root, created.commitment)


def auto_start_from(kept: pb.AutoStart) -> r.AutoStart:
    """Read how a match begins by itself."""
    reservations = [r.Reservation(each.seat, each.identity, each.bot) for each in kept.reservations]
    return r.AutoStart(tuple(reservations), kept.reserved_seconds, kept.bot_seconds)


def auto_start_to(auto_start: r.AutoStart) -> pb.AutoStart:
    """Write how a match begins by itself."""
    kept = [pb.Reservation(seat=each.seat, identity=each.identity, bot=each.bot) for each in auto_start.reservations]
    return pb.AutoStart(
        reservations=kept, reserved_seconds=auto_start.reserved_seconds, bot_seconds=auto_start.bot_seconds
    )


def settings_to(settings: r.Settings) -> pb.Settings:
    """Write what a table is played by."""
    values = [setting_to(setting, value) for setting, value in settings.values]
    return pb.Settings(
        ruleset=rules_pb2.Ruleset(preset=settings.preset, settings=values, seats=settings.seats),
        ruleset_hash=settings.ruleset_hash,
        rounds=settings.rounds,
        sets=settings.sets,
        games=settings.games,
        turn_seconds=settings.turn_seconds,
        choice_seconds=settings.choice_seconds,
        idle_seconds=settings.idle_seconds,
        relaxed=settings.relaxed,
        name=settings.name,
        private=settings.private,
        bank_seconds=settings.bank_seconds,
        bank_each_game=settings.bank_each_game,
        until_host_ends=settings.until_host_ends,
        deal=settings.deal,
        spectators=settings.spectators,
        no_hints=not settings.hints,
        position=position_to(settings.position) if settings.position is not None else None,
    )


def settings_from(kept: pb.Settings) -> r.Settings:
    """Read what a table is played by."""
    return r.Settings(
        preset=kept.ruleset.preset,
        values=tuple([(setting.id, cast(Value, value_from(setting))) for setting in kept.ruleset.settings]),
        seats=kept.ruleset.seats,
        ruleset_hash=kept.ruleset_hash,
        rounds=kept.rounds if kept.HasField("rounds") else None,
        sets=kept.sets if kept.HasField("sets") else None,
        games=kept.games if kept.HasField("games") else None,
        turn_seconds=kept.turn_seconds,
        choice_seconds=kept.choice_seconds,
        idle_seconds=kept.idle_seconds,
        relaxed=kept.relaxed,
        name=kept.name,
        private=kept.private,
        bank_seconds=kept.bank_seconds,
        bank_each_game=kept.bank_each_game,
        until_host_ends=kept.until_host_ends,
        deal=kept.deal,
        spectators=kept.spectators or r.PUBLIC_PART,
        hints=not kept.no_hints,
        position=position_from(kept.position) if kept.HasField("position") else None,
    )


READ: Final[dict[str, Callable[[Any], r.Operation]]] = {
    "created": _created_from,
    "seat_taken": lambda m: r.SeatTaken(m.seat, r.Occupant(m.identity, m.name, m.bot, m.client_seed, m.policy)),
    "seats_released": lambda m: r.SeatsReleased(tuple(m.seats)),
    "seat_left": lambda m: r.SeatLeft(m.seat, m.host),
    "seat_set": lambda m: r.SeatSet(m.seat, m.kind, m.removes, m.host),
    "seat_kicked": lambda m: r.SeatKicked(m.seat, m.host, m.code, m.for_good),
    "seats_swapped": lambda m: r.SeatsSwapped(m.seat, m.other),
    "host_changed": lambda m: r.HostChanged(m.host),
    "updated": lambda m: r.Updated(settings_from(m.settings)),
    "shortened": lambda m: r.Shortened(),
    "code_renewed": lambda m: r.CodeRenewed(m.code),
    "match_started": lambda m: r.MatchStarted(m.match_id, m.seed, m.games, m.deal, tuple(m.client_seeds), m.root),
    "game_started": lambda m: r.GameStarted(),
    "acted": lambda m: r.Acted(m.seat, m.decision, action_from(m.action), WHO[m.by], m.bank),
    "stand_in_came": lambda m: r.StandInCame(m.seat, m.why),
    "stand_in_left": lambda m: r.StandInLeft(m.seat),
    "auto_pass_set": lambda m: r.AutoPassSet(m.seat, m.on),
    "skipped": lambda m: r.Skipped(m.last_decision),
    "closed": lambda m: r.Closed(),
}
"""How each operation is read."""
