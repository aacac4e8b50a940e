"""Turns, passes and flushes (chapter 3).

Articles: JDF 12 13 15 16 17 18 63
"""

from __future__ import annotations

from engine.actions import PASSING
from engine.game import default_action
from engine.reasons import Reason
from tests.engine.position import Table, play_action
from tests.engine.tables import asked, program

JDF4 = program("jdf4")
FOUR = ("S5 H9 D4", "H6 C9 D6", "S7 HJ D7", "H8 CK D9")


def test_the_spade_seat_opens_a_rounds_first_game_and_the_last_place_opens_later_ones() -> None:
    assert Table(JDF4, *FOUR).turn == "A"
    later = Table(JDF4, *FOUR, previous="BADC")
    while later.question:
        seat = asked(later.state)[0]
        later.act(default_action(later.state, seat))
    assert later.turn == "C"


def test_turns_go_clockwise() -> None:
    assert Table(JDF4, *FOUR).play("S5").turn == "B"
    assert Table(JDF4, *FOUR).play("S5").play("H6").turn == "C"
    assert Table(JDF4, *FOUR).play("S5").play("H6").play("S7").play("CK").turn == "A"


def test_nobody_passes_on_an_empty_field_not_even_with_only_a_foul_left() -> None:
    assert Table(JDF4, *FOUR).refused(PASSING) == Reason.EMPTY_FIELD_PASS
    only = Table(JDF4, "S2", "H4 H5", "D4 D5", "C4 C5")
    assert only.refused(PASSING) == Reason.EMPTY_FIELD_PASS
    assert only.play("S2").fouled == "A"


def test_with_cards_on_the_field_a_seat_may_pass_whatever_it_holds() -> None:
    assert Table(JDF4, "S2", "H4 H5", "D4 D5", "C4 C5", field="D:H3").passes().turn == "B"


def test_who_has_passed_is_not_asked_again_before_the_flush() -> None:
    table = Table(JDF4, "S5 CA", *FOUR[1:], turn="B", field="A:H3").passes().play("S7").play("D9").play("CA")
    assert table.turn == "C"
    assert table.refused(play_action("C9"), "B") == Reason.PASSED_OUT


def test_when_all_others_have_passed_the_field_is_flushed_and_its_owner_leads() -> None:
    table = Table(JDF4, *FOUR).play("S5").passes(2)
    assert not table.flushed
    assert table.passes().flushed
    assert table.turn == "A"
    assert table.state.passed == 0


def test_the_owner_need_not_pass_when_the_others_were_out_before_its_play() -> None:
    table = Table(JDF4, *FOUR, field="D:H3", passed="BC", turn="A")
    assert table.play("S5").turn == "D"
    assert table.passes().flushed
    assert table.turn == "A"


def test_a_play_over_everybody_elses_pass_flushes_at_once() -> None:
    table = Table(JDF4, *FOUR, field="B:H3 | D:S4", passed="BCD", turn="A")
    assert table.play("S5").flushed
    assert table.turn == "A"


def test_seats_that_are_out_need_not_pass() -> None:
    table = Table(JDF4, "S5 H9", "H6", "S7 HJ", "H8 CK", field="D:H3", turn="A").play("S5").play("H6")
    assert table.finished == "B"
    assert table.passes(2).turn == "A"
    assert table.passes().flushed


def test_after_the_owner_has_gone_out_the_next_seat_that_is_in_leads() -> None:
    table = Table(JDF4, "S5 H9", "H6", "S7 HJ", "H8 CK", turn="B").play("H6").passes(3)
    assert table.flushed
    assert table.turn == "C"


def test_it_is_another_seats_turn() -> None:
    assert Table(JDF4, *FOUR).refused(play_action("H6"), "B") == Reason.NOT_YOUR_TURN
    assert Table(JDF4, *FOUR).refused(PASSING, "C") == Reason.NOT_YOUR_TURN


def test_only_cards_in_the_hand_can_be_played() -> None:
    assert Table(JDF4, *FOUR).refusal("H6") == Reason.NOT_IN_HAND
    assert Table(JDF4, *FOUR).refusal("") == Reason.NO_CARDS


def test_flushed_cards_go_to_the_discard_pile() -> None:
    table = Table(JDF4, *FOUR).play("S5").play("H6").passes(3)
    assert table.state.discard.bit_count() == 2
    assert table.turn == "B"
