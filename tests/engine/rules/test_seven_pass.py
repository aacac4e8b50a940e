"""7渡し: sevens let their player give cards to the next seat."""

from __future__ import annotations

import pytest

from engine.reasons import Reason
from tests.engine.position import Table, play_action
from tests.engine.tables import program

ON = program("jdf4", "seven_pass")
OTHERS = ("CJ CQ", "CK CA", "C10 C9")


def lead(cards: str, rest: str = "D4 D5 D6 D9", *others: str) -> Table:
    """Let A open with these cards."""
    return Table(ON, f"{cards} {rest}", *(others or OTHERS)).play(cards)


@pytest.mark.parametrize(("given", "left"), [("", "D4 D5"), ("D4", "D5"), ("D5", "D4")])
def test_a_seven_lets_its_player_give_a_card_or_none(given: str, left: str) -> None:
    table = lead("S7", "D4 D5")
    assert (table.question, table.asked) == ("seven_pass", "A")
    table.answer(given)
    assert table.hand("A") == left
    assert table.hand("B") == f"{given} CJ CQ".strip()
    assert table.turn == "B"


def test_as_many_cards_as_sevens_may_be_given() -> None:
    assert lead("S7 H7").answer("D4 D5").hand("B") == "D4 D5 CJ CQ"
    assert lead("S7 H7").refused_answer("D4 D5 D6") == Reason.TOO_MANY_CARDS
    assert lead("S7 H7 D7").answer("D4 D5 D6").hand("A") == "D9"


def test_a_joker_that_stands_for_a_seven_counts() -> None:
    assert lead("S7 JK1").answer("D4 D5").hand("A") == "D6 D9"


def test_only_own_cards_can_be_given_and_play_waits_for_the_answer() -> None:
    table = lead("S7")
    assert table.refused_answer("CJ") == Reason.NOT_IN_HAND
    assert table.refused_answer("S7") == Reason.NOT_IN_HAND
    assert table.refused(play_action("D9"), "A") == Reason.WRONG_ACTION
    assert table.refused(play_action("CJ"), "B") == Reason.CHOICE_PENDING


@pytest.mark.parametrize("cards", ["S6", "S6 S7 S8", "S6 S8 JK1", "JK1 JK2"])
def test_no_seven_or_a_seven_in_a_sequence_gives_nothing(cards: str) -> None:
    assert lead(cards, "D4 D5").question == ""


def test_with_the_last_seven_nothing_can_be_given() -> None:
    assert Table(ON, "S7", *OTHERS).play("S7").finished == "A"


def test_giving_the_last_card_is_going_out() -> None:
    table = lead("S7", "D4").answer("D4")
    assert table.finished == "A"
    assert table.turn == "B"


def test_fewer_cards_than_sevens_may_be_left() -> None:
    assert lead("S7 H7 D7", "D4").answer("D4").finished == "A"


def test_cards_go_to_the_next_seat_that_holds_any() -> None:
    table = Table(ON, "S7 D4", "C5", "CK CA", "C10 C9", turn="B", field="A:H4").play("C5").passes(2)
    assert table.finished == "B"
    assert table.play("S7").answer("D4").hand("C") == "D4 CK CA"


def test_a_seat_that_has_passed_receives_all_the_same() -> None:
    table = Table(ON, "S7 D4 D5", *OTHERS, field="D:H5", passed="B").play("S7").answer("D4")
    assert table.hand("B") == "D4 CJ CQ"
    assert table.turn == "C"


def test_four_sevens_revolt_before_cards_are_given() -> None:
    table = lead("S7 H7 D7 C7")
    assert table.state.revolution
    assert table.question == "seven_pass"


def test_a_given_last_card_is_judged_by_nothing_though_a_played_2_would_be_a_foul() -> None:
    assert lead("S7", "D2").answer("D2").finished == "A"


def test_it_is_off_in_the_federations_rules() -> None:
    assert Table(program("jdf4"), "S7 D4", *OTHERS).play("S7").question == ""
