"""Accounts, sessions and bots' keys, as values; and what a refresh token that comes back means."""

from __future__ import annotations

import base64
import binascii
import secrets
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest, digest
from typing import Final

AGAIN_SECONDS: Final = 60.0
"""How long a refresh whose answer was lost may be repeated."""
KEY_PREFIX: Final = "dfb"
"""What keys of bots begin with, so that those who look for secrets in published files find them."""
_MAC_BYTES: Final = 32
_ID_BYTES: Final = 12
_NUMBER_BYTES: Final = 6


@dataclass(frozen=True)
class Account:
    """Somebody who can sign in."""

    id: str
    name: str
    created: float
    bot: bool = False


@dataclass(frozen=True)
class Session:
    """What a guest's refresh tokens belong to: each refresh raises the number, and only the newest is good."""

    id: str
    account: str
    number: int
    turned: float
    """When the number was raised last."""
    until: float


@dataclass(frozen=True)
class BotKey:
    """A key by which a bot signs in; of its secret only a hash is kept."""

    bot: Account
    owner: str
    hash: bytes
    scopes: tuple[str, ...]
    used: float | None = None


FRESH: Final = "fresh"
REPEATED: Final = "repeated"
STOLEN: Final = "stolen"
OVER: Final = "over"


def meaning(session: Session, number: int, now: float) -> str:
    """Say what it means that a refresh token of this number comes now."""
    if now >= session.until:
        return OVER
    if number == session.number:
        return FRESH
    if number == session.number - 1 and now - session.turned <= AGAIN_SECONDS:
        return REPEATED
    return STOLEN


def refresh_token(session_id: str, number: int, secret: bytes) -> str:
    """Write the refresh token of a number. It is the same each time, so that a repeated call has a repeated answer."""
    said = bytes.fromhex(session_id) + number.to_bytes(_NUMBER_BYTES, "big")
    return base64.urlsafe_b64encode(said + digest(secret, said, sha256)).decode()


def read_refresh_token(token: str, secret: bytes) -> tuple[str, int] | None:
    """Return the session and the number of a refresh token, or None if this service has not written it."""
    try:
        made = base64.b64decode(token, altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        return None
    said, mac = made[:-_MAC_BYTES], made[-_MAC_BYTES:]
    if len(said) != _ID_BYTES + _NUMBER_BYTES or not compare_digest(digest(secret, said, sha256), mac):
        return None
    return said[:_ID_BYTES].hex(), int.from_bytes(said[_ID_BYTES:], "big")


def new_id(kind: str = "") -> str:
    """Draw an id."""
    return (kind and f"{kind}-") + secrets.token_hex(_ID_BYTES)


def new_bot_key(bot_id: str) -> str:
    """Draw a key for a bot. It says whose it is, so that it is found without trying all hashes."""
    return f"{KEY_PREFIX}_{bot_id}_{secrets.token_urlsafe(32)}"


def bot_of(key: str) -> str:
    """Return whose key it is said to be; empty if it is none."""
    prefix, _, rest = key.partition("_")
    return rest.partition("_")[0] if prefix == KEY_PREFIX else ""


def hash_of(secret: str) -> bytes:
    """Return what is kept of a secret. Secrets are long and random, so a plain hash is as good as a slow one."""
    return sha256(secret.encode()).digest()
