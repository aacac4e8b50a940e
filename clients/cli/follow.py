"""Follows a table and tells what happens: what spectators and players have in common, line by line or on a screen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Final

from clients.cli.console import Console
from clients.cli.sentences import Teller
from clients.common.errors import answered
from clients.common.session import Session
from clients.common.watch import Update, WatchEnded
from daifugo.v1 import game_pb2, view_pb2

OVER: Final = (view_pb2.TABLE_STATE_ENDED, view_pb2.TABLE_STATE_CLOSED)
Attend = Callable[[view_pb2.View], Awaitable[None]]
"""Sees every view: what a host does with a table."""


def timed_out(update: Update) -> set[int]:
    """Return the decisions that are closed without an answer of the seat, or of a stand-in, which is told otherwise."""
    closed = [event.decision_closed for event in update.events if event.HasField("decision_closed")]
    return {each.decision_id for each in closed if each.by != view_pb2.ANSWERED_BY_STAND_IN}


class Following:
    """Follows one match at a table to its end. Whoever derives from it says what is heard."""

    def __init__(self, session: Session, table_id: str, attend: Attend | None = None) -> None:
        self.session = session
        self.table_id = table_id
        self.attend = attend
        self.view = view_pb2.View()
        self.is_lost = False
        self.has_played = False

    async def follow(self) -> None:
        """Hear what happens until the match is over, or there is nothing more to see."""
        try:
            async with aclosing(self.session.watch(self.table_id)) as updates:
                async for update in updates:
                    await self.hear(update)
                    if self.has_played and self.view.state in OVER:
                        return
        except WatchEnded as end:
            self.note("superseded" if end.reason == game_pb2.GOING_AWAY_REASON_SUPERSEDED else "closed")

    async def hear(self, update: Update) -> None:
        """Take in one update."""
        self.view = update.view
        self.has_played = self.has_played or update.view.state == view_pb2.TABLE_STATE_RUNNING
        if update.lost != self.is_lost:
            self.is_lost = update.lost
            self.note("lost" if update.lost else "back")
        if update.missed:
            self.note("missed")
        if update.before is not None:
            self.tell(update.before, update.events)
        if self.attend is not None:
            await self.attend(update.view)

    @property
    def is_stood_in(self) -> bool:
        """Say whether a stand-in plays for the viewer."""
        return self.view.HasField("seat") and self.view.seats[self.view.seat].seat.stand_in != 0

    async def come_back(self) -> None:
        """Take the own seat back from a stand-in, if one plays."""
        if self.is_stood_in:
            request = game_pb2.SetSeatOptionsRequest(table_id=self.table_id, stand_in=False)
            await answered(self.session.game.SetSeatOptions(request))

    def note(self, key: str) -> None:
        """Say something about the connection, by the key of its text."""
        raise NotImplementedError

    def tell(self, before: view_pb2.View, events: list[view_pb2.Event]) -> None:
        """Say what happened after `before`."""
        raise NotImplementedError


class Follower(Following):
    """Tells one match at a table line by line."""

    def __init__(
        self, session: Session, table_id: str, console: Console, teller: Teller, attend: Attend | None = None
    ) -> None:
        super().__init__(session, table_id, attend)
        self.console = console
        self.teller = teller
        self.words = teller.words

    def note(self, key: str) -> None:
        self.console.say([self.words(key)])

    def tell(self, before: view_pb2.View, events: list[view_pb2.Event]) -> None:
        self.console.say(self.teller.tell(before, events))
