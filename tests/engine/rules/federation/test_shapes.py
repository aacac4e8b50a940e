"""What may be put down together (chapters 2, 4, 6 and 7).

Articles: JDF 7 8 9 19 20 21 22 22-2 23 24 30 31 32 33 34 35 37 38 38-2 41
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

JDF4 = program("jdf4")
OTHERS = ("CJ CQ", "CK CA", "C10 C9")


def lead(hand: str, upside_down: bool = False) -> Table:
    """Let A open a trick with this hand."""
    return Table(JDF4, hand, *OTHERS, upside_down=upside_down)


def on(field: str, hand: str, upside_down: bool = False) -> Table:
    """Let A answer a play of D with this hand."""
    return Table(JDF4, hand, *OTHERS, field=f"D:{field}", upside_down=upside_down)


def test_singles_rise_from_3_to_2_and_the_joker_is_above_all() -> None:
    ranks = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]
    for lower, higher in pairwise(ranks):
        assert on(f"S{lower}", f"H{higher} D3").play(f"H{higher}").hand("A") == "D3"
        assert on(f"S{higher}", f"H{lower} D3").refusal(f"H{lower}") == Reason.NOT_STRONGER
    assert on("S2", "JK1 D3").play("JK1").turn == "B"


def test_while_reversed_singles_rise_from_2_to_3_and_the_joker_stays_above_all() -> None:
    assert on("D4", "H3 D5", upside_down=True).play("H3").turn == "B"
    assert on("D3", "S2 D5", upside_down=True).refusal("S2") == Reason.NOT_STRONGER
    assert on("D3", "JK1 D5", upside_down=True).play("JK1").turn == "B"


def test_suits_have_no_strength_of_their_own() -> None:
    assert on("C9", "S9 D4").refusal("S9") == Reason.NOT_STRONGER
    assert on("S6", "C6 D4").refusal("C6") == Reason.NOT_STRONGER


def test_any_card_opens_a_trick_and_a_lone_joker_is_only_a_joker() -> None:
    assert {"S3", "S8", "JK1"} <= lead("S3 S8 JK1").plays
    assert lead("JK1 H4").refusal("JK1", JK1="8") == Reason.JOKER_CANNOT_BE_NAMED


@pytest.mark.parametrize(
    "cards", ["S6 H6", "S6 JK1", "JK1 JK2", "S6 H6 D6", "S6 H6 JK1", "S6 H6 D6 C6", "S6 H6 D6 JK1"]
)
def test_equal_ranks_go_together_and_jokers_fill_in(cards: str) -> None:
    assert lead(f"{cards} D4").play(cards).flushed is False


@pytest.mark.parametrize("cards", ["S6 H7", "S6 H6 D7", "S6 H7 JK1", "S4 H6 JK1 JK2"])
def test_unequal_ranks_of_other_suits_are_no_play(cards: str) -> None:
    assert lead(f"{cards} D4").refusal(cards) == Reason.NOT_A_SHAPE


def test_a_pair_with_a_joker_is_as_strong_as_its_other_card() -> None:
    assert on("S5 H5", "S6 JK1 D9").play("S6 JK1").top.low == 3
    assert on("S6 H6", "C6 JK1 D9").refusal("C6 JK1") == Reason.NOT_STRONGER


def test_two_jokers_with_one_card_must_be_declared_on_an_empty_field() -> None:
    assert lead("S9 JK1 JK2 D4").refusal("S9 JK1 JK2") == Reason.DECLARATION_NEEDED
    assert lead("S9 JK1 JK2 D4").play("S9 JK1 JK2", "group").top.low == 6
    assert lead("S9 JK1 JK2 D4").play("S9 JK1 JK2", "sequence").top.shape == 3


def test_on_a_field_two_jokers_with_one_card_take_its_shape() -> None:
    assert on("S8 H8 D8", "S9 JK1 JK2 D4").play("S9 JK1 JK2").top.shape == 2
    assert on("H5 H6 H7", "S9 JK1 JK2 D4").play("S9 JK1 JK2").top.shape == 3


def test_five_cards_are_three_or_four_of_a_rank_with_jokers() -> None:
    assert lead("S7 H7 D7 C7 JK1 D4").play("S7 H7 D7 C7 JK1").top.size == 5
    assert lead("S7 H7 D7 JK1 JK2 D4").play("S7 H7 D7 JK1 JK2").top.size == 5


def test_six_cards_flush_at_once_and_their_player_leads() -> None:
    six = lead("S7 H7 D7 C7 JK1 JK2 D4").play("S7 H7 D7 C7 JK1 JK2")
    assert six.flushed
    assert six.turn == "A"
    assert six.state.revolution


def test_five_cards_do_not_flush() -> None:
    assert lead("S7 H7 D7 C7 JK1 D4").play("S7 H7 D7 C7 JK1").turn == "B"


@pytest.mark.parametrize(
    "cards", ["S3 S4 S5", "S9 S10 SJ SQ", "SQ SK SA S2", "S3 S4 S5 S6 S7 S8 S9 S10 SJ SQ SK SA S2"]
)
def test_three_or_more_neighbours_of_one_suit_are_a_sequence(cards: str) -> None:
    assert lead(f"{cards} D4").play(cards).top.shape == 3


@pytest.mark.parametrize(
    "cards", ["S3 S4", "S3 S4 H5", "S3 S4 S6", "SA S2 S3", "SK SA S2 S3", "S3 S5 JK1 H4", "S3 S6 JK1"]
)
def test_two_cards_two_suits_gaps_and_going_round_are_no_sequence(cards: str) -> None:
    assert lead(f"{cards} D9").refusal(cards) == Reason.NOT_A_SHAPE


def test_a_joker_fills_a_gap_or_stands_at_an_end_as_declared() -> None:
    assert lead("S3 S5 JK1 D9").play("S3 S5 JK1").top.low == 0
    assert lead("S4 S5 JK1 D9").play("S4 S5 JK1", JK1="3").top.low == 0
    assert lead("S4 S5 JK1 D9").play("S4 S5 JK1", JK1="6").top.low == 1
    assert lead("S4 S5 JK1 D9").refusal("S4 S5 JK1", JK1="7") == Reason.WRONG_MEANING


def test_undeclared_a_joker_makes_the_strongest_sequence() -> None:
    assert lead("S4 S5 JK1 D9").play("S4 S5 JK1").top.low == 1
    assert lead("S4 S5 JK1 D9", upside_down=True).play("S4 S5 JK1").top.low == 0


def test_two_jokers_may_stand_anywhere_in_a_sequence() -> None:
    hand = "S6 S9 JK1 JK2 D4"
    assert lead(hand).play("S6 S9 JK1 JK2").top.low == 3
    hand = "S6 S7 JK1 JK2 D4"
    for jokers, low in ((("4", "5"), 1), (("5", "8"), 2), (("8", "9"), 3)):
        assert lead(hand).play("S6 S7 JK1 JK2", "sequence", JK1=jokers[0], JK2=jokers[1]).top.low == low
    assert lead(hand).refusal("S6 S7 JK1 JK2", "sequence", JK1="5", JK2="9") == Reason.WRONG_MEANING


def test_a_joker_may_stand_for_a_card_that_stays_in_the_hand() -> None:
    assert lead("S4 S5 S6 JK1 D9").play("S4 S6 JK1").hand("A") == "S5 D9"


def test_a_joker_takes_the_suit_of_the_other_cards() -> None:
    assert lead("S4 H5 JK1 D9").refusal("S4 H5 JK1") == Reason.NOT_A_SHAPE


def test_a_and_2_with_a_joker_above_them_flush() -> None:
    top = lead("SA S2 JK1 D4").play("SA S2 JK1")
    assert top.flushed
    assert top.turn == "A"


def test_while_reversed_4_and_3_with_a_joker_below_them_flush() -> None:
    top = lead("S3 S4 JK1 D4", upside_down=True).play("S3 S4 JK1")
    assert top.flushed
    assert top.turn == "A"


def test_the_strongest_sequence_of_the_other_order_does_not_flush() -> None:
    assert lead("S3 S4 JK1 D4").play("S3 S4 JK1").turn == "B"
    assert lead("SA S2 JK1 D4", upside_down=True).play("SA S2 JK1").turn == "B"


def test_a_longer_sequence_up_to_the_joker_does_not_flush() -> None:
    assert lead("SK SA S2 JK1 D4").play("SK SA S2 JK1").turn == "B"


def test_2_with_two_jokers_may_be_the_strongest_sequence() -> None:
    assert lead("S2 JK1 JK2 D4").play("S2 JK1 JK2", "sequence").flushed


def test_a_declared_weaker_reading_does_not_flush() -> None:
    assert lead("SA S2 JK1 D4").play("SA S2 JK1", JK1="K").turn == "B"


def test_the_spade_3_is_an_ordinary_3_with_other_cards() -> None:
    assert lead("S3 H3 D9").play("S3 H3").top.size == 2
    assert lead("S3 S4 S5 D9").play("S3 S4 S5").top.shape == 3
