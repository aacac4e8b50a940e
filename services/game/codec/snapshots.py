"""Snapshots of tables, as they are kept on disk."""

from __future__ import annotations

from google.protobuf.message import DecodeError

from daifugo.store.v1 import record_pb2, snapshot_pb2
from engine.saving import CannotLoad, load, save
from services.common.errors import Refused
from services.game import records as r
from services.game.answers import Kept
from services.game.codec.records import auto_start_from, auto_start_to, settings_from, settings_to
from services.game.life import Life, program_of
from services.game.seats import Seat
from services.game.snapshots import Snapshot


def snapshot_to(snapshot: Snapshot) -> bytes:
    """Write a snapshot."""
    message = snapshot_pb2.Snapshot(life=_life_to(snapshot.life))
    for kept in snapshot.answers:
        given = kept.answer
        answer = record_pb2.Answer(
            identity=given.identity,
            method=given.method,
            request_id=given.request_id,
            fingerprint=given.fingerprint,
            seat=given.seat,
        )
        message.answers.add(answer=answer, version=kept.version, time=kept.time)
    for decision, since in snapshot.asked.items():
        message.asked.add(decision=decision, since=since)
    for epoch, version in snapshot.runs.items():
        message.runs.add(epoch=epoch, version=version)
    return message.SerializeToString()


def snapshot_from(table_id: str, body: bytes) -> Snapshot:
    """Read a snapshot; ValueError if it is damaged, or another version of the engine has made it."""
    try:
        message = snapshot_pb2.Snapshot.FromString(body)
        life = _life_from(message.life)
    except (DecodeError, KeyError, Refused, CannotLoad) as problem:
        raise ValueError(f"the snapshot of table {table_id} cannot be read: {problem!r}") from None
    answers = []
    for each in message.answers:
        kept = each.answer
        answer = r.Answer(kept.identity, kept.method, kept.request_id, kept.fingerprint, kept.seat)
        answers.append(Kept(answer, table_id, each.version, each.time))
    asked = {each.decision: each.since for each in message.asked}
    return Snapshot(life, tuple(answers), asked, {run.epoch: run.version for run in message.runs})


def _life_to(life: Life) -> snapshot_pb2.Life:
    message = snapshot_pb2.Life(
        version=life.version,
        settings=settings_to(life.settings),
        phase=life.phase,
        host=life.host,
        seats=[_seat_to(seat) for seat in life.seats],
        state=save(life.state),
        match_id=life.match_id,
        began=life.began,
        seed=life.seed,
        created=life.created,
        code=life.code,
        guests=life.guests,
        players=life.players,
        banks=life.banks,
        deal=life.deal,
        practice=life.practice,
        removed=life.removed,
        conduct=[
            record_pb2.Conduct(time_outs=c.time_outs, in_a_row=c.in_a_row, take_overs=c.take_overs, stood_in=c.stood_in)
            for c in life.conduct
        ],
        match_began=life.match_began,
        line_up=[_player_to(who) for who in life.line_up],
        scores=[snapshot_pb2.Score(places=score.places, points=score.points) for score in life.scores],
        client_seeds=life.client_seeds,
        root=life.root,
        links=life.links,
        pledge=life.pledge,
    )
    if life.auto_start is not None:
        message.auto_start.CopyFrom(auto_start_to(life.auto_start))
    return message


def _life_from(kept: snapshot_pb2.Life) -> Life:
    settings = settings_from(kept.settings)
    return Life(
        version=kept.version,
        settings=settings,
        phase=kept.phase,
        host=kept.host,
        seats=tuple([_seat_from(seat) for seat in kept.seats]),
        state=load(program_of(settings.preset, settings.values, settings.seats), kept.state),
        match_id=kept.match_id,
        began=kept.began,
        seed=kept.seed,
        created=kept.created,
        auto_start=auto_start_from(kept.auto_start) if kept.HasField("auto_start") else None,
        code=kept.code,
        guests=tuple(kept.guests),
        players=tuple(kept.players),
        banks=tuple(kept.banks),
        deal=kept.deal,
        practice=kept.practice,
        removed=tuple(kept.removed),
        conduct=tuple([r.Conduct(c.time_outs, c.in_a_row, c.take_overs, c.stood_in) for c in kept.conduct]),
        match_began=kept.match_began,
        line_up=tuple([_player_from(who) for who in kept.line_up]),
        scores=tuple([r.Score(tuple(score.places), tuple(score.points)) for score in kept.scores]),
        client_seeds=tuple(kept.client_seeds),
        root=kept.root,
        links=kept.links,
        pledge=kept.pledge,
    )


def _seat_to(seat: Seat) -> snapshot_pb2.KeptSeat:
    return snapshot_pb2.KeptSeat(
        kind=seat.kind,
        occupant=_player_to(seat.occupant),
        since=seat.since,
        promised=seat.promised,
        is_kept=seat.is_kept,
        left_by=seat.left_by,
        stand_in=seat.stand_in,
        auto_pass=seat.auto_pass,
    )


def _seat_from(kept: snapshot_pb2.KeptSeat) -> Seat:
    return Seat(
        kind=kept.kind,
        occupant=_player_from(kept.occupant),
        since=kept.since,
        promised=kept.promised,
        is_kept=kept.is_kept,
        left_by=kept.left_by,
        stand_in=kept.stand_in,
        auto_pass=kept.auto_pass,
    )


def _player_to(who: r.Occupant | None) -> record_pb2.Player:
    if who is None:
        return record_pb2.Player()
    return record_pb2.Player(
        identity=who.identity, name=who.name, bot=who.bot, client_seed=who.client_seed, policy=who.policy
    )


def _player_from(kept: record_pb2.Player) -> r.Occupant | None:
    if not kept.identity:
        return None
    return r.Occupant(kept.identity, kept.name, kept.bot, kept.client_seed, kept.policy)
