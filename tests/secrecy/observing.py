"""Everything that a seat is ever told, as bytes: what must be the same in all worlds that it cannot tell apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from engine.actions import ADD, DRAW, PASSING, Action, Meaning, answer, play_cards
from engine.cards import NO_SUIT, members
from engine.events import OPEN, Event, redact
from engine.foreseeing import foresee
from engine.game import apply
from engine.legal import check, legal_moves
from engine.reasons import IllegalAction
from engine.state import State
from engine.view import View, view
from tests.engine.stream import Stream
from tests.engine.values import plain
from tests.secrecy.worlds import SPECTATOR, World, question, worlds


class Observer:
    """What the engine tells a seat (-1: a spectator). Mutants override one of its channels."""

    def view(self, s: State, seat: int) -> object:
        """The view."""
        return view(s, seat)

    def event(self, s: State, event: Event, seat: int) -> object:
        """One event, on the way to state `s`."""
        return redact(event, seat)

    def events(self, s: State, events: list[Event], seat: int) -> list[object]:
        """A batch of events, on the way to state `s`."""
        return [self.event(s, event, seat) for event in events]

    def moves(self, s: State, seat: int) -> list[object]:
        """The legal moves, read from the view."""
        v = view(s, max(seat, SPECTATOR))
        return list(islice(legal_moves(v, v.seat, v.hand, v.choice), 400))

    def refusal(self, s: State, seat: int, action: Action) -> str:
        """What is said against an action, when it is tried on the state and when it is asked about."""
        said = []
        for attempt in (lambda: apply(s, seat, action), lambda: asked_about(view(s, max(seat, SPECTATOR)), action)):
            try:
                attempt()
                said.append("")
            except IllegalAction as refusal:
                said.append(f"{refusal} {refusal.detail} {[reason.value for reason in refusal.reasons]}")
        return "|".join(said)

    def foreseen(self, s: State, seat: int) -> list[object]:
        """What is said of some actions before they are done."""
        v = view(s, max(seat, SPECTATOR))
        return [foresee(v, move) for move in islice(legal_moves(v, v.seat, v.hand, v.choice), 12)]

    def told(self, world: World, seat: int, k: int, everything: bool) -> bytes:
        """What reaches a seat at step k: the stream of events alone, or everything that it could ask for as well."""
        s = world.states[k]
        stream = plain(self.events(s, world.events[k], seat))
        if not everything:
            return repr(stream).encode()
        refusals = [self.refusal(s, seat, action) for action in attempts(s, seat)]
        foreseen = self.foreseen(s, seat)
        return repr((stream, plain(self.view(s, seat)), plain(self.moves(s, seat)), refusals, foreseen)).encode()


def asked_about(v: View, action: Action) -> None:
    """Ask whether an action would be accepted."""
    check(v, v.seat, v.hand, v.choice, action)


def attempts(s: State, seat: int) -> Iterator[Action]:
    """Actions that make sense and others that do not, from what the seat itself can know."""
    mine = members(s.hands[seat]) if seat >= 0 else []
    yield PASSING
    yield from (Action(DRAW), Action(ADD, 1), play_cards(0), answer(), answer(0), answer(200))
    for c in (0, 20, 21, 47, 52):
        yield play_cards(1 << c)
        yield answer(c)
    for c in mine:
        yield play_cards(1 << c)
    for i in range(len(mine) - 1):
        yield play_cards(1 << mine[i] | 1 << mine[i + 1])
        yield answer(mine[i], mine[i + 1])
    yield play_cards(s.hands[seat] if seat >= 0 else 7, 0, (Meaning(52, 3, NO_SUIT),))


MANY_TRIES, FEW_TRIES = 40, 4
"""How often to draw another world; whoever sees every hand knows nearly all, and there often is none."""
LATELY = 3
"""How many steps before a moment a seat asks for everything; before that only its stream is compared."""


def moments(world: World) -> dict[str, list[int]]:
    """Where each kind of question is open: its first and its last time."""
    found: dict[str, list[int]] = {}
    for k, s in enumerate(world.states):
        found.setdefault(question(s), []).append(k)
    return {kind: sorted({steps[0], steps[-1]}) for kind, steps in found.items()}


def leaks(observer: Observer, world: World, stream: Stream, wanted: int = 1) -> tuple[list[str], Counter[str]]:
    """Say where a seat is told something that it cannot know, and how many worlds were looked at."""
    found: list[str] = []
    seen: Counter[str] = Counter()
    really: dict[tuple[int, int, bool], bytes] = {}
    for kind, places in moments(world).items():
        for steps in places:
            for seat in (OPEN, *range(SPECTATOR, world.deal.program.seats)):
                for other in worlds(world, seat, steps, stream, wanted, FEW_TRIES if seat == OPEN else MANY_TRIES):
                    seen[kind] += 1
                    for k in range(len(other.states)):
                        key = (seat, k, k > steps - LATELY)
                        if key not in really:
                            really[key] = observer.told(world, *key)
                        if observer.told(other, *key) != really[key]:
                            found.append(f"seat {seat} after {k} of {steps} steps, {kind}")
                            break
    return found, seen
