"""Rules that meet in one play: what comes first in the pipeline has happened when the next one acts."""

from __future__ import annotations

from tests.engine.position import Table
from tests.engine.tables import EXTRAS, program

ALL = program("jdf4", *EXTRAS, bomber_removal_order="weakest_first")
OTHERS = ("C5 CJ", "H5 CA", "C10 C9")


def test_four_kings_revolt_and_then_everybody_passes_a_card_on() -> None:
    table = Table(ALL, "SK HK DK CK D4", *OTHERS).play("SK HK DK CK")
    assert table.state.revolution
    assert table.question == "reverend_king"


def test_four_queens_revolt_and_then_the_weakest_rank_is_that_of_the_new_order() -> None:
    table = Table(ALL, "SQ HQ DQ CQ D3 D10", "C5", "H6 S6", "C9 H10").play("SQ HQ DQ CQ")
    assert table.state.revolution
    assert table.answer("5 6 7 8").finished == "CB", "6s go before 5s while reversed"


def test_sevens_that_lock_a_suit_lock_it_before_cards_are_given() -> None:
    table = Table(ALL, "S7 D4 D5", *OTHERS, field="D:S5").play("S7")
    assert table.locked == "S"
    assert table.question == "seven_pass"


def test_four_eights_revolt_before_they_cut() -> None:
    table = Table(ALL, "S8 H8 D8 C8 D4", *OTHERS).play("S8 H8 D8 C8")
    assert (table.state.revolution, table.flushed, table.question) == (True, True, "")


def test_a_stop_flushes_the_field_and_then_3s_are_salvaged() -> None:
    table = Table(ALL, "H8 D9", "S4 H4 CJ", "CK CA", "C10 C9", field="D:S3").play("H8").play("S4 H4")
    assert table.flushed
    assert (table.question, table.asked) == ("salvage", "D")
    assert table.answer("H8").turn == "B"


def test_the_foul_of_an_8_is_settled_only_after_salvage() -> None:
    table = Table(ALL, "H8", "CQ CJ", "CK CA", "C10 C9", field="D:S3").play("H8").passes(3)
    assert (table.question, table.asked) == ("salvage", "D")
    assert table.fouled == ""
    table.answer("H8")
    assert (table.fouled, table.turn) == ("A", "B")


def test_a_first_place_falls_by_the_finish_that_a_gift_brings() -> None:
    table = Table(ALL, "S7 D4", "C5 CJ", "H6 CA", "C10 C9", field="D:H5", previous="BACD").play("S7").answer("D4")
    assert (table.finished, table.fallen, table.turn) == ("A", "B", "C")
    assert table.hand("B") == ""
    assert table.state.laid_away_count == 3, "the gift goes with the hand"


def test_a_first_place_falls_by_a_bomb_and_is_laid_away() -> None:
    table = Table(ALL, "SQ D4 D6", "C5 CJ", "H7", "C10 C9", field="D:HJ", previous="BACD").play("SQ").answer("7")
    assert (table.finished, table.fallen) == ("C", "B")
    assert table.turn == "D"
