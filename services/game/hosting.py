"""What a host does at a table. Each returns the version that it made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from services.common.errors import Refused, malformed
from services.game.cycle import check_caller, check_state
from services.game.house import house_bot
from services.game.life import Life
from services.game.records import (
    Answer,
    CodeRenewed,
    HostChanged,
    Occupant,
    SeatKicked,
    SeatSet,
    SeatsSwapped,
    SeatTaken,
    Settings,
    Shortened,
    Updated,
)
from services.game.seats import existing, next_host, seat_of
from services.game.table import Table


def set_seat(table: Table, identity: str, number: int, kind: int, policy: str = "") -> int:
    """Say who a seat is for; with a policy a bot of the service gets it, and without one it goes."""
    head = _may_at(table, "SetSeat", identity, number)
    seat = replace(head.seats[number], kind=kind)
    if policy:
        return _seat_bot(table, head, number, kind, policy)
    if seat.policy:
        return table.accept(SeatSet(number, kind, True, head.host))
    if seat.occupant is not None and not seat.takes(seat.occupant.bot):
        raise Refused("SEAT_TAKEN")
    return table.accept(SeatSet(number, kind))


def _seat_bot(table: Table, head: Life, number: int, kind: int, policy: str) -> int:
    """Let a bot of the service have a seat."""
    seat = replace(head.seats[number], kind=kind)
    if seat.is_visited:
        raise Refused("SEAT_TAKEN")
    if seat.is_kept:
        raise Refused("SEAT_RESERVED_FOR_ANOTHER")
    if not seat.takes(bot=True):
        raise Refused("SEAT_RESERVED")
    table.accept(SeatSet(number, kind, bool(seat.policy), head.host))
    return table.accept(SeatTaken(number, house_bot(policy, number)))


def kick(table: Table, identity: str, number: int, for_good: bool, code: str, answer: Answer) -> int:
    """Take somebody's seat away, and let a new code lead here."""
    head = _may_at(table, "KickSeat", identity, number)
    _occupant(head, number)
    return table.accept(SeatKicked(number, next_host(head.seats, number, head.host), code, for_good), answer)


def move(table: Table, identity: str, number: int, other: int, answer: Answer) -> int:
    """Let whoever has a seat change places; with somebody else only if the host says so."""
    head = table.head
    check_caller("MoveSeat", head, identity)
    seat, target = head.seats[existing(head.seats, number)], head.seats[existing(head.seats, other)]
    if identity != head.host and seat_of(head.seats, identity) != number:
        raise Refused("NOT_HOST")
    check_state("MoveSeat", head)
    who = _occupant(head, number)
    if target.is_kept:
        raise Refused("SEAT_RESERVED_FOR_ANOTHER")
    if target.occupant is not None and identity != head.host:
        raise Refused("SEAT_TAKEN")
    if not target.takes(who.bot) or not (target.occupant is None or seat.takes(target.occupant.bot)):
        raise Refused("SEAT_RESERVED")
    return table.accept(SeatsSwapped(number, other), answer)


def transfer_host(table: Table, identity: str, number: int, answer: Answer) -> int:
    """Make somebody who has a seat the host."""
    head = _may_at(table, "TransferHost", identity, number)
    occupant = _occupant(head, number)
    if occupant.policy:
        raise malformed("seat", "サービスのボットはホストになれません。", "A bot of the service cannot be host.")
    return table.accept(HostChanged(occupant.identity), answer)


def update(table: Table, identity: str, change: Callable[[Settings], Settings], answer: Answer) -> int:
    """Let the next match be played by something else."""
    head = table.may("UpdateTable", identity)
    settings = change(head.settings)
    gone = [str(n) for n, seat in enumerate(head.seats) if n >= settings.seats and (seat.occupant or seat.is_kept)]
    if gone:
        raise Refused("SEAT_TAKEN", metadata={"seats": ",".join(gone)})
    return table.accept(Updated(settings), answer)


def end_match(table: Table, identity: str, answer: Answer) -> int:
    """End the match with the game that is being played, or at once between two games."""
    table.may("EndMatch", identity)
    return table.accept(Shortened(), answer)


def renew_code(table: Table, identity: str, code: str, answer: Answer) -> int:
    """Let in whoever has a new code, and nobody any more who has but the one before."""
    table.may("RenewInviteCode", identity)
    return table.accept(CodeRenewed(code), answer)


def _may_at(table: Table, event: str, identity: str, number: int) -> Life:
    """Return the head, if a caller may do this now at a seat that there is."""
    head = table.head
    check_caller(event, head, identity)
    existing(head.seats, number)
    check_state(event, head)
    return head


def _occupant(head: Life, number: int) -> Occupant:
    occupant = head.seats[number].occupant
    if occupant is None:
        raise Refused("SEAT_FREE")
    return occupant
