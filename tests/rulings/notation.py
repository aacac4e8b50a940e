"""The notation of rulings, see GRAMMAR.md: text in, typed values out, and an error that names the ruling otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from engine.cards import RANK_TEXT, SUIT_TEXT, parse_card

SEATS: Final = "ABCDEFGHIJKL"
PHASES: Final = (
    "play",
    "response",
    "exchange",
    "after_exchange",
    "deal",
    "start",
    "rank",
    "score",
    "match_end",
    "choice",
)
WHOLE: Final = (
    "deal",
    "deal order",
    "start",
    "exchange",
    "tenpenchii",
    "antitrust",
    "rank",
    "score",
    "match result",
)
"""What happens by itself."""
READINGS: Final = {
    "single": "single",
    "pair": "group",
    "triple": "group",
    "group": "group",
    "stair": "sequence",
    "sequence": "sequence",
    "arithmetic": "arithmetic",
    "emperor": "emperor",
}
"""The shape that each word of the documents means."""


class NotationError(ValueError):
    """A ruling is not in the notation; the text begins with its id."""


@dataclass(frozen=True)
class Hand:
    """Cards that a seat holds, and how many more that do not matter."""

    cards: tuple[int, ...] = ()
    fillers: int = 0


@dataclass(frozen=True)
class Meant:
    """A card; a joker may come with the suit and rank that it stands for."""

    card: int
    suit: int = -1
    rank: int = -1


@dataclass(frozen=True)
class FieldPlay:
    """A play of the trick, with its seat."""

    seat: int
    cards: tuple[Meant, ...]


@dataclass(frozen=True)
class Locks:
    """The locks in force; nothing is the state without a lock."""

    suits: frozenset[int] = frozenset()
    partial: frozenset[int] = frozenset()
    color: str = ""
    number: bool = False


@dataclass(frozen=True)
class Position:
    """What there is before the action. Seats count from 0; None means that the state does not say."""

    hands: Mapping[int, Hand] = field(default_factory=dict)
    players: int | None = None
    phase: str = "play"
    turn: int | None = None
    trick: tuple[FieldPlay, ...] = ()
    """The plays on the field, the oldest first."""
    lock: Locks = Locks()
    rev: bool = False
    back: int = 0
    clockwise: bool = True
    order: str = ""
    passed: tuple[int, ...] = ()
    out: tuple[tuple[int, int], ...] = ()
    """(seat, place)"""
    foul: tuple[int, ...] = ()
    fell: tuple[int, ...] = ()
    defeated: tuple[int, ...] = ()
    prev: tuple[int, ...] = ()
    prev2: tuple[int, ...] = ()
    last: tuple[int, ...] = ()
    game: str = ""
    set: int = 1
    round: int = 1
    discard: tuple[int, ...] | None = None
    blind: tuple[int, ...] | None = None
    received: tuple[int, ...] = ()
    leftover: tuple[int, ...] = ()
    stock: int = 0
    exchange_done: int = 0
    totals: tuple[tuple[int, int], ...] = ()
    seats: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Flags about seats: spade_seat, first_turn, auto_pass, disconnected, lucky, fell_last, finished_before."""
    flags: Mapping[str, int] = field(default_factory=dict)
    """Flags and counts of single rules."""


@dataclass(frozen=True)
class Step:
    """One thing that happens: what a seat does, or (without a seat) what happens by itself."""

    kind: str
    seat: int = -1
    cards: tuple[Meant, ...] = ()
    reading: str = ""
    """The shape that a play is declared as."""
    to: int = -1
    any: int = -1
    """How many cards are named without saying which."""
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Expectation:
    """What must come of it. Only the keys in `given` are looked at."""

    given: frozenset[str] = frozenset()
    legal: bool = True
    code: str = ""
    options: frozenset[str] = frozenset()
    reading: str = ""
    next: int = -1
    """-1: by lot"""
    flush: bool = False
    flush_count: int = 0
    field_empty: bool = False
    field_top: FieldPlay | None = None
    rev: bool = False
    back: int | str = 0
    clockwise: bool = True
    effective: str = ""
    order: str = ""
    lock: Locks = Locks()
    passed: frozenset[int] = frozenset()
    finish: int | None = None
    foul: bool = False
    foul_stands: int | None = None
    place: int = 0
    fell: int | None = None
    defeated: int | None = None
    by: str = ""
    ranks: Mapping[int, int | str] = field(default_factory=dict)
    game_over: bool = False
    still_playing: frozenset[int] = frozenset()
    hands: Mapping[int, frozenset[int]] = field(default_factory=dict)
    sizes: Mapping[int, int] = field(default_factory=dict)
    discard: frozenset[int] = frozenset()
    laid_away: frozenset[int] = frozenset()
    window: bool = False
    moves: Mapping[tuple[int, int], str] = field(default_factory=dict)
    counts: Mapping[tuple[int, int], int] = field(default_factory=dict)
    extra: Mapping[tuple[int, int], int] = field(default_factory=dict)
    swap: str = ""
    hand_sizes: tuple[int, ...] = ()
    blind: int | frozenset[int] = 0
    dealer: int = -1
    points: Mapping[int, int] = field(default_factory=dict)
    joker: str = ""
    flags: Mapping[str, int | None] = field(default_factory=dict)
    """Flags and counts, by key; None where the ruling says null."""


@dataclass(frozen=True)
class Ruling:
    """One sentence of a rulebook as a test."""

    id: str
    source: str
    preset: str
    settings: Mapping[str, object]
    position: Position
    steps: tuple[Step, ...]
    expect: Expectation
    reason: str
    status: str


# --- files -----------------------------------------------------------------------------------------------------------


def read_file(path: Path) -> list[Mapping[str, object]]:
    """Return the rulings of a file as they stand there."""
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    if not isinstance(data, dict) or not isinstance(data.get("rulings"), list):
        raise NotationError(f"{path}: no list of rulings")
    return [row for row in data["rulings"] if isinstance(row, dict)]


def parse_file(path: Path) -> list[Ruling]:
    """Read a file in which every ruling is in the notation and has an id of its own."""
    rulings = [parse_ruling(row) for row in read_file(path)]
    ids = [ruling.id for ruling in rulings]
    for name in ids:
        if ids.count(name) > 1:
            raise NotationError(f"{name}: the id is used twice")
    return rulings


KEYS: Final = ("id", "source", "preset", "settings", "state", "action", "expect", "reason", "status")


def parse_ruling(row: Mapping[str, object]) -> Ruling:
    """Read one ruling; whatever is wrong with it is an error that names it."""
    name = str(row.get("id", "?"))
    try:
        if set(row) != set(KEYS):
            raise ValueError(f"keys {sorted(set(row) ^ set(KEYS))}")
        settings, expect = row["settings"] or {}, row["expect"]
        if not isinstance(settings, dict) or not isinstance(expect, dict):
            raise ValueError("settings and expect are maps")
        if row["status"] not in ("text", "resolution"):
            raise ValueError(f"status {row['status']!r}")
        return Ruling(
            id=name,
            source=str(row["source"]),
            preset=str(row["preset"]),
            settings=settings,
            position=parse_position(str(row["state"])),
            steps=parse_action(str(row["action"])),
            expect=parse_expectation(expect),
            reason=str(row["reason"]),
            status=str(row["status"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise NotationError(f"{name}: {error}") from error


# --- words -----------------------------------------------------------------------------------------------------------


def seat_of(text: str) -> int:
    """Read a seat."""
    if len(text) != 1 or text not in SEATS:
        raise ValueError(f"not a seat: {text!r}")
    return SEATS.index(text)


def seats_of(text: str) -> tuple[int, ...]:
    """Read seats with commas; a dash or nothing is nobody."""
    return () if text in ("", "-") else tuple(seat_of(part.strip()) for part in text.split(","))


def cards_of(text: str) -> tuple[int, ...]:
    """Read cards with commas or spaces."""
    cards = tuple(parse_card(word) for word in text.replace(",", " ").split())
    if len(set(cards)) != len(cards):
        raise ValueError(f"a card is named twice: {text!r}")
    return cards


def meant_of(text: str) -> Meant:
    """Read a card, or a joker with what it stands for."""
    card, equals, meaning = text.partition("=")
    if not equals:
        return Meant(parse_card(card))
    if not card.startswith("JK"):
        raise ValueError(f"only a joker stands for something: {text!r}")
    if meaning[:1] not in SUIT_TEXT or meaning[1:] not in RANK_TEXT[:13]:
        raise ValueError(f"not a meaning: {text!r}")
    return Meant(parse_card(card), SUIT_TEXT.index(meaning[0]), RANK_TEXT.index(meaning[1:]))


def meants_of(words: Sequence[str]) -> tuple[Meant, ...]:
    """Read cards, none of them twice."""
    found = tuple(meant_of(word) for word in words)
    if not found or len({meant.card for meant in found}) != len(found):
        raise ValueError(f"no cards, or a card twice: {' '.join(words)!r}")
    return found


def number_of(text: str) -> int:
    """Read a number."""
    if not re.fullmatch(r"\d+", text):
        raise ValueError(f"not a number: {text!r}")
    return int(text)


def flag_of(text: str) -> int:
    """Read 0 or 1."""
    if text not in ("0", "1"):
        raise ValueError(f"not 0 or 1: {text!r}")
    return int(text)


def one_of(*words: str) -> Callable[[str], str]:
    """Return a reader of one of these words."""

    def read(text: str) -> str:
        if text not in words:
            raise ValueError(f"{text!r} is none of {', '.join(words)}")
        return text

    return read


def places_of(text: str) -> tuple[tuple[int, int], ...]:
    """Read seats with numbers: A:1,B:2."""
    pairs = [part.split(":") for part in text.split(",")] if text else []
    return tuple((seat_of(seat.strip()), number_of(number.strip())) for seat, number in pairs)


def locks_of(text: str) -> Locks:
    """Read the locks in force."""
    suits: frozenset[int] = frozenset()
    partial: frozenset[int] = frozenset()
    color, number = "", False
    for part in [] if text == "-" else text.split("+"):
        kind, _, rest = part.strip().partition(":")
        if kind in ("suit", "partial"):
            found = frozenset(SUIT_TEXT.index(one_of(*SUIT_TEXT)(suit.strip())) for suit in rest.split(","))
            suits, partial = (found, partial) if kind == "suit" else (suits, found)
        elif kind == "color":
            color = one_of("red", "black")(rest)
        elif kind == "number" and not rest:
            number = True
        else:
            raise ValueError(f"not a lock: {text!r}")
    return Locks(suits, partial, color, number)


def hand_of(text: str) -> Hand:
    """Read the cards of a hand."""
    words = text.split()
    fillers = 0
    if words and words[-1].startswith("*"):
        fillers = number_of(words.pop()[1:])
    return Hand(cards_of(" ".join(words)), fillers)


def field_of(text: str) -> tuple[FieldPlay, ...]:
    """Read the plays of a trick, the oldest first."""
    return () if text in ("", "-") else tuple(field_play_of(part.strip()) for part in text.split("|"))


def field_play_of(text: str) -> FieldPlay:
    """Read one play with its seat."""
    seat, colon, cards = text.partition(":")
    if not colon:
        raise ValueError(f"not a play: {text!r}")
    return FieldPlay(seat_of(seat.strip()), meants_of([card.strip() for card in cards.split(",")]))


# --- the position ----------------------------------------------------------------------------------------------------

STATE: Final[Mapping[str, Callable[[str], Any]]] = {
    "players": number_of,
    "turn": seat_of,
    "phase": one_of(*PHASES),
    "field": field_of,
    "lock": locks_of,
    "rev": lambda text: bool(flag_of(text)),
    "back": number_of,
    "order": one_of("A..K", "K..A"),
    "passed": seats_of,
    "out": places_of,
    "foul": seats_of,
    "fell": seats_of,
    "defeated": seats_of,
    "prev": seats_of,
    "prev2": seats_of,
    "last": seats_of,
    "game": lambda text: text if text in ("first", "last") else str(number_of(text)),
    "set": number_of,
    "round": number_of,
    "discard": cards_of,
    "blind": cards_of,
    "received": cards_of,
    "leftover": cards_of,
    "stock": number_of,
    "exchange_done": number_of,
    "totals": places_of,
}
"""How the value of each key is read; `dir`, seats and flags apart."""
SEAT_FLAGS: Final = (
    "spade_seat",
    "first_turn",
    "auto_pass",
    "disconnected",
    "lucky",
    "fell_last",
    "finished_before",
)
FLAGS: Final = ("arthur", "damian", "enhanced", "frozen", "frozen_revolution", "keep_down", "reserved")
COUNTS: Final = ("countdown", "elapsed", "passes")


def parse_position(text: str) -> Position:
    """Read the position before the action."""
    values: dict[str, Any] = {}
    hands: dict[int, Hand] = {}
    seats: dict[str, tuple[int, ...]] = {}
    flags: dict[str, int] = {}
    used: set[str] = set()
    for pair in filter(None, [part.strip() for part in text.split(";")]):
        key, equals, value = [part.strip() for part in pair.partition("=")]
        if not equals:
            raise ValueError(f"not a pair: {pair!r}")
        if key in used:
            raise ValueError(f"the key {key} stands twice")
        used.add(key)
        try:
            if len(key) == 1 and key in SEATS:
                hands[seat_of(key)] = hand_of(value)
            elif key in STATE:
                values["trick" if key == "field" else key] = STATE[key](value)
            elif key == "dir":
                values["clockwise"] = one_of("cw", "ccw")(value) == "cw"
            elif key in SEAT_FLAGS:
                seats[key] = seats_of(value)
            elif key in FLAGS:
                flags[key] = flag_of(value)
            elif key in COUNTS:
                flags[key] = number_of(value)
            else:
                raise ValueError("unknown key")
        except ValueError as error:
            raise ValueError(f"state {key}: {error}") from error
    position = Position(hands=hands, seats=seats, flags=flags, **values)
    _no_card_twice(position)
    return position


def _no_card_twice(position: Position) -> None:
    shown = [card for hand in position.hands.values() for card in hand.cards]
    shown += [meant.card for play in position.trick for meant in play.cards]
    shown += [*(position.discard or ()), *(position.blind or ())]
    for card in shown:
        if shown.count(card) > 1:
            raise ValueError(f"card {card} lies in two places")


# --- the action ------------------------------------------------------------------------------------------------------


def parse_action(text: str) -> tuple[Step, ...]:
    """Read the steps of an action."""
    if text in WHOLE:
        return (Step(text.replace(" ", "_")),)
    return tuple(parse_step(part.strip()) for part in text.split(";"))


def parse_step(text: str) -> Step:
    """Read what one seat does."""
    who, colon, what = text.partition(":")
    words = what.split()
    if not colon or not words:
        raise ValueError(f"not a step: {text!r}")
    seat, kind, rest = seat_of(who.strip()), words[0], words[1:]
    try:
        return _step(seat, kind, rest)
    except ValueError as error:
        raise ValueError(f"{text!r}: {error}") from error


def _step(seat: int, kind: str, rest: list[str]) -> Step:
    if kind in ("pass", "draw", "tribute", "(auto)", "(timeout)", "(cpu)"):
        if rest:
            raise ValueError("nothing may follow")
        return Step(kind.strip("()"), seat)
    if kind == "play":
        return _play_step(seat, rest)
    if kind in ("give", "discard"):
        to = -1
        if kind == "give" and len(rest) > 2 and rest[-2] == "->":
            to, rest = seat_of(rest[-1]), rest[:-2]
        if rest == ["none"]:
            return Step(kind, seat, to=to, any=0)
        if len(rest) == 2 and rest[0] == "any":
            return Step(kind, seat, to=to, any=number_of(rest[1]))
        return Step(kind, seat, meants_of(rest), to=to)
    if kind in ("pass-on", "take"):
        if len(rest) != 1:
            raise ValueError("one card")
        return Step(kind.replace("-", "_"), seat, meants_of(rest))
    if kind in ("add", "dump"):
        return Step(kind, seat, meants_of(rest))
    if kind == "name" and rest:
        for word in rest:
            if word not in RANK_TEXT:
                number_of(word)
        return Step(kind, seat, words=tuple(rest))
    if kind == "choose" and len(rest) == 1:
        if rest[0] not in ("yes", "no") and rest[0] not in SEATS:
            number_of(rest[0])
        return Step(kind, seat, words=tuple(rest))
    if kind == "seats" and len(rest) == 1:
        return Step(kind, seat, words=tuple(SEATS[each] for each in seats_of(rest[0])))
    raise ValueError("not a step")


def _play_step(seat: int, rest: list[str]) -> Step:
    reading = ""
    if len(rest) > 2 and rest[-2] == "as":
        rest, reading = rest[:-2], rest[-1]
    cards = meants_of(rest)
    if reading and reading not in READINGS:
        if len(cards) != 1:
            raise ValueError(f"not a shape: {reading!r}")
        return Step("play", seat, (meant_of(f"{rest[0]}={reading}"),))
    return Step("play", seat, cards, READINGS[reading] if reading else "")


# --- the expectation -------------------------------------------------------------------------------------------------


def _bool(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"not true or false: {value!r}")
    return value


def _int(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"not a number: {value!r}")
    return value


def _flag(value: object) -> bool:
    return bool(flag_of(str(value)))


def _seat_or_nobody(value: object) -> int | None:
    return None if value is None else seat_of(str(value))


def _map(value: object) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"not a map: {value!r}")
    return value


def _by_seat(read: Callable[[object], Any]) -> Callable[[object], dict[int, Any]]:
    return lambda value: {seat_of(str(seat)): read(each) for seat, each in _map(value).items()}


def _place_or_title(value: object) -> int | str:
    return value if isinstance(value, str) else _int(value)


def _pairs(arrow: str, read: Callable[[object], Any]) -> Callable[[object], dict[tuple[int, int], Any]]:
    def read_all(value: object) -> dict[tuple[int, int], Any]:
        found = {}
        for key, each in _map(value).items():
            first, _, second = str(key).partition(arrow)
            a = seat_of(first.strip())
            found[a, seat_of(second.strip()) if second else a] = read(each)
        return found

    return read_all


def _cards(value: object) -> frozenset[int]:
    return frozenset(cards_of(str(value)))


def _blind(value: object) -> int | frozenset[int]:
    return value if isinstance(value, int) else _cards(value)


def _back(value: object) -> int | str:
    return value if isinstance(value, str) else _int(value)


def _sizes(value: object) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise ValueError(f"not a list: {value!r}")
    return tuple(_int(each) for each in value)


def _options(value: object) -> frozenset[str]:
    return frozenset(READINGS[word.strip()] for word in str(value).split("/"))


def _order(value: object) -> str:
    text = str(value)
    if text not in ("A..K", "K..A"):
        seats_of(text)
    return text


EXPECT: Final[Mapping[str, tuple[str, Callable[[Any], Any]]]] = {
    "legal": ("legal", _bool),
    "code": ("code", str),
    "options": ("options", _options),
    "reading": ("reading", str),
    "next": ("next", lambda value: -1 if value == "by lot" else seat_of(value)),
    "flush": ("flush", _bool),
    "flush_count": ("flush_count", _int),
    "field": ("field_empty", lambda value: one_of("empty")(value) == "empty"),
    "field_top": ("field_top", field_play_of),
    "rev": ("rev", _flag),
    "back": ("back", _back),
    "dir": ("clockwise", lambda value: one_of("cw", "ccw")(value) == "cw"),
    "effective": ("effective", one_of("normal", "reversed")),
    "order": ("order", _order),
    "lock": ("lock", locks_of),
    "passed": ("passed", lambda value: frozenset(seats_of(value))),
    "finish": ("finish", _seat_or_nobody),
    "foul": ("foul", _bool),
    "foul_stands": ("foul_stands", seat_of),
    "place": ("place", _int),
    "fell": ("fell", _seat_or_nobody),
    "defeated": ("defeated", _seat_or_nobody),
    "by": ("by", str),
    "ranks": ("ranks", _by_seat(_place_or_title)),
    "game_over": ("game_over", _bool),
    "still_playing": ("still_playing", lambda value: frozenset(seats_of(value))),
    "hands": ("hands", _by_seat(_cards)),
    "sizes": ("sizes", _by_seat(_int)),
    "discard": ("discard", _cards),
    "laid_away": ("laid_away", _cards),
    "window": ("window", _bool),
    "moves": ("moves", _pairs("->", str)),
    "counts": ("counts", _pairs("<->", _int)),
    "extra": ("extra", _pairs("<->", _int)),
    "swap": ("swap", str),
    "hand_sizes": ("hand_sizes", _sizes),
    "blind": ("blind", _blind),
    "dealer": ("dealer", seat_of),
    "points": ("points", _by_seat(_int)),
    "joker": ("joker", str),
}
"""The field of each key, and how its value is read; flags apart."""
EXPECTED_FLAGS: Final = (
    "blind_joker",
    "choice",
    "countdown",
    "damian",
    "enhanced",
    "frozen",
    "frozen_revolution",
    "lucky",
    "reserved",
    "retrieved",
    "stock",
    "tenpenchii",
    "total",
    "triggered",
    "unused",
)


def parse_expectation(data: Mapping[str, object]) -> Expectation:
    """Read what must come of the action."""
    values: dict[str, Any] = {}
    flags: dict[str, int | None] = {}
    for key, value in data.items():
        try:
            if key in EXPECT:
                name, read = EXPECT[key]
                values[name] = read(value)
            elif key in EXPECTED_FLAGS:
                if value is not None and not isinstance(value, int):
                    raise ValueError(f"not a number: {value!r}")
                flags[key] = value
            else:
                raise ValueError("unknown key")
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError(f"expect {key}: {error}") from error
    return Expectation(given=frozenset(data), flags=flags, **values)
