"""キング牧師: on kings everybody passes a card on, all at once."""

from __future__ import annotations

import pytest

from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

ON = program("jdf4", "reverend_king")
OTHERS = ("CJ CQ", "C5 CA", "C10 C9")


def lead(cards: str = "SK", rest: str = "D4 D5", *others: str) -> Table:
    return Table(ON, f"{cards} {rest}", *(others or OTHERS)).play(cards)


def test_everybody_with_cards_chooses_one_and_all_move_at_once_to_the_next_seat() -> None:
    table = lead()
    assert (table.question, table.asked) == ("reverend_king", "ABCD")
    table.answer("CJ", "B").answer("D4", "A").answer("C9", "D")
    assert [table.hand(seat) for seat in "ABCD"] == ["D4 D5", "CJ CQ", "C5 CA", "C9 C10"]
    table.answer("C5", "C")
    assert [table.hand(seat) for seat in "ABCD"] == ["D5 C9", "D4 CQ", "CJ CA", "C5 C10"]
    assert table.turn == "B"


@pytest.mark.parametrize("cards", ["SK HK", "SK JK1", "SK HK DK CK"])
def test_more_kings_still_pass_one_card_each(cards: str) -> None:
    table = lead(cards)
    assert table.asked == "ABCD"
    assert table.refused_answer("D4 D5", "A") == Reason.TOO_MANY_CARDS
    assert table.refused_answer("", "B") == Reason.TOO_FEW_CARDS


@pytest.mark.parametrize("cards", ["SQ SK SA", "SJ SQ JK1", "SQ", "JK1 JK2"])
def test_kings_in_a_sequence_and_other_cards_pass_nothing_on(cards: str) -> None:
    assert lead(cards).question == ""


def test_received_cards_cannot_be_passed_on_in_the_same_round() -> None:
    assert lead().answer("D4", "A").refused_answer("D4", "B") == Reason.NOT_IN_HAND


def test_with_the_last_king_its_player_is_out_and_only_the_others_pass_cards() -> None:
    table = Table(ON, "SK", *OTHERS).play("SK")
    assert table.asked == "BCD"
    table.answer("CJ", "B").answer("C5", "C").answer("C9", "D")
    assert table.finished == "A"
    assert [table.hand(seat) for seat in "BCD"] == ["C9 CQ", "CJ CA", "C5 C10"]


def test_a_last_card_comes_back_as_another() -> None:
    table = lead("SK", "D4", "CJ", "C5", "C9")
    table.answer("D4", "A").answer("CJ", "B").answer("C5", "C").answer("C9", "D")
    assert table.finished == ""
    assert table.hand("A") == "C9"


def test_two_seats_trade_cards() -> None:
    table = Table(program("jdf4", "reverend_king", seats=2), "SK D4", "CJ CQ").play("SK")
    table.answer("D4", "A").answer("CQ", "B")
    assert (table.hand("A"), table.hand("B")) == ("CQ", "D4 CJ")


def test_seats_that_are_out_are_left_out() -> None:
    table = Table(ON, "SK D4 D5", "C4", "C5 CA", "C10 C9", turn="B", field="A:H3").play("C4").passes(2).play("SK")
    assert table.asked == "ACD"
    table.answer("D4", "A").answer("C5", "C").answer("C9", "D")
    assert table.hand("C") == "D4 CA"


def test_who_has_passed_passes_a_card_too() -> None:
    assert Table(ON, "SK D4 D5", *OTHERS, field="D:H5", passed="BC").play("SK").asked == "ABCD"


def test_it_is_off_in_the_federations_rules() -> None:
    assert Table(program("jdf4"), "SK D4", *OTHERS).play("SK").question == ""
