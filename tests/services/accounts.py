"""An identity service on a free port, and callers to talk to it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.message import Message

from daifugo.v1 import identity_pb2, identity_pb2_grpc
from services.common.clocks import Clock
from services.common.logs import configure
from services.identity.app import App
from services.identity.config import IdentityConfig
from tests.services.harness import Failure, FakeClock

S = identity_pb2


def secret(name: str) -> str:
    """Return the secret of a device."""
    return f"{name:x<32}"


class Accounts:
    """A running identity service."""

    def __init__(self, app: App, address: str, logs: StringIO) -> None:
        self.app, self.address, self.logs = app, address, logs
        self.channel = grpc.aio.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)])
        self.stub = identity_pb2_grpc.IdentityServiceStub(self.channel)

    @property
    def trust(self) -> dict[str, Any]:
        """The settings of a service that takes these tokens."""
        return {"issuer": self.app.config.issuer, "issuer_keys": self.app.config.issuer_keys}

    async def call(self, method: str, request: Message, token: str = "", language: str = "en") -> Any:
        metadata = [("accept-language", language)]
        if token:
            metadata.append(("authorization", f"Bearer {token}"))
        try:
            return await getattr(self.stub, method)(request, metadata=metadata, timeout=20)
        except grpc.aio.AioRpcError as error:
            raise Failure(error) from None

    async def sign_in(self, name: str, **more: Any) -> identity_pb2.SignInGuestResponse:
        request = S.SignInGuestRequest(device_secret=secret(name), display_name=name, **more)
        response: identity_pb2.SignInGuestResponse = await self.call("SignInGuest", request)
        return response

    async def refresh(self, token: str) -> identity_pb2.RefreshResponse:
        response: identity_pb2.RefreshResponse = await self.call("Refresh", S.RefreshRequest(refresh_token=token))
        return response

    async def bot(self, owner: str, name: str, *scopes: int) -> str:
        """Make a key for a bot of somebody who is signed in; return the key."""
        request = S.CreateBotKeyRequest(display_name=name, scopes=scopes)  # type: ignore[arg-type]  # also wrong numbers
        key: str = (await self.call("CreateBotKey", request, owner)).key
        return key

    async def bot_token(self, key: str) -> str:
        token: str = (await self.call("SignInBot", S.SignInBotRequest(key=key))).tokens.token
        return token


@asynccontextmanager
async def accounts(folder: Path, clock: Clock | None = None, **settings: Any) -> AsyncIterator[Accounts]:
    """Run an identity service whose public keys are in a file of a folder."""
    logs = StringIO()
    configure("debug", logs)
    given = {"store": "memory", "issuer_keys": str(folder / "keys.json"), **settings}
    # a test asks faster than any player
    usual = IdentityConfig(port=0, grace_seconds=0.2, calls_burst=10**6, sign_ins_burst=10**6)
    app = App(replace(usual, **given), clock or FakeClock())
    made = Accounts(app, await app.start(), logs)
    try:
        yield made
    finally:
        await made.channel.close()
        await app.stop()
        assert app.metrics.registry.get_sample_value("daifugo_bugs_total") == 0, logs.getvalue()
