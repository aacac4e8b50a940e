"""What the matchmaker says and hears: tickets and queues as messages, and its requests to the game service."""

from __future__ import annotations

from hashlib import sha256
from typing import cast

from daifugo.v1 import game_pb2, matchmaker_pb2, rules_pb2, view_pb2
from services.common.auth import Caller
from services.common.errors import Refused, malformed
from services.common.times import duration_to, time_to
from services.matchmaker.queues import Queue, Value
from services.matchmaker.seating import Laid
from services.matchmaker.tickets import ASSIGNED, Ticket

MOST_REQUEST_ID = 64
MOST_BOTS_AFTER = 86400


def ticket_from(request: matchmaker_pb2.CreateTicketRequest, who: Caller, queue: Queue | None) -> Ticket:
    """Read what ticket is asked for, or refuse it."""
    if not 1 <= len(request.request_id) <= MOST_REQUEST_ID:
        ja, en = f"1〜{MOST_REQUEST_ID}文字にしてください。", f"It must have 1 to {MOST_REQUEST_ID} characters."
        raise malformed("request_id", ja, en)
    if queue is None:
        raise Refused("QUEUE_NOT_FOUND")
    if request.size and request.size not in queue.sizes:
        raise Refused("SIZE_NOT_OFFERED")
    bot = who.is_bot(request.bot)
    if bot and not queue.takes_bots:
        raise Refused("BOTS_NOT_WELCOME")
    digest = sha256(request.SerializeToString(deterministic=True)).digest()
    size = request.size or (0 if bot else queue.sizes[0])
    after = None if bot else _bots_after(request, queue)
    return Ticket("", 0, who.identity, request.request_id, digest, 0.0, queue.id, size, bot, after)


def _bots_after(request: matchmaker_pb2.CreateTicketRequest, queue: Queue) -> float | None:
    after = queue.bots_after_seconds
    if request.HasField("bots_after"):
        asked = request.bots_after.seconds + request.bots_after.nanos / 1e9
        if not 0 <= asked <= MOST_BOTS_AFTER:
            ja, en = f"0〜{MOST_BOTS_AFTER} 秒です。", f"It must be from 0 to {MOST_BOTS_AFTER} seconds."
            raise malformed("bots_after", ja, en)
        after = asked if after is not None else None
    return None if request.people_only else after


def ticket_to(ticket: Ticket, address: str) -> matchmaker_pb2.Ticket:
    """Write a ticket for its owner."""
    message = matchmaker_pb2.Ticket(
        id=ticket.id,
        queue_id=ticket.queue,
        size=ticket.size,
        bot=ticket.bot,
        state=cast(matchmaker_pb2.TicketState, ticket.state),
        create_time=time_to(ticket.created),
    )
    if ticket.bots_after is not None:
        message.bots_after.CopyFrom(duration_to(ticket.bots_after))
    if ticket.failure:
        message.failure = cast(rules_pb2.Reason, rules_pb2.Reason.Value(f"REASON_{ticket.failure}"))
    if ticket.state == ASSIGNED:
        message.assignment.CopyFrom(
            matchmaker_pb2.Assignment(
                pairing_id=ticket.pairing,
                address=address,
                table_id=ticket.table,
                seat=ticket.seat,
                take_by=time_to(ticket.take_by),
            )
        )
    return message


def queue_to(queue: Queue, people: int, bots: int) -> matchmaker_pb2.Queue:
    """Write what can be waited for."""
    message = matchmaker_pb2.Queue(
        id=queue.id,
        name=rules_pb2.Text(ja=queue.ja, en=queue.en),
        ruleset=ruleset_to(queue, queue.sizes[0]),
        sizes=queue.sizes,
        format=_format(queue),
        clock=_clock(queue),
        bots_only=queue.bots_only,
        ranked=queue.ranked,
        seat_time=duration_to(queue.seat_seconds),
        people_waiting=people,
        bots_waiting=bots,
    )
    if queue.bots_after_seconds is not None:
        message.bots_after.CopyFrom(duration_to(queue.bots_after_seconds))
    return message


def table_request(pairing_id: str, queue: Queue, tickets: list[Ticket]) -> bytes:
    """Write the request for a pairing's table; it is kept, and sent again as it is."""
    kept = [
        game_pb2.Reservation(seat=seat, identity=ticket.identity, bot=ticket.bot) for seat, ticket in enumerate(tickets)
    ]
    auto_start = game_pb2.AutoStart(
        reservations=kept, reserved_seconds=queue.seat_seconds, bot_seconds=queue.bot_seat_seconds
    )
    return game_pb2.CreateTableRequest(
        request_id=pairing_id,
        ruleset=ruleset_to(queue, len(tickets)),
        format=_format(queue),
        clock=_clock(queue),
        auto_start=auto_start,
        hints=game_pb2.HINTS_ON if queue.hints else game_pb2.HINTS_OFF,
    ).SerializeToString()


def laid_from(table: game_pb2.Table) -> Laid:
    """Read a table."""
    free = [seat.index for seat in table.seats if not seat.occupied and seat.kind == view_pb2.SEAT_KIND_BOT]
    return Laid(
        id=table.id,
        is_open=table.state == view_pb2.TABLE_STATE_OPEN,
        reserved_until=table.reserved_until.ToMilliseconds() / 1000,
        starts_by=table.starts_by.ToMilliseconds() / 1000,
        free=tuple(free),
    )


def ruleset_to(queue: Queue, seats: int) -> rules_pb2.Ruleset:
    """Write what is played in a queue."""
    settings = [_setting(key, value) for key, value in queue.settings]
    return rules_pb2.Ruleset(preset=queue.preset, settings=settings, seats=seats)


def _setting(key: str, value: Value) -> rules_pb2.Setting:
    if isinstance(value, bool):
        return rules_pb2.Setting(id=key, flag=value)
    if isinstance(value, int):
        return rules_pb2.Setting(id=key, number=value)
    if isinstance(value, str):
        return rules_pb2.Setting(id=key, word=value)
    return rules_pb2.Setting(id=key, numbers=rules_pb2.Numbers(values=value))


def _format(queue: Queue) -> game_pb2.MatchFormat:
    return game_pb2.MatchFormat(rounds=queue.rounds, sets=queue.sets, games=queue.games)


def _clock(queue: Queue) -> game_pb2.Clock:
    return game_pb2.Clock(
        turn_seconds=queue.turn_seconds,
        choice_seconds=queue.choice_seconds,
        idle_seconds=queue.idle_seconds,
        bank_seconds=queue.bank_seconds,
        bank_each_game=queue.bank_each_game,
    )
