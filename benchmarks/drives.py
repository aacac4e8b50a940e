"""Instant bots on a drive: recorded matches played again at many tables; a seat answers as soon as it is asked."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import grpc

from benchmarks.load import Player
from benchmarks.replay import DRIVE_SERVICE, Driven, Part, Script, field_of, handle_of
from daifugo.v1 import drive_pb2, game_pb2

SILENCE_SECONDS: Final = 60.0
"""A server that says nothing for so long waits for something else: it has not dealt what was recorded."""
ACTIONS: Final = drive_pb2.DriveRequest.DESCRIPTOR.fields_by_name["actions"].number
RESULTS: Final = drive_pb2.DriveResponse.DESCRIPTOR.fields_by_name["results"].number
UPDATES: Final = drive_pb2.DriveResponse.DESCRIPTOR.fields_by_name["updates"].number


@dataclass
class Game:
    """A table at which a recorded match is played again."""

    id: str
    script: Script
    first: int
    """The handle of its first seat."""
    tokens: Sequence[str]
    at: int = 0
    asked: set[int] = field(default_factory=set)
    """The seats that have been told of a decision and have not answered it."""
    prefixes: list[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self.prefixes = [handle_of(self.first + seat) for seat in range(self.script.seats)]

    def attach(self) -> Iterable[drive_pb2.Attach]:
        """Ask to drive every seat."""
        for seat, token in enumerate(self.tokens):
            yield drive_pb2.Attach(handle=self.first + seat, table_id=self.id, token=token)

    def take(self, seat: int, update: drive_pb2.DriveUpdate) -> None:
        """See whether a seat is asked: it is told of nothing else, but for what it is told first."""
        first = update.messages[0]
        if not first.HasField("snapshot") or first.snapshot.view.HasField("decision"):
            self.asked.add(seat)

    def next(self) -> bytes:
        """Take the next action, if its seat is asked, as it stands in a message."""
        if self.at == len(self.script.steps):
            raise EOFError("the recorded matches are too short for this run: record more games")
        step = self.script.steps[self.at]
        if step.seat not in self.asked:
            return b""
        self.asked.discard(step.seat)
        self.at += 1
        return field_of(ACTIONS, self.prefixes[step.seat] + step.driven)


async def lay(address: str, scripts: Sequence[Script], number: int, relaxed: bool = False) -> list[Game]:
    """Lay tables one after the other, and let their matches begin; they take the recorded ones in turn."""
    games: list[Game] = []
    handle = 0
    for each in range(number):
        script = scripts[each % len(scripts)]
        host, *others = players = [Player(address, seat) for seat in range(script.seats)]
        made = game_pb2.CreateTableResponse.FromString(
            await host.ask("CreateTable", script.creation(secrets.token_hex(8), relaxed))
        )
        for player in (host, *others):
            joining = game_pb2.JoinTableRequest(request_id=secrets.token_hex(8), table_id=made.table.id, bot=True)
            await player.ask("JoinTable", joining)
        begin = game_pb2.StartMatchRequest(request_id=secrets.token_hex(8), table_id=made.table.id)
        await host.ask("StartMatch", begin)
        tokens = [player.metadata[0][1].removeprefix("Bearer ") for player in players]
        games.append(Game(made.table.id, script, handle, tokens))
        handle += script.seats
        for player in players:
            await player.channel.close()
    return games


def numbered(scripts: Sequence[Script], number: int) -> list[Game]:
    """Name tables of a server that has none by the recorded matches that they take."""
    games: list[Game] = []
    for each in range(number):
        script = scripts[each % len(scripts)]
        games.append(Game(str(each % len(scripts)), script, each * script.seats, [""] * script.seats))
    return games


class Stream:
    """Bots that share a stream."""

    def __init__(self, address: str, games: Sequence[Game]) -> None:
        self.games = games
        self._of = {game.first + seat: (game, seat) for game in games for seat in range(game.script.seats)}
        self._channel = grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)])
        drive: Any = self._channel.stream_stream(f"/{DRIVE_SERVICE}/Drive")
        self._call = drive(metadata=(("authorization", f"Bearer {secrets.token_hex(8)}"),))

    async def open(self) -> None:
        """Attach every seat, and see who is asked."""
        attach = [each for game in self.games for each in game.attach()]
        await self._call.write(drive_pb2.DriveRequest(attach=attach).SerializeToString())
        told: set[int] = set()
        while len(told) < len(self._of):
            told |= {update.handle for update in (await self.read()).updates}

    async def close(self) -> None:
        """Leave."""
        self._call.cancel()
        await self._channel.close()

    async def read(self) -> drive_pb2.DriveResponse:
        """Take a message. Raises if anything was refused: recorded play is legal."""
        async with asyncio.timeout(SILENCE_SECONDS):
            data = await self._call.read()
        if data is grpc.aio.EOF:
            raise EOFError("the server ended a stream")
        response = drive_pb2.DriveResponse.FromString(data)
        for problem in response.problems:
            raise ValueError(f"refused: {problem.text}")
        for update in response.updates:
            game, seat = self._of[update.handle]
            game.take(seat, update)
        return response

    async def play(self, until: float) -> int:
        """Play as fast as one can until a time; return how many actions were taken."""
        taken, games = 0, list(self.games)
        while time.perf_counter() < until:
            actions = []
            for game in games:
                while action := game.next():
                    actions.append(action)
            if actions:
                await self._call.write(b"".join(actions))
            response = await self.read()
            taken += len(response.results)
            games = list({id(game): game for game in (self._of[u.handle][0] for u in response.updates)}.values())
            # who is asked with others may have to wait until these have answered
            games = games or [self._of[result.handle][0] for result in response.results]
        return taken


class Recorder(Stream):
    """Plays one match and keeps what is said."""

    def __init__(self, address: str, game: Game) -> None:
        super().__init__(address, [game])
        self._parts: list[Part] = []

    async def read(self) -> drive_pb2.DriveResponse:
        """Take a message, and keep it."""
        response = await super().read()
        first = self.games[0].first
        for number, said in ((RESULTS, response.results), (UPDATES, response.updates)):
            for each in said:
                seat = each.handle - first
                each.handle = 0
                self._parts.append((number, seat, each.SerializeToString()))
                each.handle = first + seat
        return response

    async def record(self) -> Driven:
        """Play to the end."""
        (game,) = self.games
        await self.open()
        begun = tuple(sorted(self._parts, key=lambda part: part[1]))
        steps = []
        while game.at < len(game.script.steps):
            self._parts = []
            await self._call.write(game.next())
            is_answered = False
            while not is_answered or (
                game.at < len(game.script.steps) and game.script.steps[game.at].seat not in game.asked
            ):
                is_answered |= bool((await self.read()).results)
            steps.append(tuple(self._parts))
        await self.close()
        return Driven(begun, tuple(steps))


async def recorded(address: str, scripts: Sequence[Script]) -> list[Driven]:
    """Play each match once, over a drive of its own."""
    games = await lay(address, scripts, len(scripts))
    return list(await asyncio.gather(*[Recorder(address, game).record() for game in games]))
