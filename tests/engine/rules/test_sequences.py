"""How long sequences may be, and which of them end the trick."""

from __future__ import annotations

from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

REST = ("C3 C4", "C5 C6", "C7 C8")


def test_sequences_may_be_limited_to_three_cards() -> None:
    table = Table(program("jdf4", sequence__max_length=3), "S4 S5 S6 S7 D9", *REST)
    assert table.refusal("S4 S5 S6 S7") == Reason.NOT_A_SHAPE
    assert {"S4 S5 S6", "S5 S6 S7"} <= table.plays
    assert "S4 S5 S6 S7" not in table.plays


def test_a_longer_sequence_beyond_the_strongest_rank_ends_the_trick_only_where_any_length_does() -> None:
    cards = "SK SA S2 JK1"
    assert not Table(program("jdf4"), f"{cards} D9", *REST).play(cards).flushed
    assert Table(program("jdf4", strongest_stair_flush__lengths="any"), f"{cards} D9", *REST).play(cards).flushed


def test_sequences_of_two_cards_are_compared_like_others() -> None:
    on = program("jdf4", "two_card_sequence")
    table = Table(on, "S4 S5 D9", "H5 H6 C5 S3", "CK CA", "D3 D4").play("S4 S5")
    assert table.plays == {"H5 H6", "pass"}
    assert table.play("H5 H6").turn == "C"


def test_a_card_and_a_joker_on_an_empty_field_are_a_pair_or_a_sequence_as_is_declared() -> None:
    on = program("jdf4", "two_card_sequence")
    table = Table(on, "S4 JK1 D9", "H5 H6 C5 S3", "CK CA", "D3 D5")
    assert table.refusal("S4 JK1") == Reason.DECLARATION_NEEDED
    assert table.play("S4 JK1", "sequence").plays == {"H5 H6", "pass"}
