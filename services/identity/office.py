"""What can be done with accounts."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import NamedTuple

from services.common.clocks import Clock
from services.common.errors import Refused
from services.common.logs import log
from services.identity.accounts import (
    FRESH,
    STOLEN,
    Account,
    BotKey,
    Session,
    bot_of,
    hash_of,
    new_bot_key,
    new_id,
    read_refresh_token,
    refresh_token,
)
from services.identity.config import IdentityConfig
from services.identity.keyring import Keyring
from services.identity.metrics import IdentityMetrics
from services.identity.store import Gone, Store

GUESTS = {"ja": "ゲスト", "en": "Guest"}


class SignedIn(NamedTuple):
    """What somebody gets who has signed in."""

    account: Account
    token: str
    until: float
    seconds: float
    refresh_token: str = ""
    refresh_until: float = 0.0
    created: bool = False


class Office:
    """Signs in, refreshes, renames and deletes."""

    def __init__(
        self,
        config: IdentityConfig,
        clock: Clock,
        store: Store,
        keyring: Keyring,
        metrics: IdentityMetrics,
        secret: bytes,
    ) -> None:
        self.config = config
        self.clock = clock
        self.store = store
        self.keyring = keyring
        self.metrics = metrics
        self._secret = secret

    async def sign_in(self, device_secret: str, name: str, locale: str) -> SignedIn:
        """Sign a guest in by the secret of a device; the first time, make the account."""
        hashed, now = hash_of(device_secret), self.clock.now()
        found = await self.store.account_of(hashed)
        account = found
        if account is None:
            name = name or f"{GUESTS[locale]} {secrets.randbelow(9000) + 1000}"
            made = Account(new_id("guest"), name, now)
            account = await self.store.add_account(made, hashed)
        session = Session(new_id(), account.id, 1, now, now + self.config.session_seconds)
        try:
            await self.store.add_session(session)
        except Gone:
            # somebody has just deleted it, on another device with the same secret
            return await self.sign_in(device_secret, name, locale)
        self.metrics.signed_in("guest" if found else "new_guest")
        return self._tokens(account, session)._replace(created=found is None)

    async def refresh(self, token: str) -> SignedIn:
        """Give new tokens for a refresh token."""
        read = read_refresh_token(token, self._secret)
        if read is None:
            raise Refused("SIGNED_OUT")
        now = self.clock.now()
        session, what = await self.store.turn(*read, now, now + self.config.session_seconds)
        if what == STOLEN:
            self.metrics.stolen.inc()
            log().warning("refresh_token_reused")
        account = await self.store.account(session.account) if session is not None else None
        if session is None or account is None:
            raise Refused("SIGNED_OUT")
        if what == FRESH:
            self.metrics.signed_in("refresh")
        return self._tokens(account, session)

    async def sign_out(self, token: str, everywhere: bool) -> None:
        """End a session, or all sessions of its account."""
        read = read_refresh_token(token, self._secret)
        if read is None:
            raise Refused("SIGNED_OUT")
        session_id, number = read
        session = await self.store.session(session_id)
        if session is None:
            return
        # a token that was used up may come from anybody, who could sign all devices out with it
        if everywhere and number == session.number:
            await self.store.end_sessions(session.account)
        else:
            await self.store.end_session(session_id)

    async def sign_in_bot(self, key: str) -> SignedIn:
        """Sign a bot in by its key."""
        found = await self.store.bot_key(bot_of(key))
        if found is None or not secrets.compare_digest(found.hash, hash_of(key)):
            raise Refused("BOT_KEY_NOT_VALID")
        await self.store.use_bot_key(found.bot.id, self.clock.now())
        self.metrics.signed_in("bot")
        token, until = self.keyring.token(found.bot, found.scopes)
        return SignedIn(found.bot, token, until, self.config.token_seconds)

    async def account(self, account_id: str) -> Account:
        """Return who calls; whoever has been deleted is nobody any more."""
        account = await self.store.account(account_id)
        if account is None:
            key = await self.store.bot_key(account_id)
            if key is None:
                raise Refused("NOT_SIGNED_IN")
            return key.bot
        return account

    async def rename(self, account: Account, name: str) -> Account:
        """Give somebody another name."""
        await self.store.rename(account.id, name)
        return replace(account, name=name)

    async def delete(self, account: Account) -> None:
        """Forget somebody."""
        await self.store.delete_account(account.id)
        self.metrics.deleted.inc()

    async def create_bot_key(self, owner: Account, name: str, scopes: tuple[str, ...]) -> tuple[BotKey, str]:
        """Make a key for a bot; return also the key itself."""
        bot = Account(new_id("bot"), name, self.clock.now(), True)
        key = new_bot_key(bot.id)
        kept = BotKey(bot, owner.id, hash_of(key), scopes)
        try:
            has_room = await self.store.add_bot_key(kept, self.config.max_bot_keys)
        except Gone:
            raise Refused("NOT_SIGNED_IN") from None
        if not has_room:
            raise Refused("TOO_MANY_BOT_KEYS", metadata={"most": str(self.config.max_bot_keys)})
        return kept, key

    async def revoke_bot_key(self, owner: Account, bot_id: str) -> None:
        """Revoke a key of somebody's bot."""
        if not await self.store.drop_bot_key(owner.id, bot_id):
            raise Refused("BOT_KEY_NOT_FOUND")

    def _tokens(self, account: Account, session: Session) -> SignedIn:
        token, until = self.keyring.token(account)
        again = refresh_token(session.id, session.number, self._secret)
        return SignedIn(account, token, until, self.config.token_seconds, again, session.until)
