"""Every setting of the game service, with its default."""

from __future__ import annotations

from dataclasses import dataclass

from services.common.config import Config


@dataclass(frozen=True)
class GameConfig(Config):
    """Settings of the game service."""

    store: str = "daifugo.db"
    """The SQLite file where tables are kept, for this service alone; `memory` keeps none, and a restart loses them."""
    store_keys: str = ""
    """The file of keys that seal the store, the newest first. Empty: beside the store, and made at the first start."""
    max_tables: int = 10000
    """The most tables at a time."""
    tables_per_identity: int = 100
    """The most tables at a time whose host is the same, but for those that begin by themselves."""
    auto_tables_per_identity: int = 10000
    """The same for tables that begin by themselves: a matchmaker is one identity with all of its tables."""
    table_idle_seconds: float = 3600.0
    """After how long a table that nobody watches or uses is closed."""
    closed_table_seconds: float = 600.0
    """How long a closed table can still be looked at."""
    result_seconds: float = 2592000.0
    """How long the results of matches are kept in the outbox: 30 days."""
    record_days: int = 365
    """How many days records of matches are kept; 0: none are."""
    snapshot_versions: int = 64
    """After how many versions of a table the store gets a snapshot of it: a restart replays no more than those."""
    between_games_seconds: float = 3.0
    """The pause between two games of a match; none where only bots sit."""
    return_seconds: float = 10.0
    """How much time decisions, and tables that wait, have left at least after a restart: players have to come back."""
    away_seconds: float = 30.0
    """After how long without a stream a stand-in plays for somebody who had one."""
    most_time_outs: int = 2
    """After how many time-outs in a row a stand-in plays for somebody; at tables without a clock after the first."""
    auto_pass_seconds: float = 1.0
    """After how long a seat that can do nothing else passes by itself, where the ruleset has that; always the same."""
    stand_in_seconds: float = 1.0
    """How long a stand-in takes for every answer, also for a seat that nobody has."""

    bot_processes: int = 1
    """How many processes play for bots of the service, begun when there are any; 0: the service plays them, simply."""
    bot_command: str = ""
    """What such a process runs, as one would type it. Empty: the bots that come with the service."""
    bot_policies: str = "greedy,random"
    """How bots of the service can decide, with commas between; the command must know all of them."""
    bot_fill: str = ""
    """How bots decide that get the seats left free where a match begins by itself. Empty: stand-ins play these."""
    bot_seconds: float = 5.0
    """How long a bot of the service may take for an answer, before the service gives one and the bot's process ends."""

    recent_versions: int = 64
    """How many versions of each table are kept for streams that come back."""
    max_seats_per_stream: int = 2000
    """The most seats that one stream may drive."""
    watcher_versions: int = 64
    """How many versions may wait for a stream before they are put together into a snapshot."""
