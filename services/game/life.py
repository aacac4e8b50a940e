"""The life of a table as a value: what each operation makes of it, and what it tells. Nothing here decides who may."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from engine import events as ev
from engine.catalogue import Value
from engine.finishing import match_ranks
from engine.game import apply, is_match_over, new_match, start_game
from engine.program import Program
from engine.randomness import commitment
from engine.ruleset import make_ruleset
from engine.state import State
from services.game.changes import GamesChanged, SeatChanged, TableChanged
from services.game.conduct import after_answer, after_take_over
from services.game.records import (
    BOT,
    PERSON,
    Acted,
    AutoPassSet,
    AutoStart,
    Closed,
    CodeRenewed,
    Conduct,
    Created,
    GameStarted,
    HostChanged,
    MatchStarted,
    Occupant,
    Operation,
    Score,
    SeatKicked,
    SeatLeft,
    SeatSet,
    SeatsReleased,
    SeatsSwapped,
    SeatTaken,
    Settings,
    Shortened,
    Skipped,
    StandInCame,
    StandInLeft,
    Updated,
)
from services.game.seats import Seat
from services.game.seeds import LINKS, Shuffle, dealt_from

# what a table is doing
FILLING: Final = 1
RUNNING: Final = 2
ENDED: Final = 3
CLOSED: Final = 4

MOST_REMOVED: Final = 1000
"""How many a table remembers whom its host has removed."""
MOST_GUESTS: Final = 64
"""How many of those who have left a private table can come back to it without its code."""


@lru_cache(maxsize=256)
def program_of(preset: str, values: tuple[tuple[str, Value], ...], seats: int) -> Program:
    """Compile a ruleset; tables with the same one share the program."""
    return Program(make_ruleset(preset, dict(values), seats))


class Life(NamedTuple):
    """A table at one version."""

    version: int
    state: State
    """The match. Before the first one, a match that has no game yet."""
    settings: Settings
    phase: int
    host: str
    seats: tuple[Seat, ...]
    match_id: str = ""
    began: int = 0
    """The version at which the game that is played, or was played last, was dealt."""
    seed: bytes = b""
    created: float = 0.0
    auto_start: AutoStart | None = None
    """How the match begins by itself, where it does."""
    code: str = ""
    """What lets others in."""
    guests: tuple[str, ...] = ()
    """Who has had a seat and given it up: they may still come and look."""
    players: tuple[str, ...] = ()
    """Who has, or had, a seat in the match that is running or was played last."""
    banks: tuple[int, ...] = ()
    """How many milliseconds each seat's time bank holds; empty where there are none, and before a match."""
    deal: str = ""
    """The deal number of the match that runs or was played last."""
    practice: bool = False
    """Whether everybody knows it from the beginning; otherwise nobody does before the match is over."""
    removed: tuple[str, ...] = ()
    """Whom the host has removed for good."""
    conduct: tuple[Conduct, ...] = ()
    """How each seat has been played in this match."""
    match_began: int = 0
    """The version at which the match began that runs or was played last."""
    line_up: tuple[Occupant | None, ...] = ()
    """Who had the seats then."""
    scores: tuple[Score, ...] = ()
    """How its games have ended."""
    client_seeds: tuple[bytes, ...] = ()
    """What players gave to the match that runs or was played last, by seat."""
    root: bytes = b""
    """What the seeds of its matches follow from; empty at tables of earlier versions."""
    links: int = 0
    """How many of these have been used."""
    pledge: bytes = b""
    """The SHA-256 of the next one: what the table has committed itself to."""

    def __repr__(self) -> str:
        """Write which version it is; seeds and code are nobody's to read."""
        return f"Life(version={self.version}, match_id={self.match_id!r})"

    @property
    def program(self) -> Program:
        """The compiled ruleset."""
        return self.state.program

    @property
    def deal_shown(self) -> str:
        """The deal number as far as it may be told: that of practice, and that of a match that is over."""
        return self.deal if self.practice or self.phase in (ENDED, CLOSED) else ""

    @property
    def shuffle(self) -> Shuffle:
        """The seeds as far as they may be told: a commitment is the seed before, so not while that one is played by."""
        is_over = self.phase in (ENDED, CLOSED)
        pledge = self.pledge if self.phase in (FILLING, ENDED) or (self.phase == RUNNING and self.practice) else b""
        if not self.seed or self.practice:
            return Shuffle(next_commitment=pledge)
        return Shuffle(commitment(self.seed), self.client_seeds, self.seed if is_over else b"", pledge)

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
        0,
        match,
        settings,
        FILLING,
        operation.host,
        filled,
        created=time,
        auto_start=auto_start,
        code=operation.code,
        root=operation.root,
        pledge=operation.commitment,
    )


def follow(life: Life, operation: Operation) -> tuple[Life, Told]:
    """Return a table after an operation and what happened; raise IllegalAction for an action against the rules."""
    after, events = _after(life, operation)
    if after.phase == RUNNING and (life.phase != RUNNING or after.seats != life.seats):
        after = after._replace(players=_players(life, after))
    return Life._make((life.version + 1, *after[1:])), events


def _after(life: Life, operation: Operation) -> tuple[Life, Told]:
    match operation:
        case Acted(seat, _, action, by, spent):
            state, events = apply(life.state, seat, action)
            conduct = after_answer(life.conduct[seat], by)
            if conduct is not life.conduct[seat]:
                life = _with_conduct(life, seat, conduct)
            return _with(life._replace(banks=_less(life.banks, seat, spent)) if spent else life, state, events)
        case GameStarted():
            banks = full_banks(life.settings) if life.settings.bank_each_game else life.banks
            return _with(life._replace(began=life.version + 1, banks=banks), *start_game(life.state, _dealt_from(life)))
        case MatchStarted(match_id, seed, games, deal, given, root):
            fresh = new_match(life.program, games, life.state.last_decision)
            begun = life._replace(phase=RUNNING, match_id=match_id, began=life.version + 1, seed=seed, deal=deal)
            begun = begun._replace(client_seeds=given)
            is_known = bool(deal) and deal == life.settings.deal
            begun = begun._replace(practice=is_known or life.settings.position is not None)
            begun = begun._replace(banks=full_banks(life.settings), conduct=(Conduct(),) * life.state.seats)
            line_up = tuple([seat.occupant for seat in life.seats])
            begun = begun._replace(match_began=life.version + 1, line_up=line_up, scores=())
            begun = _with_next_seed(begun, root)
            after, events = _with(begun, *_first_of(begun, fresh))
            return after, _before(_doing(begun, games), events)
        case SeatTaken(number, occupant):
            free = life.seats[number]
            promised = "" if free.promised == occupant.identity else free.promised
            # whoever comes back to a seat knows what was told to it, and gets to know what has been told since
            since = free.since if free.left_by == occupant.identity else life.version + 1
            return _seated(life, number, Seat(free.kind, occupant, since, promised), life.host)
        case SeatsReleased(numbers):
            return _released(life, numbers)
        case SeatLeft(number, host):
            # a table that begins by itself waits for nobody else
            kind = BOT if life.auto_start is not None and life.phase == FILLING else life.seats[number].kind
            life = life._replace(guests=_with_guest(life, number))
            left = Seat(kind)
            who = life.seats[number].occupant
            if life.phase == RUNNING and who is not None:
                left = Seat(kind, since=life.seats[number].since, left_by=who.identity)
            return _abandoned(*_seated(life, number, left, host))
        case SeatSet(number, kind, removes, host):
            changed = Seat(kind) if removes else replace(life.seats[number], kind=kind)
            return _seated(life, number, changed, host if removes else life.host)
        case SeatKicked(number, host, code, for_good):
            return _kicked(life, number, host, code, for_good)
        case SeatsSwapped(number, other):
            return _swapped(life, number, other)
        case HostChanged(host):
            return _hosted(life, host)
        case Updated(settings):
            return _updated(life, settings)
        case Shortened():
            return _shortened(life)
        case CodeRenewed(code):
            return life._replace(code=code, guests=()), []
        case StandInCame(number, why):
            after = _with_conduct(life, number, after_take_over(life.conduct[number]))
            return _seated(after, number, replace(life.seats[number], stand_in=why), life.host)
        case StandInLeft(number):
            return _seated(life, number, replace(life.seats[number], stand_in=0), life.host)
        case AutoPassSet(number, on):
            own = replace(life.seats[number], auto_pass=on)
            return life._replace(seats=(*life.seats[:number], own, *life.seats[number + 1 :])), []
        case Skipped(last_decision):
            skipped = life.state.copy()
            skipped.last_decision = max(skipped.last_decision, last_decision)
            return life._replace(state=skipped), []
        case Closed():
            after = life._replace(phase=CLOSED)
            return after, [_doing(after)]
        case Created():
            raise ValueError("a table is created once")


def _first_of(life: Life, fresh: State) -> tuple[State, Told]:
    """Begin a match: deal its first game, or play it again up to where it is to begin."""
    position, dealt = life.settings.position, _dealt_from(life)
    if position is None or not position.games:
        return start_game(fresh, dealt)
    state, told = fresh, Told()
    for game in position.games:
        state, events = start_game(state, dealt, game.hands, game.blind)
        told += _moved(events, len(told))
        for step in game.steps:
            state, events = apply(state, step.seat, step.action)
            told += _moved(events, len(told))
    return state, told


def _dealt_from(life: Life) -> bytes:
    return dealt_from(life.seed, life.client_seeds, life.deal)


def _with_next_seed(life: Life, root: bytes) -> Life:
    """Go on by one seed in a match that is no practice. Another row begins without what players gave before it."""
    if root:
        life = life._replace(root=root, links=0, seats=tuple([_without_seed(seat) for seat in life.seats]))
    if life.practice or not life.root:
        return life
    links = life.links + 1
    return life._replace(links=links, pledge=life.seed if links < LINKS else b"")


def _without_seed(seat: Seat) -> Seat:
    return seat if seat.occupant is None else replace(seat, occupant=replace(seat.occupant, client_seed=b""))


def _doing(life: Life, games: int = 0) -> TableChanged:
    """Tell what a table does now, and the deal number if it may be known."""
    return TableChanged("", -1, life.phase, games, practice=life.practice, deal=life.deal_shown, shuffle=life.shuffle)


def _with(life: Life, state: State, events: Told) -> tuple[Life, Told]:
    """Put the match's new state in; a match that is over ends the table's run."""
    if not state.playing:
        ended = [Score(event.places, event.points) for event in events if isinstance(event, ev.GameEnded)]
        life = life._replace(scores=(*life.scores, *ended))
    if not is_match_over(state):
        return Life._make((life.version, state, *life[2:])), events
    return _ended(life._replace(state=state), events)


def _ended(life: Life, events: Told) -> tuple[Life, Told]:
    """End the run of a match; with it ends what stand-ins play."""
    seats = tuple([replace(seat, stand_in=0) if seat.stand_in else seat for seat in life.seats])
    changed = [number for number, seat in enumerate(seats) if seat != life.seats[number]]
    told = [SeatChanged("", -1, number, seats[number], is_host(life, number)) for number in changed]
    after = life._replace(phase=ENDED, seats=seats)
    return after, [*events, *told, _doing(after)]


def full_banks(settings: Settings) -> tuple[int, ...]:
    """Return time banks of which nothing is used, one for each seat, where there are any."""
    return (1000 * settings.bank_seconds,) * settings.seats if settings.bank_seconds else ()


def _less(banks: tuple[int, ...], seat: int, spent: int) -> tuple[int, ...]:
    return (*banks[:seat], max(0, banks[seat] - spent), *banks[seat + 1 :])


def _with_conduct(life: Life, seat: int, now: Conduct) -> Life:
    return life._replace(conduct=(*life.conduct[:seat], now, *life.conduct[seat + 1 :]))


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


def _kicked(life: Life, number: int, host: str, code: str, for_good: bool) -> tuple[Life, Told]:
    """Take a seat away; who had it is no guest any more, and perhaps not welcome again."""
    occupant = life.seats[number].occupant
    assert occupant is not None
    guests = tuple([guest for guest in life.guests if guest != occupant.identity])
    removed = (*life.removed, occupant.identity)[-MOST_REMOVED:] if for_good else life.removed
    life = life._replace(guests=guests, removed=removed, code=code)
    return _abandoned(*_seated(life, number, Seat(life.seats[number].kind), host))


def _swapped(life: Life, number: int, other: int) -> tuple[Life, Told]:
    """Let two seats change their occupants, who both begin anew: what was told to a seat stays with it."""
    seats, since = list(life.seats), life.version + 1
    one, two = seats[number], seats[other]
    seats[number] = Seat(one.kind, two.occupant, since, one.promised)
    seats[other] = Seat(two.kind, one.occupant, since, two.promised)
    after = life._replace(seats=tuple(seats))
    return after, [SeatChanged("", -1, n, seats[n], is_host(after, n)) for n in (number, other)]


def _hosted(life: Life, host: str) -> tuple[Life, Told]:
    """Let somebody else be host."""
    after = life._replace(host=host)
    changed = [n for n in range(len(life.seats)) if is_host(life, n) != is_host(after, n)]
    return after, [SeatChanged("", -1, n, life.seats[n], is_host(after, n)) for n in changed]


def _updated(life: Life, settings: Settings) -> tuple[Life, Told]:
    """Let other settings hold. Another ruleset takes the last match off the table, and there may be other seats."""
    after = life._replace(settings=settings)
    if settings.ruleset_hash == life.settings.ruleset_hash:
        return after, []
    fresh = new_match(program_of(settings.preset, settings.values, settings.seats), 0, life.state.last_decision)
    seats = (*life.seats, *[Seat()] * settings.seats)[: settings.seats]
    after = after._replace(phase=FILLING, state=fresh, seats=seats, banks=(), conduct=(), deal="", practice=False)
    after = after._replace(seed=b"", client_seeds=())
    return after, [TableChanged("", -1, FILLING, 0, len(seats), shuffle=after.shuffle)]


def _shortened(life: Life) -> tuple[Life, Told]:
    """Let the match have no more games than have begun; between two games it is over."""
    state = life.state.copy()
    state.games = state.game
    changed: Told = [GamesChanged("", -1, state.games)]
    if state.playing:
        return life._replace(state=state), changed
    over = ev.MatchEnded("", -1, tuple(match_ranks(state)), tuple(state.totals))
    return _with(life, state, [*changed, over])


def _released(life: Life, numbers: tuple[int, ...]) -> tuple[Life, Told]:
    """Keep seats no longer for those who have not come, who still may: bots may have them too."""
    events: Told = []
    for number in numbers:
        life, told = _seated(life, number, replace(life.seats[number], kind=BOT, is_kept=False), life.host)
        events += told
    return life, events


def _abandoned(life: Life, events: Told) -> tuple[Life, Told]:
    """End a match at which nobody sits any more, in the middle of its game: nobody is asked anything."""
    if life.phase != RUNNING or any(seat.is_visited for seat in life.seats):
        return life, events
    state = life.state.copy()
    for seat, decision in enumerate(state.decisions):
        if decision:
            state.decisions[seat] = 0
            events.append(ev.DecisionClosed("", -1, seat, decision))
    return _ended(life._replace(state=state), events)


def _players(life: Life, after: Life) -> tuple[str, ...]:
    """Return who has had a seat in the match by now."""
    before = life.players if life.phase == RUNNING else ()
    sitting = [seat.occupant.identity for seat in after.seats if seat.occupant is not None]
    return (*before, *[identity for identity in sitting if identity not in before])


def is_host(life: Life, number: int) -> bool:
    """Say whether a seat's occupant is the host."""
    occupant = life.seats[number].occupant
    return occupant is not None and occupant.identity == life.host


def _before(first: ev.Event, events: Told) -> Told:
    """Put an event before others; the causes of those move along."""
    return [first, *_moved(events, 1)]


def _moved(events: Told, by: int) -> Told:
    """Return events as they are when others come before them."""
    return [replace(each, because=each.because + by) if each.because >= 0 else each for each in events]
