"""Answers to an 8 cut: 7カウンター, 10返し, 8切り返し."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine.cards import cards_text
from engine.program import Program
from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

SEVEN = program("jdf4", "seven_counter")
TEN = program("jdf4", "ten_return")
ONE_TEN = program("jdf4", "ten_return", ten_return_count="one")
EIGHT = program("jdf4", "eight_cut_return")
FOURS = program("jdf4", "eight_cut_return", eight_cut_return__by="two_4s")


def cut(on: Program, b: str, cards: str = "S8", field: str = "", lock: str = "", passed: str = "") -> Table:
    """Let A cut with eights, and ask B."""
    return Table(on, f"{cards} D5", b, "CK CA", "C10 C9", field=field, lock=lock, passed=passed).play(cards)


# --- 7カウンター -----------------------------------------------------------------------------------------------------


def test_the_diamond_7_keeps_the_8_on_the_field_and_the_turn_goes_on() -> None:
    table = cut(SEVEN, "D7 CJ", field="D:C5")
    assert (table.question, table.asked, table.plays) == ("seven_counter", "B", {"D7", "pass"})
    table.play("D7")
    assert (table.flushed, cards_text(table.top.cards), table.turn) == (False, "S8", "C")
    assert cards_text(table.state.discard) == "D7"
    assert table.state.owner == 0


def test_the_8_must_then_be_beaten_and_may_win_the_trick() -> None:
    table = cut(SEVEN, "D7 CJ").play("D7")
    assert table.plays == {"CK", "CA", "pass"}
    assert table.passes(3).turn == "A", "C, D and B pass"
    assert table.flushed


def test_it_ignores_locks_and_has_no_effect_of_7s() -> None:
    on = program("jdf4", "seven_counter", "seven_pass", "seven_reverse")
    table = cut(on, "D7 CJ", field="C:S5 | D:S6", lock="S").play("D7")
    assert (table.question, table.turn, table.state.is_clockwise(), table.locked) == ("", "C", True, "S")


@pytest.mark.parametrize("cards", ["H7", "S7", "CJ", "JK1"])
def test_no_other_card_counters(cards: str) -> None:
    assert cut(SEVEN, f"D7 {cards} C3").refusal(cards) == Reason.NOT_A_COUNTER


@pytest.mark.parametrize("cards", ["S8 H8", "S8 JK1", "S7 S8 S9"])
def test_only_a_single_8_is_countered(cards: str) -> None:
    assert cut(SEVEN, "D7 CJ", cards).question == ""


def test_with_the_last_card_its_player_goes_out() -> None:
    table = cut(SEVEN, "D7").play("D7")
    assert (table.finished, table.turn, table.flushed) == ("B", "C", False)


def test_a_foul_with_the_last_8_stands_and_the_8_stays() -> None:
    table = Table(SEVEN, "S8", "D7 CJ", "CK CA", "C10 C9").play("S8").play("D7")
    assert (table.fouled, table.turn, table.flushed) == ("A", "C", False)
    assert table.passes(3).flushed
    assert table.turn == "B", "the next seat after the one that is out"


def test_the_seven_is_told_to_have_left_the_field() -> None:
    table = cut(SEVEN, "D7 CJ").play("D7")
    moved = [(e.from_zone, e.to_zone) for e in table.events if isinstance(e, ev.CardsMoved)]
    assert moved == [(1, 2), (2, 3)]


def test_it_is_off_by_default() -> None:
    assert cut(program("jdf4"), "D7 CJ").turn == "A"


# --- 10返し ----------------------------------------------------------------------------------------------------------


def test_a_10_of_the_same_suit_ends_the_trick_in_the_cutters_stead() -> None:
    table = cut(TEN, "S10 H10 CJ")
    assert (table.question, table.plays) == ("ten_return", {"S10", "pass"})
    table.play("S10")
    assert (table.flushed, table.turn, table.hand("B")) == (True, "B", "H10 CJ")


def test_a_10_of_another_suit_is_no_answer() -> None:
    assert cut(TEN, "H10 CJ").refusal("H10") == Reason.NOT_A_COUNTER


def test_two_8s_need_two_10s_of_their_suits() -> None:
    assert cut(TEN, "S10 H10 D10 CJ", "S8 H8").plays == {"S10 H10", "pass"}
    assert cut(TEN, "S10 CJ", "S8 H8").plays == {"pass"}


def test_a_joker_among_the_8s_is_met_by_any_10_or_a_joker() -> None:
    assert cut(TEN, "S10 H10 JK2 CJ", "S8 JK1").plays == {"S10 H10", "S10 JK2", "pass"}


def test_where_one_10_is_enough_it_has_the_suit_of_one_of_the_8s() -> None:
    assert cut(ONE_TEN, "S10 H10 D10 CJ", "S8 H8").plays == {"S10", "H10", "pass"}
    assert cut(ONE_TEN, "S10 CJ", "S8 H8").play("S10").turn == "B"


def test_10s_that_answer_have_no_other_effect() -> None:
    on = program("jdf4", "ten_return", "ten_pass", "ten_discard", "ten_skip", "ten_reverse")
    table = cut(on, "S10 CJ CQ").play("S10")
    assert (table.question, table.turn, table.state.is_clockwise()) == ("", "B", True)


def test_who_lets_it_go_leaves_the_lead_to_the_cutter() -> None:
    table = cut(TEN, "S10 CJ").passes(3)
    assert (table.flushed, table.turn) == (True, "A")


# --- 8切り返し -------------------------------------------------------------------------------------------------------


def test_an_8_answers_an_8_and_its_player_leads() -> None:
    table = cut(EIGHT, "H8 CJ")
    assert table.plays == {"H8", "pass"}
    table.play("H8").passes(3)
    assert (table.flushed, table.turn) == (True, "B")


def test_the_8_that_answers_may_itself_be_answered() -> None:
    table = Table(EIGHT, "S8 D5", "H8 CJ", "D8 CK", "C8 C9").play("S8").play("H8")
    assert (table.asked, table.flushed) == ("C", False)
    table.play("D8")
    assert table.asked == "D"
    table.passes(3)
    assert (table.flushed, table.turn) == (True, "C")


def test_as_many_8s_are_needed_a_joker_may_be_one_of_them() -> None:
    assert cut(EIGHT, "H8 JK1 CJ", "S8 D8").plays == {"H8 JK1", "pass"}
    assert cut(EIGHT, "JK1 CJ").plays == {"pass"}


def test_the_last_8_that_answers_is_a_foul_like_any_last_8() -> None:
    assert cut(EIGHT, "H8").play("H8").passes(3).fouled == "B"


def test_at_some_tables_two_4s_answer_a_single_8() -> None:
    table = cut(FOURS, "S4 H4 H8 CJ")
    assert table.plays == {"S4 H4", "pass"}
    table.play("S4 H4")
    assert (table.flushed, table.turn) == (True, "B")
    assert cut(FOURS, "S4 H4 D4 C4 CJ", "S8 H8").question == ""


def test_all_answers_share_one_window() -> None:
    on = program("jdf4", "four_stop", "seven_counter", "ten_return", "eight_cut_return")
    table = cut(on, "S4 H4 D7 S10 H8 CJ")
    assert table.question == "four_stop seven_counter ten_return eight_cut_return"
    assert table.plays == {"S4 H4", "D7", "S10", "H8", "pass"}


def test_who_has_passed_may_not_answer() -> None:
    table = cut(TEN, "S10 CJ", field="D:S5", passed="B")
    assert table.asked == "C"
