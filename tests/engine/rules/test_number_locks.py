"""Locks of numbers, alone and together with suits."""

from __future__ import annotations

from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

NUMBERS = program("jdf4", "number_lock")
BOTH = program("jdf4", "number_lock", "fierce_lock", suit_lock=False)
FIERCE = program("jdf4", "fierce_lock", suit_lock=False)
REST = ("D10 DQ", "C10 CQ")


def test_one_step_up_locks_the_steps() -> None:
    table = Table(NUMBERS, "S6 D3", "D9 C7 S7 S4", *REST, field="D:H5").play("S6")
    assert table.locks == "number"
    assert table.refusal("D9") == Reason.LOCK_NUMBER
    assert table.plays == {"C7", "S7", "pass"}
    assert table.play("C7").locks == "number"


def test_more_than_one_step_locks_nothing() -> None:
    assert not Table(NUMBERS, "S7 D3", "D9 S4", *REST, field="D:H5").play("S7").locks


def test_a_pair_with_a_joker_is_a_step_too() -> None:
    table = Table(NUMBERS, "S6 JK1 D3", "D7 C7 D9 C9", *REST, field="D:H5 D5").play("S6 JK1")
    assert table.locks == "number"
    assert table.refusal("D9 C9") == Reason.LOCK_NUMBER
    assert table.play("D7 C7").turn == "C"


def test_jokers_alone_lift_a_lock_of_numbers() -> None:
    table = Table(NUMBERS, "S6 D3", "JK1 S4", "S3 C9", "C3 C4", field="D:H5").play("S6").play("JK1")
    assert not table.locks
    assert table.turn == "C"


def test_the_steps_are_those_of_the_order_in_force_and_its_ends_do_not_connect() -> None:
    table = Table(NUMBERS, "S4 D5", "H3 D2", *REST, field="D:H5", upside_down=True).play("S4").play("H3")
    assert table.locks == "number"
    table = Table(NUMBERS, "S2 D5", "H3 JK1 D6", *REST, field="D:HA").play("S2")
    assert table.plays == {"JK1", "pass"}


def test_sequences_make_no_lock_of_numbers() -> None:
    table = Table(NUMBERS, "S4 S5 S6 D3", "C3 C5", *REST, field="D:H3 H4 H5").play("S4 S5 S6")
    assert not table.locks


def test_numbers_and_suits_are_locked_beside_each_other() -> None:
    table = Table(NUMBERS, "H6 D3", "S7 H7 H9 S4", *REST, field="D:H5").play("H6")
    assert table.locks == "suit H, number"
    assert table.plays == {"H7", "pass"}


def test_three_plays_in_a_row_where_three_are_needed() -> None:
    on = program("jdf4", "number_lock", lock_plays_required=3)
    table = Table(on, "S6 D3", "D7 S4", "S8 D9", "C3 C4", field="D:H5").play("S6")
    assert not table.locks
    assert table.play("D7").locks == "number"


def test_a_step_up_by_another_suit_is_no_fierce_lock() -> None:
    assert not Table(FIERCE, "S6 D3", "D7 S4", *REST, field="D:H5").play("S6").locks


def test_a_step_up_in_the_same_suits_locks_both() -> None:
    table = Table(FIERCE, "H6 D3", "S7 H9 H7 S4", *REST, field="D:H5").play("H6")
    assert table.locks == "suit H, number"
    assert table.refusal("S7") == Reason.LOCK_SUIT
    assert table.refusal("H9") == Reason.LOCK_NUMBER
    assert table.play("H7").locks == "suit H, number"


def test_jokers_alone_lift_only_the_numbers_of_a_fierce_lock() -> None:
    table = Table(FIERCE, "H6 S6 D3", "JK1 JK2 S4", *REST, field="D:H5 S5").play("H6 S6").play("JK1 JK2")
    assert table.locks == "suit SH"


def test_a_joker_starts_no_fierce_lock() -> None:
    assert not Table(FIERCE, "H6 JK1 D3", "S7 S4", *REST, field="D:H5 S5").play("H6 JK1").locks


def test_with_both_on_another_suit_locks_numbers_and_the_same_suit_later_both() -> None:
    table = Table(BOTH, "S6 D3", "S7 H7 S4", *REST, field="D:H5").play("S6")
    assert table.locks == "number"
    assert table.play("S7").locks == "suit S, number"


def test_a_refused_play_breaks_each_lock_once() -> None:
    table = Table(BOTH, "H6 D3", "S9 S4", *REST, field="D:H5").play("H6")
    assert table.reasons("S9") == [Reason.LOCK_NUMBER, Reason.LOCK_SUIT]
