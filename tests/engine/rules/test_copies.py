"""With two packs a card and its copy are equal: whichever is named, the play is the same."""

from __future__ import annotations

import pytest

from tests.engine.position import Table
from tests.engine.tables import program

TWO = program("jdf4", "four_stop", deal_method="two_packs")


@pytest.mark.parametrize("card", ["S3", "S3'"])
def test_either_spade_three_answers_a_lone_joker(card: str) -> None:
    table = Table(TWO, "S3 S3' D9", "CJ CQ", "CK CA", "C10 C9", field="D:JK1").play(card)
    assert table.flushed
    assert set(table.hand("A").split()) == {"S3", "S3'", "D9"} - {card}


@pytest.mark.parametrize("cards", ["S4 H4", "S4' H4", "S4 S4'"])
def test_any_two_fours_stop_an_eight(cards: str) -> None:
    table = Table(TWO, "S8 D9 D10", "S4 S4' H4 DJ", "CK CA", "C10 C9").play("S8").play(cards)
    assert table.flushed
    assert table.turn == "B"
