"""`python -m clients.bot.house`: plays for the bots of a game service, which has started it and says which seats.

Orders come on the standard input, one line of JSON each: first {"address", "token"}, then {"handle", "table", "token",
"policy"} for a seat that is to be played, and {"drop": handle} for one that is not any more. It ends with its input.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import Mapping
from typing import Any

import grpc

from clients.bot.bot import STALE
from clients.bot.drive import Call, Drive, Seat, _send
from clients.bot.policies import POLICIES
from clients.common.errors import Refused
from clients.common.session import Session
from daifugo.v1 import drive_pb2, rules_pb2


class House(Drive):
    """Plays seats that come and go. A seat that cannot be played is let go of; the service plays it then."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, {})
        self.there = asyncio.Event()
        """Set when there may be a seat to play."""

    async def take(self, order: Mapping[str, Any]) -> None:
        """Do what an order says."""
        if "drop" in order:
            self.seats.pop(order["drop"], None)
            if self._call is not None:
                await _send(self._call, drive_pb2.DriveRequest(detach=[order["drop"]]))
            return
        if order["policy"] not in POLICIES:
            print(f"no policy is called {order['policy']}", file=sys.stderr)
            return
        policy = POLICIES[order["policy"]](random.Random())
        handle = int(order["handle"])
        self.seats[handle] = Seat(order["table"], order["token"], policy)
        self.there.set()
        if self._call is not None:
            await self._attach_one(self._call, handle)

    async def _attach_one(self, call: Call, handle: int) -> None:
        seat = self.seats[handle]
        attach = drive_pb2.Attach(handle=handle, table_id=seat.table_id, token=str(seat.token), with_legal=True)
        await _send(call, drive_pb2.DriveRequest(attach=[attach]))

    async def keep_playing(self) -> None:
        """Play whatever there is to play, until the process ends."""
        while True:
            await self.there.wait()
            self.there.clear()
            await self.play()

    def _heed(self, problem: drive_pb2.DriveProblem) -> None:
        """Let go of a seat that is not this bot's any more."""
        reason = rules_pb2.Reason.Name(problem.reason).removeprefix("REASON_")
        if problem.HasField("retry_after"):
            raise TimeoutError  # the stream is made again, and whatever is open is asked again
        if problem.detached:
            self.seats.pop(problem.handle, None)
        elif problem.decision_id and reason not in STALE:
            raise Refused(grpc.StatusCode.FAILED_PRECONDITION, reason, problem.text)


async def orders() -> asyncio.StreamReader:
    """Return the standard input, as it comes."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return reader


async def run() -> None:
    """Play until there are no more orders."""
    reader = await orders()
    first = json.loads(await reader.readline() or "{}")
    if not first:
        return
    async with Session(first["address"], first["token"]) as session:
        house = House(session)
        playing = asyncio.create_task(house.keep_playing())
        while not playing.done():
            line = asyncio.create_task(reader.readline())
            await asyncio.wait({line, playing}, return_when=asyncio.FIRST_COMPLETED)
            if line.done():
                if not line.result():
                    break
                await house.take(json.loads(line.result()))
            else:
                line.cancel()
        if playing.done():
            playing.result()
        playing.cancel()


if __name__ == "__main__":
    asyncio.run(run())
