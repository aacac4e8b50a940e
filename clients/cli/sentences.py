"""Events as sentences: who did what, under which rule, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from clients.cli.people import People
from clients.cli.results import game_result, match_result
from clients.cli.rulebook import Rulebook
from clients.cli.texts import Words
from clients.common.cards import CardStyle
from clients.common.fold import fold
from daifugo.v1 import cards_pb2, view_pb2

HAND, FIELD, DISCARD = cards_pb2.ZONE_HAND, cards_pb2.ZONE_FIELD, cards_pb2.ZONE_DISCARD_PILE


class Teller:
    """Tells events to one viewer. With `verbose` it also tells what the next sentence says anyway."""

    def __init__(
        self,
        words: Words,
        book: Rulebook,
        style: CardStyle,
        verbose: bool = False,
        only: frozenset[str] | None = None,
    ) -> None:
        self.words = words
        self.book = book
        self.style = style
        self.verbose = verbose
        self.only = only
        """The kinds of events to tell; None tells all."""
        self.people = People(words)

    def tell(self, before: view_pb2.View, events: Iterable[view_pb2.Event]) -> list[str]:
        """Return the sentences for events that happened after `before`."""
        view = view_pb2.View()
        view.CopyFrom(before)
        lines: list[str] = []
        told = list(events)
        for at, event in enumerate(told):
            lines += self.caused(event, self.tell_one(view, event))
            asked = self._answered(view, event)
            fold(view, event)
            if asked is not None and not any(_follows(later, asked) for later in told[at + 1 :]):
                lines += self._chose_nothing(view, asked)
        return lines

    def caused(self, event: view_pb2.Event, lines: list[str]) -> list[str]:
        """Mark what a rule has made of the action: each sentence says which rule it was."""
        if not event.rule_id or not event.HasField("because") or event.WhichOneof("event") in OWN_SENTENCES:
            return lines
        name = self.rule(event)
        return [self.words("caused" if name in line else "caused.by", rule=name, line=line) for line in lines]

    def _answered(self, view: view_pb2.View, event: view_pb2.Event) -> view_pb2.Asked | None:
        """Return the choice that is decided by this, if it has been told that somebody is choosing.

        Where several choose at a time, their answers come into force with the last of them.
        """
        if not event.HasField("decision_closed") or (self.only is not None and "decision_opened" not in self.only):
            return None
        closed = event.decision_closed.decision_id
        choices = [asked for asked in view.asked if asked.kind == view_pb2.DECISION_KIND_CHOICE]
        if len(choices) != 1 or choices[0].decision_id != closed:
            return None
        asked = choices[0]
        is_own = view.HasField("seat") and view.seat == asked.seat
        return asked if self.verbose or not is_own else None

    def _chose_nothing(self, view: view_pb2.View, asked: view_pb2.Asked) -> list[str]:
        return self.say("chosen.nothing", view, asked.seat, rules=self.rules(asked.rule_ids))

    def tell_one(self, view: view_pb2.View, event: view_pb2.Event) -> list[str]:
        """Return the sentences for one event, `view` being as it was just before it."""
        kind = event.WhichOneof("event")
        if kind is None or (kind in QUIET and not self.verbose) or (self.only is not None and kind not in self.only):
            return []
        return SENTENCES[kind](self, view, event, getattr(event, kind))

    def say(self, key: str, view: view_pb2.View | None = None, seat: int | None = None, **places: object) -> list[str]:
        """Return one sentence, about a seat if one is given."""
        about = self.people.subject(view, seat) if view is not None and seat is not None else {}
        return [self.words(key, **about, **places)]

    def rule(self, event: view_pb2.Event) -> str:
        return self.book.name(event.rule_id, self.words)

    def rules(self, rule_ids: Iterable[str]) -> str:
        return self.book.names(rule_ids, self.words)

    def play(self, play: cards_pb2.Play) -> str:
        """Write a play, and its shape where the cards alone do not show it."""
        return self.style.play(play) + self.words.numbered("shape", play.shape)


def _follows(event: view_pb2.Event, asked: view_pb2.Asked) -> bool:
    """Whether an event comes of the answer to a choice."""
    if event.HasField("decision_closed"):
        return False
    is_of_rule = event.rule_id.partition(".")[0] in [rule.partition(".")[0] for rule in asked.rule_ids]
    moved = event.cards_moved
    return is_of_rule or (event.HasField("cards_moved") and moved.to_zone != FIELD and moved.from_seat == asked.seat)


def _seat_changed(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.SeatChanged) -> list[str]:
    before = v.seats[e.seat.index].seat
    if not e.seat.occupied:
        return t.say("seat_changed.open", number=e.seat.index + 1)
    if before.occupied and before.stand_in != e.seat.stand_in:
        return _stand_in(t, v, e.seat)
    now = view_pb2.View()
    now.CopyFrom(v)
    now.seats[e.seat.index].seat.CopyFrom(e.seat)
    if before.occupied and (before.display_name, before.bot) == (e.seat.display_name, e.seat.bot):
        return t.say("seat_changed.host", now, e.seat.index) if e.seat.host and not before.host else []
    return t.say("seat_changed.taken", now, e.seat.index, number=e.seat.index + 1)


def _stand_in(t: Teller, v: view_pb2.View, seat: view_pb2.Seat) -> list[str]:
    if not seat.stand_in:
        return t.say("stand_in.over", who=t.people.object(v, seat.index))
    if t.people.is_you(v, seat.index):
        return t.say("stand_in.you")
    key = f"stand_in.{seat.stand_in}"
    return t.say(key if key in t.words.texts else "stand_in.3", v, seat.index)


def _table_changed(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.TableChanged) -> list[str]:
    name = view_pb2.TableState.Name(e.state).removeprefix("TABLE_STATE_").lower()
    if e.state == view_pb2.TABLE_STATE_RUNNING and not e.games:
        name = "running.open"
    deal = t.say("practice" if e.practice else "deal_number", deal=e.deal_number) if e.deal_number else []
    return [*t.say(f"table_changed.{name}", games=e.games), *deal] if name != "unspecified" else []


def _games_changed(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.GamesChanged) -> list[str]:
    return t.say("games_changed", games=e.games)


def _game_started(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.GameStarted) -> list[str]:
    lines = t.say("game_started" if v.games else "game_started.open", game=e.game, games=v.games)
    if e.previous:
        titled = [f"{t.people.name(v, seat)} {t.words.numbered('title', v.seats[seat].title)}" for seat in e.previous]
        lines += t.say("game_started.titles", titles=t.words.listed(titled))
    return lines


def _dealt(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.Dealt) -> list[str]:
    return t.say("dealt", blinds=e.blinds)


def _cards_moved(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.CardsMoved) -> list[str]:
    path = (e.from_zone, e.to_zone)
    seat = e.from_seat if e.HasField("from_seat") else e.to_seat
    if e.to_zone == FIELD:
        key = "moved.countered" if event.rule_id else "moved.played"
        left = v.seats[seat].hand_count - e.count
        if e.HasField("to_seat"):
            cards = t.style.cards(e.cards)
            return t.say("moved.added", v, seat, cards=cards, play=t.play(e.play), left=left, rule=t.rule(event))
        return t.say(key, v, seat, cards=t.play(e.play), left=left, rule=t.rule(event))
    if path == (HAND, HAND):
        key = "moved.given.hidden" if e.hidden else "moved.given"
        taker = t.people.object(v, e.to_seat)
        cards = t.style.cards(e.cards)
        return t.say(key, v, seat, taker=taker, cards=cards, count=e.count, rule=t.rule(event))
    if path == (FIELD, DISCARD):
        return t.say("moved.flushed", count=e.count) if t.verbose else []
    if path == (cards_pb2.ZONE_DECK, HAND):
        is_own = v.HasField("seat") and v.seat == seat
        return t.say("moved.dealt", v, seat, count=e.count) if is_own or t.verbose else []
    if path in PATHS:
        return t.say(PATHS[path], v, seat, cards=t.style.cards(e.cards), count=e.count, rule=t.rule(event))
    from_zone, to_zone = t.words.numbered("zone", e.from_zone), t.words.numbered("zone", e.to_zone)
    return t.say("moved.other", count=e.count, from_zone=from_zone, to_zone=to_zone)


PATHS: Final = {
    (HAND, DISCARD): "moved.discarded",
    (DISCARD, HAND): "moved.retrieved",
    (HAND, cards_pb2.ZONE_LAID_AWAY): "moved.laid_away",
    (cards_pb2.ZONE_STOCK, HAND): "moved.drawn",
}
"""Sentences for cards that go from one zone to another."""


def _passed(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.Passed) -> list[str]:
    return t.say("passed.window" if e.in_window else "passed", v, e.seat)


def _passes_cleared(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.PassesCleared) -> list[str]:
    return t.say("passes_cleared")


def _field_flushed(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.FieldFlushed) -> list[str]:
    return t.say("field_flushed.rule", rule=t.rule(event)) if event.rule_id else t.say("field_flushed")


LASTING = ("from_ace", "joker_above_ten", "effects_stopped", "revolutions_frozen")
"""What stays changed in the strength of ranks until the game ends, most telling first."""


def _strength_changed(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.StrengthChanged) -> list[str]:
    now, before = e.strength, v.strength
    lasting = [name for name in LASTING if getattr(now, name) != getattr(before, name)]
    if lasting:
        return [line for name in lasting for line in t.say(f"strength.{name}", rule=t.rule(event))]
    if now.revolution != before.revolution:
        return t.say("strength.revolution" if now.revolution else "strength.counter")
    if now.reserved_revolutions > before.reserved_revolutions:
        return t.say("strength.reserved")
    if now.reversed != before.reversed:
        return t.say("strength.reversed" if now.reversed else "strength.normal", rule=t.rule(event))
    return t.say("strength.same") if t.verbose else []


def _lock_changed(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.LockChanged) -> list[str]:
    if not e.locks:
        return t.say("lock.over") if v.locks or t.verbose else []
    lines: list[str] = []
    for lock in e.locks:
        what = locked(t.words, lock, locked_suits(t.words, t.style, lock))
        lines += t.say("lock", what=what) if what else t.say("lock.other", rule=t.rule(event))
    return lines


def locked(words: Words, lock: view_pb2.Lock, suits: str) -> str:
    """Say what a lock demands, with its suits in some form; nothing for a kind that is not known."""
    if lock.kind == view_pb2.LOCK_KIND_COLOR:
        return words("lock.3.black" if lock.suits[0] else "lock.3.red")
    return words(f"lock.{lock.kind}", suits=suits) if lock.kind in range(1, view_pb2.LOCK_KIND_DOWN + 1) else ""


def locked_suits(words: Words, style: CardStyle, lock: view_pb2.Lock) -> str:
    """Name the suits of a lock, one as often as it is demanded."""
    return words.listed([style.suit(suit) for suit, number in enumerate(lock.suits) for _ in range(number)])


def _direction_changed(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.DirectionChanged) -> list[str]:
    return t.say("direction.clockwise" if e.clockwise else "direction.anticlockwise")


def _seating_changed(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.SeatingChanged) -> list[str]:
    return t.say("seating", names=t.people.names(v, e.seating))


def _seats_rest(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.SeatsRest) -> list[str]:
    names = t.people.names(v, [rest.seat for rest in e.rests if rest.turns])
    return t.say("rest", names=names) if names else t.say("rest.none")


def _turn_changed(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.TurnChanged) -> list[str]:
    if not e.HasField("seat"):
        return t.say("turn.nobody") if t.verbose else []
    if e.starter:
        return t.say("turn.starter", v, e.seat)
    return t.say("turn", v, e.seat) if t.verbose else []


def _decision_opened(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.DecisionOpened) -> list[str]:
    kind = view_pb2.DecisionKind.Name(e.asked.kind).removeprefix("DECISION_KIND_").lower()
    is_own = v.HasField("seat") and v.seat == e.asked.seat
    if kind == "unspecified" or (not t.verbose and (is_own or kind != "choice")):
        return []
    return t.say(f"asked.{kind}", v, e.asked.seat, rules=t.rules(e.asked.rule_ids))


def _decision_closed(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.DecisionClosed) -> list[str]:
    return t.say("decision_closed", v, e.seat)


def _finished(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.Finished) -> list[str]:
    return t.say("finished.foul" if e.foul else "finished", v, e.seat, place=e.place, rules=t.rules(e.foul_rule_ids))


def _fell(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.Fell) -> list[str]:
    return t.say("fell.defeated" if e.defeated else "fell", v, e.seat, place=e.place, rule=t.rule(event))


def _place_moved(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.PlaceMoved) -> list[str]:
    return t.say("place_moved", v, e.seat, place=e.place)


def _note_changed(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.NoteChanged) -> list[str]:
    rule = t.book.name(e.note.name, t.words)
    if not e.note.values:
        return t.say("note.gone", rule=rule) if t.verbose else []
    if e.note.of == view_pb2.Choice.OF_SEAT:
        values = t.people.names(v, [int(value) for value in e.note.values])
    elif e.note.of == view_pb2.Choice.OF_RANK:
        values = t.words.listed([t.style.rank(int(value)) for value in e.note.values])
    else:
        values = t.words.listed([str(value) for value in e.note.values])
    return t.say("note", rule=rule, values=values)


def _game_ended(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.GameEnded) -> list[str]:
    return game_result(t.words, t.people, v, e)


def _match_ended(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.MatchEnded) -> list[str]:
    return match_result(t.words, t.people, v, e)


def _revealed(t: Teller, v: view_pb2.View, event: view_pb2.Event, e: view_pb2.Revealed) -> list[str]:
    cards = t.style.cards(e.cards)
    if e.HasField("seat"):
        return t.say("revealed", v, e.seat, cards=cards)
    return t.say("revealed.zone", cards=cards, zone=t.words.numbered("zone", e.zone))


Sentence = Callable[[Teller, view_pb2.View, view_pb2.Event, Any], list[str]]

OWN_SENTENCES: Final = frozenset({"decision_opened", "game_ended", "match_ended"})
"""Events that are told for themselves, whatever rule they come from."""
QUIET: Final = frozenset({"passes_cleared", "decision_closed"})
"""Events that only a verbose teller tells."""

SENTENCES: Final[dict[str, Sentence]] = {
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
"""How each kind of event is told, by its name in the oneof of Event."""
