"""A ruleset: everything a table can choose, checked as a whole and pinned for as long as the table lasts."""

from __future__ import annotations

import builtins
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final

from engine.available import PRESETS, is_available
from engine.catalogue import Condition, Entry, FoulRange, Setting, Value, entries, presets, settings, tables
from engine.catalogue.types import SEATS, write_value

UNKNOWN_PRESET: Final = "unknown_preset"
UNKNOWN_SETTING: Final = "unknown_setting"
WRONG_TYPE: Final = "wrong_type"
OUT_OF_BOUNDS: Final = "out_of_bounds"
CONFLICT: Final = "conflict"
REQUIRES: Final = "requires"
SEATS_PROBLEM: Final = "seats"
NOT_AVAILABLE: Final = "not_available"
PROBLEM_KINDS: Final = (
    UNKNOWN_PRESET,
    UNKNOWN_SETTING,
    WRONG_TYPE,
    OUT_OF_BOUNDS,
    CONFLICT,
    REQUIRES,
    SEATS_PROBLEM,
    NOT_AVAILABLE,
)

NEAR_MATCHES: Final = 4
"""For how many unknown settings a similar one is looked for: each takes more than a millisecond."""

CUSTOM: Final = "custom"
"""The foul range whose switches are set one by one."""


@dataclass(frozen=True)
class Problem:
    """Something that is wrong with a ruleset: what, which settings it concerns, and what to do about it."""

    kind: str
    settings: tuple[str, ...]
    text_en: str
    text_ja: str


class RulesetError(ValueError):
    """No table can be played like this; `problems` names everything that is wrong."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join([problem.text_en for problem in problems]))
        self.problems = problems


@dataclass(frozen=True)
class Ruleset:
    """The value of every setting, for a number of players. `make_ruleset` and `parse_ruleset` make them."""

    preset: str
    seats: int
    values: Mapping[str, Value]
    hash: str
    """The same for all rulesets that have the same players and values, whatever preset they came from."""

    def bool(self, setting: str) -> builtins.bool:
        """Return a setting that is yes or no; a rule without settings is always in force, information never is."""
        value = self.values.get(setting)
        if value is None and setting in entries() and not entries()[setting].settings:
            return entries()[setting].kind == "rule"
        if not isinstance(value, builtins.bool):
            raise KeyError(f"{setting} is not a bool")
        return value

    def number(self, setting: str) -> int:
        """Return a setting that is a number."""
        value = self.values.get(setting)
        if isinstance(value, builtins.bool) or not isinstance(value, int):
            raise KeyError(f"{setting} is not a number")
        return value

    def word(self, setting: str) -> str:
        """Return a setting that is a word."""
        value = self.values.get(setting)
        if not isinstance(value, str):
            raise KeyError(f"{setting} is not a word")
        return value

    def numbers(self, setting: str) -> tuple[int, ...]:
        """Return a setting that is a row of numbers."""
        value = self.values.get(setting)
        if not isinstance(value, tuple):
            raise KeyError(f"{setting} is not a row of numbers")
        return value

    def changes(self) -> dict[str, Value]:
        """Return what differs from the preset; foul switches that follow from the range are left out."""
        base = _preset_values(self.preset)
        custom = self.values["foul_finish"] == CUSTOM
        return {
            setting: value
            for setting, value in sorted(self.values.items())
            if value != base[setting] and (custom or setting not in foul_switches())
        }

    def text(self) -> str:
        """Write the ruleset as text that `parse_ruleset` reads: preset, seats and what differs, one a line."""
        lines = [f"preset {self.preset}", f"seats {self.seats}"]
        lines += [f"{setting} = {write_value(value)}" for setting, value in self.changes().items()]
        return "\n".join(lines) + "\n"

    def deck_size(self) -> int:
        """Count the cards in play, blind cards included."""
        return _deck_size(self.values)

    def cards_each(self) -> int:
        """Return the size of every hand that is dealt; the cards that are then left over may enlarge some."""
        if self.word("deal_method") == "small_hand_2p":
            return self.number("small_hand_size")
        return self.number("hand_size") or (self.deck_size() - self.number("blind_cards")) // self.seats

    def undealt(self) -> tuple[int, int]:
        """Return how many cards stay face down, and how many form the stock."""
        left = self.deck_size() - self.cards_each() * self.seats
        if self.word("deal_method") == "small_hand_2p":
            return self.number("blind_cards"), left - self.number("blind_cards")
        return left if self.word("remainder_deal") == "face_down" else self.number("blind_cards"), 0

    def titles(self) -> tuple[str, ...]:
        """Return the Japanese title of every place, best first."""
        words = "extra_classes" if self.bool("extra_classes") else self.word("rank_names")
        return tables().titles[words][self.seats]

    def points(self) -> tuple[int, ...]:
        """Return the points of every place, best first, without the bonus of a last game."""
        word = self.word("points")
        if word == CUSTOM:
            return self.numbers("points.by_place")
        if word == "none":
            return (0,) * self.seats
        if word == "standard" and self.bool("extra_classes"):
            word = "extra_classes"
        return tables().points[word][self.seats]

    def exchange_pairs(self) -> tuple[tuple[int, int, int], ...]:
        """Return who exchanges: upper place, lower place (from 1) and cards each way, before hands run short."""
        count = self.number("card_exchange")
        if not count:
            return ()
        return tables().exchange[f"extra_classes_{count}" if self.bool("extra_classes") else str(count)][self.seats]

    def foul_range(self) -> FoulRange | None:
        """Return the range of fouls in force, or None where the switches are set one by one."""
        return tables().foul_ranges.get(self.word("foul_finish"))


def make_ruleset(preset: str, overrides: Mapping[str, Value] | None = None, seats: int | None = None) -> Ruleset:
    """Return a preset with some settings changed, or raise RulesetError with everything that is wrong."""
    ruleset, problems = check_ruleset(preset, overrides, seats)
    if problems or ruleset is None:
        raise RulesetError(problems)
    return ruleset


def check_ruleset(
    preset: str, overrides: Mapping[str, Value] | None = None, seats: int | None = None
) -> tuple[Ruleset | None, tuple[Problem, ...]]:
    """Return the ruleset as asked for, playable or not, and what is wrong with it; None if the preset is unknown."""
    wanted = overrides or {}
    problems = _problems_of_values(wanted)
    if preset not in presets():
        return None, (_unknown_preset(preset), *problems)
    known = {s: v for s, v in wanted.items() if s in settings()}
    changed = {s: v for s, v in known.items() if settings()[s].has_type(v) and settings()[s].has_bounds(v)}
    values = _preset_values(preset) | changed
    problems += _settle_fouls(values, changed)
    players = _usual_seats(values) if seats is None else seats
    problems += _problems_of_seats(preset, values, players)
    problems += _problems_of_entries(values, players)
    problems += _problems_of_the_deal(values, players)
    problems += _unavailable(preset, values, changed)
    return Ruleset(preset, players, MappingProxyType(values), _hash(values, players)), tuple(problems)


def parse_ruleset(text: str) -> Ruleset:
    """Read what `Ruleset.text` writes; raise RulesetError for anything that is wrong with it."""
    preset, seats = "", None
    overrides: dict[str, Value] = {}
    problems: list[Problem] = []
    for line in text.splitlines():
        words = line.split(maxsplit=1)
        if not words:
            continue
        if words[0] == "preset" and len(words) == 2:
            preset = words[1].strip()
        elif words[0] == SEATS and len(words) == 2 and words[1].strip().isdecimal():
            seats = int(words[1])
        else:
            name, equals, value = line.partition("=")
            try:
                overrides[name.strip()] = read_value(name.strip(), value if equals else "")
            except RulesetError as error:
                problems += error.problems
    ruleset, more = check_ruleset(preset, overrides, seats)
    if problems or more or ruleset is None:
        raise RulesetError((*problems, *more))
    return ruleset


def read_value(setting: str, text: str) -> Value:
    """Read a setting's value as people write it; raise RulesetError for an unknown setting or another type."""
    known = settings().get(setting)
    if known is None:
        raise RulesetError((_unknown_setting(setting, _near(setting)),))
    try:
        return known.read(text)
    except ValueError:
        raise RulesetError((_wrong_type(known, text.strip()),)) from None


def foul_switches() -> frozenset[str]:
    """Name the settings that a range of fouls switches."""
    return frozenset({entry for row in tables().foul_ranges.values() for entry in row.includes} | _CUSTOM_ONLY)


_CUSTOM_ONLY: Final = frozenset({"foul_queen_bomber", "foul_revolution_set", "foul_two_back", "foul_spade2_counter"})


def _preset_values(preset: str) -> dict[str, Value]:
    values = {setting.id: setting.default for setting in settings().values()}
    values.update(presets()[preset].settings)
    _settle_fouls(values, {})
    return values


def _settle_fouls(values: dict[str, Value], changed: Mapping[str, Value]) -> list[Problem]:
    """Set the foul switches as the range says; a switch that was asked for otherwise is a problem."""
    problems = []
    word = values["foul_finish"]
    row = tables().foul_ranges.get(word) if isinstance(word, str) else None
    if row is None:
        return []
    for switch in foul_switches():
        values[switch] = switch in row.includes
        if switch in changed and changed[switch] != values[switch]:
            problems.append(
                Problem(
                    REQUIRES,
                    (switch, "foul_finish"),
                    f"{switch} follows from foul_finish = {word}; set foul_finish = custom to choose it",
                    f"{switch} は foul_finish = {word} で決まります。選ぶには foul_finish = custom にしてください",
                )
            )
    return sorted(problems, key=lambda problem: problem.settings)


def _usual_seats(values: Mapping[str, Value]) -> int:
    """Return four, or the number of players nearest to it that the settings allow."""
    least, most = values["player_count.min"], values["player_count.max"]
    assert isinstance(least, int)
    assert isinstance(most, int)
    return max(least, min(4, most))


def _deck_size(values: Mapping[str, Value]) -> int:
    pack = 52 if values["deck_composition"] == "none" else 39
    jokers = values["joker_count"]
    assert isinstance(jokers, int)
    return pack * (2 if values["deal_method"] == "two_packs" else 1) + jokers


def _hash(values: Mapping[str, Value], seats: int) -> str:
    lines = [f"seats {seats}"] + [f"{setting} = {write_value(value)}" for setting, value in sorted(values.items())]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


# -- what can be wrong ----------------------------------------------------------------


def _unknown_preset(preset: str) -> Problem:
    near = get_close_matches(preset, list(presets()), 1)
    return Problem(
        UNKNOWN_PRESET,
        (),
        f"no preset {preset!r}" + (f"; did you mean {near[0]}?" if near else f"; there are {', '.join(presets())}"),
        f"プリセット {preset!r} はありません" + (f"（{near[0]} ですか）" if near else f"（{'、'.join(presets())}）"),
    )


def _near(setting: str) -> list[str]:
    """Return the settings that an unknown one may have been meant to be."""
    entry = entries().get(setting)
    return [s.id for s in entry.settings] if entry is not None else get_close_matches(setting, list(settings()), 1)


def _unknown_setting(setting: str, near: list[str]) -> Problem:
    entry = entries().get(setting)
    if entry is not None and not entry.settings:
        return Problem(
            UNKNOWN_SETTING,
            (setting,),
            f"{setting} cannot be chosen; leave it out",
            f"{setting} は選べません。指定しないでください",
        )
    return Problem(
        UNKNOWN_SETTING,
        (setting,),
        f"no setting {setting!r}" + (f"; did you mean {' or '.join(near)}?" if near else ""),
        f"設定 {setting!r} はありません" + (f"（{'、'.join(near)} ですか）" if near else ""),
    )


def _wrong_type(setting: Setting, value: object) -> Problem:
    return Problem(
        WRONG_TYPE,
        (setting.id,),
        f"{setting.id} is a {setting.type}, not {value!r}; it can be {setting.allowed_text()}",
        f"{setting.id} に {value!r} は指定できません（{setting.allowed_text()}）",
    )


def _problems_of_values(wanted: Mapping[str, Value]) -> list[Problem]:
    problems = []
    unknown = 0
    for name, value in wanted.items():
        setting = settings().get(name)
        if setting is None:
            unknown += 1
            problems.append(_unknown_setting(name, _near(name) if unknown <= NEAR_MATCHES else []))
        elif not setting.has_type(value):
            problems.append(_wrong_type(setting, value))
        elif not setting.has_bounds(value):
            problems.append(
                Problem(
                    OUT_OF_BOUNDS,
                    (name,),
                    f"{name} = {write_value(value)} is not possible; it can be {setting.allowed_text()}",
                    f"{name} = {write_value(value)} は範囲外です（{setting.allowed_text()}）",
                )
            )
    return problems


def _problems_of_seats(preset: str, values: Mapping[str, Value], seats: int) -> list[Problem]:
    least, most = values["player_count.min"], values["player_count.max"]
    if not (isinstance(least, int) and isinstance(most, int)):
        return []
    bounds = ("player_count.min", "player_count.max")
    if least > most:
        return [
            Problem(
                CONFLICT,
                bounds,
                f"player_count.min = {least} is above player_count.max = {most}; raise the one or lower the other",
                f"player_count.min = {least} が player_count.max = {most} より大きくなっています",
            )
        ]
    if least <= seats <= most:
        return []
    now = f"{bounds[0]} = {least}, {bounds[1]} = {most}"
    change = f"{bounds[0]} = {seats}" if seats < least else f"{bounds[1]} = {seats}"
    possible = 2 <= seats <= 12
    return [
        Problem(
            SEATS_PROBLEM,
            bounds,
            f"{seats} players are not possible with {preset} ({now}); "
            + (f"set {change}" if possible else "a table takes 2 to 12"),
            f"{preset}（{now}）は{seats}人では遊べません。"
            + (f"{change} にしてください" if possible else "卓は2〜12人です"),
        )
    ]


def _problems_of_entries(values: Mapping[str, Value], seats: int) -> list[Problem]:
    problems = []
    for entry in entries().values():
        if not entry.is_used(values):
            problems += _options_of_a_rule_that_is_off(entry, values)
        for condition in entry.requires:
            if condition.counts(entry, values) and not condition.holds(values, seats):
                problems.append(_missing(entry, condition, values, seats))
        for condition in entry.excludes:
            if condition.counts(entry, values) and condition.holds(values, seats):
                problems.append(_excluded(entry, condition, values))
    return problems


def _options_of_a_rule_that_is_off(entry: Entry, values: Mapping[str, Value]) -> list[Problem]:
    main = entry.settings[0]
    return [
        Problem(
            REQUIRES,
            (option.id, main.id),
            f"{option.id} = {write_value(values[option.id])} needs {main.id} = true; set that, or leave the option out",
            f"{option.id} = {write_value(values[option.id])} には {main.id} = true が必要です",
        )
        for option in entry.settings[1:]
        if main.is_main and values[option.id] != option.default
    ]


def _off(entry: Entry, values: Mapping[str, Value]) -> str:
    main = entry.settings[0]
    return f"{main.id} = {'false' if main.type == 'bool' else write_value(main.default)}"


def _missing(entry: Entry, condition: Condition, values: Mapping[str, Value], seats: int) -> Problem:
    main = entry.settings[0]
    have = str(seats) if condition.setting == SEATS else write_value(values[condition.setting])
    this = f"{main.id} = {write_value(values[main.id])}"
    return Problem(
        SEATS_PROBLEM if condition.setting == SEATS else REQUIRES,
        (main.id, condition.setting) if condition.setting != SEATS else (main.id,),
        f"{this} needs {condition.text()}, not {have}; change that, or set {_off(entry, values)}",
        f"{this} には {condition.text()} が必要です（現在 {have}）。そう変えるか、{_off(entry, values)} にしてください",
    )


def _excluded(entry: Entry, condition: Condition, values: Mapping[str, Value]) -> Problem:
    main, other = entry.settings[0], settings()[condition.setting]
    usual = other.default if other.type == "word" else other.least
    away = f"{other.id} = {'false' if other.type == 'bool' else usual}"
    this = f"{main.id} = {write_value(values[main.id])}"
    that = f"{other.id} = {write_value(values[other.id])}"
    return Problem(
        CONFLICT,
        (main.id, other.id),
        f"{this} and {that} exclude each other; set {_off(entry, values)} or {away}",
        f"{this} と {that} は同時に使えません。{_off(entry, values)} か {away} にしてください",
    )


def _problems_of_the_deal(values: Mapping[str, Value], seats: int) -> list[Problem]:
    problems = []
    by_place = values["points.by_place"]
    assert isinstance(by_place, tuple)
    if (values["points"] == CUSTOM) != bool(by_place) or (by_place and len(by_place) != seats):
        problems.append(
            Problem(
                REQUIRES,
                ("points", "points.by_place"),
                f"points = custom and points.by_place go together, with one number for each of {seats} places",
                f"points = custom と points.by_place は組で使い、{seats}人分の点を並べてください",
            )
        )
    order = values["seat_suits.order"]
    if not isinstance(order, tuple) or sorted(order) != [0, 1, 2, 3]:
        problems.append(
            Problem(
                OUT_OF_BOUNDS,
                ("seat_suits.order",),
                "seat_suits.order names each of the suits 0 1 2 3 once",
                "seat_suits.order には 0 1 2 3 を1回ずつ並べてください",
            )
        )
    small = values["deal_method"] == "small_hand_2p"
    hand, blind = values["small_hand_size" if small else "hand_size"], values["blind_cards"]
    assert isinstance(hand, int)
    assert isinstance(blind, int)
    cards, needed = _deck_size(values), max(hand, 1) * seats + blind
    if needed > cards:
        problems.append(
            Problem(
                CONFLICT,
                ("hand_size", "blind_cards"),
                f"{seats} hands of {max(hand, 1)} and {blind} blind cards need {needed} cards, the deck has {cards};"
                " set hand_size = 0 to deal what there is",
                f"{seats}人に{max(hand, 1)}枚ずつと伏せ札{blind}枚には{needed}枚必要ですが、{cards}枚しかありません。"
                "hand_size = 0 にしてください",
            )
        )
    return problems


def _unavailable(preset: str, values: Mapping[str, Value], changed: Mapping[str, Value]) -> list[Problem]:
    missing = []
    follows = values["foul_finish"] != CUSTOM
    for setting_id, value in values.items():
        engine = entries()[settings()[setting_id].entry].kind in ("rule", "setting")
        if engine and not is_available(setting_id, value) and not (follows and setting_id in foul_switches()):
            missing.append(setting_id)
    problems = [
        Problem(
            NOT_AVAILABLE,
            (setting,),
            f"{setting} = {write_value(values[setting])} is not in this version; leave it out",
            f"{setting} = {write_value(values[setting])} はこのバージョンでは使えません",
        )
        for setting in missing
        if setting in changed
    ]
    from_preset = tuple([setting for setting in missing if setting not in changed])
    if from_preset:
        listed = ", ".join([f"{setting} = {write_value(values[setting])}" for setting in from_preset])
        problems.append(
            Problem(
                NOT_AVAILABLE,
                from_preset,
                f"this version plays the presets {', '.join(PRESETS)}; {preset} is not in it: it needs {listed}",
                f"このバージョンで使えるプリセットは {'、'.join(PRESETS)} です。{preset} は使えません（{listed}）",
            )
        )
    return problems
