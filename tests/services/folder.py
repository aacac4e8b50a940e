"""Folds events into a view without knowing a single rule: what any client in any language can do."""

from __future__ import annotations

from typing import Any

from daifugo.v1 import cards_pb2, game_pb2, view_pb2

FRESH = ("hand", "field", "discard_pile", "locks", "notes", "places", "owner", "starter", "turn", "spade_seat")


class Folder:
    """A view that follows a stream."""

    def __init__(self) -> None:
        self.view = view_pb2.View()
        self.cursor = game_pb2.Cursor()
        self.batches = 0

    def take(self, message: game_pb2.WatchResponse) -> None:
        kind = message.WhichOneof("message")
        if kind == "snapshot":
            self.view.CopyFrom(message.snapshot.view)
            self.cursor.CopyFrom(message.snapshot.cursor)
        elif kind == "batches":
            for batch in message.batches.batches:
                self.fold(batch)
        elif message.notice.HasField("presence"):
            self.view.seats[message.notice.presence.seat].seat.connected = message.notice.presence.connected

    def fold(self, batch: game_pb2.Batch) -> None:
        assert batch.cursor.version == self.cursor.version + 1, "a version is missing"
        for index, event in enumerate(batch.events):
            assert event.index == index
            assert not event.HasField("because") or event.because < index
            name = str(event.WhichOneof("event"))
            getattr(self, name)(getattr(event, name))
        self.cursor.CopyFrom(batch.cursor)
        self.batches += 1

    def seat_changed(self, e: view_pb2.SeatChanged) -> None:
        self.view.seats[e.seat.index].seat.CopyFrom(e.seat)
        if e.HasField("conduct"):
            self.view.seats[e.seat.index].conduct.CopyFrom(e.conduct)

    def table_changed(self, e: view_pb2.TableChanged) -> None:
        self.view.state, self.view.ruleset_hash = e.state, e.ruleset_hash
        self.view.practice, self.view.deal_number = e.practice, e.deal_number
        self.view.shuffle.CopyFrom(e.shuffle)
        if e.state == view_pb2.TABLE_STATE_OPEN:
            v, left = self.view, [copy(seat.seat) for seat in self.view.seats][: e.seats]
            more = [view_pb2.Seat(index=n, kind=view_pb2.SEAT_KIND_OPEN) for n in range(len(left), e.seats)]
            self.view = view_pb2.View(table_id=v.table_id, state=v.state, ruleset_hash=v.ruleset_hash)
            self.view.shuffle.CopyFrom(e.shuffle)
            self.view.seats.extend([view_pb2.SeatView(seat=seat) for seat in [*left, *more]])
            if v.HasField("seat"):
                self.view.seat = v.seat
        if e.state == view_pb2.TABLE_STATE_RUNNING:
            self.view.games = e.games
            for seat in self.view.seats:
                seat.total = 0
                seat.ClearField("conduct")
                seat.ClearField("bank")

    def games_changed(self, e: view_pb2.GamesChanged) -> None:
        self.view.games = e.games

    def game_started(self, e: view_pb2.GameStarted) -> None:
        v = self.view
        for field in FRESH:
            v.ClearField(field)
        v.game, v.set, v.round, v.playing, v.clockwise, v.laid_away_count = e.game, e.set, e.round, True, True, 0
        v.strength.CopyFrom(view_pb2.Strength())
        put(v.seating, e.seating)
        put(v.previous, e.previous)
        if e.HasField("spade_seat"):
            v.spade_seat = e.spade_seat
        for seat in v.seats:
            title = seat.title if e.previous else view_pb2.TITLE_UNSPECIFIED
            kept = view_pb2.SeatView(seat=seat.seat, total=seat.total, title=title, standing=view_pb2.STANDING_IN)
            if e.HasField("bank") or seat.HasField("bank"):
                kept.bank.CopyFrom(e.bank if e.HasField("bank") else seat.bank)
            if seat.HasField("conduct"):
                kept.conduct.CopyFrom(seat.conduct)
            seat.CopyFrom(kept)

    def dealt(self, e: view_pb2.Dealt) -> None:
        self.view.blind_count, self.view.stock_count = e.blinds, e.stock

    def cards_moved(self, e: view_pb2.CardsMoved) -> None:
        v = self.view
        if e.from_zone == cards_pb2.ZONE_HAND:
            v.seats[e.from_seat].hand_count -= e.count
            put(v.seats[e.from_seat].hand, [card for card in v.seats[e.from_seat].hand if card not in e.cards])
            put(v.hand, [card for card in v.hand if card not in e.cards])
        elif e.from_zone == cards_pb2.ZONE_DISCARD_PILE:
            put(v.discard_pile, [card for card in v.discard_pile if card not in e.cards])
        elif e.from_zone == cards_pb2.ZONE_FIELD:
            v.ClearField("field")
        if e.to_zone == cards_pb2.ZONE_HAND:
            v.seats[e.to_seat].hand_count += e.count
            if v.hands_shown:
                v.seats[e.to_seat].hand.extend(e.cards)
            if v.HasField("seat") and v.seat == e.to_seat:
                v.hand.extend(e.cards)
        elif e.to_zone == cards_pb2.ZONE_FIELD:
            if e.HasField("to_seat"):
                v.owner = v.field[-1].seat = e.to_seat
                v.field[-1].play.CopyFrom(e.play)
            else:
                if not v.field:
                    v.starter = e.from_seat
                v.owner = e.from_seat
                v.field.add(seat=e.from_seat, play=e.play)
        elif e.to_zone == cards_pb2.ZONE_DISCARD_PILE:
            v.discard_pile.extend(e.cards)
        elif e.to_zone == cards_pb2.ZONE_LAID_AWAY:
            v.laid_away_count += e.count

    def passed(self, e: view_pb2.Passed) -> None:
        self.view.seats[e.seat].passed |= e.locked_out

    def field_flushed(self, e: view_pb2.FieldFlushed) -> None:
        self.view.ClearField("owner")
        self.view.ClearField("locks")
        for seat in self.view.seats:
            seat.passed, seat.rests = False, 0

    def strength_changed(self, e: view_pb2.StrengthChanged) -> None:
        self.view.strength.CopyFrom(e.strength)

    def lock_changed(self, e: view_pb2.LockChanged) -> None:
        put(self.view.locks, e.locks)

    def turn_changed(self, e: view_pb2.TurnChanged) -> None:
        self.view.turn = e.seat
        if e.starter:
            self.view.starter = e.seat

    def decision_opened(self, e: view_pb2.DecisionOpened) -> None:
        self.view.asked.append(e.asked)
        mine = self.view.HasField("seat") and e.asked.seat == self.view.seat
        assert mine != e.hidden
        if mine:
            self.view.decision.CopyFrom(e.decision)

    def decision_closed(self, e: view_pb2.DecisionClosed) -> None:
        put(self.view.asked, [asked for asked in self.view.asked if asked.decision_id != e.decision_id])
        if self.view.decision.id == e.decision_id:
            self.view.ClearField("decision")
        if e.HasField("bank"):
            self.view.seats[e.seat].bank.CopyFrom(e.bank)
        if e.HasField("conduct"):
            self.view.seats[e.seat].conduct.CopyFrom(e.conduct)

    def finished(self, e: view_pb2.Finished) -> None:
        seat = self.view.seats[e.seat]
        seat.place, seat.standing = e.place, view_pb2.STANDING_FOULED if e.foul else view_pb2.STANDING_FINISHED

    def fell(self, e: view_pb2.Fell) -> None:
        seat = self.view.seats[e.seat]
        seat.place, seat.standing = e.place, view_pb2.STANDING_DEFEATED if e.defeated else view_pb2.STANDING_FALLEN

    def place_moved(self, e: view_pb2.PlaceMoved) -> None:
        self.view.seats[e.seat].place = e.place

    def note_changed(self, e: view_pb2.NoteChanged) -> None:
        others = [note for note in self.view.notes if note.name != e.note.name]
        put(self.view.notes, [*others, e.note] if e.note.values else others)

    def game_ended(self, e: view_pb2.GameEnded) -> None:
        self.view.playing = False
        self.view.ClearField("turn")
        put(self.view.places, [result.seat for result in e.results])
        for r in e.results:
            seat = self.view.seats[r.seat]
            seat.place, seat.title, seat.total, seat.standing = r.place, r.title, r.total, r.standing

    def match_ended(self, e: view_pb2.MatchEnded) -> None:
        for r in e.results:
            assert self.view.seats[r.seat].total == r.total


def put(field: Any, values: Any) -> None:
    """Replace what a repeated field holds."""
    kept = [copy(value) for value in values]
    del field[:]
    field.extend(kept)


def copy(value: Any) -> Any:
    if isinstance(value, int):
        return value
    made = type(value)()
    made.CopyFrom(value)
    return made


def plain(view: view_pb2.View) -> view_pb2.View:
    """Return a view in which nothing depends on the order of sets or on the moment of sending."""
    v: view_pb2.View = copy(view)
    put(v.hand, sorted(v.hand))
    put(v.discard_pile, sorted(v.discard_pile))
    for each in v.seats:
        put(each.hand, sorted(each.hand))
    put(v.notes, sorted(v.notes, key=lambda note: note.name))
    if v.HasField("decision"):
        v.decision.ClearField("remaining")
    for seat in v.seats:
        seat.seat.connected = False  # told by notices, which have no version
    return v
