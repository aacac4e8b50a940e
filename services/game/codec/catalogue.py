"""Rules, presets and reasons for clients to list."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from daifugo.v1 import rules_pb2
from engine.available import can_be_played
from engine.catalogue import Condition, Entry, Preset, Setting, Text, entries, presets, settings, tables
from engine.rules.pipeline import ORDER
from engine.ruleset import check_ruleset
from services.common.texts import TEXTS
from services.game.codec.rulesets import setting_to

KINDS = {
    "rule": rules_pb2.RULE_KIND_RULE,
    "setting": rules_pb2.RULE_KIND_SETTING,
    "service": rules_pb2.RULE_KIND_SERVICE,
    "client": rules_pb2.RULE_KIND_CLIENT,
    "text": rules_pb2.RULE_KIND_TEXT,
}
TYPES = {
    "bool": rules_pb2.VALUE_TYPE_FLAG,
    "number": rules_pb2.VALUE_TYPE_NUMBER,
    "word": rules_pb2.VALUE_TYPE_WORD,
    "numbers": rules_pb2.VALUE_TYPE_NUMBERS,
}


def read() -> None:
    """Read the catalogue now rather than while somebody waits."""
    all_rules()
    all_presets()
    all_reasons()


@lru_cache(maxsize=1)
def all_rules() -> tuple[rules_pb2.Rule, ...]:
    """Write every entry of the catalogue, in its order."""
    return tuple([_rule_to(entry) for entry in entries().values()])


@lru_cache(maxsize=1)
def all_presets() -> tuple[rules_pb2.Preset, ...]:
    """Write every preset."""
    return tuple([_preset_to(preset) for preset in presets().values()])


@lru_cache(maxsize=1)
def all_reasons() -> tuple[rules_pb2.ReasonInfo, ...]:
    """Write every reason."""
    return tuple(
        [
            rules_pb2.ReasonInfo(
                reason="REASON_" + name,
                name=name,
                text=rules_pb2.Text(ja=text.ja, en=text.en),
                advice=cast(rules_pb2.RetryAdvice, text.advice),
                code=text.code.value[0],
            )
            for name, text in TEXTS.items()
        ]
    )


def _rule_to(entry: Entry) -> rules_pb2.Rule:
    message = rules_pb2.Rule(
        id=entry.id,
        name=_text_to(entry.name),
        summary=_text_to(entry.text),
        kind=KINDS[entry.kind],
        family=entry.family,
        family_name=_text_to(tables().families[entry.family]),
        parameters=[_parameter_to(setting) for setting in entry.settings],
        available=can_be_played(entry),
        sources=entry.sources,
    )
    for kind, conditions in (
        (rules_pb2.CONSTRAINT_KIND_EXCLUDES, entry.excludes),
        (rules_pb2.CONSTRAINT_KIND_REQUIRES, entry.requires),
    ):
        message.constraints.extend([_constraint_to(entry, kind, condition) for condition in conditions])
    for phase, rules in ORDER.items():
        message.places.extend(
            [rules_pb2.PipelinePlace(phase=phase, position=at) for at, rule in enumerate(rules) if rule == entry.id]
        )
    if entry.discloses is not None:
        message.discloses.CopyFrom(_text_to(entry.discloses))
    return message


def _text_to(text: Text) -> rules_pb2.Text:
    return rules_pb2.Text(ja=text.ja, en=text.en)


def _parameter_to(setting: Setting) -> rules_pb2.Parameter:
    counts = setting.type in ("number", "numbers")
    return rules_pb2.Parameter(
        id=setting.id,
        name=_text_to(setting.name),
        type=TYPES[setting.type],
        default=setting_to(setting.id, setting.default),
        words=list(setting.words),
        word_names=[_text_to(text) for text in setting.words.values()],
        least=setting.least if counts else None,
        most=setting.most if counts else None,
        numbers=setting.one_of,
    )


def _constraint_to(entry: Entry, kind: rules_pb2.ConstraintKind, condition: Condition) -> rules_pb2.Constraint:
    return rules_pb2.Constraint(
        kind=kind,
        setting_id=condition.setting,
        values=[setting_to(condition.setting, value) for value in condition.values],
        at_least=condition.at_least if not condition.values else None,
        when=setting_to(entry.id, condition.when) if condition.when is not None else None,
    )


def _preset_to(preset: Preset) -> rules_pb2.Preset:
    ruleset, problems = check_ruleset(preset.id)
    assert ruleset is not None
    return rules_pb2.Preset(
        id=preset.id,
        name=_text_to(preset.name),
        summary=_text_to(preset.text),
        seats=ruleset.seats,
        least_seats=preset.seats_least,
        most_seats=preset.seats_most,
        settings=[setting_to(setting, value) for setting, value in preset.settings.items() if setting in settings()],
        available=not problems,
    )
