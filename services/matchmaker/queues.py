"""What can be waited for: the operator's file of queues, read and checked."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from services.common.config import CannotStart

Value = bool | int | str | tuple[int, ...]
"""What a setting of a ruleset can be."""

MOST_QUEUES: Final = 100
MOST_SECONDS: Final = 3600
ID: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


@dataclass(frozen=True)
class Queue:
    """Something to wait for."""

    id: str
    ja: str
    en: str
    preset: str
    settings: tuple[tuple[str, Value], ...]
    """What differs from the preset."""
    sizes: tuple[int, ...]
    """How many seats tables may have; the first is the usual number."""
    rounds: int | None = None
    sets: int | None = None
    games: int | None = None
    turn_seconds: int | None = None
    choice_seconds: int | None = None
    idle_seconds: int | None = None
    bank_seconds: int | None = None
    bank_each_game: bool = False
    bots_after_seconds: float | None = None
    """After which wait bots fill up; None is never."""
    ranked: bool = False
    """Whether matches count: nothing may give away what a seat cannot do, so auto_pass is off."""
    hints: bool = False
    """Whether players may ask what to do; never in a ranked match."""
    bots_only: bool = False
    """Whether bots are also paired with each other."""
    seat_seconds: int = 20
    """How long a seat is kept for whoever has been paired."""
    bot_seat_seconds: int = 5
    """How long bots have to take what has become free."""

    @property
    def takes_bots(self) -> bool:
        """Say whether bots have anything to wait for here."""
        return self.bots_only or self.bots_after_seconds is not None


class Wrong(ValueError):
    """Something in the file cannot be; the message says what."""


WHOLE: Final = {
    "rounds": (1, 1000),
    "sets": (1, 1000),
    "games": (1, 1000),
    "turn_seconds": (0, 86400),
    "choice_seconds": (1, 86400),
    "idle_seconds": (1, 86400),
    "bank_seconds": (0, 86400),
    "seat_seconds": (1, MOST_SECONDS),
    "bot_seat_seconds": (0, MOST_SECONDS),
}
"""Whole numbers, and within which bounds."""
FLAGS: Final = ("bots_only", "bank_each_game", "ranked", "hints")
DISCLOSES: Final = "auto_pass"
"""A setting that is no part of a ranked match."""
KEYS: Final = ({field.name for field in fields(Queue)} - {"id", "ja", "en"}) | {"name"}


def load(path: str) -> dict[str, Queue]:
    """Read a file of queues, or, without a path, the queues that come with the program."""
    try:
        source = Path(path) if path else files("services.matchmaker") / "queues.toml"
        return read(source.read_text(encoding="utf-8"))
    except OSError as problem:
        raise CannotStart(f"--queues {path}: {problem.strerror}") from None
    except (Wrong, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise CannotStart(f"--queues {path}: {problem}".replace("\n", " ")) from None


def read(text: str) -> dict[str, Queue]:
    """Read queues: one table each, by its id."""
    queues = {}
    for name, table in tomllib.loads(text).items():
        if not isinstance(table, dict):
            raise Wrong(f"{name} stands outside of any queue; a queue begins with [its-id]")
        if not ID.fullmatch(name):
            raise Wrong(f"[{name}]: an id has up to 32 of a-z, 0-9, - and _")
        try:
            queues[name] = _queue(name, table)
        except Wrong as problem:
            raise Wrong(f"[{name}] {problem}") from None
    if not 1 <= len(queues) <= MOST_QUEUES:
        raise Wrong(f"there must be 1 to {MOST_QUEUES} queues, not {len(queues)}")
    return queues


def _queue(name: str, table: Mapping[str, Any]) -> Queue:
    for key in table:
        if key not in KEYS:
            near = get_close_matches(key, KEYS, n=1)
            raise Wrong(f"{key} is not known" + (f"; did you mean {near[0]}?" if near else ""))
    said = table.get("name", {})
    if not isinstance(said, dict) or set(said) != {"ja", "en"} or not all(map(_is_text, said.values())):
        raise Wrong('name must be { ja = "…", en = "…" }')
    if not _is_text(table.get("preset")):
        raise Wrong("preset must be the id of a preset")
    sizes = table.get("sizes", [])
    if not _is_whole_list(sizes, 2, 12) or not sizes or len(set(sizes)) < len(sizes):
        raise Wrong("sizes must list numbers of seats, each from 2 to 12 and once")
    more: dict[str, Any] = {key: _whole(key, table[key]) for key in WHOLE if key in table}
    more |= {key: _flag(key, table[key]) for key in FLAGS if key in table}
    settings = dict(_settings(table.get("settings", {})))
    if more.get("ranked"):
        if settings.get(DISCLOSES):
            raise Wrong(f"ranked queues have no {DISCLOSES}: it shows what a seat cannot do")
        settings[DISCLOSES] = False
        if more.get("hints"):
            raise Wrong("ranked queues have no hints: everybody plays for themselves")
    return Queue(
        id=name,
        ja=said["ja"],
        en=said["en"],
        preset=table["preset"],
        settings=tuple(settings.items()),
        sizes=tuple(sizes),
        bots_after_seconds=_bots_after(table.get("bots_after_seconds")),
        **more,
    )


def _settings(table: Any, prefix: str = "") -> Iterator[tuple[str, Value]]:
    """Read settings of a ruleset; `rule.parameter = 1` and a table of a rule's parameters are the same to TOML."""
    if not isinstance(table, dict):
        raise Wrong("settings must be a table of settings")
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _settings(value, f"{prefix}{key}.")
        elif isinstance(value, (bool, int, str)):
            yield prefix + key, value
        elif _is_whole_list(value, -(2**31), 2**31):
            yield prefix + key, tuple(value)
        else:
            raise Wrong(f"settings: {prefix}{key} must be true or false, a whole number, a word or a list of numbers")


def _whole(key: str, value: Any) -> int:
    least, most = WHOLE[key]
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise Wrong(f"{key} must be a whole number from {least} to {most}")
    return value


def _flag(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise Wrong(f"{key} must be true or false")
    return value


def _bots_after(value: Any) -> float | None:
    if value is None:
        return None
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value <= MOST_SECONDS:
        raise Wrong(f"bots_after_seconds must be a number from 0 to {MOST_SECONDS}")
    return float(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= 80


def _is_whole_list(value: Any, least: int, most: int) -> bool:
    return isinstance(value, list) and all(
        isinstance(each, int) and not isinstance(each, bool) and least <= each <= most for each in value
    )
