"""The messages of a drive: built from bytes that were written once for every viewer."""

from __future__ import annotations

from collections.abc import Iterable

from daifugo.v1 import drive_pb2, game_pb2
from engine.view import view
from services.common.auth import Caller
from services.common.errors import Refused, message_of
from services.common.times import duration_to
from services.game.codec.legal import legal_actions
from services.game.codec.wire import inside, number, tag_of
from services.game.table import Table

MOST_ACTIONS = 200
"""How many legal actions come with a decision."""

RESULTS = tag_of(drive_pb2.DriveResponse, "results")
PROBLEMS = tag_of(drive_pb2.DriveResponse, "problems")
UPDATES = tag_of(drive_pb2.DriveResponse, "updates")
HANDLE = tag_of(drive_pb2.DriveUpdate, "handle")
"""Of everything that is said of a seat."""
DECISION = tag_of(drive_pb2.DriveResult, "decision_id")
RESPONSE = tag_of(drive_pb2.DriveResult, "response")
VERSION = tag_of(game_pb2.ActResponse, "version")
DURABLE = tag_of(game_pb2.ActResponse, "durable_version")
REPEATED = tag_of(game_pb2.ActResponse, "repeated")
LEGAL = tag_of(drive_pb2.DriveUpdate, "legal")
MESSAGES = tag_of(drive_pb2.DriveUpdate, "messages")


def cursor_from(request: drive_pb2.Attach) -> tuple[int, int] | None:
    """Return the cursor that a seat is to go on from, as (epoch, version)."""
    return (request.after.epoch, request.after.version) if request.HasField("after") else None


def result_to(handle: int, decision: int, version: int, durable: int, repeated: bool) -> bytes:
    """Write that an action was taken."""
    response = number(VERSION, version) + number(DURABLE, durable) + number(REPEATED, repeated)
    return inside(RESULTS, number(HANDLE, handle) + number(DECISION, decision) + inside(RESPONSE, response))


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
    return inside(PROBLEMS, problem.SerializeToString())


def update_to(handle: int, messages: Iterable[bytes], legal: drive_pb2.LegalActions | None) -> bytes:
    """Write news for a seat, of messages that are written already."""
    said = b"".join([inside(MESSAGES, message) for message in messages])
    allowed = b"" if legal is None else inside(LEGAL, legal.SerializeToString())
    return inside(UPDATES, number(HANDLE, handle) + said + allowed)


def legal_to(table: Table, seat: int, decision: int) -> drive_pb2.LegalActions:
    """Write what a seat may do, from its own view."""
    actions, more = legal_actions(view(table.shown.state, seat), 0, 0, MOST_ACTIONS)
    return drive_pb2.LegalActions(decision_id=decision, actions=actions, more=more)
