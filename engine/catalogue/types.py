"""The kinds of things that the catalogue holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

TYPES: Final = ("bool", "number", "word", "numbers")
KINDS: Final = ("rule", "setting", "service", "client", "text")
SEATS: Final = "seats"
"""In a condition, the number of players instead of a setting."""


class Text(NamedTuple):
    """A text in both languages."""

    ja: str
    en: str


Value = bool | int | str | tuple[int, ...]
"""What a setting can be: yes or no, a number, a word, or a row of numbers."""


def write_value(value: Value) -> str:
    """Write a value as `Setting.read` reads it: true, 3, at_once, or 3 2 1 0."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return " ".join(str(number) for number in value)
    return str(value)


@dataclass(frozen=True)
class Setting:
    """Something that a table can choose: its type, what it may be, and what it is when nobody says."""

    id: str
    """`rule`, or `rule.parameter` for what else the rule lets one choose."""
    entry: str
    name: Text
    type: str
    """bool, number, word or numbers."""
    default: Value
    words: Mapping[str, Text]
    """What a word may be, and how to say it to players; empty for the other types."""
    least: int = 0
    most: int = 0
    """Bounds of a number, or of each of the numbers."""
    one_of: tuple[int, ...] = ()
    """The only numbers allowed, where not all within the bounds are."""

    @property
    def is_main(self) -> bool:
        """Say whether this is the setting that has the rule's own id."""
        return self.id == self.entry

    def has_type(self, value: object) -> bool:
        """Say whether a value is of the setting's type; a whole number is not a yes or no."""
        if self.type == "bool":
            return isinstance(value, bool)
        if self.type == "number":
            return isinstance(value, int) and not isinstance(value, bool)
        if self.type == "word":
            return isinstance(value, str)
        return isinstance(value, tuple) and all(isinstance(n, int) and not isinstance(n, bool) for n in value)

    def has_bounds(self, value: Value) -> bool:
        """Say whether a value of the right type is allowed."""
        if isinstance(value, bool):
            return True
        if isinstance(value, str):
            return value in self.words
        if isinstance(value, tuple):
            return all(self.least <= number <= self.most for number in value)
        return value in self.one_of if self.one_of else self.least <= value <= self.most

    def allowed_text(self) -> str:
        """Say what the setting may be, in a few words that need no translation."""
        if self.type == "bool":
            return "true | false"
        if self.type == "word":
            return " | ".join(self.words)
        if self.one_of:
            return " | ".join(str(number) for number in self.one_of)
        return f"{self.least}..{self.most}" + (" ..." if self.type == "numbers" else "")

    def read(self, text: str) -> Value:
        """Read a value as people write it; raise ValueError for text of another type."""
        text = text.strip()
        if self.type == "word":
            return text
        if self.type == "numbers":
            return tuple(int(number) for number in text.replace(",", " ").split())
        if self.type == "number":
            return int(text)
        if text.lower() not in ("true", "false", "on", "off", "yes", "no"):
            raise ValueError(f"not true or false: {text!r}")
        return text.lower() in ("true", "on", "yes")


@dataclass(frozen=True)
class Condition:
    """Something that a rule needs, or that it cannot stand."""

    setting: str
    """A setting, or `seats`."""
    values: tuple[Value, ...] = ()
    """The values that meet the condition; none: see `at_least`."""
    at_least: int = 0
    when: Value | None = None
    """The condition counts only while the rule's own setting has this value."""

    def holds(self, values: Mapping[str, Value], seats: int) -> bool:
        """Say whether a set of values and a number of players meet the condition."""
        value = seats if self.setting == SEATS else values[self.setting]
        if self.values:
            return value in self.values
        return isinstance(value, int) and value >= self.at_least

    def counts(self, entry: Entry, values: Mapping[str, Value]) -> bool:
        """Say whether the condition of an entry is to be met: while it is used, or has the value that `when` names."""
        return entry.is_used(values) if self.when is None else values[entry.id] == self.when

    def text(self) -> str:
        """Write the condition: `eight_cut = true`, `joker_count >= 1`."""
        if self.values:
            return f"{self.setting} = {' | '.join(write_value(value) for value in self.values)}"
        return f"{self.setting} >= {self.at_least}"


@dataclass(frozen=True)
class Asks:
    """That a rule asks somebody to choose, and from what."""

    who: str
    source: str
    optional: bool


@dataclass(frozen=True)
class Entry:
    """One rule, setting or feature that a document names."""

    id: str
    family: str
    kind: str
    """rule (fires in the engine), setting (how others work), service, client, or text (information only)."""
    name: Text
    text: Text
    """One to five short sentences for players."""
    sources: tuple[str, ...]
    stage: int | None = None
    """Its place in the order of effects, 0 to 100."""
    ranks: tuple[str, ...] = ()
    applies_to: tuple[str, ...] = ()
    real_cards_only: bool = False
    asks: Asks | None = None
    requires: tuple[Condition, ...] = ()
    excludes: tuple[Condition, ...] = ()
    discloses: Text | None = None
    """What it shows of hidden cards by design."""
    settings: tuple[Setting, ...] = ()
    """The first of them is the main one, if it has the entry's id; a rule without settings is always in force."""

    def is_used(self, values: Mapping[str, Value]) -> bool:
        """Say whether a set of values switches this entry on, or away from what it is when nobody says."""
        if not self.settings:
            return True
        main = self.settings[0]
        return bool(values[main.id]) if main.type == "bool" else values[main.id] != main.default


@dataclass(frozen=True)
class Preset:
    """A named set of rules that a document describes."""

    id: str
    name: Text
    text: Text
    source: str
    settings: Mapping[str, Value]
    """Its differences from the defaults."""
    seats_least: int
    seats_most: int


@dataclass(frozen=True)
class FoulRange:
    """Which last plays a range of fouls bans."""

    id: str
    includes: frozenset[str]
    sequences_free: bool = False
    """Banned ranks inside a sequence are no foul."""
    substitutes_free: bool = False
    """A joker that stands for a rank that is not banned is no foul."""


@dataclass(frozen=True)
class Tables:
    """What several settings look up: by a word and the number of players."""

    documents: Mapping[str, Text]
    families: Mapping[str, Text]
    titles: Mapping[str, Mapping[int, tuple[str, ...]]]
    titles_en: Mapping[str, str]
    points: Mapping[str, Mapping[int, tuple[int, ...]]]
    exchange: Mapping[str, Mapping[int, tuple[tuple[int, int, int], ...]]]
    """(upper place, lower place, cards each way)."""
    foul_ranges: Mapping[str, FoulRange]
