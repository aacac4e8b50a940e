"""A gRPC server that says when it is ready and stops cleanly."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc

from services.common.auth import Doorkeeper, OpenDoor
from services.common.buckets import Bucket
from services.common.config import CannotStart, Config, bracketed, unbracketed
from services.common.descriptors import allow_connections
from services.common.edge import Edge
from services.common.methods import Methods
from services.common.metrics import Metrics

CORE_LIMIT = 4 * 1024 * 1024
"""What the transport takes at most; what is above the configured size but below this gets a reason of its own."""


class Health(health.aio.HealthServicer):
    """Says which services are there; whoever watches that does not keep the server from stopping."""

    def __init__(self) -> None:
        super().__init__()
        self.stopping = asyncio.Event()

    async def Watch(self, request: health_pb2.HealthCheckRequest, context: Any) -> None:  # noqa: N802
        """Follow a service until the server stops."""
        watching = asyncio.ensure_future(super().Watch(request, context))
        stopping = asyncio.ensure_future(self.stopping.wait())
        try:
            await asyncio.wait({watching, stopping}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            watching.cancel()
            stopping.cancel()


class Server:
    """A gRPC server with health, reflection and the edge around every call.

    `register` adds services to it; `names` are their full names; `door` says who is calling, if the settings do not;
    `open_calls` is how many calls without a token an address may make.
    """

    def __init__(
        self,
        config: Config,
        metrics: Metrics,
        names: Sequence[str],
        register: Callable[[grpc.aio.Server], None],
        door: Doorkeeper | None = None,
        open_calls: Bucket | None = None,
    ) -> None:
        self.config = config
        self.metrics = metrics
        self.names = tuple(names)
        self.door: Doorkeeper = door or _door(config)
        self.edge = Edge(config, metrics, self.door, open_calls)
        self.health = Health()
        methods = Methods(self.edge)
        server = cast(grpc.aio.Server, methods)
        register(server)
        health_pb2_grpc.add_HealthServicer_to_server(self.health, server)
        if config.reflection:
            shown = reflection.aio.ReflectionServicer([*names, health.SERVICE_NAME, reflection.SERVICE_NAME])
            reflection_pb2_grpc.add_ServerReflectionServicer_to_server(shown, server)  # type: ignore[no-untyped-call]  # generated
        self.grpc = grpc.aio.server(options=self._options())
        self.grpc.add_generic_rpc_handlers((methods,))
        self.address = ""

    def _options(self) -> list[tuple[str, int]]:
        config = self.config
        # nothing is cut off: a stream that begins as a connection gets old ends by itself before it would be
        age = _milliseconds(config.connection_seconds)
        return [
            ("grpc.max_receive_message_length", max(CORE_LIMIT, config.max_message_bytes)),
            # refused by lot between the two, and they are the same
            ("grpc.max_metadata_size", config.max_metadata_bytes),
            ("grpc.absolute_max_metadata_size", config.max_metadata_bytes),
            ("grpc.max_allowed_incoming_connections", config.max_connections),
            ("grpc.server.max_pending_requests", config.max_waiting_calls),
            ("grpc.server.max_pending_requests_hard_limit", 2 * config.max_waiting_calls),
            ("grpc.max_concurrent_streams", config.streams_per_connection),
            ("grpc.keepalive_time_ms", _milliseconds(config.keepalive_seconds)),
            ("grpc.keepalive_timeout_ms", _milliseconds(config.keepalive_timeout_seconds)),
            ("grpc.http2.min_recv_ping_interval_without_data_ms", _milliseconds(config.ping_seconds)),
            ("grpc.server_handshake_timeout_ms", _milliseconds(config.handshake_seconds)),
            ("grpc.http2.ping_timeout_ms", _milliseconds(config.keepalive_timeout_seconds)),
            ("grpc.max_connection_age_ms", age),
            ("grpc.max_connection_age_grace_ms", age),
            ("grpc.keepalive_permit_without_calls", 1),
            ("grpc.so_reuseport", 0),
        ]

    async def start(self, ready: bool = True) -> str:
        """Listen, and return the address. Until it is ready health says that the process is there, but no service."""
        wanted = bracketed(self.config.host, self.config.port)
        allow_connections(self.config.max_connections)
        obstacle = _obstacle(self.config.host, self.config.port)
        if obstacle:
            raise CannotStart(f"cannot listen on {wanted}: {obstacle}")
        try:
            port = self.grpc.add_insecure_port(wanted)
        except RuntimeError as error:
            raise CannotStart(str(error).partition(";")[0]) from None
        await self.door.open()
        await self.grpc.start()
        self.address = bracketed(self.config.host, port)
        status = health_pb2.HealthCheckResponse
        await self._set_health(status.SERVING, [""])
        await self._set_health(status.SERVING if ready else status.NOT_SERVING, self.names)
        return self.address

    async def become_ready(self) -> None:
        """Let health say that its services are there, unless it is stopping already."""
        if not self.edge.draining:
            await self._set_health(health_pb2.HealthCheckResponse.SERVING, self.names)

    async def drain(self) -> None:
        """Take no new calls; those under way go on."""
        self.edge.draining = True
        # somebody who watches health and does not read holds what is told to all who watch
        with suppress(TimeoutError):
            async with asyncio.timeout(self.config.grace_seconds):
                await self._set_health(health_pb2.HealthCheckResponse.NOT_SERVING, ["", *self.names])

    async def stop(self, grace_seconds: float) -> None:
        """Stop, letting calls under way end within the time given."""
        self.health.stopping.set()
        await self.grpc.stop(grace_seconds)

    async def _set_health(self, status: Any, names: Sequence[str]) -> None:
        for name in names:
            await self.health.set(name, status)


def _milliseconds(seconds: float) -> int:
    """Write a time as gRPC takes it."""
    return min(max(1, int(seconds * 1000)), 2**31 - 1)


def _door(config: Config) -> Doorkeeper:
    """Return who says who is calling."""
    if not config.issuer:
        return OpenDoor(config.host, config.open_mode)
    # loaded on use: nobody else waits for the cryptography
    from services.common.issuer import Issuer

    return Issuer(config.issuer, config.audience, config.issuer_keys)


def _obstacle(host: str, port: int) -> str:
    """Find out why an address cannot be listened on, which gRPC does not say; nothing if it can be."""
    found = ""
    try:
        addresses = socket.getaddrinfo(unbracketed(host), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        return error.strerror or str(error)
    for family, kind, protocol, _, address in addresses:
        try:
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
                probe.listen()
                return ""
        except OSError as error:
            found = error.strerror or str(error)
    return found


def announce(config: Config, address: str) -> None:
    """Tell a parent process where the server listens: on standard output, and in a file if one is wanted."""
    if config.port_file:
        path = Path(config.port_file)
        fresh = path.with_name(path.name + ".new")
        try:
            fresh.write_text(address + "\n", encoding="utf-8")
            fresh.replace(path)
        except OSError as error:
            raise CannotStart(f"--port-file {path}: {error.strerror}") from None
    print(f"listening {address}", flush=True)


async def until_told_to_stop(told: asyncio.Event | None = None) -> None:
    """Wait for SIGTERM or SIGINT, or for the service's own wish to stop."""
    told = told or asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told.set)
    await told.wait()
