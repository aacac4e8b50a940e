"""One process that plays for bots of the service: begun when it has seats, replaced whenever it ends or is late."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from itertools import count
from typing import Final, NamedTuple

from services.common.clocks import Clock
from services.common.logs import log, log_bug
from services.game.config import GameConfig
from services.game.metrics import GameMetrics

COMMAND: Final = (sys.executable, "-m", "clients.bot.house")
FIRST_WAIT_SECONDS: Final = 0.1
LONGEST_WAIT_SECONDS: Final = 30.0
STEADY_SECONDS: Final = 60.0
"""After living for so long a process is replaced at once again."""


class Sought(NamedTuple):
    """A seat that is to be played."""

    table_id: str
    number: int
    identity: str
    policy: str


class Housed:
    """A process, and the seats that it plays."""

    def __init__(self, config: GameConfig, clock: Clock, metrics: GameMetrics, secret: str) -> None:
        self.seats: dict[tuple[str, int], tuple[int, Sought]] = {}
        """Each with the handle that the process knows it by."""
        self._config, self._clock, self._metrics, self._secret = config, clock, metrics, secret
        self._handles = count(1)
        self._address = ""
        self._process: Process | None = None
        self._began = 0.0
        self._running: asyncio.Task[None] | None = None

    def is_running(self) -> bool:
        """Say whether there is a process."""
        return self._process is not None

    def open(self, address: str) -> None:
        """Begin, if there is anything to play."""
        self._address = address
        self._begin()

    def take(self, seat: Sought) -> None:
        """Play a seat from now on."""
        handle = next(self._handles)
        self.seats[seat.table_id, seat.number] = handle, seat
        self._tell(self._order(handle, seat))
        self._begin()

    def drop(self, table_id: str, number: int) -> None:
        """Play a seat no longer."""
        handle, _ = self.seats.pop((table_id, number))
        self._tell({"drop": handle})

    def is_late(self) -> None:
        """Replace a process that has not answered in time; one that has just begun gets its chance."""
        if self._process is not None and self._clock.now() - self._began >= self._config.bot_seconds:
            log().warning("bot_process_late", seats=len(self.seats))
            self._kill()

    async def close(self) -> None:
        """End the process for good."""
        self._address = ""
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    # --- the process -----------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        if self._address and self.seats and (self._running is None or self._running.done()):
            self._running = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        """Let there be a process for as long as there are seats."""
        wait, loop = FIRST_WAIT_SECONDS, asyncio.get_running_loop()
        while self.seats:
            began = loop.time()
            try:
                await self._once()
            except OSError as error:
                log_bug("bot_process_failed", error)
            if not self.seats:
                return
            self._metrics.bot_restarts.inc()
            wait = FIRST_WAIT_SECONDS if loop.time() - began >= STEADY_SECONDS else wait
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT_SECONDS)

    async def _once(self) -> None:
        """Run one process to its end."""
        command = shlex.split(self._config.bot_command) or COMMAND
        # it is told nothing of how the service is set up, and is not interrupted with it at a terminal
        environment = {name: value for name, value in os.environ.items() if not name.startswith("DAIFUGO_")}
        self._process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=DEVNULL, env=environment, start_new_session=True
        )
        self._began = self._clock.now()
        try:
            self._tell({"address": self._address, "token": f"{self._secret}.house:drive"})
            for handle, seat in self.seats.values():
                self._tell(self._order(handle, seat))
            status = await self._process.wait()
            log().warning("bot_process_ended", status=status, seats=len(self.seats))
        finally:
            self._kill()
            with suppress(ProcessLookupError):
                await self._process.wait()
            self._process = None

    def _kill(self) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()

    def _order(self, handle: int, seat: Sought) -> dict[str, str | int]:
        token = f"{self._secret}.{seat.identity}"
        return {"handle": handle, "table": seat.table_id, "token": token, "policy": seat.policy}

    def _tell(self, order: dict[str, str | int]) -> None:
        """Write a line to the process. If it does not read, it is late before long."""
        process = self._process
        if process is not None and process.stdin is not None and not process.stdin.is_closing():
            process.stdin.write(json.dumps(order).encode() + b"\n")
