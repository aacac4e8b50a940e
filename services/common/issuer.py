"""Identities that somebody else vouches for: signed tokens of an issuer, whose keys are read from where it says."""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import jwt

from services.common.auth import Identity
from services.common.config import CannotStart
from services.common.errors import Refused
from services.common.logs import log

ALGORITHMS: Final = ("EdDSA", "RS256")
JWKS_PATH: Final = "/.well-known/jwks.json"
"""Where an issuer publishes its keys."""
NAME_CLAIM: Final = "daifugo_name"
BOT_CLAIM: Final = "daifugo_bot"
SCOPES_CLAIM: Final = "daifugo_scopes"
"""What a token may say besides: what others see its owner called, whether that is a bot, and what it has leave for."""
CLAIMS: Final = ("iss", "aud", "sub", "iat", "exp")
"""What a token must say."""
LEEWAY_SECONDS: Final = 30.0
"""How far the issuer's clock may be from this one's."""
FRESH_SECONDS: Final = 300.0
"""After how long keys are read again, and a token that was checked before is checked again."""
AGAIN_SECONDS: Final = 10.0
"""How soon at most keys are read again because of a token that names another one."""
FETCH_SECONDS: Final = 5.0
MOST_KNOWN: Final = 10_000
MOST_SUBJECT: Final = 255
MOST_NAME: Final = 40


class Issuer:
    """Takes the tokens of one issuer for one audience."""

    def __init__(
        self,
        issuer: str,
        audience: str,
        source: str | Callable[[], Mapping[str, Any]] = "",
        now: Callable[[], float] = time.time,
    ) -> None:
        self.issuer = issuer
        self.audience = audience
        self.source = source or issuer.rstrip("/") + JWKS_PATH
        """Where the keys are: an address, or a file; or who tells them."""
        self._now = now
        self._keys: dict[str, jwt.PyJWK] = {}
        self._read = -AGAIN_SECONDS
        self._reading: asyncio.Future[None] | None = None
        self._known: OrderedDict[str, tuple[Identity, float]] = OrderedDict()

    async def open(self) -> None:
        """Read the keys, or raise CannotStart."""
        try:
            await self._read_keys()
        except Exception as problem:
            raise CannotStart(f"--issuer {self.issuer}: no keys could be read from {self.source}: {problem}") from None
        if not self._keys:
            raise CannotStart(f"--issuer {self.issuer}: {self.source} has no key for {' or '.join(ALGORITHMS)}")

    def known(self, token: str) -> Identity | None:
        """Return who holds a token, if it was checked a short while ago."""
        found = self._known.get(token)
        return found[0] if found is not None and self._now() < found[1] else None

    async def identify(self, token: str) -> Identity:
        """Check a token; refuse one that is expired, for somebody else, or not signed by the issuer."""
        claims = await self._claims(token)
        until = float(claims["exp"]) + LEEWAY_SECONDS
        now = self._now()
        if until <= now:
            raise Refused("TOKEN_EXPIRED")
        if max(float(claims["iat"]), float(claims.get("nbf", 0))) > now + LEEWAY_SECONDS:
            raise Refused("NOT_SIGNED_IN")
        named = f"{self.issuer}\0{claims['sub']}".encode()
        scopes = claims.get(SCOPES_CLAIM)
        identity = Identity(
            "signed:" + sha256(named).hexdigest()[:32],
            until,
            claims.get(BOT_CLAIM),
            claims.get(NAME_CLAIM),
            frozenset(scopes) if scopes is not None else None,
            claims["sub"],
        )
        self._known[token] = identity, min(until, now + FRESH_SECONDS)
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        return identity

    async def _claims(self, token: str) -> Mapping[str, Any]:
        try:
            key = await self._key(jwt.get_unverified_header(token).get("kid"))
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                algorithms=[key.algorithm_name],
                audience=self.audience,
                issuer=self.issuer,
                # times are compared with this service's clock, in one place
                options={"require": list(CLAIMS), "verify_exp": False, "verify_iat": False, "verify_nbf": False},
            )
        except jwt.PyJWTError:
            raise Refused("NOT_SIGNED_IN") from None
        times = [claims["exp"], claims["iat"], claims.get("nbf", 0)]
        subject = claims["sub"]
        if not all(isinstance(each, int | float) for each in times) or not 1 <= len(subject) <= MOST_SUBJECT:
            raise Refused("NOT_SIGNED_IN")
        if not _is_well_said(claims):
            raise Refused("NOT_SIGNED_IN")
        return claims

    async def _key(self, name: object) -> jwt.PyJWK:
        """Return a key by its name, reading them again if it is new or they are old."""
        age = self._now() - self._read
        if age >= FRESH_SECONDS or (age >= AGAIN_SECONDS and name not in self._keys):
            try:
                await self._read_keys()
            except Exception as problem:
                # those there were go on to hold: nobody is shut out because the issuer is away
                log().warning("issuer_keys_not_read", error_type=type(problem).__name__)
        key = self._keys.get(name) if isinstance(name, str) else None
        if key is None:
            raise Refused("NOT_SIGNED_IN")
        return key

    async def _read_keys(self) -> None:
        """Read the keys; whoever asks meanwhile waits for the same reading."""
        if self._reading is None:
            self._read = self._now()
            self._reading = asyncio.ensure_future(asyncio.to_thread(self._fetch))
        reading = self._reading
        try:
            await asyncio.shield(reading)
        finally:
            if self._reading is reading and reading.done():
                self._reading = None

    def _fetch(self) -> None:
        found: Any
        if callable(self.source):
            found = self.source()
        elif "://" in self.source:
            found = jwt.PyJWKClient(self.source, cache_jwk_set=False, timeout=FETCH_SECONDS).fetch_data()
        else:
            found = json.loads(Path(self.source).read_text(encoding="utf-8"))
        keys = [jwt.PyJWK(each, algorithm=each.get("alg")) for each in found["keys"] if _is_ours(each)]
        self._keys = {key.key_id: key for key in keys if key.key_id}


def _is_well_said(claims: Mapping[str, Any]) -> bool:
    """Say whether what a token says besides is of the right kind; if not, it must not count for less than it says."""
    bot, name, scopes = claims.get(BOT_CLAIM, False), claims.get(NAME_CLAIM, ""), claims.get(SCOPES_CLAIM, [])
    return (
        isinstance(bot, bool)
        and isinstance(name, str)
        and len(name) <= MOST_NAME
        and isinstance(scopes, list)
        and all(isinstance(each, str) for each in scopes)
    )


def _is_ours(key: Mapping[str, Any]) -> bool:
    """Say whether a key is one with which tokens may be signed here."""
    kind = key.get("kty"), key.get("crv")
    fits = kind == ("OKP", "Ed25519") or kind[0] == "RSA"
    algorithm = key.get("alg", "EdDSA" if kind[0] == "OKP" else "RS256")
    return fits and algorithm in ALGORITHMS and key.get("use", "sig") == "sig"
