"""Who is calling: whoever holds the bearer token that comes with each call."""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from functools import lru_cache
from hashlib import sha256
from ipaddress import ip_address
from typing import Final, NamedTuple, Protocol

from services.common.config import CannotStart, unbracketed
from services.common.errors import Refused
from services.common.logs import log

LOCALES: Final = ("ja", "en")


class Identity(NamedTuple):
    """What a token proves."""

    name: str
    """The identity; opaque, and a token cannot be told from it."""
    until: float | None = None
    """Until when, in seconds since 1970; None: for good."""
    bot: bool | None = None
    """Whether it is a bot; None: the token does not say, and whoever has it is taken at their word."""
    display_name: str | None = None
    """What others see it called; None: as it says."""
    scopes: frozenset[str] | None = None
    """What it may do of what needs leave; None: everything."""
    subject: str = ""
    """What the issuer calls it; empty where there is no issuer."""


NOBODY: Final = Identity("")
"""Who calls where no token is asked for."""


class Caller(NamedTuple):
    """The identity behind a call, and the language it wants to be answered in."""

    who: Identity
    locale: str

    @property
    def identity(self) -> str:
        """The name of the identity."""
        return self.who.name

    def is_bot(self, says: bool) -> bool:
        """Say whether it is a bot: its token counts, and its own word where the token does not say."""
        return says if self.who.bot is None else self.who.bot


_CALLER: ContextVar[Caller] = ContextVar("caller")


def caller() -> Caller:
    """Return who makes the call that is being served."""
    return _CALLER.get()


def set_caller(who: Caller) -> None:
    """Remember who makes the call that is being served."""
    _CALLER.set(who)


class Doorkeeper(Protocol):
    """Says who holds a token."""

    async def open(self) -> None:
        """Get ready, or raise CannotStart."""
        ...

    def known(self, token: str) -> Identity | None:
        """Return who holds a token, if that has been found out before and is still so."""
        ...

    async def identify(self, token: str) -> Identity:
        """Find out who holds a token, or refuse it."""
        ...


class OpenDoor:
    """Takes any token for an identity of its own: for a laptop, and for friends. `host` is where it is reached."""

    def __init__(self, host: str, said: bool) -> None:
        self.host = host
        self.said = said
        """Whether the operator has said that it is meant."""

    async def open(self) -> None:
        """Tell of it, or raise CannotStart where others could reach it and nobody has said that it is meant."""
        if not self.said and not is_loopback(self.host):
            raise CannotStart(f"--host {self.host}: say --issuer whose tokens to take, or --open-mode to take any")
        log().warning("open_mode", text="any token is taken for an identity of its own; --issuer changes that")

    def known(self, token: str) -> Identity | None:
        """Return whose token it is."""
        return open_identity(token)

    async def identify(self, token: str) -> Identity:
        """Return whose token it is."""
        return open_identity(token)


def is_loopback(host: str) -> bool:
    """Say whether only this machine can reach an address."""
    bare = unbracketed(host)
    try:
        return ip_address(bare).is_loopback
    except ValueError:
        return bare == "localhost"


# most calls come with a token that came before
@lru_cache(maxsize=4096)
def open_identity(token: str) -> Identity:
    """Return the identity that a token is in open mode."""
    return Identity("open:" + sha256(token.encode()).hexdigest()[:32])


def token_of(metadata: Iterable[tuple[str, str | bytes]]) -> str:
    """Return the bearer token that a call's metadata carries, or refuse the call."""
    for key, value in metadata:
        if key == "authorization" and isinstance(value, str):
            return _token(value)
    raise Refused("NOT_SIGNED_IN")


@lru_cache(maxsize=4096)
def _token(authorization: str) -> str:
    scheme, _, token = authorization.strip().partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    raise Refused("NOT_SIGNED_IN")


def locale_of(metadata: Iterable[tuple[str, str | bytes]], default: str) -> str:
    """Return the language that a call asks for: the best of `accept-language` that there is."""
    for key, value in metadata:
        if key == "accept-language" and isinstance(value, str):
            return best_locale(value, default)
    return default


def best_locale(accepted: str, default: str) -> str:
    """Choose from an accept-language header, such as `fr, ja;q=0.8, en;q=0.5`."""
    best, weight = default, 0.0
    for part in accepted.split(","):
        tag, _, parameters = part.strip().partition(";")
        name = tag.strip().lower().partition("-")[0]
        try:
            q = float(parameters.partition("q=")[2] or 1.0)
        except ValueError:
            q = 0.0
        if name in LOCALES and q > weight:
            best, weight = name, q
    return best
