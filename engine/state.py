"""The state of a table as a plain value: a public part that every seat may know, and the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.cards import count
from engine.choices import Group
from engine.native import i64, mypyc_attr
from engine.plays import NO_PLAY, Play

if TYPE_CHECKING:
    from engine.events import Event
    from engine.guesses import Guesses
    from engine.program import InForce, Program
    from engine.randomness import Chance

# kinds of runs
IDLE: Final = 0
DEAL: Final = 1
PLAY_RUN: Final = 2
COUNTER: Final = 3
PASS_RUN: Final = 4
DRAW_RUN: Final = 5
ADD_RUN: Final = 6
DUMP_RUN: Final = 7

# what took a seat's last card
BY_PLAY: Final = 1
BY_GIVING: Final = 2
BY_DISCARDING: Final = 3
BY_BOMBER: Final = 4
BY_OTHERS: Final = 5
"""Another seat's effect took it: never a foul."""
BY_SPECIAL: Final = 6
"""None: a rule lets the seat go out whatever it holds, free of the bans of last plays."""

# what has turned the direction, as bits of `turned`
BY_SEATING: Final = 1
"""The ruleset's order of seats."""
BY_SEVEN: Final = 2
BY_NINE: Final = 4
BY_TEN: Final = 8
BY_QUEEN: Final = 16
"""Ends with the trick."""
CLOCKWISE: Final[tuple[bool, ...]] = tuple(causes.bit_count() % 2 == 0 for causes in range(2 * BY_QUEEN))
"""Which way play goes for each set of causes."""

# scopes of notes
TRICK: Final = 0
GAME: Final = 1
MATCH: Final = 2

# kinds of locks
SUIT_LOCK: Final = 1
"""A play has only these suits, none more often than here."""
PARTIAL_LOCK: Final = 2
"""A group has these suits among others."""
COLOR_LOCK: Final = 3
"""A play has only these two suits, in any number."""
NUMBER_LOCK: Final = 4
"""A play is exactly one step stronger than the field."""
DOWN_LOCK: Final = 5
"""A play is exactly one step weaker than the field, of the same suits."""

# forms of a program
NORMAL_PROGRAM: Final = 0
STOPPED_PROGRAM: Final = 1
"""Card effects and locks are absent; passing, flushing, finishing and the bans of last cards remain."""

# what may not change any more
REVOLUTIONS_FROZEN: Final = 1
EVERYTHING_FROZEN: Final = 2
"""Card effects, counters and locks have stopped as well."""


@mypyc_attr(acyclic=True, free_list_len=1)
class Note:
    """What a rule remembers until `scope` ends: ranks, seats or plain numbers (`of`, as of a choice)."""

    def __init__(self, scope: int, of: int, values: tuple[int, ...]) -> None:
        self.scope: i64 = scope
        self.of: i64 = of
        self.values = values


MARK: Final[tuple[int, ...]] = (0, 4, 20, 0, 3, 36)
"""For each kind of lock the first of the bits that tell it apart: a color has three, a lock of numbers one."""


@mypyc_attr(acyclic=True, free_list_len=1)
class Lock:
    """A lock in force: its kind, and the suits it binds, counted four bits each as in a play; none for numbers."""

    def __init__(self, kind: int, suits: int) -> None:
        self.kind: i64 = kind
        self.suits: i64 = suits
        bits = 4 | suits & 1 | suits >> 3 & 2 if kind == COLOR_LOCK else 1 if kind == NUMBER_LOCK else suits
        self.mark: i64 = bits << MARK[kind]
        """What tells it apart from other locks; of each kind there is one at a time."""


@mypyc_attr(acyclic=True, free_list_len=1)
class Back:
    """A temporary reversal: the rule that it comes from and the number of flushes that it has left."""

    def __init__(self, rule: str, left: int) -> None:
        self.rule = rule
        self.left: i64 = left


@mypyc_attr(acyclic=True, free_list_len=1)
class Placed:
    """A play of the trick with its seat, and the order of strength in which it was played."""

    def __init__(self, seat: int, play: Play, order: int = 0) -> None:
        self.seat: i64 = seat
        self.play = play
        self.order: i64 = order


@mypyc_attr(acyclic=True, free_list_len=1)
class Emptied:
    """A note that a seat has lost its last card: how, by which play, in which order of strength before and after.

    `run` counts the runs of a trick: notes of a suspended run settle before those of the counter to it.
    `after` is -1 until the play's own reversals are through. `rule` is the one behind a special finish.
    """

    def __init__(self, seat: int, cause: int, play: Play, before: int, after: int, run: int, rule: str = "") -> None:
        self.seat: i64 = seat
        self.cause: i64 = cause
        self.play = play
        self.before: i64 = before
        self.after: i64 = after
        self.run: i64 = run
        self.rule = rule


class Public:
    """What every seat and every spectator may know."""

    def __init__(self, program: Program, seats: int) -> None:
        self.program = program
        """The compiled ruleset; not part of the value."""
        self.seats: i64 = seats
        self.games = 0
        """How many games the match has; 0 before it starts."""
        self.game = 0
        """The game being played, from 1."""
        self.playing = False
        """True from the deal to the end of the game."""
        self.actions: i64 = 0
        """Actions in this game."""
        self.previous: list[int] = []
        """The seats of the last game of this round, best first; empty in a round's first game."""
        self.before_previous: list[int] = []
        self.totals: list[int] = [0] * seats
        self.firsts: list[int] = [0] * seats
        """How many games of the match each seat has won."""
        self.spade_seat = 0

        self.seating: list[int] = list(range(seats))
        """Seats in clockwise order."""
        self.turned: i64 = 0
        """Parities of the direction, one bit a cause (`BY_SEATING` …); an even number of set bits is clockwise."""
        self.rests: list[int] = [0] * seats
        self.lasting_rests: tuple[int, ...] = ()
        """How many of them no flush ends, by seat; nothing where all of them end."""
        self.passed: i64 = 0
        """Seats that may not act before the flush (before the next play, where passing does not lock out)."""
        self.skipped: i64 = 0
        """Seats that have rested since the last play: they count as passed."""
        self.passes_in_row: i64 = 0
        self.owner: i64 = -1
        """The seat that has the play on top."""
        self.starter: i64 = -1
        """The seat that opened the trick, or will."""
        self.turn: i64 = -1
        """The seat whose turn it is, or -1."""
        self.had_turn: i64 = 0
        """Seats that have taken a turn in this game."""
        self.drawn = False

        self.revolution = False
        self.revolted: i64 = 0
        """The run that caused the last revolution, at once or reserved."""
        self.turned_over: i64 = 0
        """The run in which the revolution flag turned last."""
        self.reserved_revolutions: i64 = 0
        """Revolutions of this trick that turn the flag after its flush, an even number of them not at all."""
        self.freeze: i64 = 0
        """Nothing, or what may not change any more in this game."""
        self.from_ace = False
        """Ranks run A..K, and parity binds (宗教革命)."""
        self.joker_above_ten = False
        """A lone joker stands between 10 and J (アーサー)."""
        self.backs: list[Back] = []
        """Temporary reversals, the oldest first."""
        self.order: i64 = 0
        """The strength order in force that results, see `orders.py`."""
        self.locks: list[Lock] = []
        self.row_start: i64 = 0
        """How many plays of the trick no longer count towards a lock."""

        self.trick: list[Placed] = []
        """The plays on the field, the oldest first."""
        self.last_trick: list[Placed] = []
        """The plays of the trick before, until the next one begins."""
        self.discard = 0
        self.laid_away_count = 0
        self.blind_count = 0
        self.stock_count = 0

        self.finished: list[int] = []
        self.fouled: list[int] = []
        self.fallen: list[int] = []
        self.defeated: list[int] = []
        self.gone: i64 = 0
        """Seats that are out of the game, as bits."""
        self.places: list[int] = []
        """All seats, best first, once the game is over."""
        self.drawn_places: list[int] = []
        self.notes: dict[str, Note] = {}
        """What single rules remember."""

        self.run_kind: i64 = IDLE
        self.run_number: i64 = 0
        """Counts the runs since the game began."""
        self.actor: i64 = -1
        """The seat whose action is running."""
        self.cause: Play = NO_PLAY
        """The play that is running."""
        self.run_ranks: i64 = 0
        self.offered_by = ""
        self.cursor: i64 = 0
        self.flushing = False
        self.flush_rule = ""
        self.to_lead: i64 = -1
        """After a flush: the seat that leads, if it still holds cards."""
        self.program_number: i64 = 0
        """Which of the program's two forms is in force."""
        self.run_program: i64 = 0
        """Which of them the run began under: the cursor counts its steps."""
        self.emptied: list[Emptied] = []

        self.window_rules: tuple[str, ...] = ()
        self.window_seats: list[int] = []
        """Seats still to be asked for a counter; the first is being asked."""
        self.asking_rule = ""
        """The rule whose choices are open."""
        self.decisions: list[int] = [0] * seats
        """The open decision of each seat, or 0."""
        self.last_decision: i64 = 0

    def size(self, seat: int) -> int:
        """Count the cards in a seat's hand."""
        raise NotImplementedError

    def is_in(self, seat: i64) -> bool:
        """Say whether a seat is still in the game: not out, and holding cards."""
        return not self.gone >> seat & 1 and self.size(seat) > 0

    def in_force(self) -> InForce:
        """Return the rules in force that refuse, offer and judge."""
        return self.program.in_force[self.program_number]

    def is_clockwise(self) -> bool:
        """Say which way play goes."""
        return CLOCKWISE[self.turned]

    def top(self) -> Play:
        """Return the play to beat; on an empty field NO_PLAY."""
        return self.trick[-1].play if self.trick else NO_PLAY

    def copy_public(self, other: Public) -> None:
        """Make this value's public part equal to that of `other`."""
        self.games, self.game, self.playing, self.actions = other.games, other.game, other.playing, other.actions
        self.previous, self.before_previous = other.previous[:], other.before_previous[:]
        self.totals, self.firsts, self.spade_seat = other.totals[:], other.firsts[:], other.spade_seat
        self.seating, self.turned, self.rests = other.seating[:], other.turned, other.rests[:]
        self.lasting_rests = other.lasting_rests
        self.passed, self.skipped, self.passes_in_row = other.passed, other.skipped, other.passes_in_row
        self.owner, self.starter, self.turn = other.owner, other.starter, other.turn
        self.had_turn, self.drawn = other.had_turn, other.drawn
        self.revolution, self.revolted, self.turned_over = other.revolution, other.revolted, other.turned_over
        self.reserved_revolutions, self.freeze = other.reserved_revolutions, other.freeze
        self.from_ace, self.joker_above_ten = other.from_ace, other.joker_above_ten
        self.backs, self.order = other.backs[:], other.order
        self.locks, self.row_start = other.locks[:], other.row_start
        self.trick, self.last_trick, self.discard = other.trick[:], other.last_trick[:], other.discard
        self.laid_away_count, self.blind_count = other.laid_away_count, other.blind_count
        self.stock_count = other.stock_count
        self.finished, self.fouled = other.finished[:], other.fouled[:]
        self.fallen, self.defeated, self.gone = other.fallen[:], other.defeated[:], other.gone
        self.places, self.drawn_places = other.places[:], other.drawn_places[:]
        self.notes = other.notes.copy()
        self.run_kind, self.run_number, self.actor = other.run_kind, other.run_number, other.actor
        self.cause, self.run_ranks, self.offered_by = other.cause, other.run_ranks, other.offered_by
        self.cursor, self.flushing, self.flush_rule = other.cursor, other.flushing, other.flush_rule
        self.to_lead, self.program_number, self.run_program = other.to_lead, other.program_number, other.run_program
        self.emptied = [Emptied(e.seat, e.cause, e.play, e.before, e.after, e.run, e.rule) for e in other.emptied]
        self.window_rules, self.window_seats = other.window_rules, other.window_seats[:]
        self.asking_rule = other.asking_rule
        self.decisions, self.last_decision = other.decisions[:], other.last_decision


class State(Public):
    """The whole truth. Only `game.py` and the steps write to one, and only to a copy that `apply` has made."""

    def __init__(self, program: Program, seats: int) -> None:
        super().__init__(program, seats)
        self.hands: list[int] = [0] * seats
        self.blind = 0
        self.kept_blinds = 0
        """Blind cards that stay out until the set ends."""
        self.laid_away = 0
        self.stock: list[int] = []
        self.key = b""
        """The key of this game's randomness, see `randomness.py`."""
        self.drawn_words = 0
        self.chance: Chance | None = None
        """What a simulator draws from instead; not part of the value."""
        self.group: Group | None = None
        """The open choices."""
        self.held: list[tuple[int, ...] | None] = []
        """The answer to each choice of the group, hidden until all are in."""
        self.guesses: Guesses | None = None
        """In a state that was imagined from a view: what is taken for true of the cards that the seat does not see."""
        self.sink: list[Event] | None = None
        """Where events go; not part of the value. None: nobody wants them."""
        self.because = -1
        """The index in the sink of the event that the next ones follow from."""

    def size(self, seat: int) -> int:
        """Count the cards in a seat's hand."""
        return count(self.hands[seat])

    def is_in(self, seat: i64) -> bool:
        """Say whether a seat is still in the game: not out, and holding cards."""
        return not self.gone >> seat & 1 and self.hands[seat] != 0

    def copy(self) -> State:
        """Return an equal value that shares nothing changeable with this one."""
        s = State(self.program, self.seats)
        s.copy_public(self)
        s.hands, s.blind, s.laid_away, s.stock = self.hands[:], self.blind, self.laid_away, self.stock[:]
        s.kept_blinds = self.kept_blinds
        s.key, s.drawn_words = self.key, self.drawn_words
        s.group, s.held = self.group, self.held[:]
        return s
