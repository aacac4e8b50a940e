"""What a seat may do now, and why not; read from the seat's own view only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from google.protobuf.message import Message

from daifugo.v1 import game_pb2, view_pb2
from engine.actions import ANSWER, PASS, PASSING, PLAY, Action
from engine.cards import card_text, members
from engine.choices import CARD
from engine.foreseeing import foresee
from engine.legal import check, legal_moves
from engine.moves import Move
from engine.plays import ARITHMETIC, SINGLE
from engine.reasons import IllegalAction, Reason
from engine.view import View, view
from services.common.errors import FieldProblem, Refused
from services.common.texts import TEXTS
from services.game.codec.actions import CARDS, action_from, action_to
from services.game.codec.effects import effect_to
from services.game.decisions import check_open
from services.game.table import Table

MOST_LISTED = 20_000
"""How many moves are looked at for a listing, however many more there are: a page takes time for all before it."""

MOST_NAMED = 16
"""How many cards a sentence names."""


def asked_view(table: Table, identity: str, decision: int) -> View:
    """Return the view of a caller's seat, if that decision is what it is asked now; or refuse."""
    seat = table.seat_shown(identity)
    if seat < 0:
        raise Refused("NOT_SEATED")
    check_open(table.shown, seat, decision)
    return view(table.shown.state, seat)


def legal_actions(v: View, kind: int, start: int, number: int) -> tuple[list[game_pb2.LegalAction], bool]:
    """List `number` legal actions from `start` on, of one kind or (0) of all; and say whether there are more."""
    wanted = islice(moves_of(v, kind), MOST_LISTED)
    page = list(islice((move for move in wanted if kind in (0, move.kind)), start, start + number + 1))
    return [game_pb2.LegalAction(action=action_to(move.action())) for move in page[:number]], len(page) > number


def moves_of(v: View, kind: int) -> Iterator[Move]:
    """Iterate over legal moves with all of one kind, or (0) of any kind, among them.

    A kind that cannot occur is known without listing the others: there can be millions.
    """
    if v.choice is not None or kind == ANSWER:
        return legal_moves(v, v.seat, v.hand, v.choice) if v.choice is not None and kind in (0, ANSWER) else iter(())
    if kind == PASS:
        return passes(v)
    return legal_moves(v, v.seat, v.hand, None) if kind in (0, PLAY) else offers(v)


def passes(v: View) -> Iterator[Move]:
    """Iterate over the pass, if it is legal."""
    try:
        yield check(v, v.seat, v.hand, None, PASSING)
    except IllegalAction:
        return


def offers(v: View) -> Iterator[Move]:
    """Iterate over what rules offer besides plays."""
    if not v.window_seats and not v.passed >> v.seat & 1:
        for rule in v.in_force().offering:
            yield from [move for move in rule.offers(v, v.seat, v.hand) if move.kind != PLAY]


def check_action(v: View, message: view_pb2.Action, locale: str) -> game_pb2.CheckActionResponse:
    """Say whether an action would be accepted, how it would count, and what it would do or what speaks against it."""
    action = action_from(message)
    try:
        move = check(v, v.seat, v.hand, v.choice, action)
    except IllegalAction as illegal:
        return game_pb2.CheckActionResponse(refusal=_refusal(illegal, v, action, locale))
    seen = foresee(v, move)
    return game_pb2.CheckActionResponse(
        legal=True,
        reading=action_to(move.action()),
        would_fire=[effect_to(effect, v.seat, locale) for effect in seen.would],
        may_fire=[effect_to(effect, v.seat, locale) for effect in seen.may],
    )


def refused(illegal: IllegalAction, v: View, action: Action) -> Refused:
    """Return the refusal that the rules mean, with everything that speaks against an action."""

    def details(locale: str) -> Message:
        return _refusal(illegal, v, action, locale)

    cards = _cards_text(cards_against(illegal.reason, v, action))
    named = [FieldProblem("", f"（{cards}）", f"({cards})")] if cards else []
    return Refused(illegal.reason.name, fields=named, details=details)


def _refusal(illegal: IllegalAction, v: View, action: Action, locale: str) -> game_pb2.Refusal:
    violations = [_violation(*each, v, action, locale) for each in zip(illegal.reasons, illegal.rules)]
    readings = _readings(v, action) if illegal.reason is Reason.DECLARATION_NEEDED else []
    return game_pb2.Refusal(violations=violations, readings=readings)


def _violation(reason: Reason, rule: str, v: View, action: Action, locale: str) -> game_pb2.Violation:
    cards = cards_against(reason, v, action)
    text = TEXTS[reason.name].said(locale)
    if cards:
        text += f"（{_cards_text(cards)}）" if locale == "ja" else f" ({_cards_text(cards)})"
    return game_pb2.Violation(reason="REASON_" + reason.name, text=text, cards=cards, rule_id=rule)


def cards_against(reason: Reason, v: View, action: Action) -> list[int]:
    """Return the cards of an action that a reason is about: from what its seat has sent and what it holds only."""
    asked_for_cards = v.choice is not None and v.choice.of == CARD
    values = [value for value in action.values if 0 <= value < CARDS] if asked_for_cards else []
    if reason is Reason.NOT_IN_HAND:
        return members(action.cards & ~v.hand) or [card for card in values if not v.hand >> card & 1]
    if reason is Reason.NAMED_TWICE:
        return sorted([card for card, times in Counter(values).items() if times > 1])
    if reason is Reason.NOT_AN_OPTION and v.choice is not None:
        return [card for card in values if card not in v.choice.options]
    return []


def _cards_text(cards: list[int]) -> str:
    return " ".join([card_text(card) for card in cards[:MOST_NAMED]])


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
