"""Pages of listings. A token is opaque to clients and holds what it goes on with, and for which listing."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Final

from services.common.errors import Refused

MOST: Final = 200
USUAL: Final = 50


def size_of(page_size: int) -> int:
    """Return the size of a page: the usual one if 0, and never more than the most."""
    return min(page_size, MOST) if page_size else USUAL


def token_for(listing: list[str | int], position: int) -> str:
    """Write a token for the page that begins at a position of a listing."""
    return base64.urlsafe_b64encode(json.dumps([*listing, position]).encode()).decode().rstrip("=")


def position_in(listing: list[str | int], token: str) -> int | None:
    """Return where a token goes on, or None for an empty one; refuse one that belongs to another listing."""
    if not token:
        return None
    try:
        *said, position = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    except (ValueError, TypeError, binascii.Error, RecursionError):
        raise Refused("BAD_PAGE_TOKEN") from None
    if said != listing or not isinstance(position, int) or isinstance(position, bool) or position < 0:
        raise Refused("BAD_PAGE_TOKEN")
    return position
