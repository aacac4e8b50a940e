"""Recorded matches: legal play that is written once, and then played again at any number of tables."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import islice
from typing import Final

from daifugo.v1 import drive_pb2, game_pb2, rules_pb2
from engine.actions import PASS, Action
from engine.legal import legal_moves
from engine.state import State
from engine.view import view
from services.game.codec.actions import action_to
from services.game.codec.tables import settings_from
from services.game.life import RUNNING, begin, follow
from services.game.records import Acted, Created, GameStarted, MatchStarted, Occupant, SeatTaken
from services.game.seeds import seed_at

SERVICE: Final = game_pb2.DESCRIPTOR.services_by_name["GameService"].full_name
DRIVE_SERVICE: Final = drive_pb2.DESCRIPTOR.services_by_name["DriveService"].full_name
SEATS: Final = 4
"""How many seats the usual table has."""
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
    driven: bytes
    """What it says in a DriveAction, all but the handle."""


@dataclass(frozen=True)
class Script:
    """A recorded match. Whoever draws the same root for a table can play it again there."""

    asked: game_pb2.CreateTableRequest
    root: bytes
    """What the seeds of its table follow from."""
    steps: tuple[Step, ...]

    @property
    def games(self) -> int:
        """How many games it has."""
        return self.asked.format.games

    @property
    def seats(self) -> int:
        """How many play."""
        return self.asked.ruleset.seats

    def creation(self, request_id: str, relaxed: bool = False) -> game_pb2.CreateTableRequest:
        """Ask for a table at which it can be played."""
        asked = game_pb2.CreateTableRequest()
        asked.CopyFrom(self.asked)
        asked.request_id = request_id
        if relaxed:
            asked.durability = game_pb2.DURABILITY_RELAXED
        return asked


@dataclass(frozen=True)
class Told:
    """What the real server said in a match: on each seat's stream at the start, and then for each action."""

    begun: tuple[bytes, ...]
    """The first message of each seat's stream."""
    steps: tuple[tuple[bytes, tuple[tuple[bytes, ...], ...]], ...]
    """For each action what it was answered, and the messages on each seat's stream."""


Part = tuple[int, int, bytes]
"""The number of a field of DriveResponse, a seat, and what is said of it, all but its handle."""


@dataclass(frozen=True)
class Driven:
    """What the real server said in a match on a drive: at the start, and then for each action."""

    begun: tuple[Part, ...]
    steps: tuple[tuple[Part, ...], ...]


def write(number: int, games: int, preset: str = "jdf4", seats: int = SEATS, eager: bool = False) -> Script:
    """Play a match of so many games; the same number gives the same match. Its clock never runs out.

    Anything legal is played by lot, or by `eager` seats the first thing that is no pass: mostly their weakest cards.
    """
    asked = game_pb2.CreateTableRequest(
        ruleset=rules_pb2.Ruleset(preset=preset, seats=seats),
        format=game_pb2.MatchFormat(games=games),
        clock=game_pb2.Clock(turn_seconds=3600, choice_seconds=3600),
    )
    chance = random.Random(f"recorded match {number}")
    root = chance.randbytes(32)
    life = begin(Created(settings_from(asked), "host"), 0.0)
    for seat in range(seats):
        life, _ = follow(life, SeatTaken(seat, Occupant(f"player {seat}", "", True)))
    life, _ = follow(life, MatchStarted("", seed_at(root, 1), games))
    steps = []
    while life.phase == RUNNING:
        seat, decision, action = chosen(life.state, chance, eager)
        life, _ = follow(life, Acted(seat, decision, action))
        if life.is_between_games():
            life, _ = follow(life, GameStarted())
        request = game_pb2.ActRequest(decision_id=decision, action=action_to(action))
        driven = drive_pb2.DriveAction(decision_id=decision, action=action_to(action))
        written = request.SerializeToString(), driven.SerializeToString()
        steps.append(Step(seat, written[0], life.version, written[1]))
    return Script(asked, root, tuple(steps))


def chosen(state: State, chance: random.Random, eager: bool) -> tuple[int, int, Action]:
    """Return a seat that is asked something, its decision, and what it does."""
    seat, decision = next((seat, decision) for seat, decision in enumerate(state.decisions) if decision)
    seen = view(state, seat)
    moves = list(islice(legal_moves(seen, seat, seen.hand, seen.choice), 2 if eager else MOST_CHOICES))
    move = next((move for move in moves if move.kind != PASS), moves[0]) if eager else chance.choice(moves)
    return seat, decision, move.action()


def field_of(number: int, body: bytes) -> bytes:
    """Write a field that holds a message. Fields of one message are joined by joining their bytes."""
    size, written = len(body), bytearray((number << 3 | 2,))
    while size > 127:
        written.append(size & 127 | 128)
        size >>= 7
    written.append(size)
    return bytes(written) + body


def handle_of(handle: int) -> bytes:
    """Write the handle in front of whatever else is said of a seat."""
    return drive_pb2.DriveAction(handle=handle).SerializeToString()


def addressed(table_id: str) -> bytes:
    """Return what names the table in front of a step's request: messages are joined by joining their bytes."""
    return game_pb2.ActRequest(table_id=table_id).SerializeToString()
