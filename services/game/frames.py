"""What one version told, kept for streams: shared by all viewers, and shown to each as far as it may see."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Protocol

from engine.events import Event, GameEnded
from engine.program import Program
from engine.view import View, view
from services.game.deadlines import Limit
from services.game.life import Life
from services.game.records import Acted, Conduct

NOT_KEPT: Final = "compacted"
OTHER_HISTORY: Final = "other_history"

UNCHANGED: Final[Mapping[str, int]] = {}


class Told:
    """What happened in one version, and what else is needed to tell it."""

    __slots__ = (
        *("answered", "banks", "conduct", "connected", "events", "field_is_empty", "limits", "program", "public"),
        "shows_hands",
    )

    def __init__(
        self,
        events: tuple[Event, ...],
        public: View | None,
        limits: Mapping[int, Limit],
        field_is_empty: bool,
        connected: frozenset[int],
        banks: tuple[int, ...],
        program: Program,
        conduct: tuple[Conduct, ...],
        answered: tuple[int, str] | None,
        shows_hands: bool = False,
    ) -> None:
        self.events = events
        self.public = public
        """What everybody may know after it, where an event needs that to be told."""
        self.limits = limits
        """The time of each decision that it opened."""
        self.field_is_empty = field_is_empty
        """Whether a turn that it opened begins a trick."""
        self.connected = connected
        """The seats with a stream open as it was shown, where an event needs that to be told."""
        self.banks = banks
        """How many milliseconds each seat's time bank holds after it; empty where there are none."""
        self.program = program
        """What was played by then."""
        self.conduct = conduct
        """How each seat has been played by then."""
        self.answered = answered
        """The decision that was answered, and by whom."""
        self.shows_hands = shows_hands
        """Whether there may be spectators who see every hand."""


def told_of(
    life: Life,
    events: tuple[Event, ...],
    limits: Mapping[int, Limit],
    connected: frozenset[int],
    acted: Acted | None,
    shows_hands: bool,
) -> Told:
    """Return what a version tells, which has led to this."""
    answered = (acted.decision, acted.by) if acted is not None else None
    public = public_for(life, events)
    is_empty = not life.state.trick
    return Told(
        events, public, limits, is_empty, connected, life.banks, life.program, life.conduct, answered, shows_hands
    )


class Part(Protocol):
    """What is written anew each time it is told."""

    def at(self, now: float) -> bytes:
        """Write it as it is told now."""
        ...


class Written:
    """One version as messages of a stream."""

    __slots__ = ("head", "own", "public")

    def __init__(self, public: bytes, head: bytes, own: Mapping[int, Sequence[bytes | Part]]) -> None:
        self.public = public
        """For all who see no more of it than a spectator."""
        self.head = head
        """What stands in front of the events of the others."""
        self.own = own
        """The events for each of the other seats."""


class Frame:
    """One version on its way to the streams: kept as it was told, and from its first reader on as it was written."""

    __slots__ = ("changed", "epoch", "time", "told", "version", "written")

    def __init__(
        self, epoch: int, version: int, time: float, told: Told, changed: Mapping[str, int] = UNCHANGED
    ) -> None:
        self.epoch = epoch
        self.version = version
        self.time = time
        self.changed = changed
        """Who sees with other eyes from it on, and with which until then: what they were told was told to those."""
        self.told: Told | None = told
        self.written: Written | None = None


def public_for(life: Life, events: tuple[Event, ...]) -> View | None:
    """Return the public view if one of these events cannot be told without it."""
    for event in events:
        if isinstance(event, GameEnded):
            return view(life.state, -1)
    return None


class Recent:
    """The last frames of a table, and where each run of its history ended."""

    def __init__(self, most: int) -> None:
        self._frames: deque[Frame] = deque(maxlen=most)
        self._ends: dict[int, int] = {}
        """The last version of each epoch."""
        self._first = 0
        """No stream can go on from a cursor of an earlier epoch."""

    def add(self, frame: Frame) -> None:
        """Keep a frame; the oldest one goes."""
        self._frames.append(frame)
        self._ends[frame.epoch] = frame.version

    def reached(self, epoch: int, version: int) -> None:
        """Take note that a run of the history has got as far as this."""
        self._ends[epoch] = version

    @property
    def runs(self) -> Mapping[int, int]:
        """The last version of each epoch."""
        return self._ends

    def begin(self, epoch: int) -> None:
        """Take note that what was told before an epoch does not hold any more, such as deadlines."""
        self._first = epoch

    def after(self, epoch: int, version: int) -> Iterator[Frame] | str:
        """Return the frames after a cursor, or why the stream cannot go on from there."""
        if epoch not in self._ends or version > self._ends[epoch]:
            return OTHER_HISTORY
        last = max(self._ends.values())
        if epoch < self._first:
            return NOT_KEPT
        if version < last and (not self._frames or self._frames[0].version > version + 1):
            return NOT_KEPT
        return iter([frame for frame in self._frames if frame.version > version])
