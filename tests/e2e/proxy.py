"""A way to the service that can be cut."""

from __future__ import annotations

import asyncio
import contextlib


class Proxy:
    """Passes bytes on to the service and back."""

    def __init__(self, target: str) -> None:
        self.host, _, self.port = target.rpartition(":")
        self.writers: set[asyncio.StreamWriter] = set()
        self.tasks: set[asyncio.Task[None]] = set()
        self.cuts = 0

    async def __aenter__(self) -> str:
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        return f"127.0.0.1:{self.server.sockets[0].getsockname()[1]}"

    async def __aexit__(self, *error: object) -> None:
        self.server.close()
        self.cut()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(self.host, int(self.port))
        self.writers |= {writer, back}
        for source, target in ((reader, back), (there, writer)):
            task = asyncio.create_task(self.pump(source, target))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def pump(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                target.write(data)
                await target.drain()
        target.close()

    def cut(self) -> None:
        """End every connection at once, with whatever was on its way."""
        self.cuts += 1
        for writer in self.writers:
            writer.transport.abort()
        self.writers.clear()
