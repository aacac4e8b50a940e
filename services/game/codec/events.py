"""What happened, as one seat may know it."""

from __future__ import annotations

from typing import Final, cast

from daifugo.v1 import cards_pb2, view_pb2
from engine import events as ev
from engine.cards import members
from engine.choices import HAND
from engine.events import OPEN, Event, redact
from services.common.times import duration_to, write_duration
from services.game.changes import GamesChanged, SeatChanged, TableChanged
from services.game.codec.actions import choice_to, play_to
from services.game.codec.views import (
    games_to,
    has_seat_suits,
    lock_to,
    note_to,
    seat_to,
    shuffle_to,
    standing_of,
    strength_to,
    title_of,
    write_asked,
    write_conduct,
    write_decision,
)
from services.game.frames import Told
from services.game.records import BY_AUTO_PASS, BY_CLOCK, BY_SEAT, BY_STAND_IN

ANSWERED_BY: Final = {
    BY_SEAT: view_pb2.ANSWERED_BY_SEAT,
    # what has no mark cannot be told from a pass of one's own
    BY_AUTO_PASS: view_pb2.ANSWERED_BY_SEAT,
    BY_CLOCK: view_pb2.ANSWERED_BY_CLOCK,
    BY_STAND_IN: view_pb2.ANSWERED_BY_STAND_IN,
}


def seeing_more(event: Event, shows_hands: bool = False) -> list[int]:
    """List the seats that may know more of an event than a spectator, and OPEN if spectators who see hands may."""
    if isinstance(event, ev.DecisionOpened):
        return [event.seat]
    if isinstance(event, ev.CardsMoved) and event.seen_by != ev.EVERYBODY:
        of_a_hand = HAND in (event.from_zone, event.to_zone)
        return [*members(event.seen_by), *([OPEN] if shows_hands and of_a_hand else [])]
    return []


def write_event(message: view_pb2.Event, event: Event, told: Told, seat: int, now: float) -> None:
    """Write an event as a seat may know it, or a spectator (-1, OPEN), into an empty message.

    Its index, its rule and its cause are left to the caller.
    """
    match event:
        case SeatChanged():
            changed = seat_to(event.seat, event.now, event.host, event.seat in told.connected)
            message.seat_changed.seat.CopyFrom(changed)
            if event.now.stand_in:
                write_conduct(message.seat_changed.conduct, told.conduct[event.seat])
        case TableChanged():
            message.table_changed.state = cast(view_pb2.TableState, event.phase)
            message.table_changed.games = games_to(event.games)
            message.table_changed.seats = event.seats
            message.table_changed.practice, message.table_changed.deal_number = event.practice, event.deal
            message.table_changed.shuffle.CopyFrom(shuffle_to(event.shuffle))
            message.table_changed.ruleset_hash = told.program.ruleset.hash
        case GamesChanged():
            message.games_changed.games = games_to(event.games)
        case _:
            _write_redacted(message, redact(event, seat), told, seat, now)


def _write_redacted(message: view_pb2.Event, event: Event, told: Told, seat: int, now: float) -> None:
    match event:
        case ev.DecisionOpened():
            opened = message.decision_opened
            write_asked_of(opened.asked, event, told)
            if seat != event.seat:
                opened.hidden = True
                return
            write_question(opened.decision, event, told)
            limit = told.limits.get(event.decision)
            if limit is not None:
                write_duration(opened.decision.remaining, limit.until - now)
        case ev.DecisionClosed():
            closed = message.decision_closed
            closed.seat, closed.decision_id = event.seat, event.decision
            _write_answered(closed, told)
        case ev.GameStarted():
            message.game_started.CopyFrom(_started(event, told))
        case ev.GameEnded():
            message.game_ended.CopyFrom(_ended(event, told))
        case ev.MatchEnded():
            message.match_ended.CopyFrom(_match_ended(event, told))
        case _:
            write_plain(message, event)


def write_plain(message: view_pb2.Event, event: Event) -> None:
    """Write an event that says everything itself."""
    match event:
        case ev.CardsMoved():
            _write_moved(message.cards_moved, event)
        case ev.TurnChanged():
            turn = message.turn_changed
            turn.seat, turn.starter = event.seat, event.starter
        case ev.Passed():
            passed = message.passed
            passed.seat, passed.locked_out, passed.in_window = event.seat, event.locked_out, event.in_window
        case ev.PassesCleared():
            message.passes_cleared.SetInParent()
        case ev.FieldFlushed():
            message.field_flushed.SetInParent()
        case ev.StrengthChanged():
            message.strength_changed.strength.CopyFrom(strength_to(event))
        case ev.LockChanged():
            message.lock_changed.SetInParent()
            message.lock_changed.locks.extend([lock_to(kind, list(suits)) for kind, suits in event.locks])
        case ev.Dealt():
            message.dealt.CopyFrom(
                view_pb2.Dealt(
                    dealer=event.dealer if event.dealer >= 0 else None,
                    order=event.order,
                    sizes=event.sizes,
                    blinds=event.blinds,
                    stock=event.stock,
                )
            )
        case ev.DirectionChanged(clockwise=clockwise):
            message.direction_changed.SetInParent()
            message.direction_changed.clockwise = clockwise
        case ev.SeatingChanged(seating=seating):
            message.seating_changed.seating.extend(seating)
        case ev.SeatsRest(rests=rests):
            message.seats_rest.SetInParent()
            message.seats_rest.rests.extend([view_pb2.Rest(seat=seat, turns=turns) for seat, turns in rests])
        case ev.Finished():
            message.finished.CopyFrom(
                view_pb2.Finished(seat=event.seat, place=event.place, foul=event.foul, foul_rule_ids=event.fouls)
            )
        case ev.Fell():
            message.fell.CopyFrom(view_pb2.Fell(seat=event.seat, place=event.place, defeated=event.defeated))
        case ev.PlaceMoved(seat=seat, place=place):
            message.place_moved.CopyFrom(view_pb2.PlaceMoved(seat=seat, place=place))
        case ev.NoteChanged(name=name, of=of, values=values):
            message.note_changed.note.CopyFrom(note_to(name, of, values))
        case ev.Revealed():
            message.revealed.zone = cast(cards_pb2.Zone, event.zone)
            message.revealed.cards.extend(members(event.cards))
            if event.seat >= 0:
                message.revealed.seat = event.seat
        case _:
            raise TypeError(f"no message for {type(event).__name__}")


def _write_moved(message: view_pb2.CardsMoved, event: ev.CardsMoved) -> None:
    message.from_zone = cast(cards_pb2.Zone, event.from_zone)
    message.to_zone = cast(cards_pb2.Zone, event.to_zone)
    message.count = event.count
    if event.from_seat >= 0:
        message.from_seat = event.from_seat
    if event.to_seat >= 0:
        message.to_seat = event.to_seat
    if event.cards is None:
        message.hidden = True
        return
    message.cards.extend(members(event.cards))
    if event.play is not None:
        message.play.CopyFrom(play_to(event.play))


def write_asked_of(message: view_pb2.Asked, event: ev.DecisionOpened, told: Told) -> None:
    """Write that a seat is asked something."""
    write_asked(message, event.seat, event.decision, event.kind, event.rules, told.limits.get(event.decision))


def write_question(message: view_pb2.Decision, event: ev.DecisionOpened, told: Told) -> None:
    """Write what a seat is asked, all but how much time is left."""
    limit = told.limits.get(event.decision)
    write_decision(message, event.decision, event.kind, event.rules, told.field_is_empty, limit)
    if event.choice is not None:
        message.choice.CopyFrom(choice_to(event.choice))


def _write_answered(message: view_pb2.DecisionClosed, told: Told) -> None:
    """Write who has answered, and what that has cost the seat."""
    if told.banks:
        write_duration(message.bank, told.banks[message.seat] / 1000)
    if told.answered is not None and told.answered[0] == message.decision_id:
        message.by = ANSWERED_BY[told.answered[1]]
        if message.by != view_pb2.ANSWERED_BY_SEAT:
            write_conduct(message.conduct, told.conduct[message.seat])


def _started(event: ev.GameStarted, told: Told) -> view_pb2.GameStarted:
    return view_pb2.GameStarted(
        game=event.game,
        set=event.set,
        round=event.round,
        seating=event.seating,
        previous=event.previous,
        spade_seat=event.spade_seat if has_seat_suits(told.program) else None,
        bank=duration_to(told.banks[0] / 1000) if len(set(told.banks)) == 1 else None,
    )


def _ended(event: ev.GameEnded, told: Told) -> view_pb2.GameEnded:
    assert told.public is not None
    return view_pb2.GameEnded(
        results=[
            view_pb2.GameResult(
                seat=seat,
                place=place + 1,
                title=title_of(told.program, place),
                points=event.points[seat],
                total=event.totals[seat],
                standing=standing_of(told.public, seat),
                drawn=seat in event.drawn,
            )
            for place, seat in enumerate(event.places)
        ]
    )


def _match_ended(event: ev.MatchEnded, told: Told) -> view_pb2.MatchEnded:
    order = sorted(range(len(event.ranks)), key=lambda seat: (event.ranks[seat], seat))
    ended = view_pb2.MatchEnded()
    for seat in order:
        result = ended.results.add(seat=seat, rank=event.ranks[seat], total=event.totals[seat])
        write_conduct(result.conduct, told.conduct[seat])
    return ended
