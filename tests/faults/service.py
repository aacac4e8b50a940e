"""A game service as a process that is killed and started again on the same port and file."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.services.harness import free_port

ROOT = Path(__file__).parents[2]
START_SECONDS = 60.0


@dataclass
class Service:
    """How the service is started, and the process that runs now."""

    store: Path
    module: str = "services.game.__main__"
    environment: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    pid: int = 0
    """Of the service that runs now."""
    process: Process | None = None
    """The one that starts services."""

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def open(self) -> None:
        """Get everything ready."""
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.faults.nursery", self.module),
            *("--port", str(self.port), "--store", str(self.store), "--log-level", "error"),
            *("--return-seconds", "0", "--between-games-seconds", "0"),
            stdin=PIPE,
            stdout=PIPE,
            env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'protos'}", **self.environment},
        )

    async def start(self) -> None:
        """Start it, and wait until it listens."""
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write(b"\n")
        self.pid = int((await self._line()).removeprefix("pid "))
        assert await self._line() == f"listening {self.address}"

    async def _line(self) -> str:
        assert self.process is not None
        assert self.process.stdout is not None
        async with asyncio.timeout(START_SECONDS):
            return (await self.process.stdout.readline()).decode().strip()

    def kill(self) -> None:
        """End it at once, wherever it is."""
        os.kill(self.pid, signal.SIGKILL)

    async def close(self) -> None:
        """End everything."""
        if self.pid:
            self.kill()
        if self.process is not None:
            self.process.kill()
            await self.process.communicate()


@asynccontextmanager
async def serving(store: Path, module: str = "services.game.__main__", **environment: str) -> AsyncIterator[Service]:
    """Run a service for a test."""
    service = Service(store, module, environment)
    try:
        await service.open()
        await service.start()
        yield service
    finally:
        await service.close()
