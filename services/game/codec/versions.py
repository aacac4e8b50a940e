"""A version as bytes: written once for all who see no more of it than a spectator, and for each of the other seats.

`events` says what each event looks like. The most frequent ones are put together here, and what is told the same
whenever it happens is remembered as it was written.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, cast

from daifugo.v1 import game_pb2, view_pb2
from engine import events as ev
from engine.events import Event, redact
from engine.plays import Play
from services.game.codec.events import seeing_more, write_asked_of, write_event, write_plain, write_question
from services.game.codec.wire import inside, number, tag_of, time
from services.game.eyes import BEHIND, OPEN
from services.game.frames import Frame, Told, Written
from services.game.records import BY_AUTO_PASS, BY_SEAT

BATCHES: Final = tag_of(game_pb2.WatchResponse, "batches")
BATCH: Final = tag_of(game_pb2.Batches, "batches")
CURSOR: Final = tag_of(game_pb2.Batch, "cursor")
EPOCH: Final = tag_of(game_pb2.Cursor, "epoch")
VERSION: Final = tag_of(game_pb2.Cursor, "version")
TIME: Final = tag_of(game_pb2.Batch, "time")
EVENTS: Final = tag_of(game_pb2.Batch, "events")
OPENED: Final = tag_of(view_pb2.Event, "decision_opened")
ASKED: Final = tag_of(view_pb2.DecisionOpened, "asked")
DECISION: Final = tag_of(view_pb2.DecisionOpened, "decision")
HIDDEN: Final = view_pb2.DecisionOpened(hidden=True).SerializeToString()
ASKED_ID: Final = tag_of(view_pb2.Asked, "decision_id")
ASKED_DEADLINE: Final = tag_of(view_pb2.Asked, "deadline")
ASKED_TURN: Final = view_pb2.Asked(kind=view_pb2.DECISION_KIND_TURN).SerializeToString()
DECISION_ID: Final = tag_of(view_pb2.Decision, "id")
DEADLINE: Final = tag_of(view_pb2.Decision, "deadline")
REMAINING: Final = tag_of(view_pb2.Decision, "remaining")
TURN: Final = tuple(
    [view_pb2.Decision(turn=view_pb2.Turn(starter=starter)).SerializeToString() for starter in (False, True)]
)
CLOSED: Final = tag_of(view_pb2.Event, "decision_closed")
CLOSED_ID: Final = tag_of(view_pb2.DecisionClosed, "decision_id")
BY_ITS_SEAT: Final = view_pb2.DecisionClosed(by=view_pb2.ANSWERED_BY_SEAT).SerializeToString()
WITHOUT_MARK: Final = {"": b"", BY_SEAT: BY_ITS_SEAT, BY_AUTO_PASS: BY_ITS_SEAT}
"""By who answered, or nobody: what is said of a decision that is closed, and that its seat is not counted for."""
SEAT: Final = tag_of(view_pb2.Asked, "seat")
"""Of an Asked and of a DecisionClosed."""
MOST_REMEMBERED: Final = 8192

PLAIN: Final[dict[type[Event], Callable[[Any], Any]]] = {
    ev.Passed: attrgetter("seat", "locked_out", "in_window"),
    ev.PassesCleared: lambda _: (),
    ev.FieldFlushed: lambda _: (),
    ev.TurnChanged: attrgetter("seat", "starter"),
    ev.NoteChanged: attrgetter("name", "of", "values"),
    ev.LockChanged: lambda event: (event.locks,),
    ev.StrengthChanged: attrgetter(
        *("revolution", "backs", "reversed", "reserved", "freeze"),
        *("from_ace", "joker_weakest", "joker_above_ten", "running"),
    ),
    ev.Finished: attrgetter("seat", "place", "foul", "fouls"),
}
"""What is told of frequent events: everybody may know it, and it says everything."""


class Question:
    """A question to a seat as that seat is told it: all but how much time is left."""

    __slots__ = ("asked", "decision", "head", "until")

    def __init__(self, head: bytes, asked: bytes, decision: bytes, until: float | None) -> None:
        self.head = head
        self.asked = asked
        self.decision = decision
        self.until = until
        """When its time is up, if a clock runs."""

    def at(self, now: float) -> bytes:
        """Write it as it is told now."""
        left = b"" if self.until is None else inside(REMAINING, time(max(0.0, self.until - now)))
        return inside(EVENTS, self.head + inside(OPENED, self.asked + inside(DECISION, self.decision + left)))


def as_seen(frame: Frame, seat: int, now: float) -> bytes:
    """Return a version as a message to a seat, or to the eyes of a spectator; the first who asks has it written."""
    written = frame.written
    if written is None:
        written = frame.written = _written(frame)
        frame.told = None
    own = written.own.get(OPEN if seat == BEHIND else seat)
    if own is None:
        return written.public
    return _message(written.head, [part if isinstance(part, bytes) else part.at(now) for part in own])


def _message(head: bytes, events: list[bytes]) -> bytes:
    return inside(BATCHES, inside(BATCH, head + b"".join(events)))


def _written(frame: Frame) -> Written:
    """Write a version for all who see no more of it than a spectator, and for each of the other seats."""
    told = frame.told
    assert told is not None
    public: list[bytes] = []
    more: dict[int, dict[int, bytes | Question]] = {}
    for index, event in enumerate(told.events):
        kind = type(event)
        said = PLAIN.get(kind)
        if said is not None:
            public.append(_plain(index, event.rule, event.because, cast(Hashable, kind), said(event)))
            continue
        head = _head(index, event.rule, event.because)
        if isinstance(event, ev.DecisionOpened):
            question = _question(head, event, told)
            public.append(inside(EVENTS, head + inside(OPENED, question.asked + HIDDEN)))
            more.setdefault(event.seat, {})[index] = question
            continue
        public.append(inside(EVENTS, head + _public(event, told)))
        for seat in seeing_more(event, told.shows_hands):
            more.setdefault(seat, {})[index] = inside(EVENTS, head + _shown_to(event, told, seat))
    head = inside(CURSOR, number(EPOCH, frame.epoch) + number(VERSION, frame.version)) + inside(TIME, time(frame.time))
    return Written(_message(head, public), head, {seat: _with(public, mine) for seat, mine in more.items()})


def _with(public: list[bytes], mine: dict[int, bytes | Question]) -> list[bytes | Question]:
    """Put what a seat sees more in the places of what everybody sees; what lies between is in one piece."""
    parts: list[bytes | Question] = []
    first = 0
    for index, part in mine.items():
        parts += (b"".join(public[first:index]), part)
        first = index + 1
    parts.append(b"".join(public[first:]))
    return parts


@lru_cache(maxsize=1024)
def _head(index: int, rule: str, because: int) -> bytes:
    """Write what stands in front of every event."""
    return view_pb2.Event(index=index, rule_id=rule, because=because if because >= 0 else None).SerializeToString()


@lru_cache(maxsize=MOST_REMEMBERED)
def _plain(index: int, rule: str, because: int, kind: Hashable, said: tuple[Any, ...]) -> bytes:
    """Write an event of a kind that everybody may know."""
    message = view_pb2.Event()
    write_plain(message, redact(cast(Callable[..., Event], kind)("", -1, *said), -1))
    return inside(EVENTS, _head(index, rule, because) + message.SerializeToString())


def _public(event: Event, told: Told) -> bytes:
    """Write an event as a spectator may know it."""
    if isinstance(event, ev.DecisionClosed) and not told.banks:
        by = told.answered[1] if told.answered is not None and told.answered[0] == event.decision else ""
        if by in WITHOUT_MARK:
            closed = number(SEAT, event.seat) + number(CLOSED_ID, event.decision)
            return inside(CLOSED, closed + WITHOUT_MARK[by])
    if isinstance(event, ev.CardsMoved) and event.seen_by == ev.EVERYBODY:
        play = event.play
        if play is None or not play.jokers:
            return _moved(
                *(event.from_zone, event.from_seat, event.to_zone, event.to_seat, event.count, event.cards), play
            )
    return _shown_to(event, told, -1)


@lru_cache(maxsize=MOST_REMEMBERED)
def _moved(
    from_zone: int, from_seat: int, to_zone: int, to_seat: int, count: int, cards: int | None, play: Play | None
) -> bytes:
    """Write that cards went where everybody saw them; a play of them has no joker, so that they say what it is."""
    message = view_pb2.Event()
    event = ev.CardsMoved("", -1, from_zone, from_seat, to_zone, to_seat, count, cards, ev.EVERYBODY, play)
    write_plain(message, redact(event, -1))
    return message.SerializeToString()


def _shown_to(event: Event, told: Told, seat: int) -> bytes:
    """Write an event as a seat may know it; a question would lack the time that is left."""
    message = view_pb2.Event()
    write_event(message, event, told, seat, 0.0)
    return message.SerializeToString()


def _question(head: bytes, event: ev.DecisionOpened, told: Told) -> Question:
    """Write that a seat is asked, and what."""
    limit = told.limits.get(event.decision)
    until = None if limit is None else limit.until
    if event.kind == ev.TURN and not event.rules and (limit is None or limit.bank is None):
        asked = number(SEAT, event.seat) + number(ASKED_ID, event.decision) + ASKED_TURN
        decision = number(DECISION_ID, event.decision) + TURN[told.field_is_empty]
        if until is not None:
            deadline = time(until)
            asked, decision = asked + inside(ASKED_DEADLINE, deadline), decision + inside(DEADLINE, deadline)
        return Question(head, inside(ASKED, asked), decision, until)
    opened = view_pb2.DecisionOpened()
    write_asked_of(opened.asked, event, told)
    write_question(opened.decision, event, told)
    return Question(head, inside(ASKED, opened.asked.SerializeToString()), opened.decision.SerializeToString(), until)
