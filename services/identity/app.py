"""The identity service, put together."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from typing import Any, Final

import grpc

from daifugo.v1 import identity_pb2, identity_pb2_grpc
from services.common.buckets import Bucket
from services.common.clocks import Clock, SystemClock
from services.common.config import check_port_file
from services.common.garbage import look_seldom
from services.common.issuer import JWKS_PATH, Issuer
from services.common.logs import log, log_bug
from services.common.server import Server, announce, until_told_to_stop
from services.identity.config import IdentityConfig
from services.identity.keyring import Keyring
from services.identity.metrics import IdentityMetrics
from services.identity.office import Office
from services.identity.servicer import IdentityServicer
from services.identity.store import Store

NAMES = (identity_pb2.DESCRIPTOR.services_by_name["IdentityService"].full_name,)
TURN_SECONDS: Final = 60.0
"""How often it is looked whether another key is due."""


class App:
    """An identity service: start it, and stop it cleanly."""

    def __init__(self, config: IdentityConfig, clock: Clock | None = None, store: Store | None = None) -> None:
        self.config = config
        self.clock = clock or SystemClock()
        self.metrics = IdentityMetrics()
        self.store = store or Store(config.store)
        self.keyring = Keyring(config, self.clock, self.store)
        self._turning: asyncio.Task[None] | None = None

    async def start(self) -> str:
        """Read or draw the keys, listen, and return the address."""
        config = self.config
        await self.keyring.open()
        secret = await self.store.secret()
        self.office = Office(config, self.clock, self.store, self.keyring, self.metrics, secret)
        door = Issuer(config.issuer, config.audience, self.keyring.public, self.clock.now)
        open_calls = Bucket("sign_ins_per_second", config.sign_ins_per_second, config.sign_ins_burst)
        self.server = Server(config, self.metrics, NAMES, self._register, door, open_calls)
        if config.admin_port:
            self.metrics.serve(config.admin_port, config.host, self._with_keys)
        address = await self.server.start()
        self._turn_later()
        log().info("listening", address=address)
        return address

    def _register(self, server: grpc.aio.Server) -> None:
        identity_pb2_grpc.add_IdentityServiceServicer_to_server(IdentityServicer(self.office), server)

    def _with_keys(self, rest: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
        """Return what answers on the admin port: the public keys, and the rest."""

        def answer(environment: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
            if environment.get("PATH_INFO") != JWKS_PATH:
                return rest(environment, start)
            start("200 OK", [("Content-Type", "application/json"), ("Cache-Control", "max-age=60")])
            return [json.dumps(self.keyring.public()).encode()]

        return answer

    def _turn_later(self) -> None:
        self.clock.call_at(self.clock.now() + TURN_SECONDS, self._turn)

    def _turn(self) -> None:
        self._turn_later()
        self._turning = asyncio.get_running_loop().create_task(self._look())

    async def _look(self) -> None:
        try:
            await self.keyring.turn()
        except Exception as error:
            # the keys there are hold on
            log_bug("keys_not_turned", error)

    async def stop(self) -> None:
        """Take no new calls, let those under way end, and stop."""
        await self.server.drain()
        await self.server.stop(self.config.grace_seconds)
        if self._turning is not None:
            await self._turning
        await self.store.close()
        await self.metrics.close()
        log().info("stopped")


async def serve(config: IdentityConfig) -> None:
    """Run an identity service until the process is told to stop."""
    check_port_file(config)
    app = App(config)
    address = await app.start()
    look_seldom()
    announce(config, address)
    await until_told_to_stop()
    log().info("stopping")
    await app.stop()
