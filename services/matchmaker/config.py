"""Every setting of the matchmaker, with its default."""

from __future__ import annotations

from dataclasses import dataclass

from services.common.config import Config


@dataclass(frozen=True)
class MatchmakerConfig(Config):
    """Settings of the matchmaker."""

    port: int = 50052
    """The port to listen on; 0 takes a free one, which is printed."""

    queues: str = ""
    """A TOML file that says what can be waited for. Empty: the queues that come with the program."""
    store: str = "memory"
    """The SQLite file where tickets and pairings are kept; `memory` keeps none, and a restart loses those that wait."""
    game_address: str = "127.0.0.1:50051"
    """The game service at which tables are made."""
    table_address: str = ""
    """The address of that game service as players reach it. Empty: the same."""
    game_token: str = ""
    """Who the matchmaker is at the game service: a secret. Empty: a random one, kept along with the tickets."""
    identity_address: str = ""
    """The identity service at which the matchmaker signs in by its game_key."""
    game_key: str = ""
    """The key of a bot with the scope to host, instead of a game_token: a secret."""
    game_call_seconds: float = 5.0
    """How long the game service may take for an answer before it is asked again."""

    max_tickets: int = 10000
    """The most tickets that may wait at a time."""
    ticket_idle_seconds: float = 20.0
    """After how long a ticket expires for which nobody asks and that nobody watches."""
