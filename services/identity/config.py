"""Every setting of the identity service, with its default."""

from __future__ import annotations

from dataclasses import dataclass

from services.common.config import Config


@dataclass(frozen=True)
class IdentityConfig(Config):
    """Settings of the identity service."""

    port: int = 50053
    """The port to listen on; 0 takes a free one, which is printed."""
    issuer: str = "daifugo"
    """What its tokens name as their issuer: the --issuer of the services that take them."""
    issuer_keys: str = ""
    """A file to write the public keys to, for services on this machine. Empty: only the admin port has them."""

    store: str = "identity.db"
    """The SQLite file of the accounts, for this service alone; `memory` keeps none, and a restart loses them."""
    token_seconds: float = 600.0
    """How long a token is good: the longest that a deleted account or a revoked key may go on playing."""
    session_seconds: float = 2592000.0
    """After how long without a refresh a guest has to sign in by the device's secret again."""
    signing_key_seconds: float = 7776000.0
    """After how long another key is used to sign tokens."""
    sign_ins_per_second: float = 10.0
    """How many calls without a token one address may make in the long run; behind a proxy, all of its clients."""
    sign_ins_burst: int = 100
    """How many calls without a token one address may make at once."""
    max_bot_keys: int = 20
    """The most bots' keys that an account may have."""
