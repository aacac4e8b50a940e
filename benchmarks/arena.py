"""Games between policies in one process, each with exactly the view and the legal actions that a client would get.

Views and actions go through the codec of the game service in both directions, so whatever a policy does is checked as
the service would check it.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from itertools import islice
from types import SimpleNamespace
from typing import Any, Final, TypeVar, cast

from clients.bot.policy import Policy
from daifugo.v1 import view_pb2
from engine.game import advance, begin_game, new_match
from engine.legal import check, legal_moves
from engine.program import Program
from engine.state import State
from engine.view import open_choice, view
from services.game.codec.actions import action_from, action_to
from services.game.codec.views import Visible, view_to
from services.game.life import RUNNING, Life
from services.game.records import Settings
from services.game.seats import Seat

PAGE: Final = 200
"""How many legal actions a client gets at once."""
SETTINGS: Final = Settings("", (), 0, "", None, None, None, 0, 0, 0, False, "")
"""A view shows none of them."""
T = TypeVar("T")

Watcher = Callable[[State, int, view_pb2.View, view_pb2.Action], None]


def view_of(s: State, seat: int) -> view_pb2.View:
    """Write what a client in a seat sees; nobody has a clock, a name or a connection here."""
    shown = Life(0, s, SETTINGS, RUNNING, "", tuple([Seat()] * s.seats))
    table = SimpleNamespace(
        id="arena",
        seen=lambda viewer: shown,
        now=lambda: 0.0,
        limit_of=lambda seat: None,
        connected=lambda seat: False,
    )
    return view_to(cast(Visible, table), seat)


class Pages:
    """The legal actions of a seat, a page a call."""

    def __init__(self, s: State, seat: int) -> None:
        v = view(s, seat)
        self.actions = (action_to(move.action()) for move in legal_moves(v, seat, v.hand, v.choice))
        self.asked = 0

    async def __call__(self) -> list[view_pb2.Action]:
        self.asked += 1
        return list(islice(self.actions, PAGE))


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as end:
        return cast(T, end.value)
    raise RuntimeError("a policy waited for something")


def decide(s: State, seat: int, policy: Policy, watcher: Watcher | None = None) -> None:
    """Let a policy answer for a seat; raises IllegalAction if it may not do that. Changes `s`."""
    seen = view_of(s, seat)
    action = at_once(policy.decide(seen, Pages(s, seat)))
    if watcher is not None:
        watcher(s, seat, seen, action)
    move = check(s, seat, s.hands[seat], open_choice(s, seat), action_from(action))
    advance(s, seat, move)


def deal(program: Program, seed: bytes, previous: Sequence[int] = ()) -> State:
    """Begin a game: the first of a round, or with the exchange that follows from the places of the last one."""
    s = new_match(program, 2)
    if previous:
        s.previous, s.game = list(previous), 1
    begin_game(s, seed, (), 0, None)
    return s


def play(s: State, policies: Sequence[Policy], watcher: Watcher | None = None) -> list[int]:
    """Play a game to its end; return the seats, best first. Changes `s`."""
    while s.playing:
        for seat in range(s.seats):
            if s.decisions[seat]:
                decide(s, seat, policies[seat], watcher)
    return s.places
