"""Random rulesets: any table that this version can play, or any on which some settings are as wanted."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from engine.available import PRESETS, is_available
from engine.catalogue import Setting, Value, entries, settings
from engine.catalogue.types import SEATS
from engine.ruleset import CONFLICT, REQUIRES, SEATS_PROBLEM, Problem, Ruleset, check_ruleset
from tests.engine.stream import Stream

FREELY: Final = ("player_count.min", "player_count.max", "seat_suits.order", "points.by_place", "hand_size")
"""Settings that are drawn in a way of their own, or left as they are."""

MOST_ATTEMPTS: Final = 60


class NoRuleset(Exception):
    """No table could be found on which some settings are as wanted."""


@cache
def choices(setting: str) -> tuple[Value, ...]:
    """List the values of a setting that can be played: of a number, its bounds and what lies between."""
    known: Setting = settings()[setting]
    if entries()[known.entry].kind not in ("rule", "setting") or known.type == "numbers":
        return ()
    every: tuple[Value, ...] = (False, True)
    if known.type == "word":
        every = tuple(known.words)
    elif known.type == "number":
        every = known.one_of or tuple(range(known.least, known.most + 1))
    return tuple([value for value in every if is_available(setting, value)])


def drawn(
    stream: Stream,
    wanted: Mapping[str, Value] | None = None,
    others: int = 12,
    most_cards: int = 13,
    least_cards: int = 1,
) -> Ruleset:
    """Draw a ruleset with some settings as wanted and up to `others` more drawn; hands of so many cards.

    What stands in the way of what is wanted is changed, what else cannot stand together is dropped.
    """
    fixed = dict(wanted or {})
    for attempt in range(MOST_ATTEMPTS):
        seats = fixed.get(SEATS) or stream.pick([2, 3, 3, 4, 4, 4, 5, 5, 6, 7, 8, 10, 12])
        assert isinstance(seats, int)
        values: dict[str, Value] = {name: value for name, value in fixed.items() if name != SEATS}
        values |= {"player_count.min": seats, "player_count.max": seats}
        values.setdefault("hand_size", least_cards + stream.below(most_cards - least_cards + 1))
        free = [name for name in settings() if name not in FREELY and len(choices(name)) > 1]
        for name in [stream.pick(free) for _ in range(stream.below(others + 1))]:
            values.setdefault(name, stream.pick(choices(name)))
        found = repaired(stream.pick(PRESETS) if attempt % 2 else "jdf4", values, seats, set(fixed))
        if found is not None:
            return found
    raise NoRuleset(f"no table with {fixed}")


def repaired(preset: str, values: dict[str, Value], seats: int, fixed: set[str]) -> Ruleset | None:
    """Change and drop settings until nothing is wrong with them any more; None if that leads nowhere."""
    for _ in range(MOST_ATTEMPTS):
        ruleset, problems = check_ruleset(preset, values, seats)
        if not problems:
            return ruleset
        problem = problems[0]
        culprits = [name for name in problem.settings if name in values and name not in fixed]
        if "hand_size" in culprits and values["hand_size"] != 1:
            values["hand_size"] = max(1, int(str(values["hand_size"])) - 1)
        elif "hand_size" in culprits:
            del values["hand_size"]
        elif {"hand_size", "blind_cards"} <= set(problem.settings) and values.get("blind_cards") != 0:
            values["blind_cards"] = 0
        elif "points.by_place" in problem.settings and values.get("points") == "custom":
            values["points.by_place"] = tuple(range(seats - 1, -1, -1))
        elif problem.settings[0] in culprits:
            del values[problem.settings[0]]
        elif not change(values, problem, fixed, seats):
            if not culprits:
                return None
            del values[culprits[0]]
    return None


def change(values: dict[str, Value], problem: Problem, fixed: set[str], seats: int) -> bool:
    """Set what a wanted setting needs, or put away what excludes it; False if there is no such thing."""
    if problem.kind not in (CONFLICT, REQUIRES, SEATS_PROBLEM):
        return False
    asking = settings()[problem.settings[0]]
    if asking.id != entries()[asking.entry].settings[0].id:
        main = entries()[asking.entry].settings[0]
        ways = [way for way in choices(main.id) if way is True or (main.type == "word" and way != main.default)]
        return put(values, fixed, main.id, ways)
    for condition in entries()[asking.entry].requires:
        if condition.setting in problem.settings:
            name, alone = condition.setting, {condition.setting: 0}
            ways = [way for way in choices(name) if condition.holds(alone | {name: way}, seats)]
            return put(values, fixed, name, ways)
    for entry in entries().values():
        for condition in entry.excludes:
            pair = {entry.settings[0].id, condition.setting} if entry.settings else set()
            if pair == set(problem.settings):
                ways = [
                    way for way in choices(condition.setting) if not condition.holds({condition.setting: way}, seats)
                ]
                return put(values, fixed, condition.setting, ways) or put(values, fixed, asking.id, [False])
    return False


def put(values: dict[str, Value], fixed: set[str], name: str, ways: list[Value]) -> bool:
    """Set a setting that is not wanted otherwise to the first way that it does not have yet."""
    if name in fixed or not ways or values.get(name) in ways:
        return False
    values[name] = ways[0]
    return True
