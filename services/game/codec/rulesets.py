"""Rulesets and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from daifugo.v1 import cards_pb2, rules_pb2
from engine.available import without_effect
from engine.cards import RANK, SUIT, card_text, members
from engine.catalogue import Value, settings
from engine.program import Program
from engine.ruleset import Problem, Ruleset, check_ruleset
from engine.version import ENGINE_VERSION
from services.common.errors import FieldProblem, Refused, malformed

REASONS = {
    "unknown_preset": "UNKNOWN_PRESET",
    "unknown_setting": "UNKNOWN_SETTING",
    "wrong_type": "WRONG_VALUE_TYPE",
    "out_of_bounds": "VALUE_OUT_OF_BOUNDS",
    "conflict": "SETTINGS_CONFLICT",
    "requires": "SETTINGS_CONFLICT",
    "seats": "WRONG_SEAT_COUNT",
    "not_available": "SETTING_NOT_AVAILABLE",
}
"""The published reason of each kind of problem."""

SETTING_TWICE = "setting_twice"

MOST_LETTERS = 64
"""Of an id or a word. None of the catalogue has so many."""
MOST_NUMBERS = 64
"""As the value of one setting."""
MOST_PROBLEMS = 16
"""Of a ruleset, before the rest goes unsaid."""


def reason_of(problem: Problem) -> str:
    """Return the published reason of a problem."""
    return "SETTING_TWICE" if problem.kind == SETTING_TWICE else REASONS[problem.kind]


def check(message: rules_pb2.Ruleset) -> tuple[Ruleset | None, list[Problem]]:
    """Return a ruleset as asked for, or None if there is nothing like it, and everything that is wrong with it."""
    _check_size(message)
    problems: list[Problem] = []
    values: dict[str, Value] = {}
    named: set[str] = set()
    for setting in message.settings:
        value = value_from(setting)
        if setting.id in named:
            problems.append(_problem(SETTING_TWICE, setting.id, "occurs twice; name it once", "が2回指定されています"))
        elif value is None:
            problems.append(_problem("wrong_type", setting.id, "has no value", "に値がありません"))
        else:
            values[setting.id] = value
        named.add(setting.id)
    seats = message.seats if message.HasField("seats") else None
    ruleset, found = check_ruleset(message.preset, values, seats)
    return ruleset, [*problems, *found][:MOST_PROBLEMS]


def _check_size(message: rules_pb2.Ruleset) -> None:
    """Refuse what is too large to be a ruleset, before time is spent on it."""
    if len(message.preset) > MOST_LETTERS:
        raise malformed(
            "ruleset.preset", f"{MOST_LETTERS}文字までです。", f"It has more than {MOST_LETTERS} characters."
        )
    field, most = "ruleset.settings", len(settings())
    if len(message.settings) > most:
        raise malformed(field, f"設定は全部で{most}個です。", f"There are only {most} settings.")
    if any(len(setting.id) > MOST_LETTERS or len(setting.word) > MOST_LETTERS for setting in message.settings):
        raise malformed(
            field,
            f"id も値も{MOST_LETTERS}文字までです。",
            f"An id or a word has more than {MOST_LETTERS} characters.",
        )
    if any(len(setting.numbers.values) > MOST_NUMBERS for setting in message.settings):
        raise malformed(field, f"数は{MOST_NUMBERS}個までです。", f"A value has more than {MOST_NUMBERS} numbers.")


def _problem(kind: str, setting: str, en: str, ja: str) -> Problem:
    return Problem(kind, (setting,), f"{setting} {en}", f"{setting} {ja}")


def ruleset_from(message: rules_pb2.Ruleset) -> Ruleset:
    """Read a ruleset, or refuse it with everything that is wrong."""
    ruleset, problems = check(message)
    if problems or ruleset is None:
        fields = [FieldProblem(_field(problem), problem.text_ja, problem.text_en) for problem in problems]
        named = ",".join(problems[0].settings[:8])
        raise Refused(reason_of(problems[0]), fields=fields, metadata={"settings": named} if named else {})
    return ruleset


def _field(problem: Problem) -> str:
    kind = {"unknown_preset": "ruleset.preset", "seats": "ruleset.seats"}
    return kind.get(problem.kind, "ruleset.settings")


def value_from(setting: rules_pb2.Setting) -> Value | None:
    """Read a setting's value; None if it has none."""
    kind = setting.WhichOneof("value")
    if kind == "numbers":
        return tuple(setting.numbers.values)
    if kind == "flag":
        return setting.flag
    if kind == "number":
        return setting.number
    return setting.word if kind == "word" else None


def setting_to(setting: str, value: Value) -> rules_pb2.Setting:
    """Write a setting and its value."""
    if isinstance(value, bool):
        return rules_pb2.Setting(id=setting, flag=value)
    if isinstance(value, int):
        return rules_pb2.Setting(id=setting, number=value)
    if isinstance(value, str):
        return rules_pb2.Setting(id=setting, word=value)
    return rules_pb2.Setting(id=setting, numbers=rules_pb2.Numbers(values=value))


def pinned_to(ruleset: Ruleset) -> rules_pb2.PinnedRuleset:
    """Write a ruleset as a table keeps it."""
    settings = [setting_to(setting, value) for setting, value in ruleset.changes().items()]
    return rules_pb2.PinnedRuleset(
        ruleset=rules_pb2.Ruleset(preset=ruleset.preset, settings=settings, seats=ruleset.seats),
        hash=ruleset.hash,
        engine_version=ENGINE_VERSION,
    )


def check_to(message: rules_pb2.Ruleset) -> rules_pb2.CheckRulesetResponse:
    """Write what became of checking a ruleset."""
    ruleset, problems = check(message)
    if problems or ruleset is None:
        return rules_pb2.CheckRulesetResponse(problems=problems_to(problems))
    values = [setting_to(setting, value) for setting, value in ruleset.values.items()]
    return rules_pb2.CheckRulesetResponse(
        pinned=pinned_to(ruleset), settings=values, without_effect=without_effect(ruleset.values)
    )


def problems_to(problems: Iterable[Problem]) -> list[rules_pb2.RulesetProblem]:
    """Write everything that is wrong with a ruleset."""
    return [
        rules_pb2.RulesetProblem(
            reason="REASON_" + reason_of(problem),
            setting_ids=problem.settings,
            text=rules_pb2.Text(ja=problem.text_ja, en=problem.text_en),
        )
        for problem in problems
    ]


def deck_to(message: rules_pb2.Ruleset) -> rules_pb2.DescribeDeckResponse:
    """Write the cards that a ruleset is played with."""
    ruleset = ruleset_from(message)
    program = Program(ruleset)
    cards = [
        rules_pb2.Card(
            id=card,
            rank=cast(cards_pb2.Rank, RANK[card] + 1),
            suit=cast(cards_pb2.Suit, SUIT[card] + 1),
            text=card_text(card),
        )
        for card in members(program.deck)
    ]
    blinds, stock = ruleset.undealt()
    return rules_pb2.DescribeDeckResponse(cards=cards, blinds=blinds, stock=stock)
