"""Locks (chapter 11).

Articles: JDF 54 55 56 57 58 73
"""

from __future__ import annotations

import pytest

from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

JDF4 = program("jdf4")
C, D = "CK CA", "C10 C9"


def follow(field: str, cards: str, *more: str, lock: str = "") -> Table:
    """Let A answer the field with these cards."""
    return Table(JDF4, f"{cards} D3", *(more or ("CJ CQ",)), C, D, field=field, lock=lock).play(cards)


def test_two_plays_of_one_suit_in_a_row_lock_it() -> None:
    table = follow("D:H5", "H9", "S10 H10 C5")
    assert table.locked == "H"
    assert table.refusal("S10") == Reason.LOCK_SUIT
    assert table.play("H10").locked == "H"


def test_two_plays_of_different_suits_lock_nothing() -> None:
    assert follow("D:H5", "S9").locked == ""


def test_one_play_alone_locks_nothing() -> None:
    assert Table(JDF4, "H5 D3", "CJ", C, D).play("H5").locked == ""
    assert Table(JDF4, "H5 S5 D3", "CJ", C, D).play("H5 S5").locked == ""


def test_pairs_lock_when_both_suits_are_the_same() -> None:
    assert follow("D:H5 S5", "H9 S9").locked == "SH"
    assert follow("D:H5 S5", "H9 D9").locked == ""


def test_a_locked_pair_needs_both_suits() -> None:
    table = Table(JDF4, "S9 H9 D9 C9 JK1", "CJ", C, "C10", field="D:H5 S5", lock="SH")
    assert table.refusal("H9 D9") == Reason.LOCK_SUIT
    assert table.refusal("D9 C9") == Reason.LOCK_SUIT
    assert table.play("S9 H9").locked == "SH"


def test_sequences_lock_their_suit() -> None:
    table = follow("D:H3 H4 H5", "H6 H7 H8", "S9 S10 SJ H9 H10 HJ C4")
    assert table.locked == "H"
    assert table.refusal("S9 S10 SJ") == Reason.LOCK_SUIT
    assert table.play("H9 H10 HJ").turn == "C"


def test_the_number_of_cards_does_not_matter_for_a_lock() -> None:
    assert follow("D:H5 S5 D5", "H9 S9 D9").locked == "SHD"
    assert follow("D:H3 H4 H5 H6", "H7 H8 H9 H10").locked == "H"


def test_a_joker_fills_in_for_a_locked_suit() -> None:
    table = Table(JDF4, "S9 H9 D9 JK1 JK2", "CJ", C, D, field="D:H5 S5", lock="SH")
    assert "S9 JK1" in table.plays
    assert "H9 JK1" in table.plays
    assert "JK1 JK2" in table.plays
    assert table.refusal("D9 JK1") == Reason.LOCK_SUIT


def test_hearts_with_a_joker_hold_a_lock_of_hearts_and_clubs_do_not() -> None:
    table = Table(JDF4, "H6 H7 C6 C7 JK1", "CJ", C, D, field="D:H3 H4 H5", lock="H")
    assert table.refusal("C6 C7 JK1") == Reason.LOCK_SUIT
    assert table.play("H6 H7 JK1").locked == "H"


def test_a_lone_joker_may_be_played_into_a_lock_and_the_lock_stays() -> None:
    assert follow("C:H5 | D:H7", "JK1", lock="H").locked == "H"


@pytest.mark.parametrize(("field", "cards"), [("D:H5 S5", "H9 JK1"), ("D:H5 JK2", "H9 JK1"), ("D:H5", "JK1")])
def test_a_play_with_a_joker_starts_no_lock(field: str, cards: str) -> None:
    assert follow(field, cards).locked == ""


def test_a_sequence_with_a_joker_starts_no_lock() -> None:
    assert follow("D:H3 H4 H5", "H6 H7 JK1").locked == ""
    assert follow("D:H3 H4 JK1", "H6 H7 H8").locked == ""


def test_a_play_with_a_joker_between_breaks_the_row() -> None:
    assert follow("C:H5 S5 | D:H6 JK1", "H9 S9").locked == ""


def test_a_flush_ends_the_lock() -> None:
    assert follow("D:H5", "H9").passes(3).locked == ""
    assert follow("D:H5", "H8").locked == ""
    assert Table(JDF4, "S3 D9", "CJ", C, D, field="B:H5 | C:H9 | D:JK1", lock="H").play("S3").locked == ""


def test_a_revolution_does_not_end_the_lock() -> None:
    table = Table(JDF4, "S9 H9 D9 C9 D3", "CJ", C, "C10", field="C:S5 H5 D5 C5 | D:S7 H7 D7 C7", lock="SHDC")
    assert table.play("S9 H9 D9 C9").locked == "SHDC"


def test_four_equal_cards_of_all_suits_lock_too() -> None:
    assert follow("D:S5 H5 D5 C5", "S7 H7 D7 C7", "CJ").locked == "SHDC"


def test_a_lock_holds_with_more_plays_where_more_are_needed() -> None:
    three = program("jdf4", lock_plays_required=3)
    table = Table(three, "H9 D3", "H10 H4", C, D, field="D:H5").play("H9")
    assert table.locked == ""
    assert table.play("H10").locked == "H"
