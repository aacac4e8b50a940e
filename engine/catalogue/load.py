"""Reading the catalogue, once a process."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from engine.catalogue.types import Asks, Condition, Entry, FoulRange, Preset, Setting, Tables, Text, Value

FAMILIES: Final = (
    "table",
    "deal",
    "first_lead",
    "combination",
    "comparison",
    "strength",
    "rank_effect",
    "lock",
    "counter",
    "finish",
    "score",
    "exchange",
    "clock",
    "extra_play",
    "match",
)


def families() -> tuple[str, ...]:
    """Name the families of entries; each is one file."""
    return FAMILIES


@lru_cache(maxsize=1)
def entries() -> Mapping[str, Entry]:
    """Return every entry of the catalogue by id, in the order of the files."""
    found = {}
    for family in FAMILIES:
        for entry_id, row in _table(f"rules/{family}.toml").items():
            found[entry_id] = _entry(entry_id, family, row)
    return MappingProxyType(found)


@lru_cache(maxsize=1)
def settings() -> Mapping[str, Setting]:
    """Return every setting by id, in the order of the entries."""
    return MappingProxyType({setting.id: setting for entry in entries().values() for setting in entry.settings})


@lru_cache(maxsize=1)
def presets() -> Mapping[str, Preset]:
    """Return every preset by id."""
    found: dict[str, Preset] = {}
    for preset_id, row in _table("presets.toml").items():
        values = dict(found[row["based_on"]].settings) if "based_on" in row else {}
        values |= {setting: _value(value) for setting, value in row["settings"].items()}
        values = {setting: value for setting, value in values.items() if value != settings()[setting].default}
        bounds = [values.get(s, settings()[s].default) for s in ("player_count.min", "player_count.max")]
        found[preset_id] = Preset(
            preset_id,
            _text(row, "name"),
            _text(row, "text"),
            row["source"],
            MappingProxyType(values),
            *[int(str(bound)) for bound in bounds],
        )
    return MappingProxyType(found)


@lru_cache(maxsize=1)
def tables() -> Tables:
    """Return the tables that several settings share."""
    data = _table("tables.toml")
    ranges = {
        name: FoulRange(name, includes=frozenset(row.pop("includes")), **row)
        for name, row in data["foul_ranges"].items()
    }
    return Tables(
        _texts(data["documents"]),
        _texts(data["families"]),
        _by_count(data["titles"]),
        MappingProxyType(data["titles_en"]),
        _by_count(data["points"]),
        _by_count(data["exchange"]),
        MappingProxyType(ranges),
    )


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads(files("engine.catalogue").joinpath(name).read_text(encoding="utf-8"))


def _value(value: object) -> Value:
    if isinstance(value, list):
        return tuple(value)
    assert isinstance(value, bool | int | str)
    return value


def _text(row: Mapping[str, Any], key: str) -> Text:
    return Text(row[f"{key}_ja"], row[f"{key}_en"])


def _texts(rows: Mapping[str, dict[str, str]]) -> Mapping[str, Text]:
    return MappingProxyType({name: Text(row["ja"], row["en"]) for name, row in rows.items()})


def _entry(entry_id: str, family: str, row: dict[str, Any]) -> Entry:
    asks = row.get("choice")
    return Entry(
        id=entry_id,
        family=family,
        kind=row["kind"],
        name=_text(row, "name"),
        text=_text(row, "text"),
        sources=tuple(row["sources"]),
        stage=row.get("stage"),
        ranks=tuple(row.get("ranks", ())),
        applies_to=tuple(row.get("applies_to", ())),
        real_cards_only=row.get("real_cards_only", False),
        asks=Asks(asks["who"], asks["from"], asks["optional"]) if asks else None,
        requires=tuple(_condition(each) for each in row.get("requires", ())),
        excludes=tuple(_condition(each) for each in row.get("excludes", ())),
        discloses=_text(row, "discloses") if "discloses_en" in row else None,
        settings=tuple(_setting(entry_id, row, each) for each in row.get("settings", ())),
    )


def _setting(entry_id: str, entry: Mapping[str, Any], row: dict[str, Any]) -> Setting:
    parameter = row["id"].partition(".")[2]
    words = _texts(entry.get("words", {}))
    return Setting(
        id=row["id"],
        entry=entry_id,
        name=_texts(entry["parameters"])[parameter] if parameter else _text(entry, "name"),
        type=row["type"],
        default=_value(row["default"]),
        words=MappingProxyType({word: words[word] for word in row.get("words", ())}),
        least=row.get("least", 0),
        most=row.get("most", 0),
        one_of=tuple(row.get("one_of", ())),
    )


def _condition(row: dict[str, Any]) -> Condition:
    values = tuple(row["one_of"]) if "one_of" in row else (row["is"],) if "is" in row else ()
    return Condition(row["setting"], values, row.get("at_least", 0), row.get("when"))


def _by_count(data: dict[str, dict[str, list[Any]]]) -> Mapping[str, Mapping[int, tuple[Any, ...]]]:
    def row(values: list[Any]) -> tuple[Any, ...]:
        return tuple(tuple(value) if isinstance(value, list) else value for value in values)

    return MappingProxyType(
        {
            name: MappingProxyType({int(count): row(values) for count, values in by_count.items()})
            for name, by_count in data.items()
        }
    )
