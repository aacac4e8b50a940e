"""What all tables of a server share."""

from __future__ import annotations

from dataclasses import dataclass

from services.common.config import Config
from services.common.metrics import Metrics
from services.game.answers import Answers
from services.game.clocks import Clock
from services.game.journal import Journal, Writer


@dataclass(frozen=True)
class Desk:
    """Settings, clock, numbers, and the way to the journal."""

    config: Config
    clock: Clock
    metrics: Metrics
    journal: Journal
    writer: Writer
    answers: Answers
