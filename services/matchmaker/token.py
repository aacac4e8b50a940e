"""Who the matchmaker is at the game service: a token that stays, or one that its key brings and that is renewed."""

from __future__ import annotations

import asyncio
from typing import Final

import grpc

from daifugo.v1 import identity_pb2, identity_pb2_grpc
from services.common.logs import log

USED_PART: Final = 0.7
"""After which part of its life a token is renewed."""


class Token:
    """A token that stays."""

    def __init__(self, token: str) -> None:
        self.token = token

    async def now(self) -> str:
        """Return a token that holds, or raise AioRpcError."""
        return self.token

    def forget(self) -> None:
        """Take note that the game service did not take the token."""

    async def close(self) -> None:
        """There is nothing to let go of."""


class KeyToken(Token):
    """A token of an identity service, at which the matchmaker signs in by a key."""

    def __init__(self, address: str, key: str, seconds: float) -> None:
        super().__init__("")
        self.key = key
        self.seconds = seconds
        self.channel = grpc.aio.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)])
        self.stub = identity_pb2_grpc.IdentityServiceStub(self.channel)
        self._renew_at = 0.0
        self._renewing = asyncio.Lock()

    async def now(self) -> str:
        """Return a token that holds, signing in if need be."""
        loop = asyncio.get_running_loop()
        async with self._renewing:
            if not self.token or loop.time() >= self._renew_at:
                asked = loop.time()
                request = identity_pb2.SignInBotRequest(key=self.key)
                try:
                    tokens = (await self.stub.SignInBot(request, timeout=self.seconds)).tokens
                except grpc.aio.AioRpcError as error:
                    log().warning("game_key_brings_no_token", code=error.code().name)
                    raise
                self.token = tokens.token
                self._renew_at = asked + USED_PART * tokens.remaining.ToTimedelta().total_seconds()
            return self.token

    def forget(self) -> None:
        """Sign in anew next time."""
        self.token = ""

    async def close(self) -> None:
        """Let go of the connection."""
        await self.channel.close()
