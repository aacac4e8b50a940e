"""Foul finishes (chapter 12).

Articles: JDF 43 47 59 60 61 62 75 76
"""

from __future__ import annotations

import pytest

from tests.engine.position import Table
from tests.engine.tables import program

JDF4 = program("jdf4")
OTHERS = ("CJ CQ", "CK CA", "C10 C9")

FOULS = {
    "a 2": ("S2", False),
    "two 2s": ("S2 H2", False),
    "a 2 in a sequence": ("SK SA S2", False),
    "a 2 that a joker stands for": ("SK SA JK1", False),
    "a lone joker": ("JK1", False),
    "two jokers": ("JK1 JK2", False),
    "a joker in a pair": ("S5 JK1", False),
    "a joker in a sequence": ("S5 S6 JK1", False),
    "an 8": ("S8", False),
    "three 8s": ("S8 H8 D8", False),
    "the spade 3 alone": ("S3", False),
    "a 3 while reversed": ("H3", True),
    "the spade 3 alone while reversed": ("S3", True),
    "two 3s while reversed": ("S3 H3", True),
    "a 3 in a sequence while reversed": ("S3 S4 S5", True),
    "four 3s, which turn the order over": ("S3 H3 D3 C3", False),
    "four 2s, which turn the order back": ("S2 H2 D2 C2", True),
    "a joker while reversed": ("JK1", True),
    "an 8 while reversed": ("S8", True),
}
FREE = {
    "a 3 of another suit": ("H3", False),
    "two 3s with the spade 3": ("S3 H3", False),
    "a sequence with the spade 3": ("S3 S4 S5", False),
    "an 8 in a sequence": ("S7 S8 S9", False),
    "an ace": ("SA", False),
    "a 2 while reversed": ("S2", True),
    "a sequence with a 2 while reversed": ("SK SA S2", True),
    "four 2s, which turn the order over": ("S2 H2 D2 C2", False),
    "four 3s, which turn the order back": ("S3 H3 D3 C3", True),
}


@pytest.mark.parametrize("name", FOULS)
def test_one_may_not_go_out_with(name: str) -> None:
    cards, upside_down = FOULS[name]
    table = Table(JDF4, cards, *OTHERS, upside_down=upside_down)
    table.play(cards)
    assert table.fouled == "A"
    assert table.finished == ""
    assert table.turn == "B"


@pytest.mark.parametrize("name", FREE)
def test_one_may_go_out_with(name: str) -> None:
    cards, upside_down = FREE[name]
    table = Table(JDF4, cards, *OTHERS, upside_down=upside_down).play(cards)
    assert table.finished == "A"
    assert table.fouled == ""


def test_the_same_cards_are_no_foul_while_others_are_left() -> None:
    for cards, upside_down in FOULS.values():
        table = Table(JDF4, f"{cards} D9", *OTHERS, upside_down=upside_down).play(cards)
        assert table.fouled == table.finished == ""


def test_a_lone_spade_3_over_a_joker_is_a_foul_too() -> None:
    assert Table(JDF4, "S3", *OTHERS, field="D:JK1").play("S3").fouled == "A"


def test_the_first_foul_is_last_and_the_second_above_it() -> None:
    table = Table(JDF4, "S2", "JK1", "C4 C5", "C6 C7").play("S2").play("JK1").passes(2)
    assert table.fouled == "AB"
    assert table.turn == "C"
    table.play("C4").play("C6").passes().play("C7")
    assert table.places == "DCBA"


def test_three_fouls_leave_the_first_place_to_whoever_is_left() -> None:
    table = Table(JDF4, "S8", "H8", "D8", "C6 C7").play("S8").play("H8").play("D8")
    assert table.places == "DCBA"
    assert table.state.totals == [0, 2, 4, 6]


def test_the_cards_of_a_foul_stay_on_the_field() -> None:
    table = Table(JDF4, "S2", *OTHERS).play("S2")
    assert not table.flushed
    assert table.plays == {"pass"}


def test_with_three_players_the_second_foul_is_in_the_middle() -> None:
    table = Table(program("jdf3"), "S2", "S8", "H6 H7").play("S2").passes(2).play("S8")
    assert table.places == "CBA"


def test_with_two_players_a_foul_makes_the_other_first() -> None:
    table = Table(program("jdf4", seats=2), "S2", "H6 H7").play("S2")
    assert table.places == "BA"
