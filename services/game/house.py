"""Bots of the service: they have seats as anybody has, and are played by processes beside it, which drive them.

Such a process gets the seats that it is to play on its standard input, one line of JSON each, and ends with it. It is
let in by a secret that only it is told. Whatever becomes of it, the server waits for nothing: a decision that is not
answered in time is answered here, and the process is replaced.
"""

from __future__ import annotations

import secrets
import shlex
from typing import Final

from services.common.access import PLAY
from services.common.auth import Doorkeeper, Identity
from services.common.clocks import Clock
from services.common.config import CannotStart
from services.game.config import GameConfig
from services.game.housed import Housed, Sought
from services.game.life import CLOSED, RUNNING, Life
from services.game.metrics import GameMetrics
from services.game.records import Occupant
from services.game.seats import Seat

MARK: Final = "house:"
"""How identities of these bots begin."""


def house_bot(policy: str, number: int) -> Occupant:
    """Return a new bot of the service, for a seat."""
    return Occupant(MARK + secrets.token_hex(8), f"{policy} {number + 1}", True, policy=policy)


def check_bots(config: GameConfig) -> None:
    """Raise CannotStart if seats were to be filled with bots that there are not, or nobody could start them."""
    try:
        shlex.split(config.bot_command)
    except ValueError as problem:
        raise CannotStart(f"--bot-command {config.bot_command}: {problem}") from None
    if config.bot_fill and config.bot_fill not in config.bot_policies.split(","):
        raise CannotStart(f"--bot-fill {config.bot_fill}: it must be one of --bot-policies {config.bot_policies}")


class House:
    """Which seats bots of the service have, and the processes that play them."""

    def __init__(self, config: GameConfig, clock: Clock, metrics: GameMetrics) -> None:
        self.secret = secrets.token_urlsafe(32)
        self.processes = [Housed(config, clock, metrics, self.secret) for _ in range(config.bot_processes)]
        self._clock = clock
        self._metrics = metrics
        self._seen: dict[str, tuple[int, tuple[Seat, ...]]] = {}
        """What each table with such bots was like that was looked at last."""
        self._by_seat: dict[tuple[str, int], Housed] = {}
        metrics.bot_seats.set_function(lambda: sum([len(each.seats) for each in self.processes]))
        metrics.bot_processes.set_function(lambda: sum([each.is_running() for each in self.processes]))

    def open(self, address: str) -> None:
        """Let processes begin, now that there is something to drive at."""
        for process in self.processes:
            process.open(address)

    async def close(self) -> None:
        """End every process."""
        for process in self.processes:
            await process.close()

    def follow(self, table_id: str, life: Life) -> None:
        """Let the seats of a table be played that are to be: those of bots, while a match runs."""
        before = self._seen.get(table_id)
        if before is None and not any([seat.policy for seat in life.seats]):
            return
        wanted = [number for number, seat in enumerate(life.seats) if seat.policy and life.phase == RUNNING]
        for number, seat in enumerate(before[1] if before is not None else ()):
            held = life.seats[number].occupant if number in wanted else None
            if (table_id, number) in self._by_seat and held != seat.occupant:
                self._by_seat.pop((table_id, number)).drop(table_id, number)
        for number in wanted:
            if (table_id, number) not in self._by_seat and self.processes:
                self._give(table_id, number, life.seats[number].occupant)
        self._seen[table_id] = life.phase, life.seats
        if life.phase == CLOSED or not any([seat.policy for seat in life.seats]):
            del self._seen[table_id]

    def _give(self, table_id: str, number: int, occupant: Occupant | None) -> None:
        assert occupant is not None
        process = min(self.processes, key=lambda each: len(each.seats))
        self._by_seat[table_id, number] = process
        process.take(Sought(table_id, number, occupant.identity, occupant.policy))

    def fell_back(self, table_id: str, number: int) -> None:
        """Take note that the service has answered for a bot: its process is stuck, or gone."""
        process = self._by_seat.get((table_id, number))
        if process is not None:
            self._metrics.bot_fallbacks.inc()
            process.is_late()

    def identity(self, token: str) -> Identity | None:
        """Return which bot a token is for, if it is one of the house."""
        secret, _, name = token.partition(".")
        if not name.startswith(MARK) or not secrets.compare_digest(secret.encode(), self.secret.encode()):
            return None
        return Identity(name, bot=True, scopes=frozenset({PLAY}))


class HouseDoor:
    """Lets bots of the service in, and asks another doorkeeper about everybody else."""

    def __init__(self, door: Doorkeeper, house: House) -> None:
        self._door, self._house = door, house

    async def open(self) -> None:
        """Get ready."""
        await self._door.open()

    def known(self, token: str) -> Identity | None:
        """Return who holds a token, if that is known."""
        return self._house.identity(token) or self._door.known(token)

    async def identify(self, token: str) -> Identity:
        """Find out who holds a token, or refuse it."""
        return await self._door.identify(token)
