"""The rules of a table as the service describes them: names for sentences, and the rule card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from clients.cli.texts import Words
from clients.common.errors import answered
from daifugo.v1 import rules_pb2, rules_pb2_grpc

PAGE = 200


def text_of(text: rules_pb2.Text, language: str) -> str:
    """Take a text in a language."""
    return text.ja if language == "ja" else text.en


@dataclass
class Rulebook:
    """Names and summaries of rules, and which of them are on at this table."""

    language: str
    rules: dict[str, rules_pb2.Rule] = field(default_factory=dict)
    on: list[str] = field(default_factory=list)
    """Ids of the rules that are on, in the order of the rule book."""
    values: dict[str, rules_pb2.Setting] = field(default_factory=dict)
    """Every setting of the table."""
    preset_name: rules_pb2.Text = field(default_factory=rules_pb2.Text)
    """What the table's preset is called."""

    @property
    def preset(self) -> str:
        return text_of(self.preset_name, self.language)

    def in_language(self, language: str) -> Rulebook:
        """Return the same book in a language."""
        return replace(self, language=language)

    def name(self, rule_id: str, words: Words) -> str:
        """Return what players call a rule; its id if the service has not told, and the game itself if there is none."""
        if not rule_id:
            return words("game_itself")
        rule = self.rules.get(rule_id) or self.rules.get(rule_id.partition(".")[0])
        return (text_of(rule.name, self.language) if rule else "") or rule_id

    def names(self, rule_ids: Iterable[str], words: Words) -> str:
        return words.listed([self.name(rule_id, words) for rule_id in rule_ids])

    def card(self, word: str, words: Words) -> list[str]:
        """Describe the rules that are on, or whichever rules match a word."""
        if not word:
            return [self._row(rule, words) for rule in self._on()]
        chosen = [rule for rule in self.rules.values() if self._matches(rule, word)]
        return [line for rule in chosen for line in (self._row(rule, words), *self._settings(rule, words))]

    def _row(self, rule: rules_pb2.Rule, words: Words) -> str:
        off = rule.id in self.values and self.values[rule.id].WhichOneof("value") == "flag" and rule.id not in self.on
        return words(
            "rules.row.off" if off else "rules.row",
            name=self.name(rule.id, words),
            summary=text_of(rule.summary, self.language),
        )

    def _settings(self, rule: rules_pb2.Rule, words: Words) -> Iterator[str]:
        """Say what else than on and off is set about a rule at this table."""
        for parameter in rule.parameters:
            is_switch = parameter.id == rule.id and parameter.type == rules_pb2.VALUE_TYPE_FLAG
            if parameter.id in self.values and not is_switch:
                name = text_of(parameter.name, self.language)
                yield words("rules.value", name=name, value=self._value(parameter, words))

    def _value(self, parameter: rules_pb2.Parameter, words: Words) -> str:
        value = self.values[parameter.id]
        kind = value.WhichOneof("value")
        if kind == "flag":
            return words("yes" if value.flag else "no")
        if kind == "word":
            names = dict(zip(parameter.words, parameter.word_names))
            return text_of(names[value.word], self.language) if value.word in names else value.word
        if kind == "number":
            return str(value.number)
        return " ".join([str(number) for number in value.numbers.values]) or words("action.nothing")

    def _on(self) -> list[rules_pb2.Rule]:
        return [self.rules[rule_id] for rule_id in self.on]

    def _matches(self, rule: rules_pb2.Rule, word: str) -> bool:
        return any(word.casefold() in name.casefold() for name in (rule.id, rule.name.ja, rule.name.en))


async def all_rules(service: rules_pb2_grpc.RulesServiceAsyncStub) -> list[rules_pb2.Rule]:
    """Fetch every page of the rule book."""
    rules: list[rules_pb2.Rule] = []
    token = ""
    while True:
        page = await answered(service.ListRules(rules_pb2.ListRulesRequest(page_size=PAGE, page_token=token)))
        rules += page.rules
        token = page.next_page_token
        if not token:
            return rules


async def read(service: rules_pb2_grpc.RulesServiceAsyncStub, ruleset: rules_pb2.Ruleset, language: str) -> Rulebook:
    """Ask the service for all rules, and for what this ruleset switches on."""
    book = Rulebook(language)
    book.rules = {rule.id: rule for rule in await all_rules(service)}
    checked = await answered(service.CheckRuleset(rules_pb2.CheckRulesetRequest(ruleset=ruleset)))
    book.values = {setting.id: setting for setting in checked.settings}
    flags = {setting.id for setting in checked.settings if setting.flag}
    playing = (rules_pb2.RULE_KIND_RULE, rules_pb2.RULE_KIND_SETTING)
    book.on = [rule.id for rule in book.rules.values() if rule.id in flags and rule.kind in playing]
    presets = await answered(service.ListPresets(rules_pb2.ListPresetsRequest(page_size=PAGE)))
    names = {preset.id: preset.name for preset in presets.presets}
    book.preset_name = names.get(ruleset.preset, rules_pb2.Text(ja=ruleset.preset, en=ruleset.preset))
    return book


async def parameter_types(service: rules_pb2_grpc.RulesServiceAsyncStub) -> dict[str, rules_pb2.ValueType]:
    """Tell what kind of value each setting takes."""
    rules = await all_rules(service)
    return {parameter.id: parameter.type for rule in rules for parameter in rule.parameters}
