"""IdentityService: what comes in is read, and what goes out is written."""

from __future__ import annotations

from typing import cast

from daifugo.v1 import identity_pb2, identity_pb2_grpc
from services.common.access import SCOPES
from services.common.auth import caller
from services.common.context import Context
from services.common.errors import malformed
from services.common.names import MOST_CHARACTERS, proper_name
from services.common.times import duration_to, time_to
from services.identity.accounts import Account, BotKey
from services.identity.office import Office, SignedIn

LEAST_SECRET = 32
MOST_SECRET = 128
MOST_TOKEN = 256


class IdentityServicer(identity_pb2_grpc.IdentityServiceServicer):
    """Accounts and keys."""

    def __init__(self, office: Office) -> None:
        self.office = office

    async def SignInGuest(  # noqa: N802
        self, request: identity_pb2.SignInGuestRequest, context: Context
    ) -> identity_pb2.SignInGuestResponse:
        """Sign a guest in."""
        secret = request.device_secret
        if not LEAST_SECRET <= len(secret) <= MOST_SECRET or not secret.isascii() or not secret.isprintable():
            raise malformed(
                "device_secret",
                f"{LEAST_SECRET}〜{MOST_SECRET}文字の表示可能なASCII文字にしてください。",
                f"It must have {LEAST_SECRET} to {MOST_SECRET} printable ASCII characters.",
            )
        name = _name(request.display_name) if request.display_name else ""
        who = await self.office.sign_in(secret, name, caller().locale)
        return identity_pb2.SignInGuestResponse(
            tokens=tokens_to(who), account=account_to(who.account), created=who.created
        )

    async def SignInBot(  # noqa: N802
        self, request: identity_pb2.SignInBotRequest, context: Context
    ) -> identity_pb2.SignInBotResponse:
        """Sign a bot in."""
        who = await self.office.sign_in_bot(request.key)
        return identity_pb2.SignInBotResponse(tokens=tokens_to(who), account=account_to(who.account))

    async def Refresh(  # noqa: N802
        self, request: identity_pb2.RefreshRequest, context: Context
    ) -> identity_pb2.RefreshResponse:
        """Give new tokens."""
        who = await self.office.refresh(request.refresh_token)
        return identity_pb2.RefreshResponse(tokens=tokens_to(who), account=account_to(who.account))

    async def SignOut(  # noqa: N802
        self, request: identity_pb2.SignOutRequest, context: Context
    ) -> identity_pb2.SignOutResponse:
        """End a session."""
        await self.office.sign_out(request.refresh_token, request.everywhere)
        return identity_pb2.SignOutResponse()

    async def GetAccount(  # noqa: N802
        self, request: identity_pb2.GetAccountRequest, context: Context
    ) -> identity_pb2.GetAccountResponse:
        """Show who calls."""
        return identity_pb2.GetAccountResponse(account=account_to(await self._caller()))

    async def SetDisplayName(  # noqa: N802
        self, request: identity_pb2.SetDisplayNameRequest, context: Context
    ) -> identity_pb2.SetDisplayNameResponse:
        """Rename the caller."""
        renamed = await self.office.rename(await self._caller(), _name(request.display_name))
        return identity_pb2.SetDisplayNameResponse(account=account_to(renamed))

    async def DeleteAccount(  # noqa: N802
        self, request: identity_pb2.DeleteAccountRequest, context: Context
    ) -> identity_pb2.DeleteAccountResponse:
        """Forget the caller."""
        await self.office.delete(await self._caller())
        return identity_pb2.DeleteAccountResponse()

    async def CreateBotKey(  # noqa: N802
        self, request: identity_pb2.CreateBotKeyRequest, context: Context
    ) -> identity_pb2.CreateBotKeyResponse:
        """Make a key."""
        owner, name = await self._caller(), _name(request.display_name, bot=True)
        kept, key = await self.office.create_bot_key(owner, name, _scopes(request))
        return identity_pb2.CreateBotKeyResponse(bot_key=bot_key_to(kept), key=key)

    async def ListBotKeys(  # noqa: N802
        self, request: identity_pb2.ListBotKeysRequest, context: Context
    ) -> identity_pb2.ListBotKeysResponse:
        """List the caller's keys."""
        found = await self.office.store.bot_keys((await self._caller()).id)
        return identity_pb2.ListBotKeysResponse(bot_keys=[bot_key_to(key) for key in found])

    async def RevokeBotKey(  # noqa: N802
        self, request: identity_pb2.RevokeBotKeyRequest, context: Context
    ) -> identity_pb2.RevokeBotKeyResponse:
        """Revoke a key."""
        await self.office.revoke_bot_key(await self._caller(), request.bot_key_id)
        return identity_pb2.RevokeBotKeyResponse()

    async def _caller(self) -> Account:
        return await self.office.account(caller().who.subject)


def _name(name: str, bot: bool = False) -> str:
    return proper_name("display_name", name, bot, MOST_CHARACTERS)


def _scopes(request: identity_pb2.CreateBotKeyRequest) -> tuple[str, ...]:
    asked = sorted(set(request.scopes))
    if not asked or not all(1 <= each <= len(SCOPES) for each in asked):
        raise malformed("scopes", "1つ以上、公開された値から選んでください。", "Name at least one of those there are.")
    return tuple(SCOPES[each - 1] for each in asked)


def tokens_to(who: SignedIn) -> identity_pb2.Tokens:
    """Write tokens."""
    tokens = identity_pb2.Tokens(
        token=who.token,
        expire_time=time_to(who.until),
        remaining=duration_to(who.seconds),
        refresh_token=who.refresh_token,
    )
    if who.refresh_token:
        tokens.refresh_expire_time.CopyFrom(time_to(who.refresh_until))
    return tokens


def account_to(account: Account) -> identity_pb2.Account:
    """Write an account."""
    return identity_pb2.Account(
        id=account.id, display_name=account.name, bot=account.bot, create_time=time_to(account.created)
    )


def bot_key_to(key: BotKey) -> identity_pb2.BotKey:
    """Write a key, without its secret."""
    scopes = [cast(identity_pb2.BotScope, SCOPES.index(scope) + 1) for scope in key.scopes]
    written = identity_pb2.BotKey(id=key.bot.id, account=account_to(key.bot), scopes=scopes)
    if key.used is not None:
        written.use_time.CopyFrom(time_to(key.used))
    return written
