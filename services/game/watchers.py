"""The streams of one table: who is there, what all are told, and which have to end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from services.common.clocks import Timer
from services.game.desk import Desk
from services.game.eyes import BEHIND, PUBLIC, eyes
from services.game.frames import NOT_KEPT, Frame
from services.game.life import Life
from services.game.messages import DRAINING, EYES_CHANGED, SEAT_LOST, SUPERSEDED, Frames, Item, Presence
from services.game.seats import seat_of
from services.game.watcher import MOST_TOGETHER, Watcher

NONE: Final = frozenset[int]()
"""Python makes another one each time, and versions keep theirs."""

Key = tuple[str, int]
"""A caller, and the seat with whose eyes they see."""


class Watchers:
    """The streams of one table."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._all: list[Watcher] = []
        self._expected: dict[Key, Timer] = {}
        """Who has no stream open but will be back at once, and when that is given up."""
        self._draining = False
        self.on_came: Callable[[int], None] = lambda seat: None
        """Is called when a stream with the eyes of a seat opens, and when somebody begins to poll."""
        self.on_gone: Callable[[int], None] = lambda seat: None
        """Is called when such a seat has none left."""

    def __len__(self) -> int:
        return sum([watcher.is_stream for watcher in self._all])

    def connected(self, seat: int) -> bool:
        """Say whether a seat's occupant has a stream open, or is about to."""
        here = any(watcher.seat == seat and watcher.is_present for watcher in self._all)
        return here or any(seat == expected for _, expected in self._expected)

    def are_writing(self) -> bool:
        """Say whether a message is on its way on some stream."""
        return any(watcher.is_writing for watcher in self._all)

    def connected_seats(self) -> frozenset[int]:
        """Return the seats whose occupants have a stream open, or are about to."""
        here = [watcher.seat for watcher in self._all if watcher.seat >= 0 and watcher.is_present]
        return frozenset([*here, *[seat for _, seat in self._expected]]) if here or self._expected else NONE

    def add(self, watcher: Watcher) -> None:
        """Add a stream; an older one of the same caller and seat ends. The others are told who is there."""
        was = self.connected(watcher.seat)
        if watcher.is_stream:
            for other in self._all:
                if other.is_stream and _key(other) == _key(watcher):
                    other.leave(SUPERSEDED)
        self._expect_no_more(_key(watcher))
        if watcher.seat >= 0 and not was:
            self.tell(Presence(watcher.seat, True))
        self._all.append(watcher)
        if self._draining:
            watcher.leave(DRAINING)
        elif watcher.seat >= 0 and (watcher.is_stream or not was):
            self.on_came(watcher.seat)

    def remove(self, watcher: Watcher) -> None:
        """Remove a stream that has ended."""
        self._all.remove(watcher)
        if watcher.seat < 0:
            return
        if watcher.is_coming_back:
            self._expect(_key(watcher))
        elif not watcher.is_leaving:
            self._tell_if_gone(watcher.seat)

    def _expect(self, key: Key) -> None:
        """Let somebody count as being there until they are, for as long as a stream may be silent."""

        def give_up() -> None:
            del self._expected[key]
            self._tell_if_gone(key[1])

        self._expect_no_more(key)
        when = self._desk.clock.now() + self._desk.config.heartbeat_seconds
        self._expected[key] = self._desk.clock.call_at(when, give_up)

    def _expect_no_more(self, key: Key) -> None:
        timer = self._expected.pop(key, None)
        if timer is not None:
            timer.cancel()

    def _tell_if_gone(self, seat: int) -> None:
        if not self.connected(seat):
            self.tell(Presence(seat, False))
            self.on_gone(seat)

    def tell(self, item: Item) -> None:
        """Tell every stream of what happens as it happens."""
        for watcher in self._all:
            if watcher.seat != BEHIND:
                watcher.tell(item)

    def tell_behind(self, frames: Sequence[Frame] | None) -> None:
        """Tell those who see hands later of versions that are over; None: a snapshot has to come instead."""
        for watcher in self._all:
            if watcher.seat != BEHIND:
                continue
            if frames is None:
                watcher.resync(NOT_KEPT)
            for first in range(0, len(frames or ()), MOST_TOGETHER):
                watcher.tell(Frames(tuple((frames or ())[first : first + MOST_TOGETHER])))

    def resync(self, reason: str) -> None:
        """Send every stream a snapshot."""
        for watcher in self._all:
            watcher.resync(reason)

    def leave(self, reason: str) -> None:
        """End every stream."""
        for watcher in self._all:
            watcher.leave(reason)

    def drain(self) -> None:
        """End every stream, and those of calls that are still under way."""
        self._draining = True
        self.leave(DRAINING)

    def are_there(self, identities: Collection[str]) -> bool:
        """Say whether one of these callers has a stream open, or is about to."""
        here = any(watcher.identity in identities for watcher in self._all)
        return here or any(identity in identities for identity, _ in self._expected)

    def lose_eyes(self, life: Life) -> None:
        """End every stream on which its caller may not see any more what it shows."""
        for watcher in self._all:
            now = eyes(life, watcher.identity)
            if watcher.seat >= 0 and watcher.seat != now:
                watcher.leave(SEAT_LOST)
            elif watcher.seat < 0 and watcher.seat != now and (watcher.seat != PUBLIC or now < 0):
                # a spectator who has taken a seat may go on with less
                watcher.leave(EYES_CHANGED)
        for identity, seat in list(self._expected):
            if seat != seat_of(life.seats, identity):
                self._expect_no_more((identity, seat))


def _key(watcher: Watcher) -> Key:
    return watcher.identity, watcher.seat
