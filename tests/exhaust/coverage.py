"""What the random games have to reach: every rule, every value of every setting, every two neighbours in the order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Final

from engine.cards import JOKER, KING, NINE, SEVEN, TWO
from engine.catalogue import Setting, Value, entries, settings
from engine.catalogue.types import write_value
from engine.program import Program
from engine.rules import pipeline
from engine.rules.base import ALL
from tests.engine.stream import Stream
from tests.exhaust.rulesets import NoRuleset, choices, drawn
from tests.exhaust.watching import Watched

LIKED: Final = {
    "great_revolution": 1 << TWO,
    "antitrust_law": 1 << TWO | 1 << JOKER,
    "triple_seven": 1 << SEVEN,
    "religious_revolution.parity": 1 << KING,
    "coup_detat": 1 << NINE,
    "spade2_counter": 1 << TWO | 1 << JOKER,
}
"""Ranks that rules want and do not name as those of plays that concern them."""

ANY_OTHERS: Final = "cards of any suit may go along with those that a partial lock wants"
UNSEEN: Final = {
    "narrows: partial_lock": ANY_OTHERS,
    "narrows: suit_lock + partial_lock": ANY_OTHERS,
    "narrows: partial_lock + color_lock": ANY_OTHERS,
    "played: optional_revolution + revolution": "a revolution that may be declined is caused by the answer alone",
    "played: revolution_flush + revolution_eight_flush": "the second ends what the first has not ended already",
}
"""Rules that are not seen to act in a phase, neighbours that are not seen to act both, and why."""


@dataclass(frozen=True)
class Goal:
    """Something to reach: these settings in force, and these rules acting in one game."""

    name: str
    wanted: Mapping[str, Value] = field(compare=False)
    acting: tuple[tuple[str, str], ...] = ()
    """(phase, rule)."""
    of: str = ""
    """The rule that must act somewhere, if it is in force under these settings."""

    def reached(self, program: Watched) -> bool:
        """Say whether a match under this program, as far as it has been played, reaches the goal."""
        if any(program.ruleset.values[setting] != value for setting, value in self.wanted.items()):
            return False
        if self.of in program.rules and self.of not in {rule for _, rule in program.acted}:
            return False
        return set(self.acting) <= program.acted

    def favoured(self, program: Program, stream: Stream) -> int:
        """Return the ranks, as bits, of which some hands should have all cards; any two where that is not known."""
        concerned = {rule for _, rule in self.acting} | {self.of}
        for setting in self.wanted:
            entry = entries()[settings()[setting].entry]
            concerned |= {entry.id, *[condition.setting for condition in entry.requires]}
        ranks = 0
        for id in concerned & set(program.rules):
            rule = program.rules[id]
            ranks |= LIKED.get(id, rule.ranks if rule.ranks != ALL else 0)
        if not ranks or stream.below(2):
            ranks |= 1 << stream.below(JOKER) | 1 << stream.below(JOKER)
        return ranks | (1 << JOKER if stream.below(2) else 0)


def phases() -> Iterator[tuple[str, str]]:
    """Iterate over the pipeline: each phase with each of its rules that this version can play."""
    for phase, rules in pipeline.ORDER.items():
        for rule in rules:
            if switch(rule) is not None:
                yield phase, rule


@cache
def switch(rule: str) -> Mapping[str, Value] | None:
    """Return what puts a rule of the pipeline in force; None if this version has no table with it."""
    entry = entries().get(rule.partition(".")[0])
    if entry is None or not entry.settings:
        return {}
    main = entry.settings[0]
    for way in sorted(choices(main.id), key=lambda way: way == main.default):
        try:
            if rule in Program(drawn(Stream(rule), {main.id: way}, 0)).rules:
                return {main.id: way}
        except NoRuleset:
            continue
    return None


def goals() -> list[Goal]:
    """List everything to reach: rules, values, neighbours."""
    return [goal for goal in (*rules(), *values(), *neighbours()) if goal.name not in UNSEEN]


def rules() -> Iterator[Goal]:
    """Iterate over the rules of each phase."""
    for phase, rule in phases():
        yield Goal(f"{phase}: {rule}", switch(rule) or {}, ((phase, rule),))


def values() -> Iterator[Goal]:
    """Iterate over the values of each setting; of a number, the bounds."""
    for setting in settings().values():
        for value in ends(setting):
            yield Goal(f"{setting.id} = {write_value(value)}", {setting.id: value}, of=setting.entry)


def ends(setting: Setting) -> tuple[Value, ...]:
    """List the values of a setting that must be played: all of them, or a number's bounds."""
    every = choices(setting.id)
    return (every[0], every[-1]) if setting.type == "number" and len(every) > 2 else every


def neighbours() -> Iterator[Goal]:
    """Iterate over rules that follow one another in a phase and can be in force together."""
    stream = Stream("neighbours")
    for phase, listed in pipeline.ORDER.items():
        here = [rule for rule in listed if switch(rule) is not None]
        for one, two in pairwise(here):
            wanted = {**(switch(one) or {}), **(switch(two) or {})}
            try:
                program = Program(drawn(stream, wanted, 0))
            except NoRuleset:
                continue
            if {one, two} <= set(program.rules):
                yield Goal(f"{phase}: {one} + {two}", wanted, ((phase, one), (phase, two)))
