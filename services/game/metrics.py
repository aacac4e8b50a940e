"""Numbers of the game service, for operators."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge

from services.common.metrics import SECONDS, Metrics
from services.common.often import Counts, Spans
from services.game.records import ASKED, AWAY, IDLE

FINE_SECONDS = (0.00005, 0.0001, 0.0002, 0.0005, *SECONDS)
"""Bounds for what takes less than a call."""
WHO = ("person", "bot", "nobody")
"""Who can have a seat."""


WHY = {AWAY: "away", IDLE: "idle", ASKED: "asked"}
"""Why a stand-in plays."""


class GameMetrics(Metrics):
    """Every number that the game service keeps."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        super().__init__(registry)
        r = self.registry
        self.tables = Gauge("daifugo_tables", "Tables that are not closed", registry=r)
        self.matches_running = Gauge("daifugo_matches_running", "Matches that are being played", registry=r)
        self._seats = Gauge("daifugo_seats", "Seats of tables that are not closed, by who has them", ["by"], registry=r)
        self.watchers = Gauge("daifugo_watchers", "Open streams", registry=r)
        self._actions = Counts(
            "daifugo_actions",
            "Actions at tables, by who took them: a seat, a clock, a stand-in, by auto pass, or the table itself",
            ["by"],
            r,
        )
        self._time_outs = Counter(
            "daifugo_time_outs", "Defaults taken for seats whose time was up, by who sits there", ["seat"], registry=r
        )
        self._action_seconds = Spans(
            "daifugo_action_seconds", "Time that an action takes, by part", ["part"], FINE_SECONDS, r
        )
        self._take_overs = Counter(
            "daifugo_take_overs", "Seats that a stand-in has taken over from their players, by why", ["why"], registry=r
        )
        self.bot_processes = Gauge("daifugo_bot_processes", "Processes that play for bots of the service", registry=r)
        self.bot_seats = Gauge("daifugo_bot_seats", "Seats that bots of the service play just now", registry=r)
        self.bot_restarts = Counter(
            "daifugo_bot_restarts", "Processes of bots that have ended and were to go on", registry=r
        )
        self.bot_fallbacks = Counter(
            "daifugo_bot_fallbacks", "Decisions of bots of the service that the service answered in time", registry=r
        )
        self.games = Counter("daifugo_games", "Games that have ended", registry=r)
        self.matches = Counter("daifugo_matches", "Matches that have ended", registry=r)
        self.fell_behind = Counter("daifugo_watchers_fell_behind", "Streams collapsed to a snapshot", registry=r)
        self.too_slow = Counter("daifugo_watchers_too_slow", "Streams closed because nobody read", registry=r)
        self._append_seconds = Spans("daifugo_journal_append_seconds", "Time to make records durable", (), SECONDS, r)
        self.journal_failures = Counter("daifugo_journal_failures", "Appends that failed", registry=r)
        self.append_seconds = self._append_seconds.of()
        self.acted = {by: self._actions.of(by) for by in ("seat", "clock", "auto_pass", "stand_in", "system")}
        self.seats = {by: self._seats.labels(by) for by in WHO}
        self.timed_out = {who: self._time_outs.labels(who) for who in ("person", "bot")}
        self.spent = {part: self._action_seconds.of(part) for part in ("rules", "journal", "telling")}
        self.took_over = {number: self._take_overs.labels(why) for number, why in WHY.items()}
