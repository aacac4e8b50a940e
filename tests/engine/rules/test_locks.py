"""Locks of some suits, of colours, of fives, by queens, with jokers, and of sequences' suits."""

from __future__ import annotations

import pytest

from engine.events import LockChanged
from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

REST = ("D10 DQ", "C10 CQ")
"""Hands of the seats that do nothing here."""


def partly(*extras: str, lock_plays_required: int = 2) -> Table:
    """A table where a pair of one common suit is played on H5 S5."""
    on = program("jdf4", "partial_lock", *extras, lock_plays_required=lock_plays_required)
    return Table(on, "H7 D7 S3", "H9 C9 D9 JK1 S9 S4", "HJ DJ SJ JK2 C3", "C4 C6", field="D:H5 S5")


def test_a_suit_that_two_groups_share_must_be_in_every_further_one() -> None:
    table = partly().play("H7 D7")
    assert table.locks == "partial H"
    assert table.refusal("D9 C9") == Reason.LOCK_SUIT
    assert table.play("H9 C9").locks == "partial H"


def test_a_joker_stands_for_the_suit_of_a_partial_lock() -> None:
    assert partly().play("H7 D7").play("C9 JK1").locks == "partial H"


def test_a_partial_lock_binds_a_suit_that_repeats_later_too() -> None:
    table = partly(lock_plays_required=2).play("H7 D7").play("H9 C9")
    assert table.play("HJ DJ").locks == "partial H"
    table = Table(
        program("jdf4", "partial_lock"), "HJ CJ SJ S3", "D3 D4", *REST, field="B:H5 S5 C5 | D:H7 D7 C7 | B:H9 D9 S9"
    )
    table.state.locks = []
    assert table.play("HJ CJ SJ").locks == "partial SH"


def test_a_full_lock_takes_the_place_of_a_partial_one() -> None:
    table = partly().play("H7 D7").play("H9 D9")
    assert table.locks == "suit HD"


def test_all_suits_are_bound_partly_where_only_the_partial_lock_is_on() -> None:
    on = program("jdf4", "partial_lock", suit_lock=False)
    table = Table(on, "H7 S7 D3", "S9 H9 C3", *REST, field="D:H5 S5")
    assert table.play("H7 S7").locks == "partial SH"


def test_singles_and_sequences_make_no_partial_lock() -> None:
    on = program("jdf4", "partial_lock", suit_lock=False)
    assert not Table(on, "H7 D3", "S9 D4", *REST, field="D:H5").play("H7").locks
    assert not Table(on, "H6 H7 H8 D3", "S9 D4", *REST, field="D:H3 H4 H5").play("H6 H7 H8").locks


def test_a_partial_lock_of_three_plays_needs_a_suit_that_all_three_have() -> None:
    table = partly(lock_plays_required=3).play("H7 D7")
    assert not table.locks
    assert table.play("H9 C9").locks == "partial H"


# --- colours ---


COLORS = program("jdf4", "color_lock", suit_lock=False)


def test_two_plays_of_one_colour_lock_it() -> None:
    table = Table(COLORS, "D7 S3", "S9 H9 S4", "JK1 C3", "D3 D4", field="D:H5").play("D7")
    assert table.locks == "color HD"
    assert table.refusal("S9") == Reason.LOCK_COLOR
    assert table.play("H9").play("JK1").locks == "color HD"


def test_a_group_of_both_colours_makes_no_lock_and_breaks_one() -> None:
    table = Table(COLORS, "D7 S7 S3", "H9 D9 C9 S4", *REST, field="D:H5 D5").play("D7 S7")
    assert not table.locks
    table = Table(COLORS, "D7 H7 S3", "H9 D9 C9 S4", *REST, field="D:H5 D5").play("H7 D7")
    assert table.refusal("H9 C9") == Reason.LOCK_COLOR
    assert table.play("H9 D9").turn == "C"


def test_black_sequences_lock_black() -> None:
    table = Table(COLORS, "C6 C7 C8 D3", "H9 H10 HJ S9 S10 SJ", *REST, field="D:S3 S4 S5").play("C6 C7 C8")
    assert table.locks == "color SC"
    assert table.refusal("H9 H10 HJ") == Reason.LOCK_COLOR
    assert table.play("S9 S10 SJ").turn == "C"


def test_a_joker_starts_no_lock_of_a_colour() -> None:
    assert not Table(COLORS, "D7 JK1 S3", "H9 S4", *REST, field="D:H5 D5").play("D7 JK1").locks


def test_a_colour_and_a_part_of_the_suits_can_be_locked_together() -> None:
    on = program("jdf4", "color_lock", "partial_lock", deal_method="two_packs")
    table = Table(on, "H7 H7' S3", "H9 D9 D9' S9", *REST, field="D:H5 D5").play("H7 H7'")
    assert table.locks == "partial H, color HD"
    assert table.refusal("D9 D9'") == Reason.LOCK_SUIT
    assert table.refusal("H9 S9") == Reason.LOCK_COLOR


# --- fives ---


def fives(kind: str = "color") -> Table:
    """A table where a single 5 can be played."""
    on = program("jdf4", "five_color_lock", suit_lock=False, five_lock_kind=kind)
    return Table(on, "H5 D5 S3", "S9 D9 S4", "JK1 C3", "D3 D4", field="D:S4")


def test_a_single_five_locks_its_colour() -> None:
    table = fives().play("H5")
    assert table.locks == "color HD"
    assert table.refusal("S9") == Reason.LOCK_COLOR
    assert table.play("D9").play("JK1").locks == "color HD"


def test_a_single_five_locks_its_suit_where_that_is_chosen() -> None:
    table = fives("suit").play("H5")
    assert table.locks == "suit H"
    assert table.refusal("D9") == Reason.LOCK_SUIT


def test_fives_in_groups_lock_nothing() -> None:
    on = program("jdf4", "five_color_lock", suit_lock=False)
    assert not Table(on, "H5 D5 S3", "S9 S4", *REST).play("H5 D5").locks


# --- queens ---


def test_a_queen_ends_every_lock_and_is_not_counted_for_a_new_one() -> None:
    on = program("jdf4", "queen_unlock")
    table = Table(on, "HQ S3", "HK S4", "HA C3", "D3 D4", field="C:H4 | D:H5", lock="H").play("HQ")
    assert not table.locks
    assert not table.play("HK").locks
    assert table.play("HA").locks == "suit H"


def test_the_lock_of_a_queen_is_made_first_and_told() -> None:
    table = Table(program("jdf4", "queen_unlock"), "HQ S3", "HK S4", *REST, field="D:H5").play("HQ")
    told = [event for event in table.events if isinstance(event, LockChanged)]
    assert [(event.rule, len(event.locks)) for event in told] == [("suit_lock", 1), ("queen_unlock", 0)]


def test_a_queen_in_a_sequence_ends_no_lock() -> None:
    table = Table(program("jdf4", "queen_unlock"), "SJ SQ SK D3", "C3 C4", "H3 H4", "D4 D5", field="D:S8 S9 S10")
    assert table.play("SJ SQ SK").locks == "suit S"


def test_a_new_trick_counts_from_its_first_play_after_a_queen() -> None:
    on = program("jdf4", "queen_unlock")
    table = Table(on, "HQ H8 H3 D3", "H9 S4", "C4 C3", "D5 D4", field="D:H5").play("HQ").passes(3)
    assert table.play("H3").play("H9").locks == "suit H"


# --- jokers ---


JOKERS = program("jdf4", "joker_lock")


def test_a_joker_has_the_suit_of_the_play_before() -> None:
    table = Table(JOKERS, "H7 JK1 S3", "S9 H9 D9 S4", *REST, field="D:H5 S5").play("H7 JK1")
    assert table.locks == "suit SH"
    assert table.refusal("H9 D9") == Reason.LOCK_SUIT


def test_a_lone_joker_goes_on_with_the_suit() -> None:
    table = Table(JOKERS, "JK1 S4", "S3 H9", "C3 C4", "D3 D4", field="D:H5").play("JK1")
    assert table.locks == "suit H"
    assert table.play("S3").flushed


def test_a_joker_that_opens_a_trick_has_no_suit() -> None:
    table = Table(JOKERS, "H5 JK1 D3", "H7 S7 D4", *REST).play("H5 JK1").play("H7 S7")
    assert not table.locks


def test_a_joker_in_a_sequence_has_the_suit_of_the_others() -> None:
    table = Table(JOKERS, "S4 S5 JK1 D3", "S7 S9 S10 SJ", *REST).play("S4 S5 JK1").play("S9 S10 SJ")
    assert table.locks == "suit S"


# --- suits of sequences ---


def test_a_sequence_must_have_the_suit_of_the_field() -> None:
    on = program("jdf4", "sequence_suit_must_follow", suit_lock=False)
    table = Table(on, "H6 H7 H8 S3", "S9 S10 SJ H9 H10 HJ", *REST, field="D:H3 H4 H5").play("H6 H7 H8")
    assert table.refusal("S9 S10 SJ") == Reason.SEQUENCE_SUIT
    assert table.plays == {"H9 H10 HJ", "pass"}


@pytest.mark.parametrize("field", ["D:H5", "D:H5 S5"])
def test_other_shapes_need_not_follow_the_suit(field: str) -> None:
    on = program("jdf4", "sequence_suit_must_follow")
    cards = "D9" if field == "D:H5" else "D9 C9"
    assert Table(on, "D9 C9 S3", "S4 S6", *REST, field=field).play(cards).turn == "B"
