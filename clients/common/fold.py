"""Folds events into a view, without knowing any rule of the game.

A client takes the View of a snapshot and applies each Event to it; the result is the view that the server would send.
A watch asks for a snapshot instead of an event kind that is not here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from clients.common.cards import weakest_first
from daifugo.v1 import cards_pb2, view_pb2


def fold(view: view_pb2.View, event: view_pb2.Event) -> None:
    """Change the view as the event says."""
    kind = event.WhichOneof("event")
    if kind is None:
        raise ValueError("this event is newer than its reader")
    FOLDS[kind](view, getattr(event, kind))


def _seat_changed(view: view_pb2.View, e: view_pb2.SeatChanged) -> None:
    view.seats[e.seat.index].seat.CopyFrom(e.seat)
    if e.HasField("conduct"):
        view.seats[e.seat.index].conduct.CopyFrom(e.conduct)


def _table_changed(view: view_pb2.View, e: view_pb2.TableChanged) -> None:
    view.state, view.ruleset_hash = e.state, e.ruleset_hash
    view.practice, view.deal_number = e.practice, e.deal_number
    view.shuffle.CopyFrom(e.shuffle)
    if e.state == view_pb2.TABLE_STATE_OPEN:
        _lay_anew(view, e.seats)
    if e.state == view_pb2.TABLE_STATE_RUNNING:
        view.games = e.games
        view.ClearField("notes")
        for seat in view.seats:
            seat.total = 0
            seat.ClearField("conduct")
            seat.ClearField("bank")


def _lay_anew(view: view_pb2.View, seats: int) -> None:
    """Take the last match off the table, which may have another number of seats now."""
    fresh = view_pb2.View(table_id=view.table_id, state=view.state, ruleset_hash=view.ruleset_hash)
    fresh.shuffle.CopyFrom(view.shuffle)
    for number in range(seats):
        known = number < len(view.seats)
        seat = view.seats[number].seat if known else view_pb2.Seat(index=number, kind=view_pb2.SEAT_KIND_OPEN)
        fresh.seats.add(seat=seat)
    if view.HasField("seat"):
        fresh.seat = view.seat
    view.CopyFrom(fresh)


def _games_changed(view: view_pb2.View, e: view_pb2.GamesChanged) -> None:
    view.games = e.games


def _game_started(view: view_pb2.View, e: view_pb2.GameStarted) -> None:
    view.game, view.set, view.round = e.game, e.set, e.round
    view.playing, view.clockwise, view.laid_away_count = True, True, 0
    for gone in ("hand", "field", "discard_pile", "locks", "places", "owner", "starter", "turn"):
        view.ClearField(gone)
    view.strength.CopyFrom(view_pb2.Strength())
    _replace(view.seating, e.seating)
    _replace(view.previous, e.previous)
    view.ClearField("spade_seat")
    if e.HasField("spade_seat"):
        view.spade_seat = e.spade_seat
    for seat in view.seats:
        seat.hand_count, seat.standing, seat.passed, seat.rests = 0, view_pb2.STANDING_IN, False, 0
        seat.ClearField("revealed")
        seat.ClearField("hand")
        seat.ClearField("place")
        if e.HasField("bank"):
            seat.bank.CopyFrom(e.bank)
        if not e.previous:
            seat.title = view_pb2.TITLE_UNSPECIFIED


def _dealt(view: view_pb2.View, e: view_pb2.Dealt) -> None:
    view.blind_count, view.stock_count = e.blinds, e.stock


def _cards_moved(view: view_pb2.View, e: view_pb2.CardsMoved) -> None:
    _take(view, e)
    _put(view, e)


def _take(view: view_pb2.View, e: view_pb2.CardsMoved) -> None:
    zone = e.from_zone
    if zone == cards_pb2.ZONE_HAND:
        holder = view.seats[e.from_seat]
        holder.hand_count -= e.count
        _replace(holder.revealed, [c for c in holder.revealed if c not in e.cards])
        _set_hand(view, [c for c in view.hand if c not in e.cards])
        _replace(holder.hand, [c for c in holder.hand if c not in e.cards])
    elif zone == cards_pb2.ZONE_FIELD:
        left = [placed for placed in view.field if not set(placed.play.cards) <= set(e.cards)]
        _replace(view.field, left)
        if left:
            view.owner = left[-1].seat
    elif zone == cards_pb2.ZONE_DISCARD_PILE:
        _replace(view.discard_pile, [c for c in view.discard_pile if c not in e.cards])
    else:
        _count(view, zone, -e.count)


def _put(view: view_pb2.View, e: view_pb2.CardsMoved) -> None:
    zone = e.to_zone
    if zone == cards_pb2.ZONE_HAND:
        view.seats[e.to_seat].hand_count += e.count
        if view.hands_shown:
            shown = view.seats[e.to_seat].hand
            _replace(shown, weakest_first([*shown, *e.cards], view.strength.reversed))
        if view.HasField("seat") and view.seat == e.to_seat:
            _set_hand(view, [*view.hand, *e.cards])
    elif zone == cards_pb2.ZONE_FIELD:
        owner = e.from_seat
        if e.HasField("to_seat"):
            owner = e.to_seat
            del view.field[-1]
        elif not view.field:
            view.starter = owner
        view.field.add(seat=owner, play=e.play)
        view.owner = owner
    elif zone == cards_pb2.ZONE_DISCARD_PILE:
        _replace(view.discard_pile, sorted([*view.discard_pile, *e.cards]))
    else:
        _count(view, zone, e.count)


def _count(view: view_pb2.View, zone: int, change: int) -> None:
    if zone == cards_pb2.ZONE_STOCK:
        view.stock_count += change
    elif zone == cards_pb2.ZONE_BLIND:
        view.blind_count += change
    elif zone == cards_pb2.ZONE_LAID_AWAY:
        view.laid_away_count += change


def _set_hand(view: view_pb2.View, cards: Iterable[int]) -> None:
    _replace(view.hand, weakest_first(cards, view.strength.reversed))


def _passed(view: view_pb2.View, e: view_pb2.Passed) -> None:
    if e.locked_out:
        view.seats[e.seat].passed = True


def _passes_cleared(view: view_pb2.View, e: view_pb2.PassesCleared) -> None:
    for seat in view.seats:
        seat.passed = False


def _field_flushed(view: view_pb2.View, e: view_pb2.FieldFlushed) -> None:
    view.ClearField("field")
    view.ClearField("owner")
    view.ClearField("locks")
    for seat in view.seats:
        seat.passed, seat.rests = False, 0


def _strength_changed(view: view_pb2.View, e: view_pb2.StrengthChanged) -> None:
    view.strength.CopyFrom(e.strength)
    _set_hand(view, list(view.hand))
    for seat in view.seats:
        _replace(seat.hand, weakest_first(list(seat.hand), view.strength.reversed))


def _lock_changed(view: view_pb2.View, e: view_pb2.LockChanged) -> None:
    _replace(view.locks, e.locks)


def _direction_changed(view: view_pb2.View, e: view_pb2.DirectionChanged) -> None:
    view.clockwise = e.clockwise


def _seating_changed(view: view_pb2.View, e: view_pb2.SeatingChanged) -> None:
    _replace(view.seating, e.seating)


def _seats_rest(view: view_pb2.View, e: view_pb2.SeatsRest) -> None:
    rests = {rest.seat: rest.turns for rest in e.rests}
    for index, seat in enumerate(view.seats):
        seat.rests = rests.get(index, 0)


def _turn_changed(view: view_pb2.View, e: view_pb2.TurnChanged) -> None:
    view.ClearField("turn")
    if e.HasField("seat"):
        view.turn = e.seat
        if e.starter:
            view.starter = e.seat


def _decision_opened(view: view_pb2.View, e: view_pb2.DecisionOpened) -> None:
    view.asked.append(e.asked)
    if view.HasField("seat") and e.asked.seat == view.seat:
        view.decision.CopyFrom(e.decision)


def _decision_closed(view: view_pb2.View, e: view_pb2.DecisionClosed) -> None:
    _replace(view.asked, [asked for asked in view.asked if asked.decision_id != e.decision_id])
    if view.decision.id == e.decision_id:
        view.ClearField("decision")
    if e.HasField("bank"):
        view.seats[e.seat].bank.CopyFrom(e.bank)
    if e.HasField("conduct"):
        view.seats[e.seat].conduct.CopyFrom(e.conduct)


def _finished(view: view_pb2.View, e: view_pb2.Finished) -> None:
    seat = view.seats[e.seat]
    seat.standing = view_pb2.STANDING_FOULED if e.foul else view_pb2.STANDING_FINISHED
    seat.place = e.place


def _fell(view: view_pb2.View, e: view_pb2.Fell) -> None:
    seat = view.seats[e.seat]
    seat.standing = view_pb2.STANDING_DEFEATED if e.defeated else view_pb2.STANDING_FALLEN
    seat.place = e.place


def _place_moved(view: view_pb2.View, e: view_pb2.PlaceMoved) -> None:
    view.seats[e.seat].place = e.place


def _note_changed(view: view_pb2.View, e: view_pb2.NoteChanged) -> None:
    notes = {note.name: note for note in view.notes}
    notes[e.note.name] = e.note
    _replace(view.notes, [note for note in notes.values() if note.values])


def _game_ended(view: view_pb2.View, e: view_pb2.GameEnded) -> None:
    view.playing = False
    view.ClearField("turn")
    _replace(view.places, [result.seat for result in e.results])
    for result in e.results:
        seat = view.seats[result.seat]
        seat.place, seat.title, seat.total, seat.standing = result.place, result.title, result.total, result.standing


def _match_ended(view: view_pb2.View, e: view_pb2.MatchEnded) -> None:
    for result in e.results:
        view.seats[result.seat].total = result.total


def _revealed(view: view_pb2.View, e: view_pb2.Revealed) -> None:
    if e.HasField("seat"):
        holder = view.seats[e.seat]
        _replace(holder.revealed, sorted({*holder.revealed, *e.cards}))


def _replace(field: Any, values: Iterable[Any]) -> None:
    """Put values in place of what a repeated field holds; they may come from that field."""
    kept = [_copy(value) for value in values]
    del field[:]
    field.extend(kept)


def _copy(value: Any) -> Any:
    if not hasattr(value, "CopyFrom"):
        return value
    copy = type(value)()
    copy.CopyFrom(value)
    return copy


FOLDS: Final[dict[str, Callable[[view_pb2.View, Any], None]]] = {
    "seat_changed": _seat_changed,
    "table_changed": _table_changed,
    "games_changed": _games_changed,
    "game_started": _game_started,
    "dealt": _dealt,
    "cards_moved": _cards_moved,
    "passed": _passed,
    "passes_cleared": _passes_cleared,
    "field_flushed": _field_flushed,
    "strength_changed": _strength_changed,
    "lock_changed": _lock_changed,
    "direction_changed": _direction_changed,
    "seating_changed": _seating_changed,
    "seats_rest": _seats_rest,
    "turn_changed": _turn_changed,
    "decision_opened": _decision_opened,
    "decision_closed": _decision_closed,
    "finished": _finished,
    "fell": _fell,
    "place_moved": _place_moved,
    "note_changed": _note_changed,
    "game_ended": _game_ended,
    "match_ended": _match_ended,
    "revealed": _revealed,
}
"""What each kind of event does to a view, by its name in the oneof of Event."""
