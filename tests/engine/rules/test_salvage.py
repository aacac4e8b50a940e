"""サルベージ: after the flush, whoever played 3s takes a card off the discard pile."""

from __future__ import annotations

import pytest

from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

ON = program("jdf4", "salvage")
OTHERS = ("C4 CQ", "C5 CA", "C10 C9")


def test_after_the_flush_the_player_of_a_3_takes_a_card_of_the_field_or_the_pile() -> None:
    table = Table(ON, "H3 D9", *OTHERS, discard="S2").play("H3").play("C4").passes(3)
    assert (table.question, table.asked) == ("salvage", "A")
    assert table.options == "H3 C4 S2"
    table.answer("S2")
    assert table.hand("A") == "D9 S2"
    assert table.turn == "B", "the owner of the field leads all the same"


def test_it_must_be_one_card_of_the_pile() -> None:
    table = Table(ON, "H3 D9", *OTHERS).play("H3").passes(3)
    assert table.refused_answer("") == Reason.TOO_FEW_CARDS
    assert table.refused_answer("S2") == Reason.NOT_AN_OPTION
    assert table.answer("H3").hand("A") == "H3 D9"


def test_a_pair_of_3s_takes_one_card_too() -> None:
    table = Table(ON, "H3 S3 D9", *OTHERS).play("S3 H3").passes(3).answer("S3")
    assert table.hand("A") == "S3 D9"
    assert table.question == ""


def test_a_joker_that_stands_for_a_3_counts() -> None:
    assert Table(ON, "H3 JK1 D9", *OTHERS).play("H3 JK1").passes(3).answer("JK1").hand("A") == "D9 JK1"


@pytest.mark.parametrize("cards", ["H4", "S3 S4 S5", "S4 S5 JK1", "JK1 JK2"])
def test_no_3_or_a_3_in_a_sequence_takes_nothing(cards: str) -> None:
    meant = {"JK1": "3"} if cards == "S4 S5 JK1" else {}
    table = Table(ON, f"{cards} D9", "CQ CJ", "CK CA", "C10 C9").play(cards, **meant).passes(3)
    assert table.flushed
    assert table.question == ""


def test_several_players_of_3s_take_cards_in_the_order_of_their_plays() -> None:
    table = Table(ON, "S3 D9", "JK1 D6", "C6 C7", "C10 C9", field="D:H3 | B:JK1").play("S3")
    assert table.flushed
    assert table.asked == "D"
    table.answer("JK1")
    assert (table.question, table.asked) == ("salvage", "A")
    assert table.options == "S3 H3"
    assert table.answer("S3").turn == "A"


def test_who_has_just_played_the_last_card_takes_one_and_is_not_out() -> None:
    table = Table(ON, "S3", *OTHERS, field="D:JK1").play("S3")
    assert (table.question, table.asked) == ("salvage", "A")
    table.answer("JK1")
    assert table.fouled == table.finished == ""
    assert table.hand("A") == "JK1"
    assert table.turn == "A"


def test_who_went_out_before_the_flush_takes_nothing() -> None:
    table = Table(ON, "H3", *OTHERS).play("H3")
    assert table.finished == "A"
    table.passes(3)
    assert table.question == ""
    assert table.turn == "B"


def test_an_8_cut_flushes_3s_too() -> None:
    table = Table(ON, "H3 D9", "S8 CQ", *OTHERS[1:]).play("H3").play("S8")
    assert table.asked == "A"
    assert table.answer("S8").turn == "B"


def test_it_is_off_in_the_federations_rules() -> None:
    assert Table(program("jdf4"), "H3 D9", *OTHERS).play("H3").passes(3).question == ""
