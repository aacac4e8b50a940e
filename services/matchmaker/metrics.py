"""Numbers of the matchmaker, for operators. Queues are labels: there are as many as the operator's file has."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from services.common.metrics import SECONDS, Metrics

WAITS: Final = (0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 900.0)


class MatchmakerMetrics(Metrics):
    """Every number that the matchmaker keeps."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        super().__init__(registry)
        r = self.registry
        self.waiting = Gauge("daifugo_tickets_waiting", "Tickets that wait in a queue", ["queue", "who"], registry=r)
        self.wait_seconds = Histogram(
            "daifugo_ticket_wait_seconds",
            "Time from taking a ticket to its seat",
            ["queue", "who"],
            buckets=WAITS,
            registry=r,
        )
        self.tickets = Counter("daifugo_tickets", "Tickets that have ended, by how", ["queue", "end"], registry=r)
        self.pairings = Counter("daifugo_pairings", "Pairings, by what became of them", ["queue", "end"], registry=r)
        self.seating = Gauge("daifugo_pairings_seating", "Pairings whose seats are not settled yet", registry=r)
        self.store_seconds = Histogram(
            "daifugo_store_save_seconds", "Time to make tickets and pairings durable", buckets=SECONDS, registry=r
        )
        self.store_failures = Counter("daifugo_store_failures", "Saves that failed", registry=r)
