"""Ranks that let their player give or throw cards away."""

from __future__ import annotations

import pytest

from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

OTHERS = ("CJ CQ", "CK CA", "C3 C8")
GIVES = [("five_pass", "5"), ("seven_pass", "7"), ("ten_pass", "10")]
DISCARDS = [("seven_discard", "7"), ("ten_discard", "10"), ("queen_discard", "Q")]


@pytest.mark.parametrize(("rule", "rank"), GIVES)
def test_cards_up_to_the_number_played_go_to_the_next_seat(rule: str, rank: str) -> None:
    on = program("jdf4", rule)
    table = Table(on, f"S{rank} H{rank} D4 D6", *OTHERS).play(f"S{rank} H{rank}")
    assert (table.question, table.asked) == (rule, "A")
    assert table.answer("D4 D6").hand("B") == "D4 D6 CJ CQ"
    assert table.finished == "A"
    assert Table(on, f"S{rank} D4", *OTHERS).play(f"S{rank}").answer("").turn == "B"
    assert Table(on, f"S{rank} D4 D6", *OTHERS).play(f"S{rank}").refused_answer("D4 D6") == Reason.TOO_MANY_CARDS
    assert Table(program("jdf4"), f"S{rank} D4", *OTHERS).play(f"S{rank}").question == ""


@pytest.mark.parametrize(("rule", "rank"), DISCARDS)
def test_cards_up_to_the_number_played_go_to_the_discard_pile(rule: str, rank: str) -> None:
    on = program("jdf4", rule)
    table = Table(on, f"S{rank} JK1 D4 D6 D9", *OTHERS).play(f"S{rank} JK1")
    assert (table.question, table.asked) == (rule, "A")
    table.answer("D4 D6")
    assert table.state.discard.bit_count() == 2
    assert (table.hand("A"), table.turn) == ("D9", "B")
    assert Table(on, f"S{rank} D4", *OTHERS).play(f"S{rank}").answer("").state.discard == 0
    assert Table(on, f"S{rank} D4 D6", *OTHERS).play(f"S{rank}").refused_answer("D4 D6") == Reason.TOO_MANY_CARDS
    assert Table(program("jdf4"), f"S{rank} D4", *OTHERS).play(f"S{rank}").question == ""


@pytest.mark.parametrize(("rule", "rank"), [*GIVES, *DISCARDS])
def test_nobody_is_asked_after_the_last_card_or_for_a_sequence(rule: str, rank: str) -> None:
    on = program("jdf4", rule)
    assert Table(on, f"S{rank}", *OTHERS).play(f"S{rank}").finished == "A"
    sequence = {"5": "S5 S6 S7", "7": "S5 S6 S7", "10": "S9 S10 SJ", "Q": "SJ SQ SK"}[rank]
    assert Table(on, f"{sequence} D4", *OTHERS).play(sequence).question == ""


def test_discarding_the_last_card_is_going_out_and_a_foul_in_the_wide_range() -> None:
    on, wide = program("jdf4", "ten_discard"), program("jdf4", "ten_discard", foul_finish="wide")
    assert Table(on, "S10 D4", *OTHERS).play("S10").answer("D4").finished == "A"
    assert Table(wide, "S10 D4", *OTHERS).play("S10").answer("D4").fouled == "A"
    assert Table(wide, "S10", *OTHERS).play("S10").fouled == "A"
    assert Table(wide, "S10 D4 D5", *OTHERS).play("S10").answer("D4").fouled == ""


def test_giving_the_last_card_with_a_ten_is_no_foul_of_the_discard() -> None:
    wide = program("jdf4", "ten_discard", "ten_pass", foul_finish="wide")
    assert Table(wide, "S10 D4", *OTHERS).play("S10").answer("D4").finished == "A"


def test_what_is_given_comes_before_what_is_discarded() -> None:
    table = Table(program("jdf4", "ten_pass", "ten_discard"), "S10 D4 D5 D6", *OTHERS).play("S10")
    assert table.answer("D4").question == "ten_discard"
    table.answer("D5")
    assert (table.hand("A"), table.hand("B")) == ("D6", "D4 CJ CQ")


# --- 7付け -----------------------------------------------------------------------------------------------------------

ATTACH = program("jdf4", "seven_attach")


def test_as_many_cards_as_sevens_must_be_attached() -> None:
    table = Table(ATTACH, "S7 H7 D4 D5 D6", *OTHERS).play("S7 H7")
    assert table.refused_answer("D4") == Reason.TOO_FEW_CARDS
    assert table.refused_answer("D4 D5 D6") == Reason.TOO_MANY_CARDS
    assert table.answer("D4 D5").hand("A") == "D6"


def test_a_hand_that_has_fewer_attaches_them_all_and_goes_out() -> None:
    assert Table(ATTACH, "S7 H7 D4", *OTHERS).play("S7 H7").answer("D4").finished == "A"


def test_attached_cards_have_no_effect() -> None:
    table = Table(program("jdf4", "seven_attach", "jack_cut"), "S7 DJ DQ", *OTHERS).play("S7").answer("DJ")
    assert (table.flushed, table.turn) == (False, "B")


def test_attaching_comes_after_giving() -> None:
    table = Table(program("jdf4", "seven_attach", "seven_pass"), "S7 D4 D5 D6", *OTHERS).play("S7")
    assert table.question == "seven_pass"
    assert table.answer("D4").question == "seven_attach"
    assert table.answer("D5").hand("A") == "D6"


def test_one_discards_or_attaches_but_not_both() -> None:
    both = program("jdf4", "seven_attach", "seven_discard")
    table = Table(both, "S7 D4 D5 D6 H7", *OTHERS).play("S7")
    assert table.question == "seven_discard"
    assert table.answer("D4").turn == "B", "discarded: nothing is attached"
    again = Table(both, "S7 D4 D5 D6", *OTHERS).play("S7").answer("")
    assert again.question == "seven_attach", "nothing discarded: the sevens are owed a card"
    assert again.answer("D4").hand("A") == "D5 D6"


def test_each_play_of_sevens_stands_for_itself() -> None:
    both = program("jdf4", "seven_attach", "seven_discard")
    table = Table(both, "S7 H7 D4 D9 DJ DQ", "CK H4", "CA C2", "C3 C4").play("S7").answer("D4").passes(3)
    assert table.play("H7").answer("").question == "seven_attach"


# --- 9戻し -----------------------------------------------------------------------------------------------------------

RETURN = program("jdf4", "nine_return")


def test_as_many_cards_as_nines_go_to_the_seat_before() -> None:
    table = Table(RETURN, "S9 H9 D4 D5 D6", *OTHERS).play("S9 H9")
    assert (table.question, table.refused_answer("D4")) == ("nine_return", Reason.TOO_FEW_CARDS)
    table.answer("D4 D5")
    assert (table.hand("A"), table.hand("D"), table.turn) == ("D6", "C3 D4 D5 C8", "B")


def test_a_hand_that_has_fewer_returns_them_all_and_goes_out() -> None:
    assert Table(RETURN, "S9 H9 D4", *OTHERS).play("S9 H9").answer("D4").finished == "A"


def test_the_seat_before_is_that_of_the_new_direction() -> None:
    table = Table(program("jdf4", "nine_return", "nine_reverse"), "S9 D4 D5", *OTHERS).play("S9").answer("D4")
    assert (table.hand("B"), table.turn) == ("D4 CJ CQ", "D")


def test_the_nearest_seat_that_holds_cards_receives_whether_it_has_passed_or_not() -> None:
    table = Table(RETURN, "S9 D4 D5", "CJ CQ", "CK CA", "C8", turn="D").play("C8")
    assert table.fouled == "D"
    assert table.play("S9").answer("D4").hand("C") == "D4 CK CA"
    table = Table(RETURN, "S9 D4 D5", *OTHERS, field="B:S4", passed="D").play("S9").answer("D4")
    assert table.hand("D") == "C3 D4 C8"


def test_it_happens_before_a_flush() -> None:
    table = Table(program("jdf4", "nine_return", "ambulance"), "S9 H9 D4", *OTHERS).play("S9 H9")
    assert not table.flushed
    table.answer("D4")
    assert (table.flushed, table.finished, table.turn) == (True, "A", "B")
