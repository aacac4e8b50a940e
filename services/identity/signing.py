"""Keys that sign tokens: which one signs now, which ones are published, and what a token says."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from jwt.algorithms import OKPAlgorithm

from services.common.issuer import BOT_CLAIM, FRESH_SECONDS, LEEWAY_SECONDS, NAME_CLAIM, SCOPES_CLAIM
from services.identity.accounts import Account

ALGORITHM: Final = "EdDSA"
AHEAD_SECONDS: Final = 2 * FRESH_SECONDS
"""How long a key is published before it signs, so that every service has read it by then."""


@dataclass(frozen=True)
class SigningKey:
    """A private key."""

    id: str
    created: float
    private: bytes

    def __repr__(self) -> str:
        return f"SigningKey({self.id})"


def new_key(now: float) -> SigningKey:
    """Draw a key."""
    private = Ed25519PrivateKey.generate().private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
    return SigningKey(secrets.token_hex(8), now, private)


def needs_another(keys: Sequence[SigningKey], now: float, key_seconds: float) -> bool:
    """Say whether the newest key is so old that the next one must be published."""
    return not keys or now >= keys[-1].created + key_seconds - AHEAD_SECONDS


def signs(keys: Sequence[SigningKey], now: float) -> SigningKey:
    """Return the key that signs: the newest that has been published for long enough, or the only one there is."""
    known = [key for key in keys if now >= key.created + AHEAD_SECONDS]
    return known[-1] if known else keys[0]


def outdated(keys: Sequence[SigningKey], now: float, token_seconds: float) -> list[SigningKey]:
    """Return the keys whose last token has ended."""
    last = token_seconds + LEEWAY_SECONDS
    return [key for key, later in pairwise(keys) if now >= later.created + AHEAD_SECONDS + last]


def published(keys: Iterable[SigningKey]) -> dict[str, Any]:
    """Write the public half of keys, as services read it (JWKS)."""
    return {"keys": [_public(key) for key in keys]}


def _public(key: SigningKey) -> Mapping[str, Any]:
    public = Ed25519PrivateKey.from_private_bytes(key.private).public_key()
    return {**json.loads(OKPAlgorithm.to_jwk(public)), "kid": key.id, "alg": ALGORITHM, "use": "sig"}


def signed(
    key: SigningKey,
    account: Account,
    issuer: str,
    audience: str,
    now: float,
    until: float,
    scopes: Sequence[str] | None,
) -> str:
    """Write the token of an account. Without scopes it may do everything that people may."""
    claims: dict[str, Any] = {
        "iss": issuer,
        "aud": audience,
        "sub": account.id,
        "iat": int(now),
        "exp": int(until),
        NAME_CLAIM: account.name,
        BOT_CLAIM: account.bot,
    }
    if scopes is not None:
        claims[SCOPES_CLAIM] = list(scopes)
    return jwt.encode(claims, Ed25519PrivateKey.from_private_bytes(key.private), ALGORITHM, headers={"kid": key.id})
