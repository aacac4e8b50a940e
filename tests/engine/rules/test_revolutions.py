"""Which plays revolt, who decides it, when it takes effect, and what it brings with it."""

from __future__ import annotations

import pytest

from engine.catalogue import Value
from engine.program import Program
from engine.reasons import Reason
from engine.state import EVERYTHING_FROZEN, REVOLUTIONS_FROZEN
from tests.engine.position import Table
from tests.engine.tables import program

OTHERS = ("HA CA", "HK C10", "H10 CQ")
FOUR_SEVENS = "S7 H7 D7 C7"


def revolts(table: Program, cards: str, upside_down: bool = False) -> bool:
    """Say whether the order is turned over after A has led with cards."""
    after = Table(table, f"{cards} D4 D3", *OTHERS, upside_down=upside_down).play(cards)
    return after.state.revolution != upside_down


def on(*rules: str, **settings: Value) -> Program:
    return program("jdf4", *rules, **settings)


# --- revolution sets -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "does", "does_not"),
    [
        ("sequence_revolution", ["S4 S5 S6 S7", "S4 S5 S6 JK1 S8"], ["S4 S5 S6"]),
        ("revolution_of_qka", ["SQ SK SA"], ["SQ SK JK1", "SJ SQ SK", "SJ SQ SK SA"]),
        ("coup_detat", ["S9 H9 D9"], ["S9 H9 JK1", "S9 H9", "S8 H8 JK1"]),
        ("joker_revolution", ["JK1 JK2"], ["JK1", "S5 JK1"]),
        ("great_revolution", ["S2 H2 D2 C2"], ["S2 H2 D2"]),
        ("taepodong", ["S7 H7 D7 C7 JK1 JK2"], ["S7 H7 D7"]),
    ],
)
def test_a_set_revolts_where_its_rule_is_on(rule: str, does: list[str], does_not: list[str]) -> None:
    table = on(rule)
    alone = on(rule, revolution__groups=False)
    for cards in does:
        assert revolts(table, cards)
        assert revolts(table, cards, upside_down=True), "and back"
        assert revolts(alone, cards)
        assert revolts(on(), cards) == (len(cards.split()) >= 4 and rule in ("great_revolution", "taepodong"))
    for cards in does_not:
        assert not revolts(table, cards)


def test_three_sevens_revolt_where_that_is_their_effect() -> None:
    sevens = on("triple_seven", triple_seven_effect="revolution")
    assert revolts(sevens, "S7 H7 D7")
    assert not revolts(sevens, "S7 H7 JK1")
    assert not revolts(on("triple_seven"), "S7 H7 D7")


def test_a_play_that_is_a_set_under_several_rules_revolts_once() -> None:
    every = on("coup_detat", "great_revolution", "taepodong", "triple_seven", "sequence_revolution",
               revolution__min_group=3, triple_seven_effect="revolution")  # fmt: skip
    for cards in ("S9 H9 D9", "S2 H2 D2 C2", "S7 H7 D7", "S5 H5 D5 C5 JK1 JK2"):
        assert revolts(every, cards)


def test_the_cards_needed_and_the_jokers_among_them_are_settings() -> None:
    assert revolts(on(revolution__min_group=3), "S7 H7 JK1")
    assert not revolts(on(), "S7 H7 JK1")
    assert not revolts(on(revolution__joker_allowed=False), "S7 H7 D7 JK1")
    long = on("sequence_revolution", sequence_revolution__min_length=5)
    assert not revolts(long, "S4 S5 S6 S7")
    assert revolts(long, "S4 S5 S6 S7 S8")
    assert not revolts(on(revolution__groups=False), FOUR_SEVENS)


def test_without_revolution_long_sequences_do_not_revolt_but_special_sets_do() -> None:
    off = on("sequence_revolution", "coup_detat", revolution=False)
    assert not revolts(off, "S4 S5 S6 S7")
    assert not revolts(off, FOUR_SEVENS)
    assert revolts(off, "S9 H9 D9")


def test_without_counter_revolution_no_set_turns_the_order_back() -> None:
    once = on("coup_detat", "joker_revolution", counter_revolution=False)
    for cards in (FOUR_SEVENS, "S9 H9 D9", "JK1 JK2"):
        assert revolts(once, cards)
        assert not revolts(once, cards, upside_down=True)


# --- choosing --------------------------------------------------------------------------------------------------------

OPTIONAL = on("optional_revolution", "revolution_flush", revolution_freeze_count="super_revolution_5")


def test_whoever_plays_a_set_says_whether_it_revolts() -> None:
    table = Table(OPTIONAL, f"{FOUR_SEVENS} D4", *OTHERS).play(FOUR_SEVENS)
    assert (table.asked, table.question, table.state.revolution) == ("A", "optional_revolution", False)
    yes = Table(OPTIONAL, f"{FOUR_SEVENS} D4", *OTHERS).play(FOUR_SEVENS).says(yes=True)
    assert (yes.state.revolution, yes.flushed, yes.turn) == (True, True, "A")
    no = table.says(yes=False)
    assert (no.state.revolution, no.flushed, no.turn) == (False, False, "B")


def test_a_declined_revolution_freezes_nothing_and_is_no_foul_of_a_revolution() -> None:
    five = Table(OPTIONAL, f"{FOUR_SEVENS} JK1 D4", *OTHERS).play(f"{FOUR_SEVENS} JK1").says(yes=False)
    assert five.state.freeze == 0
    banned = on("optional_revolution", "no_finish_with_revolution")
    assert Table(banned, FOUR_SEVENS, *OTHERS).play(FOUR_SEVENS).says(yes=False).finished == "A"
    assert Table(banned, FOUR_SEVENS, *OTHERS).play(FOUR_SEVENS).says(yes=True).fouled == "A"


def test_nobody_is_asked_where_no_revolution_can_come() -> None:
    once = on("optional_revolution", counter_revolution=False)
    assert Table(once, f"{FOUR_SEVENS} D4", *OTHERS, upside_down=True).play(FOUR_SEVENS).question == ""
    assert Table(OPTIONAL, "S7 H7 D7 D4", *OTHERS).play("S7 H7 D7").question == ""


def test_four_fours_that_stop_an_eight_are_a_set_too() -> None:
    stop = on("optional_revolution", "four_stop")
    hands = ("H8 S8 D9", "S4 H4 D4 C4 D5", *OTHERS[1:])
    table = Table(stop, *hands).play("H8 S8").play("S4 H4 D4 C4")
    assert (table.asked, table.question) == ("B", "optional_revolution")
    assert table.says(yes=True).state.revolution


# --- when it takes effect --------------------------------------------------------------------------------------------

DELAYED = on("delayed_revolution")


def test_a_delayed_revolution_waits_for_the_flush() -> None:
    table = Table(DELAYED, f"{FOUR_SEVENS} D4", *OTHERS).play(FOUR_SEVENS)
    assert (table.state.revolution, table.state.reserved_revolutions) == (False, 1)
    table.passes(3)
    assert (table.state.revolution, table.state.reserved_revolutions, table.state.order) == (True, 0, 1)


def test_two_reservations_on_one_field_cancel_out() -> None:
    table = Table(DELAYED, f"{FOUR_SEVENS} D4", "S9 H9 D9 C9 C4", "C6 C10", "D6 CQ")
    table.play(FOUR_SEVENS).play("S9 H9 D9 C9")
    assert table.state.reserved_revolutions == 2
    assert not table.passes(3).state.revolution


def test_a_counter_can_only_be_reserved_where_it_is_allowed() -> None:
    once = on("delayed_revolution", counter_revolution=False)
    table = Table(once, f"{FOUR_SEVENS} D4", "S9 H9 D9 C9 C4", "C6 C10", "D6 CQ")
    table.play(FOUR_SEVENS).play("S9 H9 D9 C9")
    assert table.state.reserved_revolutions == 1
    assert table.passes(3).state.revolution


def test_a_revolution_that_flushes_takes_effect_at_once() -> None:
    both = on("delayed_revolution", "revolution_flush")
    table = Table(both, f"{FOUR_SEVENS} D4", *OTHERS).play(FOUR_SEVENS)
    assert (table.state.revolution, table.flushed, table.turn) == (True, True, "A")
    eights = Table(DELAYED, "S8 H8 D8 C8 D4", *OTHERS).play("S8 H8 D8 C8")
    assert (eights.state.revolution, eights.flushed) == (True, True)


def test_last_cards_are_judged_by_the_order_after_the_reserved_revolution_of_their_own_flush() -> None:
    threes = "S3 H3 D3 C3"
    assert Table(DELAYED, threes, *OTHERS).play(threes).finished == "A"
    assert Table(on("delayed_revolution", "revolution_flush"), threes, *OTHERS).play(threes).fouled == "A"
    banned = on("delayed_revolution", "no_finish_with_revolution")
    assert Table(banned, FOUR_SEVENS, *OTHERS).play(FOUR_SEVENS).fouled == "A"


# --- what it brings --------------------------------------------------------------------------------------------------


def test_a_set_with_a_real_eight_flushes_and_cannot_be_stopped() -> None:
    flush = on("revolution_eight_flush", "sequence_revolution", "four_stop", eight_cut=True)
    for cards in ("S7 S8 S9 S10", "S8 H8 D8 C8"):
        table = Table(flush, f"{cards} D4", "S4 H4 C4 D5", *OTHERS[1:]).play(cards)
        assert (table.flushed, table.turn, table.question) == (True, "A", "")
    for cards in ("S9 S10 SJ SQ", "S7 JK1 S9 S10", "S7 S8 S9"):
        assert not Table(flush, f"{cards} D4", *OTHERS).play(cards).flushed


@pytest.mark.parametrize(
    ("word", "cards", "frozen"),
    [
        ("super_revolution_5", f"{FOUR_SEVENS} JK1", True),
        ("super_revolution_5", FOUR_SEVENS, False),
        ("nuke_6", f"{FOUR_SEVENS} JK1", False),
        ("nuke_6", f"{FOUR_SEVENS} JK1 JK2", True),
        ("super_revolution_5", "S4 S5 S6 S7 S8", True),
    ],
)
def test_a_big_revolution_is_the_last(word: str, cards: str, frozen: bool) -> None:
    table = on("sequence_revolution", revolution_freeze_count=word)
    after = Table(table, f"{cards} S9 H9 D9 C9 D4", *OTHERS).play(cards)
    assert (after.state.freeze == REVOLUTIONS_FROZEN) is frozen
    assert after.state.revolution
    if not after.flushed:
        after.passes(3)
    assert after.play("S9 H9 D9 C9").state.revolution is frozen


def test_a_nuke_may_have_to_be_of_one_colour_with_a_joker() -> None:
    narrow = on("sequence_revolution", "nuke_same_color_joker", revolution_freeze_count="nuke_6")
    for cards, frozen in [
        ("S4 S5 S6 S7 S8 JK1", True),
        ("D4 D5 D6 JK1 D8 D9", True),
        ("S4 S5 S6 S7 S8 S9", False),
        (f"{FOUR_SEVENS} JK1 JK2", False),
    ]:
        after = Table(narrow, f"{cards} H3", "C5 C9", "C6 C10", "CJ CQ").play(cards)
        assert (after.state.freeze == REVOLUTIONS_FROZEN) is frozen


def test_backs_go_on_after_the_last_revolution() -> None:
    frozen = on("jack_back", revolution_freeze_count="super_revolution_5")
    table = Table(frozen, f"{FOUR_SEVENS} JK1 SJ D4", *OTHERS).play(f"{FOUR_SEVENS} JK1").passes(3).play("SJ")
    assert (table.state.revolution, table.state.order) == (True, 0)


# --- omen ------------------------------------------------------------------------------------------------------------

OMEN = on("omen", "seven_pass", "jack_back", "optional_revolution")
THREE_SIXES = "S6 H6 D6"


def after_omen(cards: str = "D9 D8 D3 D4", second: str = "C9 C3") -> Table:
    """A has played three real 6s, everybody has passed, and A leads."""
    return Table(OMEN, f"{THREE_SIXES} {cards}", second, "C7 C10", "CJ CQ").play(THREE_SIXES).passes(3)


def test_three_sixes_revolt_without_a_choice_and_freeze_the_order() -> None:
    table = Table(OMEN, f"{THREE_SIXES} D9", *OTHERS, field="D:S5 H5 D5", lock="SHD").play(THREE_SIXES)
    assert (table.state.revolution, table.state.freeze) == (True, EVERYTHING_FROZEN)
    assert (table.locked, table.question, table.turn) == ("", "", "B")
    table = after_omen("S9 H9 D9 C9 D3", "C8 C3")
    assert table.play("S9 H9 D9 C9").state.revolution


@pytest.mark.parametrize("cards", ["S6 H6", "S6 H6 JK1", "S6 H6 D6 C6"])
def test_other_sixes_are_no_omen(cards: str) -> None:
    assert Table(OMEN, f"{cards} D9", *OTHERS).play(cards).state.freeze == 0


def test_after_the_omen_cards_have_no_effects_and_counters_and_locks_are_gone() -> None:
    assert after_omen("D8 D9").play("D8").turn == "B"
    assert after_omen("D7 D9").play("D7").question == ""
    assert after_omen("DJ D9").play("DJ").state.backs == []
    locked = after_omen("D9 D10 D4", second="D8 C3").play("D9").play("D8")
    assert (locked.locked, locked.flushed) == ("", False)
    assert after_omen("JK1 D9", second="S3 C9").play("JK1").refusal("S3") == Reason.NOT_STRONGER


def test_after_the_omen_only_the_strongest_rank_and_jokers_are_fouls() -> None:
    assert after_omen("D8").play("D8").finished == "A"
    assert after_omen("D3").play("D3").fouled == "A"
    assert after_omen("JK1").play("JK1").fouled == "A"
    assert after_omen("D2").play("D2").finished == "A"


def test_the_other_effects_of_three_sixes_do_not_come() -> None:
    both = on("omen", "six_return", "two_back")
    table = Table(both, f"S2 {THREE_SIXES} D9", *OTHERS).play("S2").passes(3).play(THREE_SIXES)
    assert table.state.freeze == EVERYTHING_FROZEN


def test_an_omen_after_the_last_revolution_stops_effects_and_turns_nothing() -> None:
    frozen = on("omen", revolution_freeze_count="super_revolution_5")
    table = Table(frozen, f"{FOUR_SEVENS} JK1 {THREE_SIXES} D4", *OTHERS).play(f"{FOUR_SEVENS} JK1").passes(3)
    assert table.play(THREE_SIXES).state.revolution
    assert table.state.freeze == EVERYTHING_FROZEN


def test_an_omen_flushes_where_revolutions_do() -> None:
    table = Table(on("omen", "revolution_flush"), f"{THREE_SIXES} D9", *OTHERS).play(THREE_SIXES)
    assert (table.flushed, table.turn) == (True, "A")


def test_a_reserved_omen_turns_the_order_after_the_flush_and_no_more() -> None:
    table = Table(on("omen", "delayed_revolution"), f"{THREE_SIXES} D9", *OTHERS).play(THREE_SIXES)
    assert (table.state.revolution, table.state.reserved_revolutions) == (False, 1)
    assert table.passes(3).state.revolution


# --- jokers ----------------------------------------------------------------------------------------------------------

WEAK = on("weak_joker_in_revolution", "jack_back")


def test_a_revolution_makes_jokers_weakest_and_a_back_alone_does_not() -> None:
    assert Table(WEAK, "C2 D9", *OTHERS, field="D:JK1", upside_down=False).refusal("C2") == Reason.NOT_STRONGER
    table = Table(WEAK, f"{FOUR_SEVENS} JK1 D4", "C2 C9", *OTHERS[1:]).play(FOUR_SEVENS).passes(3).play("JK1")
    assert table.play("C2").top.low == 12
    back = Table(WEAK, "SJ D9", "JK1 C9", "C3 C10", "D6 CQ").play("SJ").play("JK1")
    assert back.refusal("C3") == Reason.NOT_STRONGER


def test_the_back_in_a_revolution_leaves_jokers_weak() -> None:
    table = Table(WEAK, f"{FOUR_SEVENS} SJ D4", "JK1 C9", *OTHERS[1:]).play(FOUR_SEVENS).passes(3).play("SJ")
    assert table.state.order == 4
    assert table.refusal("JK1") == Reason.NOT_STRONGER


def test_a_weak_joker_may_be_the_last_card() -> None:
    def ends(table: Program) -> Table:
        return Table(table, f"{FOUR_SEVENS} JK1", *OTHERS).play(FOUR_SEVENS).passes(3).play("JK1")

    assert ends(WEAK).finished == "A"
    assert ends(on()).fouled == "A"
    assert Table(WEAK, "JK1", *OTHERS).play("JK1").fouled == "A"
    revolting = "S7 H7 D7 JK1"
    assert Table(WEAK, revolting, *OTHERS).play(revolting).finished == "A"
    before = on("weak_joker_in_revolution", foul_strength_timing="before_play")
    assert Table(before, revolting, *OTHERS).play(revolting).fouled == "A"


ARTHUR = on("arthur", "weak_joker_in_revolution")


def test_three_kings_put_the_joker_between_ten_and_jack() -> None:
    def led(table: Program, kings: str) -> Table:
        return Table(table, f"{kings} JK1 D4", "C10 CJ", "H10 HJ", "D6 CQ").play(kings).passes(3).play("JK1")

    after = led(ARTHUR, "SK HK DK")
    assert after.refusal("C10") == Reason.NOT_STRONGER
    assert after.play("CJ").top.low == 8
    assert led(ARTHUR, "SK HK").refusal("CJ") == Reason.NOT_STRONGER
    assert led(on(), "SK HK DK").refusal("CJ") == Reason.NOT_STRONGER


def test_it_stands_there_in_a_revolution_too() -> None:
    table = Table(ARTHUR, f"SK HK DK {FOUR_SEVENS} JK1 D4", "C10 CJ", "H10 HJ", "D6 CQ")
    table.play("SK HK DK").passes(3).play(FOUR_SEVENS).passes(3).play("JK1")
    assert table.refusal("CJ") == Reason.NOT_STRONGER
    assert table.play("C10").top.low == 7
