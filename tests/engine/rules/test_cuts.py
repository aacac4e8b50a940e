"""Cuts: a rank that ends the trick, always or during a revolution."""

from __future__ import annotations

import pytest

from engine.program import Program
from tests.engine.position import Table
from tests.engine.tables import program

OTHERS = ("CA CQ", "CK C3", "C10 C9")
CUTS = [("four_cut", "4"), ("six_cut", "6"), ("ten_cut", "10"), ("jack_cut", "J"), ("queen_cut", "Q")]


@pytest.mark.parametrize(("rule", "rank"), CUTS)
@pytest.mark.parametrize("cards", ["S{0}", "S{0} H{0}", "S{0} JK1", "S{0} H{0} D{0}"])
def test_a_single_or_group_of_the_rank_ends_the_trick_and_its_player_leads(rule: str, rank: str, cards: str) -> None:
    cards = cards.format(rank)
    table = Table(program("jdf4", rule), f"{cards} H3", *OTHERS).play(cards)
    assert (table.flushed, table.turn) == (True, "A")


@pytest.mark.parametrize(("rule", "rank"), CUTS)
def test_another_rank_or_a_rule_that_is_off_does_not(rule: str, rank: str) -> None:
    assert not Table(program("jdf4", rule), "S9 H3", *OTHERS).play("S9").flushed
    assert not Table(program("jdf4"), f"S{rank} H3", *OTHERS).play(f"S{rank}").flushed


@pytest.mark.parametrize(
    ("rule", "cards"), [("four_cut", "S3 S4 S5"), ("six_cut", "S6 S7 S8"), ("queen_cut", "SJ SQ SK")]
)
def test_a_sequence_with_the_rank_does_not(rule: str, cards: str) -> None:
    assert not Table(program("jdf4", rule), f"{cards} H3", *OTHERS).play(cards).flushed


@pytest.mark.parametrize(("rule", "rank"), CUTS)
def test_finishing_with_the_cut_is_no_foul_and_the_next_seat_leads(rule: str, rank: str) -> None:
    table = Table(program("jdf4", rule), f"S{rank}", *OTHERS).play(f"S{rank}")
    assert (table.finished, table.fouled, table.flushed, table.turn) == ("A", "", True, "B")


REVOLUTION_CUTS = [
    (program("jdf4", "five_cut_in_revolution"), "5"),
    (program("jdf4", "seven_cut_in_revolution"), "7"),
    (program("jdf4", "six_cut", six_cut_condition="revolution_only"), "6"),
]


@pytest.mark.parametrize(("on", "rank"), REVOLUTION_CUTS)
@pytest.mark.parametrize("cards", ["S{0}", "S{0} H{0}"])
def test_some_cut_during_a_revolution_only(on: Program, rank: str, cards: str) -> None:
    cards = cards.format(rank)
    assert not Table(on, f"{cards} H3", *OTHERS).play(cards).flushed
    assert Table(on, f"{cards} H3", *OTHERS, upside_down=True).play(cards).flushed


@pytest.mark.parametrize(("on", "rank"), REVOLUTION_CUTS)
def test_the_group_that_makes_the_revolution_or_ends_it_does_not_cut(on: Program, rank: str) -> None:
    four = f"S{rank} H{rank} D{rank} C{rank}"
    for upside_down in (False, True):
        table = Table(on, f"{four} H3", *OTHERS, upside_down=upside_down).play(four)
        assert (table.flushed, table.state.revolution) == (False, not upside_down)


def test_a_group_that_may_not_return_the_revolution_cuts_in_it() -> None:
    on = program("jdf4", "five_cut_in_revolution", counter_revolution=False)
    assert Table(on, "S5 H5 D5 C5 H3", *OTHERS, upside_down=True).play("S5 H5 D5 C5").flushed


def test_an_eight_in_a_sequence_cuts_where_the_rule_is_on() -> None:
    on = program("jdf4", "eight_cut_in_sequence")
    for cards in ("S6 S7 S8", "S7 JK1 S9", "S8 S9 S10 SJ"):
        table = Table(on, f"{cards} H3", *OTHERS).play(cards)
        assert (table.flushed, table.turn) == (True, "A")
        assert not Table(program("jdf4"), f"{cards} H3", *OTHERS).play(cards).flushed
    assert not Table(on, "S9 S10 SJ H3", *OTHERS).play("S9 S10 SJ").flushed


def test_finishing_with_an_eight_in_a_sequence_that_cuts_is_no_foul() -> None:
    table = Table(program("jdf4", "eight_cut_in_sequence"), "S6 S7 S8", *OTHERS).play("S6 S7 S8")
    assert (table.finished, table.flushed, table.turn) == ("A", True, "B")


def test_a_sequence_that_cuts_cannot_be_stopped() -> None:
    on = program("jdf4", "eight_cut_in_sequence", "four_stop", "ten_return", "eight_cut_return")
    table = Table(on, "S6 S7 S8 H3", "S4 H4 D4", "H8 D8", "S10 H10").play("S6 S7 S8")
    assert (table.question, table.flushed) == ("", True)


def test_effects_that_move_cards_come_before_the_cut() -> None:
    on = program("jdf4", "queen_cut", "queen_discard", "queen_bomber")
    table = Table(on, "SQ D4 D5 H3", "C5 CJ", "H6 CA", "C10 C9").play("SQ")
    assert (table.question, table.flushed) == ("queen_discard", False)
    table.answer("D4")
    assert (table.question, table.flushed) == ("queen_bomber", False)
    table.answer("5")
    assert (table.flushed, table.turn, table.hand("A")) == (True, "A", "H3")
