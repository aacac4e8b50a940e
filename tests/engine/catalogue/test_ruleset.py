"""A ruleset is a preset and its changes: checked as a whole, written as text, known by its hash."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.available import ALSO, ANY, PRESETS, WITHOUT_EFFECT, can_be_played, is_available
from engine.catalogue import Condition, Value, entries, presets, settings
from engine.catalogue.types import SEATS
from engine.ruleset import RulesetError, check_ruleset, make_ruleset, parse_ruleset, read_value

JDF4 = "5c34f47a8db03bfac2137e2a11177bc8a481ade39c75f6dc00188f4d1f66a209"


def problems(preset: str, overrides: dict[str, Any] | None = None, seats: int | None = None) -> list[tuple[str, ...]]:
    with pytest.raises(RulesetError) as caught:
        make_ruleset(preset, overrides, seats)
    for problem in caught.value.problems:
        assert problem.text_en
        assert problem.text_ja
        assert all(setting in problem.text_en for setting in problem.settings[:1])
    return [(problem.kind, *problem.settings) for problem in caught.value.problems]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_has_a_value_for_every_setting(preset: str) -> None:
    assert set(make_ruleset(preset).values) == set(settings())


def test_the_federations_presets_are_for_three_four_and_five_players() -> None:
    assert [make_ruleset(preset).seats for preset in ("jdf3", "jdf4", "jdf5")] == [3, 4, 5]


def test_a_condition_on_a_settings_usual_value_is_checked() -> None:
    usual = replace(entries()["exchange_timing"], requires=(Condition("joker_count", at_least=1, when="simultaneous"),))
    always = replace(usual, requires=(Condition("joker_count", at_least=1),))
    values = {setting.id: setting.default for setting in settings().values()}
    assert usual.requires[0].counts(usual, values)
    assert not usual.requires[0].counts(usual, values | {"exchange_timing": "tribute_first"})
    assert not always.requires[0].counts(always, values), "a setting that is as usual needs nothing"
    assert always.requires[0].counts(always, values | {"exchange_timing": "tribute_first"})


def test_every_preset_is_in_this_version() -> None:
    assert set(PRESETS) == set(presets())


def test_the_hash_of_the_federations_rules_does_not_change() -> None:
    assert make_ruleset("jdf4").hash == JDF4
    assert make_ruleset("jdf4", {"eight_cut": True}).hash == JDF4
    assert make_ruleset("jdf4", {"seven_pass": True}).hash != JDF4


def test_players_are_part_of_the_hash_and_the_presets_name_is_not() -> None:
    wide = {"player_count.min": 2, "player_count.max": 12}
    assert make_ruleset("jdf4", wide, 4).hash != make_ruleset("jdf4", wide, 5).hash
    five = make_ruleset("jdf5")
    same = make_ruleset("jdf4", {"player_count.min": 5, "player_count.max": 5, "blind_cards": 4})
    assert same.hash == five.hash
    assert same.preset != five.preset


def test_hands_titles_points_and_exchange_are_those_of_the_rulebook() -> None:
    three, four, five = [make_ruleset(preset) for preset in ("jdf3", "jdf4", "jdf5")]
    assert [each.deck_size() for each in (three, four, five)] == [40, 54, 54]
    assert [each.cards_each() for each in (three, four, five)] == [13, 13, 10]
    assert three.titles() == ("富豪", "平民", "貧民")
    assert four.titles() == ("大富豪", "富豪", "貧民", "大貧民")
    assert five.titles() == ("大富豪", "富豪", "平民", "貧民", "大貧民")
    assert three.exchange_pairs() == ((1, 3, 1),)
    assert four.exchange_pairs() == ((1, 4, 2), (2, 3, 1))
    assert five.exchange_pairs() == ((1, 5, 2), (2, 4, 1))
    assert four.points() == (6, 4, 2, 0)


def test_two_packs_double_the_deck_but_not_the_jokers() -> None:
    assert make_ruleset("jdf4", {"deal_method": "two_packs"}).deck_size() == 106


def test_values_are_read_by_their_type() -> None:
    ruleset = make_ruleset("jdf4")
    assert ruleset.bool("eight_cut")
    assert not ruleset.bool("seven_pass")
    assert ruleset.bool("single"), "a rule without settings is always in force"
    assert not ruleset.bool("variant_revolution_triple"), "what is only text never is"
    assert ruleset.number("joker_count") == 2
    assert ruleset.word("foul_finish") == "jdf"
    assert ruleset.numbers("seat_suits.order") == (0, 1, 2, 3)
    for read, setting in ((ruleset.bool, "joker_count"), (ruleset.number, "eight_cut"), (ruleset.word, "nothing")):
        with pytest.raises(KeyError):
            read(setting)


def test_an_unknown_preset_or_setting_is_named_with_the_nearest_known_one() -> None:
    assert problems("jdf9") == [("unknown_preset",)]
    assert problems("jdf4", {"seven_pas": True}) == [("unknown_setting", "seven_pas")]
    assert problems("jdf4", {"pair": False}) == [("unknown_setting", "pair")]
    with pytest.raises(RulesetError, match=r"player_count\.min or player_count\.max"):
        make_ruleset("jdf4", {"player_count": 4})


@pytest.mark.parametrize(
    ("setting", "value"), [("eight_cut", 1), ("joker_count", True), ("joker_count", "2"), ("foul_finish", 3)]
)
def test_a_value_of_the_wrong_type_is_refused(setting: str, value: Value) -> None:
    assert problems("jdf4", {setting: value}) == [("wrong_type", setting)]


@pytest.mark.parametrize(("setting", "value"), [("joker_count", 3), ("foul_finish", "some"), ("turn_time_limit", 20)])
def test_a_value_out_of_bounds_is_refused(setting: str, value: Value) -> None:
    assert problems("jdf4", {setting: value}) == [("out_of_bounds", setting)]


def test_settings_that_exclude_each_other_are_both_named_with_the_remedy() -> None:
    found = problems("jdf4", {"five_color_lock": True})
    assert ("conflict", "five_color_lock", "suit_lock") in found
    with pytest.raises(RulesetError, match="set five_color_lock = false or suit_lock = false"):
        make_ruleset("jdf4", {"five_color_lock": True})
    assert ("conflict", "host_ends_party", "fixed_round_count") in problems(
        "jdf4", {"host_ends_party": True, "fixed_round_count": 5}
    )


def test_a_setting_that_needs_another_is_named_with_it_and_the_remedy() -> None:
    assert ("requires", "four_stop", "eight_cut") in problems("jdf4", {"four_stop": True, "eight_cut": False})
    assert ("requires", "bomber_removal_order", "queen_bomber") in problems(
        "jdf4", {"bomber_removal_order": "named_order"}
    )
    assert ("requires", "jack_back.optional", "jack_back") in problems("jdf4", {"jack_back.optional": True})
    with pytest.raises(RulesetError, match="set spade3_counter = false"):
        make_ruleset("jdf4", {"joker_count": 0})
    assert make_ruleset("jdf4", {"joker_count": 0, "spade3_counter": False}).cards_each() == 12


def test_a_foul_switch_follows_from_the_range_and_contradicting_it_is_refused() -> None:
    assert problems("jdf4", {"foul_joker": False}) == [("requires", "foul_joker", "foul_finish")]
    assert make_ruleset("jdf4", {"foul_joker": True}).text() == make_ruleset("jdf4").text()
    wide, _ = check_ruleset("qdan", {"foul_finish": "wide"})
    custom, _ = check_ruleset("qdan", {"foul_finish": "custom", "foul_joker": False})
    assert wide is not None
    assert custom is not None
    assert wide.bool("foul_seven_pass")
    assert [custom.bool(f"foul_{name}") for name in ("joker", "eight_cut", "seven_pass")] == [False, True, False]


def test_a_number_of_players_that_the_preset_does_not_take_is_refused_with_the_remedy() -> None:
    assert problems("jdf4", None, 6) == [("seats", "player_count.min", "player_count.max")]
    with pytest.raises(RulesetError, match=r"set player_count\.max = 6"):
        make_ruleset("jdf4", None, 6)
    assert problems("jdf4", {"player_count.max": 12}, 13) == [("seats", "player_count.min", "player_count.max")]
    assert problems("jdf4", {"player_count.min": 6}) == [("conflict", "player_count.min", "player_count.max")]
    assert ("seats", "extra_classes") in problems("jdf4", {"extra_classes": True})


@pytest.mark.parametrize("seats", range(2, 13))
def test_any_number_of_players_can_be_dealt(seats: int) -> None:
    ruleset = make_ruleset("jdf4", {"player_count.min": 2, "player_count.max": 12}, seats)
    assert ruleset.cards_each() == 52 // seats
    assert len(ruleset.titles()) == len(ruleset.points()) == seats


def test_hands_that_the_deck_does_not_hold_are_refused() -> None:
    assert problems("jdf4", {"hand_size": 14}) == [("conflict", "hand_size", "blind_cards")]


def test_a_list_of_points_has_one_number_for_every_place() -> None:
    assert ("requires", "points", "points.by_place") in problems("jdf4", {"points": "custom"})
    assert ("requires", "points", "points.by_place") in problems("jdf4", {"points.by_place": (3, 2, 1, 0)})
    made, found = check_ruleset("jdf4", {"points": "custom", "points.by_place": (5, 3, 1, 0)})
    assert made is not None
    assert made.points() == (5, 3, 1, 0)
    assert not found


def test_this_version_plays_every_word_and_switch_of_every_rule() -> None:
    played = [s for s in settings().values() if entries()[s.entry].kind in ("rule", "setting")]
    words: dict[str, tuple[Value, ...]] = {s.id: tuple(s.words) or (False, True) for s in played}
    missing = [
        (s.id, value)
        for s in played
        if s.type in ("bool", "word")
        for value in words[s.id]
        if not is_available(s.id, value)
    ]
    assert not missing


def test_service_and_client_settings_are_never_refused() -> None:
    make_ruleset("jdf4", {"spectators": "all_hands", "hints": True, "turn_time_limit": 30, "auto_pass": True})


def test_what_no_service_or_client_has_yet_is_listed_as_such() -> None:
    kinds = {entries()[id].kind for id in WITHOUT_EFFECT}
    assert kinds == {"service", "client"}
    assert not [id for id in WITHOUT_EFFECT if can_be_played(entries()[id])]
    assert all(can_be_played(entries()[id]) for id in ("turn_time_limit", "reconnect", "hints", "illegal_reason"))


def test_everything_that_is_wrong_is_said_at_once() -> None:
    found = problems("jdf4", {"x": 1, "joker_count": 7, "eight_cut": 3, "five_color_lock": True}, 9)
    kinds = {kind for kind, *_ in found}
    assert kinds == {"unknown_setting", "out_of_bounds", "wrong_type", "conflict", "seats"}


def test_the_table_of_what_can_be_played_names_known_values() -> None:
    for name, values in ALSO.items():
        for value in values:
            assert settings()[name].has_type(value)
            assert settings()[name].has_bounds(value)
    assert set(settings()) >= ANY


PLAYABLE: dict[str, st.SearchStrategy[Value]] = {
    **{name: st.booleans() for name in ("seven_pass", "four_stop", "reverend_king", "salvage", "hints", "auto_pass")},
    "lock_plays_required": st.integers(2, 3),
    "joker_count": st.integers(1, 2),
    "deal_method": st.sampled_from(["standard", "two_packs"]),
    "spectators": st.sampled_from(list(settings()["spectators"].words)),
    "set_and_round.games_per_set": st.integers(1, 99),
    "card_exchange": st.integers(1, 2),
}


@given(st.sampled_from(PRESETS), st.fixed_dictionaries({}, optional=PLAYABLE))
def test_the_text_of_a_ruleset_reads_back_as_the_same_ruleset(preset: str, overrides: dict[str, Value]) -> None:
    ruleset, found = check_ruleset(preset, overrides)
    assume(ruleset is not None and not found)
    assert ruleset is not None
    again = parse_ruleset(ruleset.text())
    assert again == ruleset
    assert again.text() == ruleset.text()
    assert again.hash == ruleset.hash


def test_the_text_names_preset_seats_and_what_differs() -> None:
    ruleset = make_ruleset("jdf4", {"seven_pass": True, "lock_plays_required": 3, "eight_cut": True})
    assert ruleset.text() == "preset jdf4\nseats 4\nlock_plays_required = 3\nseven_pass = true\n"


@pytest.mark.parametrize("text", ["", "preset", "preset jdf4\nseats many", "preset jdf4\nseven_pass = maybe", "x"])
def test_text_that_is_no_ruleset_is_refused(text: str) -> None:
    with pytest.raises(RulesetError):
        parse_ruleset(text)


@pytest.mark.parametrize(
    ("setting", "text", "value"),
    [
        ("seven_pass", "on", True),
        ("joker_count", " 2 ", 2),
        ("foul_finish", "wide", "wide"),
        ("points.by_place", "3, 2 1 0", (3, 2, 1, 0)),
    ],
)
def test_values_are_read_as_people_write_them(setting: str, text: str, value: Value) -> None:
    assert read_value(setting, text) == value


def test_what_can_be_played_has_everything_that_it_needs() -> None:
    for entry in entries().values():
        for need in entry.requires if can_be_played(entry) else ():
            if need.values and need.when is None and need.setting != SEATS:
                assert any(is_available(need.setting, value) for value in need.values), (entry.id, need.text())


def test_a_setting_of_a_rule_that_is_missing_cannot_be_played() -> None:
    missing = [entry for entry in entries().values() if entry.settings and not can_be_played(entry)]
    needing = {need.setting: entry for entry in entries().values() for need in entry.requires if need.values == (True,)}
    assert all(not can_be_played(needing[entry.id]) for entry in missing if entry.id in needing)
