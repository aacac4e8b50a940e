"""What a table's history is made of: one record a version, each with what was done, as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.actions import Action
from engine.catalogue import Value
from engine.record import Game

# who a seat is for
OPEN = 1
PERSON = 2
BOT = 3

# what spectators see
NO_SPECTATORS = 1
PUBLIC_PART = 2
HANDS_LATER = 3
"""Every hand, once its game is over."""
HANDS = 4

# who took an action
BY_SEAT = "seat"
BY_CLOCK = "clock"
"""The time was up. Earlier versions also wrote it where nobody sat."""
BY_AUTO_PASS = "auto_pass"
"""The seat could do nothing but pass, and passed by itself. Nobody is told that it did."""
BY_STAND_IN = "stand_in"
"""Nobody sits there, or the player is away."""

# why a stand-in plays for somebody
AWAY = 1
"""Their stream has been gone for too long."""
IDLE = 2
"""They have let their time run out too often."""
ASKED = 3
"""They have asked for it."""


@dataclass(frozen=True)
class Position:
    """Where matches begin that are to be analysed."""

    seed: bytes = field(repr=False)
    """What is dealt and drawn follows from this."""
    games: tuple[Game, ...]
    """What has been played by then; the last one goes on."""

    @property
    def steps(self) -> int:
        """How many steps have been taken by then."""
        return sum([len(game.steps) for game in self.games])


@dataclass(frozen=True)
class Settings:
    """What a table is played by."""

    preset: str
    values: tuple[tuple[str, Value], ...]
    """What differs from the preset."""
    seats: int
    ruleset_hash: str
    rounds: int | None
    sets: int | None
    games: int | None
    turn_seconds: int
    """0: no clock, then idle_seconds counts."""
    choice_seconds: int
    idle_seconds: int
    relaxed: bool
    name: str
    private: bool = False
    """Whether only those may find the table who belong to it or have its code."""
    bank_seconds: int = 0
    """What every seat has for a match when the time of a turn is used up."""
    bank_each_game: bool = False
    """Whether it has that again in every game."""
    until_host_ends: bool = False
    """Whether a match goes on until the host ends it."""
    deal: str = ""
    """The deal number of practice matches; empty: by lot."""
    spectators: int = PUBLIC_PART
    """What those see who have no seat."""
    hints: bool = True
    """Whether players may ask what to do."""
    position: Position | None = None
    """Where its matches begin, for analysis; None: at the beginning."""


@dataclass(frozen=True)
class Occupant:
    """Who has a seat."""

    identity: str
    name: str
    bot: bool
    client_seed: bytes = b""
    """What they give to the shuffles of matches that begin while they have it."""
    policy: str = ""
    """How a bot of the service decides; empty for everybody else."""


@dataclass(frozen=True)
class Reservation:
    """A seat that is kept for somebody."""

    seat: int
    identity: str
    bot: bool


@dataclass(frozen=True)
class AutoStart:
    """How a table fills up and its match begins by itself."""

    reservations: tuple[Reservation, ...]
    reserved_seconds: int
    """How long seats are kept, from the creation of the table on."""
    bot_seconds: int
    """How long bots may then take what has become free."""


@dataclass(frozen=True)
class Created:
    """A table came to be, for its host."""

    settings: Settings
    host: str
    auto_start: AutoStart | None = None
    """None: the host starts the match."""
    code: str = field(default="", repr=False)
    """What lets others in."""
    root: bytes = field(default=b"", repr=False)
    """What the seeds of its matches follow from. Earlier versions drew each by itself."""
    commitment: bytes = b""
    """What is published of them at first."""


@dataclass(frozen=True)
class SeatTaken:
    """Somebody sat down."""

    seat: int
    occupant: Occupant


@dataclass(frozen=True)
class SeatsReleased:
    """Seats are not kept any more for those who have not come; bots may have them."""

    seats: tuple[int, ...]


@dataclass(frozen=True)
class SeatLeft:
    """A seat lost its occupant; `host` is who is host from now on."""

    seat: int
    host: str


@dataclass(frozen=True)
class SeatSet:
    """The host said who a seat is for.

    Tables of early versions could also remove whoever had it; then `host` is who is host from now on.
    """

    seat: int
    kind: int
    removes: bool = False
    host: str = ""


@dataclass(frozen=True)
class SeatKicked:
    """The host took somebody's seat away, perhaps for good; the code they may know leads nowhere from now on."""

    seat: int
    host: str
    code: str = field(repr=False)
    for_good: bool = False


@dataclass(frozen=True)
class SeatsSwapped:
    """Two seats changed their occupants; one of them may be free."""

    seat: int
    other: int


@dataclass(frozen=True)
class HostChanged:
    """The table got another host."""

    host: str


@dataclass(frozen=True)
class Updated:
    """The host changed what the table is played by."""

    settings: Settings


@dataclass(frozen=True)
class Shortened:
    """The match ends with the game that is being played, or was played last: its host says so."""


@dataclass(frozen=True)
class CodeRenewed:
    """The host has drawn a new code to let others in; whoever has left needs it to come back."""

    code: str = field(repr=False)


@dataclass(frozen=True)
class MatchStarted:
    """A match began with its first game; every deal follows from the seed and what players gave."""

    match_id: str
    seed: bytes = field(repr=False)
    games: int
    deal: str = field(default="", repr=False)
    """The number that every deal follows from instead, if there is one: unless it is known, as secret as the seed."""
    client_seeds: tuple[bytes, ...] = ()
    """What players gave, by seat; none if nobody could."""
    root: bytes = field(default=b"", repr=False)
    """What seeds of matches follow from, from this one on; empty: from the same as before."""


@dataclass(frozen=True)
class GameStarted:
    """The next game of the match was dealt."""


@dataclass(init=False)
class Acted:
    """A seat's decision was answered. Nobody changes it; to be frozen would make it cost three times as much, and a
    constructor that is made at run time is not compiled.
    """

    seat: int
    decision: int
    action: Action
    by: str
    bank: int
    """How many milliseconds of the seat's time bank it took."""

    def __init__(self, seat: int, decision: int, action: Action, by: str = BY_SEAT, bank: int = 0) -> None:
        self.seat, self.decision, self.action, self.by, self.bank = seat, decision, action, by, bank


@dataclass(frozen=True)
class StandInCame:
    """A stand-in began to play for whoever has a seat."""

    seat: int
    why: int


@dataclass(frozen=True)
class StandInLeft:
    """Whoever has a seat plays it again."""

    seat: int


@dataclass(frozen=True)
class AutoPassSet:
    """Somebody said whether their seat passes by itself when it can do nothing else."""

    seat: int
    on: bool


@dataclass(frozen=True)
class Skipped:
    """Decisions up to this number were told and then lost with the versions that asked them; no other gets it."""

    last_decision: int


@dataclass(frozen=True)
class Closed:
    """The table is no more."""


Operation = (
    Created
    | SeatTaken
    | SeatsReleased
    | SeatLeft
    | SeatSet
    | SeatKicked
    | SeatsSwapped
    | HostChanged
    | Updated
    | Shortened
    | CodeRenewed
    | MatchStarted
    | GameStarted
    | Acted
    | StandInCame
    | StandInLeft
    | AutoPassSet
    | Skipped
    | Closed
)


@dataclass(frozen=True)
class Answer:
    """The first result of a request that may be repeated: enough to give it again."""

    identity: str
    method: str
    request_id: str
    fingerprint: bytes
    """A digest of the request, to tell a repeated one from another with the same id."""
    seat: int = 0


@dataclass(frozen=True)
class Conduct:
    """How a seat has been played since the match began."""

    time_outs: int = 0
    """How often the default was taken for its player."""
    in_a_row: int = 0
    """How many of these came since the player last did something."""
    take_overs: int = 0
    """How often a stand-in has taken the seat over from its player."""
    stood_in: int = 0
    """How many decisions a stand-in has answered."""


@dataclass(frozen=True)
class Result:
    """How a match ended, for those who rate players and run leagues. All lists are by seat."""

    match_id: str
    ruleset_hash: str
    games: int
    """How many were played to their end."""
    is_whole: bool
    """Whether that is all of them; a match that everybody left ends before."""
    ranks: tuple[int, ...]
    """From 1, by points; equal ones share a rank."""
    points: tuple[int, ...]
    players: tuple[Occupant | None, ...]
    """Who had the seats at the end."""
    conduct: tuple[Conduct, ...] = ()
    """How the seats were played: whose fault time-outs and take-overs were. Earlier versions did not keep it."""


@dataclass(frozen=True)
class Score:
    """How a game ended."""

    places: tuple[int, ...]
    """The seats, the first one first."""
    points: tuple[int, ...]
    """By seat."""


@dataclass(frozen=True)
class Ended:
    """A match that is over, as far as its versions alone do not tell. Lists are by seat."""

    match_id: str
    first: int
    """The version with which it began."""
    settings: Settings
    engine_version: str
    host: str
    players: tuple[str, ...]
    """Who had a seat in it."""
    line_up: tuple[Occupant | None, ...]
    """Who had the seats when it began."""
    games_planned: int
    seed: bytes = field(repr=False)
    deal: str
    practice: bool
    scores: tuple[Score, ...]
    """Of the games that were played to their end."""
    is_whole: bool
    ranks: tuple[int, ...]
    totals: tuple[int, ...]
    conduct: tuple[Conduct, ...]
    client_seeds: tuple[bytes, ...] = ()
    """What players had given to the shuffles when it began."""

    @property
    def is_open(self) -> bool:
        """Say whether anybody may see its record, not only who belonged to it."""
        return not self.settings.private and self.settings.spectators != NO_SPECTATORS


@dataclass(frozen=True)
class Posted:
    """A result in the outbox. Numbers grow, so that a reader can go on after the last one it has."""

    number: int
    table_id: str
    time: float
    """When the match ended, in seconds since 1970."""
    result: Result


@dataclass(frozen=True)
class KeptSnapshot:
    """A snapshot as a store keeps it; the versions before the `first` one are of no use any more."""

    version: int
    first: int
    body: bytes = field(repr=False)


@dataclass(init=False)
class Record:
    """One version of a table: what made it, when, in which run of its history, and what was answered.

    Nobody changes it; see `Acted`.
    """

    table_id: str
    epoch: int
    version: int
    time: float
    """Seconds since 1970."""
    operation: Operation
    answer: Answer | None
    result: Result | None
    """Of the match that this version ended: posted to the outbox together with the version. Records that are read again
    are without it."""
    ended: Ended | None
    """The match that this version ended, where its record is to be kept: that is done together with the version."""
    snapshot: KeptSnapshot | None
    """The table after this version, where the store is to have it; it is kept together with the version."""

    def __init__(
        self,
        table_id: str,
        epoch: int,
        version: int,
        time: float,
        operation: Operation,
        answer: Answer | None = None,
        result: Result | None = None,
        ended: Ended | None = None,
        snapshot: KeptSnapshot | None = None,
    ) -> None:
        self.table_id, self.epoch, self.version, self.time = table_id, epoch, version, time
        self.operation, self.answer = operation, answer
        self.result, self.ended, self.snapshot = result, ended, snapshot
