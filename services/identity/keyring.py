"""The keys in use: drawn and dropped in time, and published wherever services read them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from services.common.clocks import Clock
from services.common.config import CannotStart
from services.common.logs import log
from services.identity.accounts import Account
from services.identity.config import IdentityConfig
from services.identity.signing import SigningKey, needs_another, new_key, outdated, published, signed, signs
from services.identity.store import Store


class Keyring:
    """Signs tokens."""

    def __init__(self, config: IdentityConfig, clock: Clock, store: Store) -> None:
        self.config = config
        self.clock = clock
        self.store = store
        self.keys: list[SigningKey] = []
        self._public: dict[str, Any] = {"keys": []}

    async def open(self) -> None:
        """Read the keys, and draw the first one; raise CannotStart if nobody could get to know them."""
        if not self.config.issuer_keys and not self.config.admin_port:
            raise CannotStart("say --issuer-keys FILE or --admin-port, or no service can read the keys")
        self.keys = await self.store.signing_keys()
        if not await self.turn():
            self._publish()

    async def turn(self) -> bool:
        """Draw another key when it is time, and drop those whose tokens have ended; return whether anything changed."""
        now = self.clock.now()
        old = outdated(self.keys, now, self.config.token_seconds)
        for key in old:
            await self.store.drop_signing_key(key)
        fresh = [new_key(now)] if needs_another(self.keys, now, self.config.signing_key_seconds) else []
        for key in fresh:
            await self.store.add_signing_key(key)
        if old or fresh:
            self.keys = [key for key in self.keys if key not in old] + fresh
            self._publish()
        return bool(old or fresh)

    def public(self) -> dict[str, Any]:
        """Return the public keys (JWKS)."""
        return self._public

    def token(self, account: Account, scopes: tuple[str, ...] | None = None) -> tuple[str, float]:
        """Return a token for an account, and when it ends."""
        now = self.clock.now()
        until = now + self.config.token_seconds
        key, config = signs(self.keys, now), self.config
        return signed(key, account, config.issuer, config.audience, now, until, scopes), until

    def _publish(self) -> None:
        self._public = published(self.keys)
        if not self.config.issuer_keys:
            return
        path = Path(self.config.issuer_keys)
        fresh = path.with_name(path.name + ".new")
        try:
            fresh.write_text(json.dumps(self._public) + "\n", encoding="utf-8")
            fresh.replace(path)
        except OSError as error:
            raise CannotStart(f"--issuer-keys {path}: {error.strerror}") from None
        log().info("keys_published")
