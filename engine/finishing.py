"""Going out: who finishes, who fouls, who falls, and the places that follow."""

from __future__ import annotations

from typing import Final

from engine import events as ev
from engine.randomness import shuffle
from engine.rules.base import END, GO_ON
from engine.state import BY_OTHERS, BY_SPECIAL, Emptied, Public, State
from engine.steps import close_decision, emit, follow, from_actor, lay_away

# how equal totals of a match are told apart
SHARED: Final = 0
BY_FIRST_PLACES: Final = 1
BY_LAST_GAME: Final = 2


def place_of(p: Public, seat: int) -> int:
    """Return the place (from 1) that a seat which is out or has fallen has for now: from the top or the bottom."""
    low = from_bottom(p)
    if seat in low:
        return p.seats - low.index(seat)
    return [other for other in p.finished if other not in low].index(seat) + 1


def from_bottom(p: Public) -> list[int]:
    """List the seats whose places count from the bottom, last place first.

    Fouls fill from the bottom in their order, those who fell stand above them, or below where the ruleset says so,
    then the defeated (JDF art. 62, 65-2). Whoever falls and plays on keeps that place, even after a foul or a defeat.
    """
    if not p.fallen:
        return p.fouled + p.defeated
    fouled = [seat for seat in p.fouled if seat not in p.fallen]
    defeated = [seat for seat in p.defeated if seat not in p.fallen]
    return (p.fallen + fouled if p.program.falls_first else fouled + p.fallen) + defeated


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
    notes = in_order(s, [note for note in s.emptied if note.after >= 0])
    s.emptied = [note for note in s.emptied if note.after < 0]
    outcome = GO_ON
    for note in notes:
        if not s.gone >> note.seat & 1:
            outcome = max(outcome, settle_one(s, note))
    return outcome


def in_order(s: State, notes: list[Emptied]) -> list[Emptied]:
    """Put notes in the order in which they settle."""
    if len(notes) < 2:
        return notes
    turns = from_actor(s)
    return sorted(notes, key=lambda note: (note.run, turns.index(note.seat)))


def settle_one(s: State, note: Emptied) -> int:
    """Let one seat go out."""
    seat = note.seat
    fouls: list[str] = []
    if note.cause != BY_OTHERS:
        fouls = [rule.id for rule in s.in_force().foul_rules if rule.fouls(s, note)]
    (s.fouled if fouls else s.finished).append(seat)
    s.gone |= 1 << seat
    if s.sink is not None:
        cause = fouls[0] if fouls else note.rule
        emit(s, ev.Finished(cause, s.because, seat, place_of(s, seat), bool(fouls), tuple(fouls)))
        follow(s)
    if note.cause == BY_SPECIAL:
        lay_away(s, seat, note.rule)
    if fouls:
        if seat not in s.fallen:
            tell_moved(s, seat)
        return GO_ON
    for rule in s.program.finished_rules:
        if rule.finished(s, seat) == END:
            return END
    return GO_ON


def tell_moved(s: State, seat: int) -> None:
    """Tell of seats whose place for now has moved because this one has got one that counts from the bottom."""
    if s.sink is not None:
        low = from_bottom(s)
        for other in low[low.index(seat) + 1 :]:
            emit(s, ev.PlaceMoved("", s.because, other, place_of(s, other)))


def fall(s: State, seat: int, rule: str, plays_on: bool = False) -> None:
    """Give a seat the lowest place that is left; it is out and its hand is laid away, unless it plays on."""
    s.fallen.append(seat)
    if s.sink is not None:
        emit(s, ev.Fell(rule, s.because, seat, place_of(s, seat)))
        tell_moved(s, seat)
    if not plays_on:
        leave(s, seat, rule)


def defeat(s: State, seat: int, rule: str, at: int = -1) -> None:
    """Let a seat lose on the spot: it is out, above those who fell and those defeated before it.

    `at` is its number among the defeated, from the bottom, where it is not the last one's.
    """
    s.defeated.insert(len(s.defeated) if at < 0 else at, seat)
    if s.sink is not None:
        emit(s, ev.Fell(rule, s.because, seat, place_of(s, seat), True))
        if seat not in s.fallen:
            tell_moved(s, seat)
    leave(s, seat, rule)


def leave(s: State, seat: int, rule: str) -> None:
    """Take a seat out of the game with whatever it holds."""
    s.gone |= 1 << seat
    lay_away(s, seat, rule)
    s.emptied = [note for note in s.emptied if note.seat != seat]
    close_decision(s, seat)


def place_by_lot(s: State) -> None:
    """Give whoever is still in the next places by lot."""
    rest = [seat for seat in standing(s) if seat not in s.fallen]
    shuffle(s, rest)
    s.drawn_places = sorted(rest)
    s.finished += rest
    s.gone = (1 << s.seats) - 1


def close_game(s: State) -> None:
    """Fix the places: finishers, then whoever is left, then those whose places count from the bottom."""
    low = from_bottom(s)
    s.places = [seat for seat in s.finished + standing(s) if seat not in low] + low[::-1]
    s.gone = (1 << s.seats) - 1
    s.playing = False
    s.turn = -1


def score(s: State) -> None:
    """Add the points of a finished game to the totals.

    Seats placed by lot share the points of their places, unless the ruleset itself lets a lot decide.
    """
    points = [0] * s.seats
    for place, seat in enumerate(s.places):
        points[seat] = s.program.points[place]
        for rule in s.program.scoring_rules:
            points[seat] += rule.scores(s, seat)
    if s.drawn_places and not s.program.lots_score:
        shared = sum([points[seat] for seat in s.drawn_places]) // len(s.drawn_places)
        for seat in s.drawn_places:
            points[seat] = shared
    s.totals = [total + points[seat] for seat, total in enumerate(s.totals)]
    if s.places[0] not in s.drawn_places:
        s.firsts[s.places[0]] += 1
    if s.sink is not None:
        drawn = tuple(s.drawn_places)
        emit(s, ev.GameEnded("", s.because, tuple(s.places), tuple(points), tuple(s.totals), drawn))
        follow(s)


def match_ranks(p: Public) -> list[int]:
    """Rank the seats by total points, from 1; seats that nothing tells apart share a rank."""
    worths = [worth(p, seat) for seat in range(p.seats)]
    return [1 + sum([other > own for other in worths]) for own in worths]


def worth(p: Public, seat: int) -> tuple[int, int]:
    """Return a seat's total, and what tells it apart from an equal one under the ruleset."""
    if p.program.tie_break == BY_FIRST_PLACES:
        return p.totals[seat], p.firsts[seat]
    if p.program.tie_break == BY_LAST_GAME and p.previous:
        return p.totals[seat], -p.previous.index(seat)
    return p.totals[seat], 0
