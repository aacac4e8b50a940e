"""The processes of a game at home: the services and the bots, which end together with the game."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import json
import os
import re
import signal
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from clients.cli.texts import Words

READY_SECONDS: Final = 30.0
GRACE_SECONDS: Final = 3.0
REMARK: Final = re.compile(r"[IW]\d{4} \d\d:")
"""How gRPC begins lines that tell of no error."""
LISTENING: Final = "listening "


@dataclass
class Part:
    """One process, and where what it says is kept."""

    name: str
    process: Process
    log: Path
    said: str = ""
    """What the log held, once it is gone."""

    def read(self) -> None:
        """Read what it has said, as long as that is there."""
        with contextlib.suppress(FileNotFoundError):
            self.said = self.log.read_text(errors="replace")

    def go(self, arguments: Sequence[str] = ()) -> None:
        """Tell it the rest of its arguments."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(list(arguments)).encode() + b"\n")

    def ending(self, words: Words) -> str:
        """Say how it ended: by a signal, or the last error that it told."""
        status = self.process.returncode
        if status is not None and status < 0:
            return words("killed", number=-status)
        self.read()
        errors = list(filter(None, map(_error, self.said.splitlines())))
        return errors[-1] if errors else words("exit_status", status=status)


class PartFailed(Exception):
    """A process ended although it was needed."""

    def __init__(self, part: Part) -> None:
        super().__init__(part.name)
        self.part = part


def _error(line: str) -> str:
    """Return what a line of a log says, if it tells of an error; services write JSON, everybody else plain text."""
    try:
        said = json.loads(line)
    except ValueError:
        return "" if REMARK.match(line) else line.strip()
    if not isinstance(said, dict) or said.get("level") not in ("error", "critical"):
        return ""
    return ": ".join([str(said[key]) for key in ("event", "error_type") if said.get(key)])


class Processes:
    """Starts processes in groups of their own, so that Ctrl-C reaches the terminal client only, and ends them all.

    Three nets: leaving the `async with`, the end of the interpreter, and each process's own leash.
    """

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.drains: list[asyncio.Task[None]] = []
        self.folder = tempfile.TemporaryDirectory(prefix="daifugo-")
        atexit.register(self.kill)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def prepare(self, name: str, module: str, arguments: Sequence[str] = (), token: str = "") -> Part:
        """Start a command that gets ready and waits until it is told the rest of its arguments.

        Its token goes through the environment, where other users cannot read it.
        """
        log = Path(self.folder.name) / f"{len(self.parts)}.log"
        # -P: the folder that somebody happens to stand in must not lend its modules
        environment = {**os.environ, **({"DAIFUGO_TOKEN": token} if token else {})}
        with log.open("wb") as said:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "clients.cli.leash", module, *arguments),
                stdin=PIPE,
                stdout=PIPE if module.startswith("services.") else said,
                stderr=said,
                env=environment,
                start_new_session=True,
            )
        part = Part(name, process, log)
        self.parts.append(part)
        return part

    async def start_service(self, name: str, arguments: Sequence[str] = ()) -> tuple[Part, str]:
        """Start the game service on a free port; return its address once it listens."""
        part = await self.prepare(
            name, "services.game", ["--port", "0", "--store", "memory", "--issuer", "", *arguments]
        )
        part.go()
        return part, await self.address(part)

    async def address(self, part: Part) -> str:
        """Return where a service listens, once it does."""
        assert part.process.stdout is not None
        async with asyncio.timeout(READY_SECONDS):
            async for line in part.process.stdout:
                text = line.decode(errors="replace").strip()
                if text.startswith(LISTENING):
                    self.drains.append(asyncio.create_task(_drain(part.process.stdout)))
                    return text.removeprefix(LISTENING)
        await part.process.wait()
        raise PartFailed(part)

    async def stop(self) -> None:
        """Ask everybody to end, and make those end who do not."""
        running = [part.process for part in self.parts if part.process.returncode is None]
        for process in running:
            _signal(process, signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE_SECONDS):
                await asyncio.gather(*[process.wait() for process in running])
        self.kill()
        await asyncio.gather(*[process.wait() for process in running])
        for part in self.parts:
            part.read()
        self.folder.cleanup()

    def kill(self) -> None:
        """End whatever still runs, at once."""
        for part in self.parts:
            if part.process.returncode is None:
                _signal(part.process, signal.SIGKILL)


def _signal(process: Process, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)


async def _drain(stream: asyncio.StreamReader) -> None:
    """Read on, or the process would one day wait for room in the pipe."""
    while await stream.read(65536):
        pass
