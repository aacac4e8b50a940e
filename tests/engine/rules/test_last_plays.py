"""Ranges of fouls, the moment at which the order counts, and last plays that are fouls for what they do."""

from __future__ import annotations

import pytest

from engine.catalogue import Value
from engine.program import Program
from engine.ruleset import RulesetError, make_ruleset
from tests.engine.position import Table
from tests.engine.tables import program

OTHERS = ("C5 C9", "C6 C10", "D6 CJ")


def fouled(table: Program, cards: str, field: str = "", upside_down: bool = False) -> bool:
    """Say whether A fouls with its last cards; it goes out one way or the other."""
    after = Table(table, cards, *OTHERS, field=field, upside_down=upside_down).play(cards)
    assert after.finished + after.fouled == "A"
    return after.fouled == "A"


def ranged(word: str, *extras: str, **settings: Value) -> Program:
    return program("jdf4", *extras, foul_finish=word, **settings)


JOKER, TWO, EIGHT, COUNTER, LONE_SPADE = "JK1", "S2", "H8", "S3 on a joker", "S3"
LAST = {COUNTER: ("S3", "D:JK1")}
BANNED = {
    "jdf": {JOKER, TWO, EIGHT, COUNTER, LONE_SPADE},
    "general": {JOKER, TWO, EIGHT, COUNTER},
    "wide": {JOKER, TWO, EIGHT, COUNTER, LONE_SPADE},
    "dagashi": {JOKER, TWO, EIGHT, COUNTER},
    "blog": {JOKER, TWO, EIGHT},
    "blog_short": {JOKER, TWO, EIGHT, COUNTER},
    "joker_and_two": {JOKER, TWO, EIGHT},
    "none": set(),
}


@pytest.mark.parametrize("word", BANNED)
def test_a_range_bans_its_own_last_plays_and_no_others(word: str) -> None:
    lasts = {last: LAST.get(last, (last, "")) for last in (JOKER, TWO, EIGHT, COUNTER, LONE_SPADE)}
    assert {last for last, (cards, field) in lasts.items() if fouled(ranged(word), cards, field)} == BANNED[word]


@pytest.mark.parametrize(("cards", "range_frees"), [("SK SA S2", True), ("S4 JK1", True), ("S4 S5 JK1", True)])
def test_only_the_blogs_range_frees_sequences_and_jokers_that_stand_for_another_card(
    cards: str, range_frees: bool
) -> None:
    assert fouled(ranged("general"), cards)
    assert fouled(ranged("blog"), cards) != range_frees


@pytest.mark.parametrize("cards", ["S2 JK1", "JK1 JK2", "S8 JK1"])
def test_a_joker_with_a_banned_card_or_as_itself_is_a_foul_there_too(cards: str) -> None:
    assert fouled(ranged("blog"), cards)


@pytest.mark.parametrize("switch", ["foul_joker", "foul_strongest_number", "foul_eight_cut", "foul_spade3_any_single"])
def test_a_single_switch_frees_what_it_is_for(switch: str) -> None:
    cards = {"foul_joker": "JK1", "foul_strongest_number": "S2", "foul_eight_cut": "S8"}.get(switch, "S3")
    assert fouled(ranged("custom"), cards)
    assert not fouled(ranged("custom", **{switch: False}), cards)


def test_a_foul_needs_the_rule_that_makes_the_card_special() -> None:
    assert not fouled(ranged("general", eight_cut=False), "H8")
    assert not fouled(ranged("wide"), "H7")
    assert fouled(ranged("wide", "seven_pass"), "H7")
    assert not fouled(ranged("general", "seven_pass"), "H7")
    assert not fouled(ranged("wide", "seven_pass"), "S6 S7 S8")


# --- the moment ------------------------------------------------------------------------------------------------------

AFTER, BEFORE = program("jdf4"), program("jdf4", foul_strength_timing="before_play")


@pytest.mark.parametrize(("cards", "after", "before"), [("S2 H2 D2 C2", False, True), ("S3 H3 D3 C3", True, False)])
def test_a_last_play_that_revolts_is_judged_after_or_before_it(cards: str, after: bool, before: bool) -> None:
    assert fouled(AFTER, cards) is after
    assert fouled(BEFORE, cards) is before
    assert fouled(AFTER, cards, upside_down=True) is not after
    assert fouled(BEFORE, cards, upside_down=True) is not before


# --- revolutions and the weakest card --------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["none", "jdf"])
def test_a_last_play_that_revolts_is_a_foul_whatever_the_range_where_the_ruleset_says_so(word: str) -> None:
    on = ranged(word, "no_finish_with_revolution")
    assert fouled(on, "S7 H7 D7 C7")
    assert not fouled(on, "S7 H7 D7")
    assert not fouled(ranged(word), "S7 H7 D7 C7")


def test_a_set_that_does_not_turn_the_order_back_is_a_foul_only_as_a_set() -> None:
    causes = ranged("none", "no_finish_with_revolution", counter_revolution=False)
    assert not fouled(causes, "S7 H7 D7 C7", upside_down=True)
    looks = ranged("custom", "foul_revolution_set", counter_revolution=False)
    assert fouled(looks, "S7 H7 D7 C7", upside_down=True)
    assert fouled(looks, "S7 H7 D7 C7")
    assert not fouled(looks, "S7 H7 D7")
    assert not fouled(ranged("custom", "foul_revolution_set", revolution=False), "S7 H7 D7 C7")


def test_a_revolution_of_an_earlier_play_is_no_foul() -> None:
    table = Table(ranged("none", "no_finish_with_revolution"), "S7 H7 D7 C7 S9", *OTHERS)
    assert table.play("S7 H7 D7 C7").passes(3).play("S9").finished == "A"


WEAKEST = ranged("none", "no_finish_with_weakest")


@pytest.mark.parametrize(
    ("cards", "upside_down", "foul"),
    [
        ("H3", False, True),
        ("S3 S4 S5", False, True),
        ("H3", True, False),
        ("H2", True, True),
        ("H2", False, False),
        ("S4 S5 JK1", True, False),
    ],
)
def test_the_weakest_real_card_may_not_be_last_where_the_ruleset_says_so(
    cards: str, upside_down: bool, foul: bool
) -> None:
    assert fouled(WEAKEST, cards, upside_down=upside_down) is foul


def test_the_weakest_card_is_that_of_the_moment_that_counts() -> None:
    before = ranged("none", "no_finish_with_weakest", foul_strength_timing="before_play")
    assert not fouled(WEAKEST, "S3 H3 D3 C3")
    assert fouled(before, "S3 H3 D3 C3")
    assert fouled(WEAKEST, "S2 H2 D2 C2")
    assert not fouled(before, "S2 H2 D2 C2")


def test_a_range_is_named_where_a_switch_contradicts_it() -> None:
    with pytest.raises(RulesetError, match="foul_revolution_set follows from foul_finish = jdf; set foul_finish"):
        make_ruleset("jdf4", {"foul_revolution_set": True})
