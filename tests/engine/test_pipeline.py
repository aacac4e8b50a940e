"""The order of everything says the truth about the rules, and the rules keep their style."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import tests
from engine.catalogue import entries
from engine.rules import pipeline
from engine.rules.base import Rule

SOURCES = sorted((Path(tests.__path__[0]).parent / "engine" / "rules").glob("*.py"))
LINES_OF_A_FILE = 150
LINES_OF_A_RULE = 60
LEGALITY = 0
"""The stage of rules about what may be played; they may have effects all the same."""
RULES = {rule.id: rule for rule in pipeline.RULES}
PIPELINE = {path.stem: path for path in SOURCES}["pipeline"]


def overrides(rule: Rule, method: str) -> bool:
    """Whether a rule has its own say in a phase."""
    return any(method in vars(cls) for cls in type(rule).__mro__ if cls not in (Rule, object))


def classes() -> list[ast.ClassDef]:
    """Every class of a rule as it is written."""
    found = []
    for path in SOURCES:
        found += [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.ClassDef)]
    return [node for node in found if node.name != "Rule"]


def test_every_phase_is_a_method_of_a_rule() -> None:
    assert all(callable(getattr(Rule, phase)) for phase in pipeline.ORDER)


def test_no_rule_is_there_twice_and_every_rule_has_an_id() -> None:
    assert len(RULES) == len(pipeline.RULES)
    assert all(RULES)


@pytest.mark.parametrize("phase", pipeline.ORDER)
def test_a_phase_lists_each_of_its_rules_once_and_nothing_else(phase: str) -> None:
    listed = pipeline.ORDER[phase]
    assert len(set(listed)) == len(listed)
    assert set(listed) <= set(RULES)


@pytest.mark.parametrize("rule", pipeline.RULES, ids=RULES)
def test_a_rule_is_listed_in_exactly_the_phases_that_it_has_methods_for(rule: Rule) -> None:
    listed = {phase for phase, ids in pipeline.ORDER.items() if rule.id in ids}
    assert listed == {phase for phase in pipeline.ORDER if overrides(rule, phase)}
    assert listed, "a rule acts somewhere"


@pytest.mark.parametrize("rule", pipeline.RULES, ids=RULES)
def test_methods_outside_the_phases_have_a_phase_that_calls_them(rule: Rule) -> None:
    if overrides(rule, "opens") or overrides(rule, "refuses"):
        assert overrides(rule, "counters")
    if overrides(rule, "counters"):
        assert overrides(rule, "opens")
    if overrides(rule, "withholds"):
        assert overrides(rule, "offers")
    if overrides(rule, "acted"):
        assert overrides(rule, "offers") or overrides(rule, "counters")


@pytest.mark.parametrize("rule", pipeline.RULES, ids=RULES)
def test_a_rule_is_in_the_catalogue(rule: Rule) -> None:
    assert rule.id.split(".")[0] in entries()


def test_exceptions_of_the_phase_played_are_rules_of_it() -> None:
    assert set(pipeline.IN_COUNTERS) <= set(pipeline.ORDER["played"])
    assert set(pipeline.STOPPED) <= set(RULES)


def test_effects_stand_in_the_order_of_their_stages() -> None:
    for phase, ids in pipeline.ORDER.items():
        stages = [entries()[id.split(".")[0]].stage for id in ids]
        known = [stage for stage in stages if stage is not None]
        if phase in ("played", "flushed", "counters"):
            assert known == sorted(known), phase


def test_the_stages_written_beside_the_effects_are_those_of_the_catalogue() -> None:
    written = re.findall(r'^ +"([a-z0-9_]+)",  # (\d+)$', PIPELINE.read_text(), re.MULTILINE)
    assert [id for id, _ in written] == list(pipeline.ORDER["played"])
    for id, stage in written:
        assert entries()[id].stage in (int(stage), LEGALITY, None), id


@pytest.mark.parametrize("path", SOURCES, ids=[path.stem for path in SOURCES])
def test_a_file_of_rules_is_short(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= LINES_OF_A_FILE or path.stem in ("pipeline", "base")


@pytest.mark.parametrize("node", classes(), ids=lambda node: str(node.name))
def test_a_rule_is_short_and_begins_with_one_sentence(node: ast.ClassDef) -> None:
    assert node.end_lineno is not None
    assert node.end_lineno - node.lineno < LINES_OF_A_RULE
    told = ast.get_docstring(node)
    assert told is not None
    sentence = told.split("\n\n")[0]
    assert sentence.endswith(".")
    assert ". " not in re.sub(r"\b(art|ch)\. ", "", sentence)
