"""どかん: a hand that adds up to the whole field goes out before anything else happens."""

from __future__ import annotations

import pytest

from engine import events as ev
from tests.engine.position import Table
from tests.engine.tables import program

ON = program("jdf4", "dokan")


def test_whose_hand_has_the_sum_of_the_field_goes_out_with_the_cards_laid_away() -> None:
    table = Table(ON, "H7 D4", "SQ", "CK CJ", "C10 C8", field="D:S5").play("H7")
    assert (table.finished, table.turn, table.hand("B")) == ("B", "C", "")
    assert table.state.laid_away_count == 1
    laid = [event for event in table.events if isinstance(event, ev.CardsMoved) and event.rule == "dokan"]
    assert [(event.from_seat, event.seen_by) for event in laid] == [(1, 0b10)], "nobody else sees the cards"


@pytest.mark.parametrize(
    ("hand", "cards", "field"),
    [
        ("CA CJ", "H7", "D:S5"),
        ("C2 C10", "H7", "D:S5"),
        ("JK1 SQ", "H7", "D:S5"),
        ("C3", "S3", ""),
        ("CK CJ", "HQ DQ", ""),
    ],
)
def test_faces_count_aces_one_courts_eleven_to_thirteen_and_jokers_nothing(hand: str, cards: str, field: str) -> None:
    assert Table(ON, f"{cards} D4", hand, "C6 C7", "H10 C8", field=field).play(cards).finished == "B"


def test_another_sum_or_the_rule_being_off_changes_nothing() -> None:
    assert Table(ON, "H7 D4", "SK", "CK CJ", "C10 C8", field="D:S5").play("H7").finished == ""
    assert Table(program("jdf4"), "H7 D4", "SQ", "CK CJ", "C10 C8", field="D:S5").play("H7").finished == ""


def test_a_seat_that_has_passed_and_the_player_itself_may_go_out_so() -> None:
    assert Table(ON, "H7 D4", "SQ", "CK CJ", "C10 C8", field="D:S5", passed="B").play("H7").finished == "B"
    table = Table(ON, "H7 HQ", "SK", "CK CJ", "C10 C8", field="D:S5").play("H7")
    assert (table.finished, table.turn) == ("A", "B")


def test_of_several_the_player_comes_first_and_then_the_nearest() -> None:
    table = Table(ON, "H7 HQ", "CK CJ", "C9 C3", "SQ", field="D:S5").play("H7")
    assert (table.finished, table.places) == ("ACD", "ACDB")


def test_it_is_no_foul_whatever_the_hand_is() -> None:
    table = Table(ON, "H7 D4", "C2 C10", "CK CJ", "C9 C8", field="D:S5").play("H7")
    assert (table.finished, table.fouled) == ("B", "")


def test_the_effects_of_the_play_go_on_among_those_who_are_left() -> None:
    on = program("jdf4", "dokan", "seven_pass")
    table = Table(on, "H7 D4 S9", "SQ", "CK CJ", "C10 C8", field="D:S5").play("H7")
    assert (table.finished, table.question) == ("B", "seven_pass")
    assert table.answer("D4").hand("C") == "D4 CJ CK"
    gone = Table(program("jdf4", "dokan", "seven_pass", "black_seven"), "S7 HQ", "SK", "CK CJ", "C10 C8",
                 field="D:H5", discard="H3").play("S7")  # fmt: skip
    assert (gone.finished, gone.question, gone.hand("A"), gone.turn) == ("A", "", "", "B")


def test_it_ends_a_game_of_two() -> None:
    table = Table(program("jdf4", "dokan", seats=2), "H7 D4", "SQ", field="B:S5").play("H7")
    assert table.places == "BA"


def test_the_first_place_of_the_game_before_falls_by_it() -> None:
    table = Table(ON, "H7 D4", "SQ", "CK CJ", "C10 C8", field="D:S5", previous="CABD").play("H7")
    assert (table.finished, table.fallen) == ("B", "C")


def test_a_player_who_is_out_by_it_is_not_asked_about_its_own_play() -> None:
    four = Table(program("jdf4", "dokan", "optional_revolution"), "H3 D3 C3 S3 HQ", "CK CJ", "C10 C8", "S7 S9")
    four.play("H3 D3 C3 S3")
    assert (four.finished, four.question, four.turn, four.state.revolution) == ("A", "", "B", False)
    jack = program("jdf4", "dokan", "jack_back", **{"jack_back.optional": True})
    table = Table(jack, "HJ H8 SK", "CK CJ", "C10 C8", "S7 S9", field="D:S10").play("HJ")
    assert (table.finished, table.question, table.turn) == ("A", "", "B")
    assert table.state.order == 0
