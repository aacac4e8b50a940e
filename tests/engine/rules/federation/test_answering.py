"""What a play must be to lie on another (chapter 5).

Articles: JDF 25 26 27 28 29 36 70
"""

from __future__ import annotations

import pytest

from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

JDF4 = program("jdf4")


def on(field: str, hand: str, upside_down: bool = False) -> Table:
    """Let A answer a play of D with this hand."""
    return Table(JDF4, f"{hand} D10", "CJ CQ", "CK CA", "C10 C9", field=f"D:{field}", upside_down=upside_down)


@pytest.mark.parametrize(
    ("field", "cards"),
    [("H5", "S6"), ("H5 D5", "S6 H6"), ("H5 D5 C5", "S6 H6 D6"), ("H4 H5 H6", "S5 S6 S7"), ("H5 D5", "JK1 JK2")],
)
def test_the_same_number_of_cards_in_the_same_shape_answers(field: str, cards: str) -> None:
    assert on(field, cards).play(cards).top.size == len(cards.split())


def test_five_cards_are_answered_by_stronger_five_cards() -> None:
    five = on("H5 D5 C5 S5 JK2", "S6 H6 D6 C6 JK1", upside_down=True)
    assert five.refusal("S6 H6 D6 C6 JK1") == Reason.NOT_STRONGER
    assert on("H5 D5 C5 S5 JK2", "S6 H6 D6 C6 JK1").play("S6 H6 D6 C6 JK1").top.size == 5


@pytest.mark.parametrize(
    ("field", "cards"), [("H5", "S6 H6"), ("H5 D5", "S6"), ("H4 H5 H6", "S5 S6 S7 S8"), ("H5", "JK1 JK2")]
)
def test_another_number_of_cards_is_refused(field: str, cards: str) -> None:
    assert on(field, cards).refusal(cards) == Reason.WRONG_COUNT


@pytest.mark.parametrize(("field", "cards"), [("H5 D5 C5", "S7 S8 S9"), ("H4 H5 H6", "S7 H7 D7")])
def test_a_group_does_not_answer_a_sequence_nor_the_other_way_round(field: str, cards: str) -> None:
    assert on(field, cards).refusal(cards) == Reason.WRONG_SHAPE


def test_a_joker_is_no_reason_to_change_the_shape() -> None:
    assert on("H5", "S6 JK1").refusal("S6 JK1") == Reason.WRONG_COUNT
    assert on("H5 D5 C5", "S7 S8 JK1").refusal("S7 S8 JK1") == Reason.WRONG_SHAPE


def test_equal_strength_is_refused() -> None:
    assert on("H5 D5", "S5 C5").refusal("S5 C5") == Reason.NOT_STRONGER
    assert on("H4 H5 H6", "S4 S5 S6").refusal("S4 S5 S6") == Reason.NOT_STRONGER
    assert on("JK1 JK2", "S2 H2").refusal("S2 H2") == Reason.NOT_STRONGER


def test_a_sequence_is_compared_by_its_weakest_card() -> None:
    assert on("H4 H5 H6", "S5 S6 S7").play("S5 S6 S7").top.low == 2
    assert on("H4 H5 H6", "S3 S4 S5").refusal("S3 S4 S5") == Reason.NOT_STRONGER


def test_while_reversed_the_weakest_card_of_a_sequence_is_its_highest() -> None:
    assert on("H4 H5 H6", "S3 S4 S5", upside_down=True).play("S3 S4 S5").top.low == 0
    assert on("H4 H5 H6", "S5 S6 S7", upside_down=True).refusal("S5 S6 S7") == Reason.NOT_STRONGER


def test_a_declared_joker_decides_how_strong_a_sequence_is() -> None:
    assert on("H4 H5 H6", "S5 S6 JK1").play("S5 S6 JK1").top.low == 2
    assert on("H4 H5 H6", "S5 S6 JK1").refusal("S5 S6 JK1", JK1="4") == Reason.NOT_STRONGER


def test_a_lone_joker_is_not_answered_by_a_joker() -> None:
    assert on("JK1", "JK2").refusal("JK2") == Reason.JOKER_ON_JOKER
    assert on("JK1", "S2").refusal("S2") == Reason.NOT_STRONGER


def test_two_jokers_answer_a_pair_with_a_joker() -> None:
    assert on("H2 JK1", "JK2 S9").refusal("JK2 S9") == Reason.NOT_STRONGER
    assert on("H2 D2", "JK1 JK2").play("JK1 JK2").turn == "B"
