"""Somebody at an identity service, whose tokens are renewed before they end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from types import TracebackType
from typing import Any, Final, Protocol, Self, TypeAlias, TypeVar

import grpc
from google.protobuf.message import Message

from clients.common.errors import Refused, answered
from daifugo.v1 import identity_pb2, identity_pb2_grpc

CALL_SECONDS: Final = 10.0
USED_PART: Final = 0.7
"""After which part of its life a token is renewed."""


class Renewing(Protocol):
    """Has a token that holds for a while."""

    async def token(self) -> str:
        """Return a token that still holds, or raise Refused."""
        ...

    def forget(self) -> None:
        """Let there be another token next time."""
        ...


Answer = TypeVar("Answer", covariant=True)


class Method(Protocol[Answer]):
    """A call of a stub."""

    def __call__(self, request: Any, /, *, metadata: Any, timeout: float) -> Awaitable[Answer]: ...


Credentials: TypeAlias = str | Renewing
"""Who calls: a token that holds for good, or somebody who renews it."""


class Identity:
    """One identity at an identity service, which signs in when it is needed. Use it with `async with`."""

    def __init__(self, address: str, language: str = "en") -> None:
        self.address = address
        self.language = language
        self.channel = grpc.aio.insecure_channel(address)
        self.service = identity_pb2_grpc.IdentityServiceStub(self.channel)
        self.tokens = identity_pb2.Tokens()
        self.account = identity_pb2.Account()
        """Who it is, once it has signed in."""
        self._renew_at = 0.0
        self._renewing = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.channel.close()

    async def token(self) -> str:
        """Return a token that still holds, or raise Refused. Of several callers at a time one renews it for all."""
        loop = asyncio.get_running_loop()
        async with self._renewing:
            if not self.tokens.token or loop.time() >= self._renew_at:
                asked = loop.time()
                self.tokens, self.account = await self.renew()
                self._renew_at = asked + USED_PART * self.tokens.remaining.ToTimedelta().total_seconds()
            return self.tokens.token

    def forget(self) -> None:
        """Let there be another token next time."""
        self.tokens.token = ""

    async def renew(self) -> tuple[identity_pb2.Tokens, identity_pb2.Account]:
        """Sign in, or go on from the last time."""
        raise NotImplementedError

    async def call(self, method: Method[Answer], request: Message, *, signed_in: bool = True) -> Answer:
        """Call the identity service, as somebody or to become somebody; raise Refused if it says no."""
        metadata = [("accept-language", self.language)]
        if signed_in:
            metadata.append(("authorization", f"Bearer {await self.token()}"))
        return await answered(method(request, metadata=metadata, timeout=CALL_SECONDS))


class Guest(Identity):
    """A guest, known by the secret of a device."""

    def __init__(self, address: str, device_secret: str, name: str = "", language: str = "en") -> None:
        super().__init__(address, language)
        self.device_secret = device_secret
        self.name = name
        """What it is to be called if the account is made now."""
        self.created = False
        """Whether the account was made by signing in."""

    async def renew(self) -> tuple[identity_pb2.Tokens, identity_pb2.Account]:
        """Refresh, or sign in by the secret where there is nothing to refresh any more."""
        if self.tokens.refresh_token:
            request = identity_pb2.RefreshRequest(refresh_token=self.tokens.refresh_token)
            try:
                refreshed = await self.call(self.service.Refresh, request, signed_in=False)
            except Refused as problem:
                if problem.reason != "SIGNED_OUT":
                    raise
            else:
                return refreshed.tokens, refreshed.account
        asked = identity_pb2.SignInGuestRequest(device_secret=self.device_secret, display_name=self.name)
        answer = await self.call(self.service.SignInGuest, asked, signed_in=False)
        self.created = answer.created
        return answer.tokens, answer.account

    async def rename(self, name: str) -> identity_pb2.Account:
        """Change the name that others see; the next token has it."""
        request = identity_pb2.SetDisplayNameRequest(display_name=name)
        self.account = (await self.call(self.service.SetDisplayName, request)).account
        self.forget()
        return self.account

    async def delete(self) -> None:
        """Delete the account, for good."""
        await self.call(self.service.DeleteAccount, identity_pb2.DeleteAccountRequest())
        self.tokens = identity_pb2.Tokens()


class BotIdentity(Identity):
    """A bot, known by its key."""

    def __init__(self, address: str, key: str, language: str = "en") -> None:
        super().__init__(address, language)
        self.key = key

    async def renew(self) -> tuple[identity_pb2.Tokens, identity_pb2.Account]:
        """Sign in by the key."""
        request = identity_pb2.SignInBotRequest(key=self.key)
        answer = await self.call(self.service.SignInBot, request, signed_in=False)
        return answer.tokens, answer.account
