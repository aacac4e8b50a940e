"""Down numbers: answers that are one step weaker."""

from __future__ import annotations

import pytest

from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

DOWN = program("jdf4", "down_number")
GROUPS = program("jdf4", "down_number", down_number_count="same_suit_groups")
KEEP = program("jdf4", "down_number", down_number_after="keep_down", down_number_count="same_suit_groups")
REST = ("D10 DQ", "C10 CQ")


def test_a_card_of_the_same_suit_one_step_weaker_answers() -> None:
    table = Table(DOWN, "H6 D6 H5 D9", "S9 S4", *REST, field="D:H7")
    assert table.plays == {"H6", "D9", "pass"}
    assert table.play("H6").locks == "suit H"


@pytest.mark.parametrize(("field", "cards"), [("D:H7", "D6"), ("D:H7", "H5"), ("D:H3", "JK1")])
def test_no_other_weaker_card_does(field: str, cards: str) -> None:
    table = Table(DOWN, "D6 H5 H2 JK1 S9", "SJ S4", *REST, field=field)
    if cards == "JK1":
        assert table.play(cards).turn == "B"
    else:
        assert table.refusal(cards) == Reason.NOT_STRONGER


def test_down_is_where_the_order_in_force_goes_down_and_its_ends_do_not_connect() -> None:
    table = Table(DOWN, "H8 H6 D9", "S9 S4", *REST, field="D:H7", upside_down=True)
    assert table.plays == {"H8", "H6", "pass"}
    table = Table(DOWN, "H2 D9", "S9 S4", *REST, field="D:H3", upside_down=True)
    assert table.refusal("H2") == Reason.NOT_STRONGER


def test_groups_go_down_only_where_that_is_chosen_and_in_exactly_the_same_suits() -> None:
    hands = ("H6 S6 D6 D9", "S9 S4", *REST)
    assert Table(DOWN, *hands, field="D:H7 S7").refusal("H6 S6") == Reason.NOT_STRONGER
    table = Table(GROUPS, *hands, field="D:H7 S7")
    assert table.refusal("H6 D6") == Reason.NOT_STRONGER
    assert table.play("H6 S6").turn == "B"


def test_jokers_take_no_part_in_a_down_number() -> None:
    table = Table(GROUPS, "H6 S6 D9", "S9 S4", *REST, field="D:H7 JK1")
    assert table.refusal("H6 S6") == Reason.NOT_STRONGER
    table = Table(GROUPS, "H6 JK2 D9", "S9 S4", *REST, field="D:H7 S7")
    assert table.refusal("H6 JK2") == Reason.NOT_STRONGER


def test_sequences_do_not_go_down() -> None:
    table = Table(GROUPS, "H4 H5 H6 D9", "S9 S4", *REST, field="D:H5 H6 H7")
    assert table.refusal("H4 H5 H6") == Reason.NOT_STRONGER


def test_a_down_number_keeps_to_a_lock() -> None:
    on = program("jdf4", "down_number", "number_lock")
    table = Table(on, "H6 D3", "H5 C9", *REST, field="D:S5").play("H6")
    assert table.refusal("H5") == Reason.LOCK_NUMBER


def test_a_down_number_is_no_step_of_a_lock_of_numbers() -> None:
    on = program("jdf4", "down_number", "number_lock", suit_lock=False, lock_plays_required=3)
    table = Table(on, "H9 D3", "S10 C9", "DJ C3", "C4 C6", field="D:H10").play("H9").play("S10")
    assert not table.locks
    assert table.play("DJ").locks == "number"


def test_after_a_down_number_play_goes_on_up_or_down() -> None:
    table = Table(DOWN, "H6 D9", "H5 HK S4", *REST, field="D:H7").play("H6")
    assert table.plays == {"H5", "HK", "pass"}


def test_where_it_must_go_on_down_nothing_else_is_legal_until_the_flush() -> None:
    table = Table(KEEP, "H6 D9", "H5 HK JK1 S4", "H4 D4", "C3 C4", field="D:H7").play("H6")
    assert table.locks == "suit H, down H"
    assert table.plays == {"H5", "pass"}
    assert table.refusal("HK") == Reason.MUST_GO_DOWN
    assert table.refusal("JK1") == Reason.MUST_GO_DOWN
    table.play("H5")
    assert table.plays == {"H4", "pass"}
    table.passes(3)
    assert not table.locks


def test_a_queen_does_not_end_the_way_down() -> None:
    on = program("jdf4", "down_number", "queen_unlock", down_number_after="keep_down")
    table = Table(on, "HQ D9", "HJ HA S4", *REST, field="D:HK").play("HQ")
    assert table.locks == "down H"
    assert table.plays == {"HJ", "pass"}
