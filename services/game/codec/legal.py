"""What a seat may do now, and why not; read from the seat's own view only."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from google.protobuf.message import Message

from daifugo.v1 import game_pb2, view_pb2
from engine.actions import Action
from engine.legal import check, legal_moves
from engine.plays import ARITHMETIC, SINGLE
from engine.reasons import IllegalAction, Reason
from engine.view import View, view
from services.common.errors import Refused
from services.common.texts import TEXTS
from services.game.codec.actions import action_from, action_to
from services.game.decisions import check_open
from services.game.seats import seat_of
from services.game.table import Table

MOST_LISTED = 50_000
"""Where a listing of legal actions ends, however many more there are: finding a page takes time for all before it."""


def asked_view(table: Table, identity: str, decision: int) -> View:
    """Return the view of a caller's seat, if that decision is what it is asked now; or refuse."""
    seat = table.seat_shown(identity)
    if seat < 0:
        raise Refused("NOT_SEATED")
    check_open(table.shown, seat, decision)
    return view(table.shown.state, seat)


def legal_actions(v: View, kind: int, start: int, number: int) -> tuple[list[game_pb2.LegalAction], bool]:
    """List `number` legal actions from `start` on, of one kind or (0) of all; and say whether there are more."""
    wanted: Iterator[Action] = (move.action() for move in legal_moves(v, v.seat, v.hand, v.choice))
    if kind:
        wanted = (action for action in wanted if action.kind == kind)
    page = list(islice(wanted, start, start + number + 1))
    more = len(page) > number and start + number < MOST_LISTED
    return [game_pb2.LegalAction(action=action_to(action)) for action in page[:number]], more


def check_action(v: View, message: view_pb2.Action, locale: str) -> game_pb2.CheckActionResponse:
    """Say whether an action would be accepted, how it would count, and what speaks against it."""
    action = action_from(message)
    try:
        move = check(v, v.seat, v.hand, v.choice, action)
    except IllegalAction as illegal:
        return game_pb2.CheckActionResponse(refusal=_refusal(illegal, v, action, locale))
    return game_pb2.CheckActionResponse(legal=True, reading=action_to(move.action()))


def act(table: Table, identity: str, decision: int, action: Action) -> tuple[int, bool]:
    """Let a caller answer a decision; a refusal by the rules says everything that speaks against the action."""
    try:
        return table.act(identity, decision, action)
    except IllegalAction as illegal:
        reason, v = illegal, view(table.head.state, seat_of(table.head.seats, identity))

    def details(locale: str) -> Message:
        return _refusal(reason, v, action, locale)

    raise Refused(reason.reason.name, details=details)


def _refusal(illegal: IllegalAction, v: View, action: Action, locale: str) -> game_pb2.Refusal:
    violations = [
        game_pb2.Violation(reason="REASON_" + reason.name, text=TEXTS[reason.name].said(locale))
        for reason in illegal.reasons
    ]
    readings = _readings(v, action) if illegal.reason is Reason.DECLARATION_NEEDED else []
    return game_pb2.Refusal(violations=violations, readings=readings)


def _readings(v: View, action: Action) -> list[view_pb2.Action]:
    """List the plays that cards can be, one for each shape that is legal."""
    found = []
    for shape in range(SINGLE, ARITHMETIC + 1):
        try:
            declared = Action(action.kind, action.cards, shape, action.meanings)
            found.append(action_to(check(v, v.seat, v.hand, v.choice, declared).action()))
        except IllegalAction:
            continue
    return found
