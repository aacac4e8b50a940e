"""黒7: a play with a black 7 takes discarded cards back, by lot."""

from __future__ import annotations

import pytest

from engine.cards import parse_cards
from tests.engine.position import Table
from tests.engine.tables import program

ON = program("jdf4", "black_seven")
OTHERS = ("CJ CQ", "CK CA", "C10 C9")


@pytest.mark.parametrize(
    ("cards", "back"), [("S7", 1), ("C7", 1), ("S7 H7", 2), ("S7 JK1", 2), ("H7 D7", 0), ("H7", 0), ("S8 H8", 0)]
)
def test_as_many_cards_come_back_as_a_play_with_a_black_7_has(cards: str, back: int) -> None:
    table = Table(ON, f"{cards} D9", *OTHERS, discard="H3 D3 C3").play(cards)
    assert parse_cards(table.hand("A")).bit_count() == 1 + back
    assert parse_cards(table.hand("A")) & ~parse_cards("D9 H3 D3 C3") == 0


def test_no_more_come_back_than_lie_there() -> None:
    assert Table(ON, "S7 H7 D9", *OTHERS, discard="H3").play("S7 H7").hand("A") == "H3 D9"
    assert Table(ON, "S7 H7 D9", *OTHERS).play("S7 H7").hand("A") == "D9"


def test_the_last_cards_are_no_finish_if_something_comes_back() -> None:
    table = Table(ON, "S7", *OTHERS, discard="H3").play("S7")
    assert (table.finished, table.hand("A"), table.turn) == ("", "H3", "B")
    assert Table(ON, "S7", *OTHERS).play("S7").finished == "A"


def test_what_was_given_or_discarded_before_is_among_the_pile() -> None:
    on = program("jdf4", "black_seven", "seven_discard")
    table = Table(on, "S7 D4", *OTHERS).play("S7").answer("D4")
    assert (table.hand("A"), table.finished) == ("D4", "")


def test_the_field_is_not_yet_among_the_pile() -> None:
    on = program("jdf4", "black_seven", "seven_cut_in_revolution")
    table = Table(on, "S7 D9", *OTHERS, field="D:S9", upside_down=True).play("S7")
    assert (table.flushed, table.hand("A"), table.turn) == (True, "D9", "A")


def test_a_sequence_takes_back_only_where_sequences_have_effects() -> None:
    cards = "S6 S7 S8"
    assert Table(ON, f"{cards} D9", *OTHERS, discard="H3 D3 C3 H4").play(cards).hand("A") == "D9"
    on = program("jdf4", "black_seven", "sequence_card_effects")
    assert len(Table(on, f"{cards} D9", *OTHERS, discard="H3 D3 C3 H4").play(cards).hand("A").split()) == 4
