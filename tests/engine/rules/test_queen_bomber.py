"""12ボンバー: queens name ranks, and everybody discards all cards of them."""

from __future__ import annotations

import pytest

from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

ON = program("jdf4", "queen_bomber")
IN_ORDER = program("jdf4", "queen_bomber", bomber_removal_order="named_order")
WEAKEST_FIRST = program("jdf4", "queen_bomber", bomber_removal_order="weakest_first")
OTHERS = ("C5 CJ CK", "H5 CA", "C10 C9")


def lead(cards: str = "SQ", rest: str = "D4 D5", *others: str) -> Table:
    return Table(ON, f"{cards} {rest}", *(others or OTHERS)).play(cards)


def test_everybody_discards_all_cards_of_the_named_rank_the_player_too() -> None:
    table = lead()
    assert (table.question, table.asked) == ("queen_bomber", "A")
    table.answer("5")
    assert [table.hand(seat) for seat in "ABCD"] == ["D4", "CJ CK", "CA", "C9 C10"]
    assert table.state.discard.bit_count() == 3
    assert table.turn == "B"


def test_the_joker_can_be_named() -> None:
    assert lead("SQ", "D4", "C5 JK1", *OTHERS[1:]).answer("JK").hand("B") == "C5"


def test_a_rank_that_nobody_holds_can_be_named() -> None:
    assert lead().answer("7").state.discard == 0


def test_as_many_different_ranks_as_queens_are_named() -> None:
    table = lead("SQ HQ")
    assert table.refused_answer("5") == Reason.TOO_FEW_CARDS
    assert table.refused_answer("5 J K") == Reason.TOO_MANY_CARDS
    assert table.refused_answer("5 5") == Reason.NAMED_TWICE
    table.answer("5 J")
    assert [table.hand(seat) for seat in "ABCD"] == ["D4", "CK", "CA", "C9 C10"]


def test_a_joker_that_stands_for_a_queen_counts() -> None:
    assert lead("SQ JK1").refused_answer("5") == Reason.TOO_FEW_CARDS


@pytest.mark.parametrize("cards", ["SJ SQ SK", "SJ SK JK1", "SK", "JK1 JK2"])
def test_queens_in_a_sequence_and_other_cards_name_nothing(cards: str) -> None:
    assert lead(cards).question == ""


def test_with_the_last_queen_nothing_is_named() -> None:
    table = Table(ON, "SQ", *OTHERS).play("SQ")
    assert table.finished == "A"
    assert table.question == ""


def test_a_bomb_that_empties_the_players_own_hand_is_going_out() -> None:
    table = lead("SQ", "D5").answer("5")
    assert table.finished == "A"
    assert table.turn == "B"


def test_hands_emptied_together_go_out_from_the_player_on_and_never_as_fouls() -> None:
    table = lead("SQ", "D2 D4", "C2", "H2 S2", "C9 C10").answer("2")
    assert table.finished == "BC"
    assert table.fouled == ""
    assert table.turn == "D"
    table = lead("SQ", "D2", "C9 C10", "H2 S2", "C2").answer("2")
    assert table.places == "ACDB"


def test_a_bomb_may_end_the_game() -> None:
    table = lead("SQ HQ", "D5 D6", "C5", "H5 H6", "S6").answer("5 6")
    assert table.places == "ABCD"


def test_at_once_ranks_empty_hands_in_the_order_of_seats() -> None:
    table = lead("SQ HQ", "D9 D10", "C6", "C5 H5", "S6 S9").answer("5 6")
    assert table.finished == "BC"


def test_in_named_order_the_first_rank_empties_its_hands_first() -> None:
    hands = ("SQ HQ D9 D10", "C6", "C5 H5", "S6 S9")
    assert Table(IN_ORDER, *hands).play("SQ HQ").answer("5 6").finished == "CB"
    assert Table(IN_ORDER, *hands).play("SQ HQ").answer("6 5").finished == "BC"


def test_weakest_first_the_weakest_rank_empties_its_hands_first() -> None:
    hands = ("SQ HQ D9 D10", "C6", "C5 H5", "S6 S9")
    assert Table(WEAKEST_FIRST, *hands).play("SQ HQ").answer("6 5").finished == "CB"
    assert Table(WEAKEST_FIRST, *hands, upside_down=True).play("SQ HQ").answer("6 5").finished == "BC"


def test_a_first_place_that_has_fallen_by_the_first_bomb_has_no_cards_for_the_second() -> None:
    table = Table(IN_ORDER, "SQ HQ D9 D10", "C5", "C6 H6", "S5 S9", previous="CABD", field="D:H3 D3")
    table.play("SQ HQ").answer("5 6")
    assert table.finished == "B"
    assert table.fallen == "C"


def test_it_is_off_in_the_federations_rules() -> None:
    assert Table(program("jdf4"), "SQ D4", *OTHERS).play("SQ").question == ""
