"""The life of a table as a value: what each operation makes of it, and what it tells. Nothing here decides who may."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from engine import events as ev
from engine.catalogue import Value
from engine.game import apply, is_match_over, new_match, start_game
from engine.program import Program
from engine.ruleset import make_ruleset
from engine.state import State
from services.common.errors import malformed
from services.game.records import (
    BOT,
    PERSON,
    Acted,
    AutoStart,
    Closed,
    CodeRenewed,
    Created,
    GameStarted,
    MatchStarted,
    Operation,
    SeatLeft,
    SeatSet,
    SeatsReleased,
    SeatTaken,
    Settings,
    Skipped,
)
from services.game.seats import Seat, SeatChanged, TableChanged, promised_to, seat_of

# what a table is doing
FILLING: Final = 1
RUNNING: Final = 2
ENDED: Final = 3
CLOSED: Final = 4

MOST_GAMES: Final = 1000
"""How many games a match may have."""
MOST_GUESTS: Final = 64
"""How many of those who have left a private table can come back to it without its code."""


@lru_cache(maxsize=256)
def program_of(preset: str, values: tuple[tuple[str, Value], ...], seats: int) -> Program:
    """Compile a ruleset; tables with the same one share the program."""
    return Program(make_ruleset(preset, dict(values), seats))


class Life(NamedTuple):
    """A table at one version."""

    version: int
    settings: Settings
    phase: int
    host: str
    seats: tuple[Seat, ...]
    state: State
    """The match. Before the first one, a match that has no game yet."""
    match_id: str = ""
    began: int = 0
    """The version at which the match began."""
    seed: bytes = b""
    created: float = 0.0
    auto_start: AutoStart | None = None
    """How the match begins by itself, where it does."""
    code: str = ""
    """What lets others in."""
    guests: tuple[str, ...] = ()
    """Who has had a seat and given it up: they may still come and look."""
    banks: tuple[int, ...] = ()
    """How many milliseconds each seat's time bank holds; empty where there are none, and before a match."""

    def __repr__(self) -> str:
        """Write which version it is; seed and code are nobody's to read."""
        return f"Life(version={self.version}, match_id={self.match_id!r})"

    @property
    def program(self) -> Program:
        """The compiled ruleset."""
        return self.state.program

    def is_between_games(self) -> bool:
        """Say whether the match waits for its next game."""
        return self.phase == RUNNING and not self.state.playing


Told = list[ev.Event]


def begin(operation: Created, time: float) -> Life:
    """Return a new table."""
    settings = operation.settings
    program = program_of(settings.preset, settings.values, settings.seats)
    seats, auto_start = [Seat()] * settings.seats, operation.auto_start
    for kept in auto_start.reservations if auto_start is not None else ():
        seats[kept.seat] = Seat(BOT if kept.bot else PERSON, promised=kept.identity, is_kept=True)
    match, filled = new_match(program), tuple(seats)
    return Life(
        0, settings, FILLING, operation.host, filled, match, created=time, auto_start=auto_start, code=operation.code
    )


def follow(life: Life, operation: Operation) -> tuple[Life, Told]:
    """Return a table after an operation and what happened; raise IllegalAction for an action against the rules."""
    after, events = _after(life, operation)
    return after._replace(version=life.version + 1), events


def _after(life: Life, operation: Operation) -> tuple[Life, Told]:
    match operation:
        case Acted(seat, _, action, _, spent):
            state, events = apply(life.state, seat, action)
            return _with(life._replace(banks=_less(life.banks, seat, spent)), state, events)
        case GameStarted():
            banks = full_banks(life.settings) if life.settings.bank_each_game else life.banks
            return _with(life._replace(banks=banks), *start_game(life.state, life.seed))
        case MatchStarted(match_id, seed, games):
            fresh = new_match(life.program, games, life.state.last_decision)
            begun = life._replace(phase=RUNNING, match_id=match_id, began=life.version + 1, seed=seed)
            begun = begun._replace(banks=full_banks(life.settings))
            after, events = _with(begun, *start_game(fresh, seed))
            return after, _before(TableChanged("", -1, RUNNING, games), events)
        case SeatTaken(number, occupant):
            free = life.seats[number]
            promised = "" if free.promised == occupant.identity else free.promised
            return _seated(life, number, Seat(free.kind, occupant, life.version + 1, promised), life.host)
        case SeatsReleased(numbers):
            return _released(life, numbers)
        case SeatLeft(number, host):
            # a table that begins by itself waits for nobody else
            kind = BOT if life.auto_start is not None and life.phase == FILLING else life.seats[number].kind
            life = life._replace(guests=_with_guest(life, number))
            return _abandoned(*_seated(life, number, Seat(kind), host))
        case SeatSet(number, kind, removes, host):
            changed = Seat(kind) if removes else replace(life.seats[number], kind=kind)
            return _seated(life, number, changed, host if removes else life.host)
        case CodeRenewed(code):
            return life._replace(code=code, guests=()), []
        case Skipped(last_decision):
            skipped = life.state.copy()
            skipped.last_decision = max(skipped.last_decision, last_decision)
            return life._replace(state=skipped), []
        case Closed():
            return life._replace(phase=CLOSED), [TableChanged("", -1, CLOSED, 0)]
        case Created():
            raise ValueError("a table is created once")


def _with(life: Life, state: State, events: Told) -> tuple[Life, Told]:
    """Put the match's new state in; a match that is over ends the table's run."""
    if not is_match_over(state):
        return life._replace(state=state), events
    return life._replace(state=state, phase=ENDED), [*events, TableChanged("", -1, ENDED, 0)]


def full_banks(settings: Settings) -> tuple[int, ...]:
    """Return time banks of which nothing is used, one for each seat, where there are any."""
    return (1000 * settings.bank_seconds,) * settings.seats if settings.bank_seconds else ()


def _less(banks: tuple[int, ...], seat: int, spent: int) -> tuple[int, ...]:
    return banks if not spent else (*banks[:seat], max(0, banks[seat] - spent), *banks[seat + 1 :])


def _seated(life: Life, number: int, now: Seat, host: str) -> tuple[Life, Told]:
    """Put a seat in; tell of it, and of the seat of a new host."""
    seats = (*life.seats[:number], now, *life.seats[number + 1 :])
    after = life._replace(seats=seats, host=host)
    changed = [n for n in range(len(seats)) if n == number or is_host(life, n) != is_host(after, n)]
    changed.sort(key=lambda n: n != number)
    return after, [SeatChanged("", -1, n, seats[n], is_host(after, n)) for n in changed]


def _with_guest(life: Life, number: int) -> tuple[str, ...]:
    """Return the guests once a seat is left; the first ones are forgotten in the end."""
    occupant = life.seats[number].occupant
    if occupant is None or occupant.identity in life.guests:
        return life.guests
    return (*life.guests, occupant.identity)[-MOST_GUESTS:]


def _released(life: Life, numbers: tuple[int, ...]) -> tuple[Life, Told]:
    """Keep seats no longer for those who have not come, who still may: bots may have them too."""
    events: Told = []
    for number in numbers:
        life, told = _seated(life, number, replace(life.seats[number], kind=BOT, is_kept=False), life.host)
        events += told
    return life, events


def _abandoned(life: Life, events: Told) -> tuple[Life, Told]:
    """End a match at which nobody sits any more, in the middle of its game: nobody is asked anything."""
    if life.phase != RUNNING or any(seat.occupant is not None for seat in life.seats):
        return life, events
    state = life.state.copy()
    for seat, decision in enumerate(state.decisions):
        if decision:
            state.decisions[seat] = 0
            events.append(ev.DecisionClosed("", -1, seat, decision))
    return life._replace(state=state, phase=ENDED), [*events, TableChanged("", -1, ENDED, 0)]


def eyes_of(life: Life, viewer: int) -> int:
    """Return whose hand a seat's occupant may see: the seat's own, or none (-1) if the match began before they came."""
    return viewer if viewer >= 0 and life.seats[viewer].since <= life.began else -1


def belongs(life: Life, identity: str) -> bool:
    """Say whether somebody may know of a private table without its code."""
    seats = life.seats
    at_it = seat_of(seats, identity) >= 0 or promised_to(seats, identity) >= 0
    return at_it or identity == life.host or identity in life.guests


def is_host(life: Life, number: int) -> bool:
    """Say whether a seat's occupant is the host."""
    occupant = life.seats[number].occupant
    return occupant is not None and occupant.identity == life.host


def _before(first: ev.Event, events: Told) -> Told:
    """Put an event before others; the causes of those move along."""
    return [first, *[replace(each, because=each.because + 1) if each.because >= 0 else each for each in events]]


def games_of(settings: Settings) -> int:
    """Return how many games a match has here: whichever of games, sets and rounds ends first."""
    return _length(settings)[0]


def check_length(settings: Settings) -> None:
    """Refuse matches of more games than a match may have."""
    games, field = _length(settings)
    if games > MOST_GAMES:
        raise malformed(
            field,
            f"1試合は{MOST_GAMES}ゲームまでです。これでは{games}ゲームになります。",
            f"A match has at most {MOST_GAMES} games; this would make {games}.",
        )


def _length(settings: Settings) -> tuple[int, str]:
    """Return how many games a match has, and the field of the request that says so."""
    program = program_of(settings.preset, settings.values, settings.seats)
    in_round = program.games_in_round or 4
    in_set = program.games_in_set or in_round
    asked = [
        (settings.games, 1, "format.games"),
        (settings.sets, in_set, "format.sets"),
        (settings.rounds, in_round, "format.rounds"),
    ]
    lengths = [(number * games, field) for number, games, field in asked if number is not None]
    return min(lengths, default=(in_round, "ruleset.settings"))
