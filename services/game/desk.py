"""What all tables of a server share."""

from __future__ import annotations

from dataclasses import dataclass

from services.common.clocks import Clock
from services.game.answers import Answers
from services.game.config import GameConfig
from services.game.house import House
from services.game.invites import Invites
from services.game.journal import Journal, Writer
from services.game.metrics import GameMetrics


@dataclass(frozen=True)
class Desk:
    """Settings, clock, numbers, and the way to the journal."""

    config: GameConfig
    clock: Clock
    metrics: GameMetrics
    journal: Journal
    writer: Writer
    answers: Answers
    invites: Invites
    house: House
