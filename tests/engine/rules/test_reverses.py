"""Reverses: a rank that turns the direction of play."""

from __future__ import annotations

import pytest

from engine import events as ev
from tests.engine.position import Table
from tests.engine.tables import program

OTHERS = ("CJ CA", "C5 C6", "C4 C3")
REVERSES = [("seven_reverse", "7"), ("nine_reverse", "9"), ("ten_reverse", "10"), ("queen_reverse", "Q")]


@pytest.mark.parametrize(("rule", "rank"), REVERSES)
@pytest.mark.parametrize("cards", ["S{0}", "S{0} H{0}", "S{0} JK1"])
def test_a_play_of_the_rank_turns_the_direction_once(rule: str, rank: str, cards: str) -> None:
    cards = cards.format(rank)
    table = Table(program("jdf4", rule), f"{cards} D3", *OTHERS).play(cards)
    assert (table.state.is_clockwise(), table.turn) == (False, "D")
    assert [event.clockwise for event in table.events if isinstance(event, ev.DirectionChanged)] == [False]
    assert Table(program("jdf4"), f"{cards} D3", *OTHERS).play(cards).turn == "B"


@pytest.mark.parametrize(("rule", "rank"), REVERSES)
def test_other_ranks_and_sequences_do_not(rule: str, rank: str) -> None:
    for cards in ("S8", "S7 S8 S9", "S9 S10 SJ", "S10 SJ SQ"):
        assert Table(program("jdf4", rule), f"{cards} D3", *OTHERS).play(cards).state.is_clockwise()


def test_a_second_one_turns_it_back_and_different_ranks_add_up() -> None:
    on = program("jdf4", "nine_reverse", "ten_reverse")
    table = Table(on, "S9 D3", "CJ CA", "C5 C6", "C4 H9 H10").play("S9")
    assert table.play("H10").state.is_clockwise()
    assert table.turn == "A"


def test_it_outlasts_the_flush_but_not_the_game() -> None:
    table = Table(program("jdf4", "nine_reverse"), "S9 D3", *OTHERS).play("S9").passes(3)
    assert (table.flushed, table.turn, table.state.is_clockwise()) == (True, "A", False)
    assert table.play("D3").finished == "A"
    assert table.turn == "D"


def test_that_of_queens_ends_with_the_flush_and_leaves_others_alone() -> None:
    on = program("jdf4", "nine_reverse", "queen_reverse")
    table = Table(on, "S9 D3", "CJ CA", "C5 C6", "C4 HQ").play("S9").play("HQ")
    assert (table.state.is_clockwise(), table.turn) == (True, "A")
    table.passes(3)
    assert (table.flushed, table.state.is_clockwise()) == (True, False)
    told = [event for event in table.events if isinstance(event, ev.FieldFlushed | ev.DirectionChanged)]
    assert [type(event) for event in told] == [ev.FieldFlushed, ev.DirectionChanged]


def test_a_queen_that_cuts_turns_and_turns_back_at_once() -> None:
    table = Table(program("jdf4", "queen_reverse", "queen_cut"), "SQ D3", *OTHERS).play("SQ")
    assert (table.flushed, table.state.is_clockwise(), table.turn) == (True, True, "A")


def test_with_two_seats_that_hold_cards_nothing_turns() -> None:
    on = program("jdf4", "nine_reverse", seats=3)
    table = Table(on, "S9", "CJ CA", "C5 C6").play("S9")
    assert (table.finished, table.state.is_clockwise(), table.turn) == ("A", True, "B")


def test_cards_are_given_in_the_direction_before() -> None:
    table = Table(program("jdf4", "seven_pass", "seven_reverse"), "S7 D3 D4", *OTHERS).play("S7").answer("D4")
    assert (table.hand("B"), table.turn) == ("D4 CJ CA", "D")


def test_seats_emptied_by_a_bomb_go_out_in_the_direction_before() -> None:
    on = program("jdf4", "queen_bomber", "queen_reverse", seats=5)
    table = Table(on, "SQ D10 D9", "H5", "C3 C4", "C5", "CJ CA").play("SQ").answer("5")
    assert (table.finished, table.turn) == ("BD", "E")
