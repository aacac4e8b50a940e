"""Going out: who finishes, who fouls, who falls, and the places that follow."""

from __future__ import annotations

from engine import events as ev
from engine.rules.base import GO_ON
from engine.state import BY_OTHERS, Emptied, Public, State
from engine.steps import close_decision, emit, follow, from_actor, lay_away


def place_of(p: Public, seat: int) -> int:
    """Return the place (from 1) that a seat which is out has for now: from the top, or from the bottom.

    Fouls fill from the bottom in their order, those who fell stand above them, then the defeated (JDF art. 62, 65-2).
    """
    if seat in p.finished:
        return p.finished.index(seat) + 1
    bottom = p.fouled + p.fallen + p.defeated
    return p.seats - bottom.index(seat)


def standing(p: Public) -> list[int]:
    """List the seats that are still in the game, in seating order."""
    return [seat for seat in p.seating if not p.gone >> seat & 1]


def see_order(s: State) -> None:
    """Write into notes of emptied hands the order of strength that the running play has left."""
    if not s.emptied:
        return
    for note in s.emptied:
        if note.after < 0:
            note.after = s.order


def settle(s: State) -> int:
    """Settle notes of emptied hands: foul or finish, and what follows from it; END when a rule ends the game.

    A play's own note waits until its order of strength is written. Notes of a suspended run come first, then the
    actor's own, then by the current direction.
    """
    if not s.emptied:
        return GO_ON
    turns = from_actor(s)
    notes = sorted([n for n in s.emptied if n.after >= 0], key=lambda note: (note.run, turns.index(note.seat)))
    s.emptied = [note for note in s.emptied if note.after < 0]
    outcome = GO_ON
    for note in notes:
        if not s.gone >> note.seat & 1:
            outcome = max(outcome, settle_one(s, note))
    return outcome


def settle_one(s: State, note: Emptied) -> int:
    """Let one seat go out."""
    seat = note.seat
    fouls: list[str] = []
    if note.cause != BY_OTHERS:
        fouls = [rule.id for rule in s.in_force().foul_rules if rule.fouls(s, note)]
    (s.fouled if fouls else s.finished).append(seat)
    s.gone |= 1 << seat
    if s.sink is not None:
        emit(s, ev.Finished(fouls[0] if fouls else "", s.because, seat, place_of(s, seat), bool(fouls), tuple(fouls)))
        follow(s)
    if fouls:
        tell_moved(s, s.fallen + s.defeated)
        return GO_ON
    outcome = GO_ON
    for rule in s.program.finished_rules:
        outcome = max(outcome, rule.finished(s, seat))
    return outcome


def tell_moved(s: State, seats: list[int]) -> None:
    """Tell of seats that are out whose place for now has moved."""
    if s.sink is not None:
        for seat in seats:
            emit(s, ev.PlaceMoved("", s.because, seat, place_of(s, seat)))


def fall(s: State, seat: int, rule: str) -> None:
    """Put a seat out of the game below everybody who has not fouled; its hand is laid away."""
    s.fallen.append(seat)
    s.gone |= 1 << seat
    if s.sink is not None:
        emit(s, ev.Fell(rule, s.because, seat, place_of(s, seat)))
        tell_moved(s, s.defeated)
    lay_away(s, seat, rule)
    s.emptied = [note for note in s.emptied if note.seat != seat]
    close_decision(s, seat)


def close_game(s: State) -> None:
    """Fix the places: finishers, then whoever is left, the defeated, the fallen and the fouled."""
    rest = standing(s)
    top = s.finished + rest
    s.places = top + s.defeated[::-1] + s.fallen[::-1] + s.fouled[::-1]
    s.gone = (1 << s.seats) - 1
    s.playing = False
    s.turn = -1


def score(s: State) -> None:
    """Add the points of a finished game to the totals; seats placed by lot share the points of their places."""
    points = [0] * s.seats
    for place, seat in enumerate(s.places):
        points[seat] = s.program.points[place]
    if s.drawn_places:
        shared = sum([points[seat] for seat in s.drawn_places]) // len(s.drawn_places)
        for seat in s.drawn_places:
            points[seat] = shared
    s.totals = [total + points[seat] for seat, total in enumerate(s.totals)]
    if s.sink is not None:
        drawn = tuple(s.drawn_places)
        emit(s, ev.GameEnded("", s.because, tuple(s.places), tuple(points), tuple(s.totals), drawn))
        follow(s)


def match_ranks(p: Public) -> list[int]:
    """Rank the seats by total points, from 1; equal totals share a rank."""
    return [1 + sum([other > total for other in p.totals]) for total in p.totals]
