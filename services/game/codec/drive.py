"""The messages of a drive: built from bytes that were written once for every viewer."""

from __future__ import annotations

from collections.abc import Iterable

from daifugo.v1 import drive_pb2, game_pb2
from engine.view import view
from services.common.auth import Caller
from services.common.errors import Refused, message_of
from services.common.times import duration_to
from services.game.codec.legal import legal_actions
from services.game.table import Table

MOST_ACTIONS = 200
"""How many legal actions come with a decision."""

LENGTH_DELIMITED = 2
RESULTS, PROBLEMS, UPDATES = (drive_pb2.DriveResponse.DESCRIPTOR.fields_by_name[n].number for n in
                              ("results", "problems", "updates"))  # fmt: skip
MESSAGES = drive_pb2.DriveUpdate.DESCRIPTOR.fields_by_name["messages"].number


def cursor_from(request: drive_pb2.Attach) -> tuple[int, int] | None:
    """Return the cursor that a seat is to go on from, as (epoch, version)."""
    return (request.after.epoch, request.after.version) if request.HasField("after") else None


def result_to(handle: int, decision: int, response: game_pb2.ActResponse) -> bytes:
    """Write that an action was taken."""
    result = drive_pb2.DriveResult(handle=handle, decision_id=decision, response=response)
    return _field(RESULTS, result.SerializeToString())


def problem_to(handle: int, decision: int, refused: Refused, who: Caller, detached: bool) -> bytes:
    """Write why something was refused."""
    problem = drive_pb2.DriveProblem(
        handle=handle,
        decision_id=decision,
        reason=f"REASON_{refused.reason}",
        text=message_of(refused, who.locale),
        detached=detached,
    )
    if refused.retry_seconds is not None:
        problem.retry_after.CopyFrom(duration_to(refused.retry_seconds))
    details = refused.details(who.locale) if refused.details is not None else None
    if isinstance(details, game_pb2.Refusal):
        problem.refusal.CopyFrom(details)
    return _field(PROBLEMS, problem.SerializeToString())


def update_to(handle: int, messages: Iterable[bytes], legal: drive_pb2.LegalActions | None) -> bytes:
    """Write news for a seat, of messages that are written already."""
    update = drive_pb2.DriveUpdate(handle=handle, legal=legal).SerializeToString()
    return _field(UPDATES, update + b"".join([_field(MESSAGES, message) for message in messages]))


def legal_to(table: Table, seat: int, decision: int) -> drive_pb2.LegalActions:
    """Write what a seat may do, from its own view."""
    actions, more = legal_actions(view(table.shown.state, seat), 0, 0, MOST_ACTIONS)
    return drive_pb2.LegalActions(decision_id=decision, actions=actions, more=more)


def _field(number: int, body: bytes) -> bytes:
    """Write a field that holds a message. Fields of one message are joined by joining their bytes."""
    return _varint(number << 3 | LENGTH_DELIMITED) + _varint(len(body)) + body


def _varint(value: int) -> bytes:
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    written.append(value)
    return bytes(written)
