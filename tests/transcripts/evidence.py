"""Which rules fire in a transcript: those that its events or refusals name, and those that show in what happens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.available import is_available
from engine.cards import RANK_TEXT
from engine.catalogue import Entry, Setting, Value, entries
from engine.rules import pipeline
from engine.ruleset import parse_ruleset
from tests.transcripts.script import Step, Told, Transcript
from tests.transcripts.words import SEATS

REFUSES: Final = {
    "empty_field_pass": ("leader_must_play",),
    "wrong_count": ("same_shape_required",),
    "wrong_shape": ("same_shape_required.shape",),
    "joker_on_joker": ("joker_on_joker_banned",),
    "not_stronger": ("strictly_stronger",),
    "parity": ("religious_revolution.parity",),
    "sequence_suit": ("sequence_suit_must_follow",),
    "lock_suit": ("suit_lock", "partial_lock", "fierce_lock", "five_color_lock"),
    "lock_color": ("color_lock", "five_color_lock"),
    "lock_number": ("number_lock", "fierce_lock"),
    "must_go_down": ("down_number_after",),
    "passed_out": ("pass_out",),
    "exchange_pending": ("exchange_gate",),
    "declaration_needed": ("joker_shape_declaration",),
    "composure": ("daifugo_composure",),
    "must_contain_card": ("designated_first_card",),
    "wrong_meaning": ("joker_sequence_placement",),
}
"""The rules behind reasons."""


@dataclass
class Course:
    """How the game stands, as far as rules without events of their own show in it."""

    reversed: bool = False
    owner: str = ""
    answered: bool = False
    """Whether the last play answered another one."""
    shape: str = ""
    """The shape of the last play."""
    ace: str = ""
    """Who has played the last ace of the trick, where that decides who leads."""
    aces_lead: bool = False
    play: str = ""
    """The last play."""
    has_joker: bool = False
    """Whether it has one."""


def fired(transcript: Transcript) -> set[str]:
    """Return the ids of the rules that fire in a transcript."""
    course = Course(aces_lead="next_ace = true" in transcript.ruleset)
    found: set[str] = set()
    for step in transcript.steps:
        _, _, refused = step.text.partition("| refused ")
        for reason in refused.split():
            found.update(REFUSES.get(reason, ()))
        for told in step.events:
            found.update([told.rule, *told.fields.get("fouls", "").split(), *told.fields.get("rules", "").split()])
            found.update(shown(told, step, course))
            if told.name == "GameEnded":
                found.update(shown_by_points(told.fields, parse_ruleset(transcript.ruleset).points()))
    return found - {""}


def shown_by_points(fields: Mapping[str, str], usual: Sequence[int]) -> Iterator[str]:
    """Iterate over the rules that show in points which are not those of the places."""
    points = [int(number) for number in fields["points"].split()]
    for place, letter in enumerate(fields["places"].split()):
        if "drawn" not in fields and points[SEATS.index(letter)] != usual[place]:
            yield "final_game_bonus" if points[SEATS.index(letter)] > usual[place] else "miyako_ochi_late_penalty"


def shown(told: Told, step: Step, course: Course) -> Iterator[str]:
    """Iterate over the rules that an event shows without naming them, and follow the course of the game."""
    fields = told.fields
    if "play" not in fields and course.shape not in ("", "single", "group") and is_effect_of_single_or_group(told.rule):
        yield "sequence_card_effects"
    match told.name:
        case "GameStarted":
            yield "revolution_scope" if course.reversed else ""
            course.reversed, course.owner = False, ""
            yield "first_leader_next" if "previous" in fields else "first_leader_initial"
        case "Dealt":
            dealt = " ".join([seen["cards"] for each in step.events for seen in each.seen.values() if "cards" in seen])
            yield "joker_always_dealt" if fields["blinds"] != "0" and "JK1" in dealt else ""
        case "CardsMoved" if "play" in fields:
            course.answered, course.owner = bool(course.owner), fields["from"].partition(" ")[2]
            course.shape = fields["play"].partition(" ")[0]
            if course.aces_lead and fields["play"] in ("single A", "group A"):
                course.ace = course.owner
            yield "seven_strength" if course.answered and is_strong_seven(course, fields["play"]) else ""
            course.play, course.has_joker = fields["play"], "JK" in fields["cards"]
            yield from shown_by_play(fields["play"], int(fields["count"]), "JK" in fields["cards"])
            if course.answered:
                yield "revolution_order" if course.reversed else "base_order"
        case "CardsMoved":
            yield "hand_void_on_fall" if fields["to"] == "laid away" and told.rule == "miyako_ochi" else ""
        case "Passed":
            yield "pass_rule"
            yield "pass_out" if "locked_out" in fields else ""
            yield "all_must_pass" if fields["seat"] == course.owner else ""
        case "StrengthChanged":
            yield "weak_joker_in_revolution" if "joker_weakest" in fields else ""
            yield "counter_revolution" if told.rule == "revolution" and "revolution" not in fields else ""
            course.reversed = "reversed" in fields
        case "LockChanged":
            of_suits = told.rule in ("suit_lock", "partial_lock", "color_lock")
            yield "joker_lock" if of_suits and course.has_joker else ""
        case "TurnChanged" if "starter" in fields and course.owner:
            others = "next_ace" if fields["seat"] == course.ace else "leader_after_finish"
            yield "leader_plays_again" if fields["seat"] == course.owner else others
            course.owner, course.ace = "", ""
        case "Finished":
            yield "foul_rank" if "foul" in fields else "finish_order"


def is_effect_of_single_or_group(rule: str) -> bool:
    """Say whether a rule is an effect of a rank that singles or groups have, but not sequences by themselves."""
    entry = entries().get(rule)
    return entry is not None and entry.family == "rank_effect" and "sequence" not in entry.applies_to


def is_strong_seven(course: Course, play: str) -> bool:
    """Say whether a 7 lies on a rank that is stronger by number."""
    shape, *words = play.split()
    if shape not in ("single", "group") or words[0] != "7" or course.play.split()[1] not in RANK_TEXT[:13]:
        return False
    step = RANK_TEXT.index(course.play.split()[1]) - RANK_TEXT.index("7")
    return step < 0 if course.reversed else step > 0


def shown_by_play(play: str, size: int, has_joker: bool) -> Iterator[str]:
    """Iterate over the rules that the shape of a play shows."""
    shape, *words = play.split()
    if shape == "single":
        yield "single"
        yield "joker_single_strongest" if words == ["JK"] else ""
    elif shape == "group":
        yield {2: "pair", 3: "triple"}.get(size, "group4plus")
        yield "joker_in_group" if has_joker and words[0] != "JK" else ""
        yield "joker_takes_suit" if any(re.search("=[SHDC]", word) for word in words) else ""
    elif shape == "sequence":
        yield "sequence"
        yield "two_card_sequence" if size == 2 else ""
        yield "joker_in_sequence" if has_joker else ""
        yield "joker_above_top" if "beyond" in play else ""
    else:
        yield {"emperor": "emperor", "arithmetic": "arithmetic_sequence"}[shape]
        yield "joker_in_sequence" if has_joker else ""


def playable() -> set[str]:
    """Return the ids of every rule that this version can play: those of the engine, and those of the catalogue."""
    of_engine = {rule.id for rule in pipeline.RULES if has_been_written(rule.id)}
    return of_engine | {entry.id for entry in entries().values() if entry.kind == "rule" and can_be_on(entry)}


def has_been_written(rule: str) -> bool:
    """Say whether tables may have a rule of the engine."""
    entry = entries().get(rule.partition(".")[0])
    return entry is None or entry.kind != "rule" or can_be_on(entry)


def can_be_on(entry: Entry) -> bool:
    """Say whether this version can play with a rule on."""
    if not entry.settings:
        return True
    main: Setting = entry.settings[0]
    if main.type == "bool":
        return is_available(main.id, True)
    ways: Sequence[Value] = tuple(main.words) if main.type == "word" else range(1, 13)
    return any(is_available(main.id, way) for way in ways if way != "none")
