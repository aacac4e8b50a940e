"""What happened, as state changes with a cause: a client that knows no rule can fold them into the state.

Each event says which `rule` caused it ("" for the core) and `because`: the index, in the same batch, of the event
that it follows from (-1 for the first). Fields that not everybody may see are listed in `redact`, the one way out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engine.choices import HAND, Choice
from engine.plays import Play

EVERYBODY = -1
"""As `seen_by`: a bit set with every seat and the spectators in it."""
NOBODY = 0
OPEN: Final = -2
"""As a seat: a spectator who sees every hand, but no question to a seat, and nothing that lies face down."""


@dataclass
class Event:
    """Anything that happened at a table. Nobody changes one; to be frozen would make it cost three times as much."""

    rule: str = ""
    because: int = -1


@dataclass
class GameStarted(Event):
    """A game begins; `previous` are the seats of the last game of the round, best first, or none.

    `spade_seat` opens the first game of a round.
    """

    game: int = 0
    set: int = 0
    round: int = 0
    seating: tuple[int, ...] = ()
    previous: tuple[int, ...] = ()
    spade_seat: int = 0


@dataclass
class Dealt(Event):
    """Cards have been dealt by `dealer`; `order` are the seats as they received, `blinds` cards stay face down."""

    dealer: int = 0
    order: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()
    blinds: int = 0
    stock: int = 0


@dataclass
class CardsMoved(Event):
    """`count` cards went from one zone to another (zones of `choices.py`; seats are -1 where a zone has none).

    `cards` is None for viewers outside `seen_by`. A play is a move from a hand to the field and carries `play`.
    With a `to_seat` the cards have joined the play on top: `play` is what they are together, and whose that is now.
    """

    from_zone: int = 0
    from_seat: int = -1
    to_zone: int = 0
    to_seat: int = -1
    count: int = 0
    cards: int | None = None
    seen_by: int = EVERYBODY
    play: Play | None = None


@dataclass
class Passed(Event):
    """A seat passed; `locked_out` until the flush, `in_window` when it let a counter go by."""

    seat: int = 0
    locked_out: bool = False
    in_window: bool = False


@dataclass
class PassesCleared(Event):
    """The marks of seats that had passed are gone although the field stays."""


@dataclass
class FieldFlushed(Event):
    """The field went to the discard pile; marks of passes, rests and locks end. Rests that go on are told anew."""


@dataclass
class StrengthChanged(Event):
    """What makes the order of strength changed, or the order itself.

    The revolution flag, the number of temporary backs, whether ranks are reversed as it results; reserved
    revolutions, what is frozen (as in a state), whether ranks run A..K, and where a lone joker stands now. `running`
    are the backs, each as (rule, flushes left).
    """

    revolution: bool = False
    backs: int = 0
    reversed: bool = False
    reserved: int = 0
    freeze: int = 0
    from_ace: bool = False
    joker_weakest: bool = False
    joker_above_ten: bool = False
    running: tuple[tuple[str, int], ...] = ()


@dataclass
class LockChanged(Event):
    """The locks in force, each as (kind, suits) with suits counted by S, H, D, C; none when they ended."""

    locks: tuple[tuple[int, tuple[int, int, int, int]], ...] = ()


@dataclass
class DirectionChanged(Event):
    """The direction of play turned."""

    clockwise: bool = True


@dataclass
class SeatingChanged(Event):
    """Seats sit in a new order, listed clockwise."""

    seating: tuple[int, ...] = ()


@dataclass
class SeatsRest(Event):
    """These seats will be skipped, each as (seat, turns left to rest)."""

    rests: tuple[tuple[int, int], ...] = ()


@dataclass
class TurnChanged(Event):
    """It is this seat's turn; `starter` when it opens a trick."""

    seat: int = 0
    starter: bool = False


TURN: Final = 1
WINDOW: Final = 2
CHOICE: Final = 3
"""Kinds of decisions."""


@dataclass
class DecisionOpened(Event):
    """A seat has been asked; only that seat sees the `choice` itself."""

    seat: int = 0
    decision: int = 0
    kind: int = TURN
    rules: tuple[str, ...] = ()
    choice: Choice | None = None


@dataclass
class DecisionClosed(Event):
    """A seat is no longer asked: it has answered, or the question went away."""

    seat: int = 0
    decision: int = 0


@dataclass
class Finished(Event):
    """A seat has no cards left; `foul` for 反則上がり. `place` counts from 1 and may move until the game ends."""

    seat: int = 0
    place: int = 0
    foul: bool = False
    fouls: tuple[str, ...] = ()


@dataclass
class Fell(Event):
    """A seat fell from its title (都落ち) or was defeated: it is out with this place for now."""

    seat: int = 0
    place: int = 0
    defeated: bool = False


@dataclass
class PlaceMoved(Event):
    """A seat that is out has another place for now: a foul or a fall of somebody else went below or above it."""

    seat: int = 0
    place: int = 0


@dataclass
class NoteChanged(Event):
    """A public note of a rule changed: ranks, seats or numbers (`of`, as of a choice), none when it is gone."""

    name: str = ""
    of: int = 0
    values: tuple[int, ...] = ()


@dataclass
class GameEnded(Event):
    """The game is over: seats best first, their title numbers and points, totals so far.

    `drawn` lists seats that were placed by lot because the game had reached its limit of actions or of passes.
    """

    places: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()
    drawn: tuple[int, ...] = ()


@dataclass
class MatchEnded(Event):
    """The match is over: for each seat its rank by total points, from 1; equal ranks are shared."""

    ranks: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()


@dataclass
class Revealed(Event):
    """Cards became known to everybody although they stay where they are."""

    zone: int = 0
    seat: int = -1
    cards: int = 0


PUBLIC = (
    GameStarted,
    Dealt,
    Passed,
    PassesCleared,
    FieldFlushed,
    StrengthChanged,
    LockChanged,
    DirectionChanged,
    SeatingChanged,
    SeatsRest,
    TurnChanged,
    DecisionClosed,
    Finished,
    Fell,
    PlaceMoved,
    NoteChanged,
    GameEnded,
    MatchEnded,
    Revealed,
)
"""Events without anything to hide."""


def redact(event: Event, seat: int) -> Event:
    """Return what `seat` (-1: a spectator; OPEN) may know of an event: contents are emptied, events never left out.

    Only kinds of events named here get out at all; a new kind has to be put in its place first.
    """
    if isinstance(event, CardsMoved):
        if event.seen_by == EVERYBODY:
            return event
        of_a_hand = event.from_zone == HAND or event.to_zone == HAND
        sees = of_a_hand if seat == OPEN else seat >= 0 and event.seen_by >> seat & 1
        return replace(event, seen_by=NOBODY) if sees else replace(event, cards=None, play=None, seen_by=NOBODY)
    if isinstance(event, DecisionOpened):
        return event if event.seat == seat or event.choice is None else replace(event, choice=None)
    if isinstance(event, PUBLIC):
        return event
    raise TypeError(f"nobody has said who may see {type(event).__name__}")
