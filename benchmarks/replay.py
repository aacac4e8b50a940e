"""Recorded matches: legal play that is written once, and then played again at any number of tables."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import islice
from typing import Final

from daifugo.v1 import game_pb2, rules_pb2
from engine.actions import Action
from engine.legal import legal_moves
from engine.state import State
from engine.view import view
from services.game.codec.actions import action_to
from services.game.codec.tables import settings_from
from services.game.life import RUNNING, begin, follow
from services.game.records import Acted, Created, GameStarted, MatchStarted, Occupant, SeatTaken

SERVICE: Final = game_pb2.DESCRIPTOR.services_by_name["GameService"].full_name
PRESET: Final = "jdf4"
SEATS: Final = 4
MOST_CHOICES: Final = 200
"""Among how many legal actions one is drawn by lot."""


@dataclass(frozen=True)
class Step:
    """One action of a recorded match."""

    seat: int
    request: bytes
    """What it says in an ActRequest, all but the table's id."""
    version: int
    """The table's version after it, and after the deal of the next game if it ended one."""


@dataclass(frozen=True)
class Script:
    """A recorded match. Whoever is dealt cards by the same seed can play it again."""

    seed: bytes
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Told:
    """What the real server said in a match: on each seat's stream at the start, and then for each action."""

    begun: tuple[bytes, ...]
    """The first message of each seat's stream."""
    steps: tuple[tuple[bytes, tuple[tuple[bytes, ...], ...]], ...]
    """For each action what it was answered, and the messages on each seat's stream."""


def creation(games: int, request_id: str = "") -> game_pb2.CreateTableRequest:
    """Ask for the table at which recorded matches are played: the usual rules, a clock that never runs out."""
    return game_pb2.CreateTableRequest(
        request_id=request_id,
        ruleset=rules_pb2.Ruleset(preset=PRESET, seats=SEATS),
        format=game_pb2.MatchFormat(games=games),
        clock=game_pb2.Clock(turn_seconds=3600, choice_seconds=3600),
    )


def write(number: int, games: int) -> Script:
    """Play a match of so many games by lot; the same number gives the same match."""
    chance = random.Random(f"recorded match {number}")
    seed = chance.randbytes(32)
    life = begin(Created(settings_from(creation(games)), "host"), 0.0)
    for seat in range(SEATS):
        life, _ = follow(life, SeatTaken(seat, Occupant(f"player {seat}", "", True)))
    life, _ = follow(life, MatchStarted("", seed, games))
    steps = []
    while life.phase == RUNNING:
        seat, decision, action = _chosen(life.state, chance)
        life, _ = follow(life, Acted(seat, decision, action))
        if life.is_between_games():
            life, _ = follow(life, GameStarted())
        steps.append(Step(seat, _request(decision, action), life.version))
    return Script(seed, tuple(steps))


def _chosen(state: State, chance: random.Random) -> tuple[int, int, Action]:
    seat, decision = next((seat, decision) for seat, decision in enumerate(state.decisions) if decision)
    seen = view(state, seat)
    moves = list(islice(legal_moves(seen, seat, seen.hand, seen.choice), MOST_CHOICES))
    return seat, decision, chance.choice(moves).action()


def _request(decision: int, action: Action) -> bytes:
    return game_pb2.ActRequest(decision_id=decision, action=action_to(action)).SerializeToString()


def addressed(table_id: str) -> bytes:
    """Return what names the table in front of a step's request: messages are joined by joining their bytes."""
    return game_pb2.ActRequest(table_id=table_id).SerializeToString()
