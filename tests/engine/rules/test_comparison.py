"""Strong sevens, and plays that nobody can answer."""

from __future__ import annotations

import pytest

from engine.events import FieldFlushed
from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

RED = program("jdf4", seven_strength="red_seven")
BLACK = program("jdf4", seven_strength="black_seven")
REST = ("D10 DQ", "C10 CQ")


def test_a_red_seven_beats_a_two_in_normal_times() -> None:
    table = Table(RED, "H7 D9", "D7 JK1 S4", *REST, field="D:C2").play("H7")
    assert table.refusal("D7") == Reason.NOT_STRONGER
    assert table.plays == {"JK1", "pass"}


@pytest.mark.parametrize(("cards", "legal"), [("H7", True), ("S7", False), ("D7", True)])
def test_only_red_sevens_do(cards: str, legal: bool) -> None:
    table = Table(RED, "H7 S7 D7 D9", "S9 S5", *REST, field="D:C9")
    assert (cards in table.plays) == legal


def test_in_a_revolution_black_sevens_beat_a_three_and_red_ones_do_not() -> None:
    table = Table(BLACK, "S7 H7 D9", "S9 S5", *REST, field="D:C3", upside_down=True)
    assert table.plays == {"S7", "pass"}


def test_a_colour_is_strong_at_its_time_only() -> None:
    assert "H7" not in Table(RED, "H7 D9", "S9 S5", *REST, field="D:C3", upside_down=True).plays
    assert "S7" not in Table(BLACK, "S7 D9", "S9 S5", *REST, field="D:C2").plays


def test_a_temporary_reversal_does_not_matter() -> None:
    table = Table(RED, "H7 D9", "S9 S5", *REST, field="D:C3", upside_down=True)
    table.state.revolution = False
    assert table.plays == {"H7", "pass"}


def test_all_real_sevens_of_a_group_need_the_colour() -> None:
    table = Table(RED, "H7 D7 S7 JK1 D9", "S9 S5", *REST, field="D:C9 S9")
    assert {"H7 D7", "H7 JK1", "D7 JK1"} <= table.plays
    assert "S7 H7" not in table.plays
    assert "S7 JK1" not in table.plays


def test_a_seven_beats_no_joker_and_nothing_by_being_in_a_sequence() -> None:
    table = Table(RED, "H7 D9", "S9 S5", "S4 S6", "C3 C4", field="D:JK1")
    assert table.refusal("H7") == Reason.NOT_STRONGER
    table = Table(RED, "H5 H6 H7 D9", "S9 S5", *REST, field="D:S8 S9 S10")
    assert table.refusal("H5 H6 H7") == Reason.NOT_STRONGER


def test_a_seven_is_an_ordinary_number_to_a_lock() -> None:
    on = program("jdf4", "number_lock", seven_strength="red_seven")
    table = Table(on, "H7 D9", "S8 C8 JK1 S5", *REST, field="D:C6").play("H7")
    assert table.locks == "number"
    assert table.plays == {"JK1", "pass"}


# --- unanswerable plays ---


def flush_rules(table: Table) -> list[str]:
    """Which rules have flushed."""
    return [event.rule for event in table.events if isinstance(event, FieldFlushed)]


ON = program("jdf4", "unreturnable_flush")
EXACT = program("jdf4", "unreturnable_flush", unreturnable_flush__basis="exact_hands")


def test_a_play_that_no_other_hand_could_answer_ends_the_trick() -> None:
    table = Table(ON, "S2 D9", "SA S5", "SK C3", "CQ C4").play("S2")
    assert table.turn == "A"
    assert flush_rules(table) == ["unreturnable_flush"]


def test_a_play_that_somebody_could_answer_stays() -> None:
    table = Table(ON, "S2 D9", "SA S5", "JK1 C3", "CQ C4").play("S2")
    assert table.turn == "B"
    assert not table.flushed


def test_cards_of_different_hands_count_together_or_each_hand_by_itself() -> None:
    hands = ("S9 H9 D4", "SA S5", "CA C3", "CQ C4")
    assert not Table(ON, *hands).play("S9 H9").flushed
    assert Table(EXACT, *hands).play("S9 H9").flushed


def test_cards_of_seats_that_have_passed_do_not_count() -> None:
    table = Table(ON, "SQ D9", "SA S5", "SJ C3", "CJ C4", field="D:H5", passed="B").play("SQ")
    assert table.flushed
    table = Table(ON, "SQ D9", "SA S5", "SJ C3", "CJ C4", field="D:H5", passed="C").play("SQ")
    assert not table.flushed


def test_where_a_pass_does_not_lock_out_everybody_counts() -> None:
    on = program("jdf4", "unreturnable_flush", pass_out=False)
    table = Table(on, "SQ D9", "SA S5", "SJ C3", "CJ C4", field="D:H5", passed="B").play("SQ")
    assert not table.flushed


def test_a_joker_is_answered_by_the_spade_three() -> None:
    assert not Table(ON, "JK1 D9", "S3 S5", "SJ C3", "CJ C4").play("JK1").flushed
    assert Table(ON, "JK1 D9", "S6 S5", "SJ C3", "CJ C4").play("JK1").flushed


def test_the_order_after_a_revolution_counts() -> None:
    table = Table(ON, "S4 H4 D4 C4 D9", "S5 H5 D5 C5", "SJ C6", "CJ C7").play("S4 H4 D4 C4")
    assert table.flushed
    assert table.state.revolution


def test_a_lock_makes_a_play_unanswerable() -> None:
    table = Table(ON, "HQ D4", "SK S2", "H4 C3", "D5 C6", field="C:H9 | D:HJ", lock="H").play("HQ")
    assert flush_rules(table) == ["unreturnable_flush"]


def test_a_down_number_answers() -> None:
    on = program("jdf4", "unreturnable_flush", "down_number")
    assert not Table(on, "S2 D9", "SA S5", "SK C3", "CQ C4").play("S2").flushed
    assert Table(on, "S2 D9", "HA S5", "SK C3", "CQ C4").play("S2").flushed


def test_a_cut_by_an_eight_is_told_as_such_and_its_window_stays() -> None:
    on = program("jdf4", "unreturnable_flush", "four_stop")
    table = Table(on, "S8 D9", "H4 D4 S5", "SK C3", "CQ C4").play("S8")
    assert table.question == "four_stop"
    assert flush_rules(table.passes(3)) == ["eight_cut"]
