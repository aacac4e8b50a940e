"""The catalogue says what every rule is, and says it completely."""

from __future__ import annotations

import re

import pytest

from engine.catalogue import Condition, Entry, Setting, entries, families, presets, settings, tables
from engine.catalogue.types import KINDS, SEATS, TYPES

ENTRIES = list(entries().values())
SETTINGS = list(settings().values())
RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2", "JK")
SHAPES = ("single", "group", "sequence", "emperor", "arithmetic")


CONTEST = "005"
"""The contest's rules came to the others later, with entries of its own where these did not have them."""


def test_the_catalogue_has_every_entry_of_the_documents() -> None:
    others = [entry for entry in ENTRIES if any(not source.startswith(CONTEST) for source in entry.sources)]
    assert len(others) == 215
    assert len(ENTRIES) == 215 + 6
    assert len(families()) == 15
    assert {entry.family for entry in ENTRIES} == set(families())


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_an_entry_has_a_kind_and_a_source(entry: Entry) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]*", entry.id)
    assert entry.kind in KINDS
    assert entry.sources
    for source in entry.sources:
        document, _, place = source.partition(":")
        assert document in tables().documents
        assert place


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_an_entry_speaks_the_words_of_the_game(entry: Entry) -> None:
    words = re.findall(r"[a-z]+", (entry.text.en + " " + entry.name.en).lower())
    assert not {"stair", "cpu", "cpus", "miyako", "ochi", "leader", "pack"} & set(words)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_the_facts_of_an_entry_are_of_known_kinds(entry: Entry) -> None:
    assert entry.stage is None or 0 <= entry.stage <= 100
    assert set(entry.ranks) <= set(RANKS)
    assert set(entry.applies_to) <= set(SHAPES)
    if entry.kind in ("service", "client", "text"):
        assert entry.stage is None, "only what the engine knows has a place in the order of effects"
    if entry.asks:
        assert entry.asks.who
        assert entry.asks.source


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_the_settings_of_an_entry_are_named_after_it(entry: Entry) -> None:
    for place, setting in enumerate(entry.settings):
        assert setting.entry == entry.id
        assert setting.id == entry.id or setting.id.startswith(entry.id + ".")
        assert place == 0 or not setting.is_main


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.id)
def test_a_setting_is_typed_and_bounded(setting: Setting) -> None:
    assert setting.type in TYPES
    assert setting.has_type(setting.default)
    assert setting.has_bounds(setting.default)
    assert (len(setting.words) >= 2) == (setting.type == "word")
    if setting.type in ("number", "numbers"):
        assert setting.least < setting.most
        assert all(setting.least <= number <= setting.most for number in setting.one_of)


CONDITIONS = [(entry, condition) for entry in ENTRIES for condition in (*entry.requires, *entry.excludes)]


@pytest.mark.parametrize(("entry", "condition"), CONDITIONS, ids=lambda each: getattr(each, "id", None))
def test_what_a_rule_needs_or_excludes_exists(entry: Entry, condition: Condition) -> None:
    assert condition.setting == SEATS or condition.setting in settings()
    assert condition.values or condition.at_least
    assert entry.settings
    if condition.when is not None:
        assert entry.settings[0].has_bounds(condition.when)
    if condition.setting != SEATS:
        target = settings()[condition.setting]
        for value in condition.values:
            assert target.has_type(value)
            assert target.has_bounds(value)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_nothing_excludes_or_needs_itself(entry: Entry) -> None:
    own = {setting.id for setting in entry.settings}
    assert not own & {condition.setting for condition in (*entry.requires, *entry.excludes)}


def test_rules_that_show_hidden_cards_by_design_say_so() -> None:
    shown = {entry.id for entry in ENTRIES if entry.discloses}
    assert {"unreturnable_flush", "dokan", "tenpenchii", "auto_pass", "queen_bomber"} <= shown


def test_the_presets_differ_from_the_defaults_by_known_settings() -> None:
    assert [preset.id for preset in presets().values() if preset.source == CONTEST] == ["uecda"]
    assert len(presets()) == 13 + 1
    for preset in presets().values():
        assert preset.source in tables().documents
        assert 2 <= preset.seats_least <= preset.seats_most <= 12
        for name, value in preset.settings.items():
            assert settings()[name].has_type(value), (preset.id, name)
            assert settings()[name].has_bounds(value), (preset.id, name)
            assert value != settings()[name].default, (preset.id, name)


def test_the_defaults_are_the_federations_four_player_game() -> None:
    assert presets()["jdf4"].settings == {}


def test_titles_points_and_exchange_fit_the_number_of_players() -> None:
    for by_count in (*tables().titles.values(), *tables().points.values()):
        for count, row in by_count.items():
            assert len(row) == count
    for count in range(2, 13):
        assert count in tables().titles["standard"]
        assert all(count in tables().points[word] for word in ("standard", "federation", "descending"))
        assert all(count in tables().exchange[word] for word in ("1", "2"))
    for pairs_by_count in tables().exchange.values():
        for count, pairs in pairs_by_count.items():
            seats = [place for upper, lower, _ in pairs for place in (upper, lower)]
            assert len(set(seats)) == len(seats)
            assert all(upper + lower == count + 1 and upper < lower for upper, lower, _ in pairs)


def test_every_title_has_an_english_name() -> None:
    assert {t for rows in tables().titles.values() for row in rows.values() for t in row} == set(tables().titles_en)


def test_points_fall_from_the_first_place_to_the_last() -> None:
    for by_count in tables().points.values():
        for row in by_count.values():
            assert sorted(row, reverse=True) == list(row)
            assert row[0] > row[-1]


def test_a_range_of_fouls_includes_switches_of_the_catalogue() -> None:
    words = set(settings()["foul_finish"].words)
    assert words == {*tables().foul_ranges, "custom"}
    for row in tables().foul_ranges.values():
        assert all(settings()[switch].type == "bool" for switch in row.includes)
    federation = {setting.id for setting in SETTINGS if setting.id.startswith("foul_") and setting.default is True}
    assert tables().foul_ranges["jdf"].includes == federation
