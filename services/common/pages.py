"""Pages of listings. A token is opaque to clients: it says where to go on and in which listing, and is signed."""

from __future__ import annotations

import base64
import binascii
import json
import secrets
from hashlib import sha256
from hmac import compare_digest, digest
from typing import Final

from services.common.errors import Refused

MOST: Final = 200
USUAL: Final = 50
_KEY: Final = secrets.token_bytes(32)
_SIGNED: Final = 16
"""How many bytes of the signature a token carries."""


def size_of(page_size: int) -> int:
    """Return the size of a page: the usual one if 0, and never more than the most."""
    return min(page_size, MOST) if page_size else USUAL


def token_for(listing: list[str | int], position: int) -> str:
    """Write a token for the page that begins at a position of a listing."""
    said = json.dumps([*listing, position]).encode()
    return base64.urlsafe_b64encode(_sign(said) + said).decode().rstrip("=")


def _sign(said: bytes) -> bytes:
    return digest(_KEY, said, sha256)[:_SIGNED]


def position_in(listing: list[str | int], token: str) -> int | None:
    """Return where a token goes on, or None for an empty one; refuse one that belongs to another listing."""
    if not token:
        return None
    try:
        made = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
    except (ValueError, binascii.Error):
        raise Refused("BAD_PAGE_TOKEN") from None
    if not compare_digest(_sign(made[_SIGNED:]), made[:_SIGNED]):
        raise Refused("BAD_PAGE_TOKEN")
    *said, position = json.loads(made[_SIGNED:])
    if said != listing:
        raise Refused("BAD_PAGE_TOKEN")
    return int(position)
