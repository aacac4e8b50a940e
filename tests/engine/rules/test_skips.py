"""Skips: a rank that makes the next seats miss a turn."""

from __future__ import annotations

import pytest

from tests.engine.position import Table
from tests.engine.tables import program

ON = program("jdf4", "five_skip")
SKIPS = [("five_skip", "5"), ("six_skip", "6"), ("ten_skip", "10"), ("king_skip", "K")]


@pytest.mark.parametrize(
    ("cards", "turn"), [("S5", "C"), ("S5 H5", "D"), ("S5 JK1", "D"), ("S4", "B"), ("S4 S5 S6", "B")]
)
def test_a_five_skips_a_seat_for_each_card(cards: str, turn: str) -> None:
    assert Table(ON, f"{cards} D9", "CJ CQ", "CK CA", "C10 C9").play(cards).turn == turn


def test_as_many_fives_as_other_seats_come_round_and_flush() -> None:
    table = Table(ON, "S5 H5 D5 D9", "CJ CQ", "CK CA", "C10 C9").play("S5 H5 D5")
    assert table.turn == "A"
    assert table.flushed


@pytest.mark.parametrize(("rule", "rank"), SKIPS)
def test_each_rank_skips_where_its_rule_is_on(rule: str, rank: str) -> None:
    others = ("CJ CQ", "C3 CA", "C7 C9")
    assert Table(program("jdf4", rule), f"S{rank} H{rank} D9", *others).play(f"S{rank} H{rank}").turn == "D"
    assert Table(program("jdf4"), f"S{rank} D9", *others).play(f"S{rank}").turn == "B"


def test_kings_may_skip_always_one() -> None:
    on = program("jdf4", "king_skip", king_skip_count="always_one")
    assert Table(on, "SK HK D9", "CJ CQ", "C3 CA", "C10 C9").play("SK HK").turn == "C"


def test_among_two_seats_the_player_goes_on_at_an_empty_field() -> None:
    table = Table(program("jdf4", "five_skip", seats=2), "S5 D9", "CJ CQ", field="B:S4").play("S5")
    assert (table.turn, table.flushed) == ("A", True)


def test_seats_that_are_out_are_not_counted() -> None:
    table = Table(ON, "C4 C3", "H8", "CK CA S5", "C10 C9", turn="B").play("H8")
    assert (table.fouled, table.turn) == ("B", "C")
    assert table.play("S5").turn == "A", "D is skipped"
    table = Table(ON, "C4 C3", "H8", "CK CA S5 H5", "C10 C9", turn="B").play("H8").play("S5 H5")
    assert (table.turn, table.flushed) == ("C", True)


def test_a_seat_that_has_passed_is_counted() -> None:
    assert Table(ON, "S5 D9", "CJ CQ", "CK CA", "C10 C9", field="D:S4", passed="B").play("S5").turn == "C"


def test_a_skip_is_no_pass_and_lasts_one_turn() -> None:
    table = Table(ON, "S5 D9", "CJ CQ", "CK CA", "C10 C9").play("S5")
    assert table.state.passed == 0
    assert table.play("CK").turn == "D"
    assert table.passes(2).turn == "B", "B was skipped once"


def test_a_skip_ends_with_the_trick() -> None:
    table = Table(program("jdf4", "five_skip", "five_cut_in_revolution"), "S5 D9", "CJ CQ", "CK CA", "C10 C9",
                  upside_down=True).play("S5")  # fmt: skip
    assert (table.flushed, table.turn) == (True, "A")
    assert table.play("D9").turn == "B"


def test_cards_are_given_before_the_next_seat_is_skipped() -> None:
    table = Table(program("jdf4", "five_skip", "five_pass"), "S5 D9 D4", "CJ CQ", "CK CA", "C10 C9").play("S5")
    assert table.question == "five_pass"
    table.answer("D4")
    assert (table.hand("B"), table.turn) == ("D4 CJ CQ", "C")


def test_the_direction_after_a_reverse_of_the_same_play_counts() -> None:
    on = program("jdf4", "ten_skip", "ten_reverse")
    assert Table(on, "S10 D9", "CJ CQ", "CK CA", "C7 C9").play("S10").turn == "C"
    assert Table(on, "S10 D9", "CJ CQ", "CK CA", "C7 C9").play("S10").state.rests == [0, 0, 0, 0]
