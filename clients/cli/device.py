"""The guest of this device: its secret, kept in a file that only its user can read, one for each identity service."""

from __future__ import annotations

import argparse
import os
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

from clients.cli.running import Unreachable
from clients.common.errors import UNREACHED, Refused
from clients.common.identity import Credentials, Guest


def folder() -> Path:
    """Return where secrets are kept: in the user's folder for data."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "daifugo" / "guests"


def device_secret(address: str) -> str:
    """Return this device's secret for an identity service; draw it the first time."""
    path = folder() / quote(address, safe="")
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = path.with_name(f"{path.name}.{os.getpid()}")
        fresh.touch(0o600)
        fresh.write_text(secrets.token_urlsafe(32) + "\n", encoding="ascii")
        try:
            # never another one's: a process that came first has told the service its own
            path.hardlink_to(fresh)
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    return path.read_text(encoding="ascii").strip()


def forget_secret(address: str) -> None:
    """Forget the secret, so that nobody who comes later is this guest."""
    (folder() / quote(address, safe="")).unlink(missing_ok=True)


@asynccontextmanager
async def guest_of(address: str, language: str, name: str = "") -> AsyncIterator[Guest]:
    """Sign in as the guest of this device; raise Unreachable if nobody answers."""
    async with Guest(address, device_secret(address), name, language) as guest:
        try:
            await guest.token()
        except Refused as problem:
            if problem.reason in UNREACHED:
                raise Unreachable(address) from None
            raise
        yield guest


@asynccontextmanager
async def credentials(options: argparse.Namespace) -> AsyncIterator[Credentials]:
    """Return who somebody is as the command line says: the guest of this device, or whoever has a token."""
    if not options.identity:
        yield options.token
        return
    async with guest_of(options.identity, options.lang, getattr(options, "name", "")) as guest:
        yield guest
