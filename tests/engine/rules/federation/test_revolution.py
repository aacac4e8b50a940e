"""Revolution (chapter 10) and the numbers of cards it takes with three players (article 11).

Articles: JDF 11 48 49 50 51 52
"""

from __future__ import annotations

import pytest

from engine.game import start_game
from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

JDF4, JDF3, JDF5 = program("jdf4"), program("jdf3"), program("jdf5")
OTHERS = ("CJ CQ", "CK CA", "C10 C9")


@pytest.mark.parametrize("cards", ["S7 H7 D7 C7", "S7 H7 D7 JK1", "SQ HQ JK1 JK2", "S7 H7 D7 C7 JK1"])
def test_four_or_more_of_a_rank_turn_the_order_over(cards: str) -> None:
    table = Table(JDF4, f"{cards} D4", *OTHERS).play(cards)
    assert table.state.revolution
    assert table.state.order == 1
    assert table.turn == "B"


def test_three_of_a_rank_and_sequences_do_not_revolt() -> None:
    assert not Table(JDF4, "S7 H7 D7 D4", *OTHERS).play("S7 H7 D7").state.revolution
    assert not Table(JDF4, "S7 S8 S9 S10 D4", *OTHERS).play("S7 S8 S9 S10").state.revolution
    assert not Table(JDF5, "S7 H7 D7 D4", *OTHERS, "SK SA").play("S7 H7 D7").state.revolution


def test_three_of_a_rank_revolt_with_three_players() -> None:
    assert Table(JDF3, "S7 H7 D7 D4", "HJ HQ", "HK HA").play("S7 H7 D7").state.revolution
    assert Table(JDF3, "S7 H7 JK1 D4", "HJ HQ", "HK HA").play("S7 H7 JK1").state.revolution
    assert not Table(JDF3, "S7 H7 D4", "HJ HQ", "HK HA").play("S7 H7").state.revolution


def test_the_order_is_turned_at_once_for_the_answers() -> None:
    table = Table(JDF4, "S7 H7 D7 C7 D4", "S6 H6 D6 C6 S9", "CK CA", "S10 H10 D10 C10 DJ").play("S7 H7 D7 C7")
    assert table.play("S6 H6 D6 C6").turn == "C"
    assert not table.state.revolution
    table = Table(JDF4, "S7 H7 D7 C7 D4", "S6 H6", "CK CA", "S10 H10 D10 C10 DJ").play("S7 H7 D7 C7").passes(2)
    assert table.refusal("S10 H10 D10 C10") == Reason.NOT_STRONGER


def test_a_revolution_in_a_revolution_turns_the_order_back() -> None:
    table = Table(JDF4, "S7 H7 D7 C7 D4", *OTHERS, upside_down=True).play("S7 H7 D7 C7")
    assert not table.state.revolution
    assert table.state.order == 0


def test_a_revolution_outlasts_the_flush() -> None:
    table = Table(JDF4, "S7 H7 D7 C7 D4 D5", *OTHERS).play("S7 H7 D7 C7").passes(3)
    assert table.flushed
    assert table.state.revolution
    assert table.play("D5").refusal("CJ") == Reason.NOT_STRONGER


def test_a_revolution_ends_with_the_game() -> None:
    table = Table(JDF4, "S7 H7 D7 C7", "C4", "C5", "C6").play("S7 H7 D7 C7").passes(3)
    assert table.turn == "B"
    table.play("C4")
    while table.state.playing:
        table.passes() if "pass" in table.plays else table.play(table.plays.pop())
    after, _ = start_game(table.state, b"next")
    assert not after.revolution
    assert after.order == 0


def test_four_eights_revolt_and_cut() -> None:
    table = Table(JDF4, "S8 H8 D8 C8 D4", *OTHERS).play("S8 H8 D8 C8")
    assert table.state.revolution
    assert table.flushed
    assert table.turn == "A"
