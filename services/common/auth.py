"""Who is calling. In open mode any non-empty bearer token is its own identity."""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Final

from services.common.errors import Refused

LOCALES: Final = ("ja", "en")


@dataclass(frozen=True)
class Caller:
    """The identity behind a call, and the language it wants to be answered in."""

    identity: str
    """Opaque; a token cannot be told from it."""
    locale: str


_CALLER: ContextVar[Caller] = ContextVar("caller")


def caller() -> Caller:
    """Return who makes the call that is being served."""
    return _CALLER.get()


def set_caller(who: Caller) -> None:
    """Remember who makes the call that is being served."""
    _CALLER.set(who)


def identify(metadata: Iterable[tuple[str, str | bytes]]) -> str:
    """Return the identity that a call's metadata proves, or refuse it."""
    for key, value in metadata:
        if key == "authorization" and isinstance(value, str):
            return _identity(value)
    raise Refused("NOT_SIGNED_IN")


# most calls come with a token that came before
@lru_cache(maxsize=4096)
def _identity(authorization: str) -> str:
    scheme, _, token = authorization.strip().partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return "open:" + sha256(token.strip().encode()).hexdigest()[:32]
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
