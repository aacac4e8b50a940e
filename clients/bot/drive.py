"""Bots at many seats of many tables, all on one stream."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import grpc

from clients.bot.bot import OVER, STALE
from clients.bot.policy import Policy
from clients.common.errors import Refused, refused
from clients.common.identity import Credentials
from clients.common.session import FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS, Session
from clients.common.watch import SILENCE_SECONDS, Watch
from daifugo.v1 import drive_pb2, drive_pb2_grpc, rules_pb2, view_pb2

ATTACHED_AT_ONCE: Final = 200
"""How many seats one message attaches."""


Call = grpc.aio.StreamStreamCall[drive_pb2.DriveRequest, drive_pb2.DriveResponse]


@dataclass
class Seat:
    """A seat that is driven until its match is over."""

    table_id: str
    token: Credentials
    """Who has the seat; they have sat down before."""
    policy: Policy
    watch: Watch = field(init=False)
    answered: int = 0
    """The decision that was answered last."""
    legal: drive_pb2.LegalActions = field(default_factory=drive_pb2.LegalActions)
    has_played: bool = False
    is_over: bool = False

    def __post_init__(self) -> None:
        self.watch = Watch(self.table_id)

    def take(self, update: drive_pb2.DriveUpdate) -> None:
        """Let news change what the seat knows."""
        for message in update.messages:
            for _ in self.watch.take(message):
                pass
        if update.HasField("legal"):
            self.legal = update.legal
        if self.watch.view is not None:
            self.has_played |= self.watch.view.state == view_pb2.TABLE_STATE_RUNNING
            self.is_over = self.has_played and self.watch.view.state in OVER

    async def decide(self) -> view_pb2.Action | None:
        """Answer the open decision, if there is one that has not been answered."""
        view = self.watch.view
        if view is None or not view.HasField("decision") or view.decision.id in (self.answered, 0):
            return None
        pages = iter([[each.action for each in self.legal.actions]])

        async def legal() -> list[view_pb2.Action]:
            return next(pages, [])

        action = await self.policy.decide(view, legal)
        self.answered = view.decision.id
        return action


class Drive:
    """Plays seats by one stream, which is made again whenever it breaks. Raises Refused if a seat cannot be driven."""

    def __init__(self, session: Session, seats: Mapping[int, Seat], *, patience_seconds: float = 60.0) -> None:
        self.session = session
        self.seats = dict(seats)
        self.patience_seconds = patience_seconds
        self.cuts = 0
        """How often the stream broke."""
        self._call: Call | None = None

    def open(self) -> Iterator[tuple[int, Seat]]:
        """Iterate over the seats whose matches are not over."""
        return ((handle, seat) for handle, seat in self.seats.items() if not seat.is_over)

    async def play(self) -> None:
        """Play until every match is over."""
        loop = asyncio.get_running_loop()
        wait, reached = FIRST_WAIT_SECONDS, loop.time()
        while any(self.open()):
            try:
                async for _ in self._follow():
                    wait, reached = FIRST_WAIT_SECONDS, loop.time()
            except grpc.aio.AioRpcError as error:
                problem = refused(error)
                if not problem.is_transient or loop.time() - reached > self.patience_seconds:
                    raise problem from None
            except TimeoutError:
                pass
            if any(self.open()):
                self.cuts += 1
                await asyncio.sleep(random.uniform(wait / 2, wait))
                wait = min(wait * 2, LONGEST_WAIT_SECONDS)

    def cut(self) -> None:
        """Break the stream off, as a network may."""
        if self._call is not None:
            self._call.cancel()

    async def _follow(self) -> AsyncIterator[None]:
        """Attach what is not over, and answer whatever is asked, until the stream ends."""
        call = drive_pb2_grpc.DriveServiceStub(self.session.channel).Drive()
        self._call = call
        try:
            await self._attach(call)
            messages = call.__aiter__()
            while any(self.open()):
                async with asyncio.timeout(SILENCE_SECONDS):
                    message = await anext(messages, None)
                if message is None:
                    return
                await self._answer(call, message)
                yield
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            # the call was cancelled, not this task: the stream has broken
        finally:
            self._call = None
            call.cancel()

    async def _attach(self, call: Call) -> None:
        attach = [
            drive_pb2.Attach(
                handle=handle,
                table_id=seat.table_id,
                token=seat.token if isinstance(seat.token, str) else await seat.token.token(),
                with_legal=True,
                after=seat.watch.cursor,
            )
            for handle, seat in self.open()
        ]
        for seat in self.seats.values():
            # what was not acknowledged is asked again, and the same answer is harmless
            seat.answered = 0
        for start in range(0, len(attach), ATTACHED_AT_ONCE):
            await _send(call, drive_pb2.DriveRequest(attach=attach[start : start + ATTACHED_AT_ONCE]))

    async def _answer(
        self,
        call: Call,
        message: drive_pb2.DriveResponse,
    ) -> None:
        for problem in message.problems:
            self._heed(problem)
        actions = []
        for update in message.updates:
            seat = self.seats.get(update.handle)
            if seat is None:
                continue  # it has been let go of
            seat.take(update)
            if seat.watch.view is None:
                call.cancel()  # after a gap, or an event that is not known, only a snapshot can help
                return
            action = await seat.decide()
            if action is not None:
                actions.append(drive_pb2.DriveAction(handle=update.handle, decision_id=seat.answered, action=action))
        if actions:
            await _send(call, drive_pb2.DriveRequest(actions=actions))

    def _heed(self, problem: drive_pb2.DriveProblem) -> None:
        """Go on after what passes, and stop at what does not."""
        reason = rules_pb2.Reason.Name(problem.reason).removeprefix("REASON_")
        if reason in STALE and not problem.detached:
            return
        token = self.seats[problem.handle].token
        if reason == "TOKEN_EXPIRED" and not isinstance(token, str):
            token.forget()
            raise TimeoutError
        if problem.HasField("retry_after"):
            raise TimeoutError  # the stream is made again, and whatever is open is asked again
        raise Refused(grpc.StatusCode.FAILED_PRECONDITION, reason, problem.text)


async def _send(call: Call, request: drive_pb2.DriveRequest) -> None:
    """Send a message; if the stream has ended, whoever reads it is told why."""
    with suppress(asyncio.InvalidStateError):
        await call.write(request)
