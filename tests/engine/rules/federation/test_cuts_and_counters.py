"""8 cuts and the spade 3's answer to a joker (chapters 8 and 9).

Articles: JDF 39 40 42 43 44 45 46 47 53 71 72 74
"""

from __future__ import annotations

import pytest

from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

JDF4 = program("jdf4")
OTHERS = ("CJ CQ", "CK CA", "C10 C9")


def lead(hand: str, upside_down: bool = False) -> Table:
    return Table(JDF4, hand, *OTHERS, upside_down=upside_down)


@pytest.mark.parametrize("cards", ["S8", "S8 H8", "S8 H8 D8", "S8 H8 D8 C8", "S8 JK1", "S8 JK1 JK2", "S8 H8 D8 C8 JK1"])
def test_eights_flush_at_once_and_their_player_leads(cards: str) -> None:
    table = lead(f"{cards} D4").play(cards, "single" if cards == "S8" else "group")
    assert table.flushed
    assert table.turn == "A"
    assert table.hand("A") == "D4"


@pytest.mark.parametrize("cards", ["S6 S7 S8", "S7 S8 S9", "S7 S9 JK1", "S8 S9 S10 SJ"])
def test_an_eight_in_a_sequence_does_not_cut(cards: str) -> None:
    assert lead(f"{cards} D4").play(cards).turn == "B"


def test_a_pair_of_jokers_is_no_pair_of_eights() -> None:
    assert lead("JK1 JK2 D4").play("JK1 JK2").turn == "B"


def test_an_eight_cuts_while_reversed_too() -> None:
    assert lead("S8 D4", upside_down=True).play("S8").flushed


def test_an_eight_must_still_be_stronger_than_the_field() -> None:
    assert Table(JDF4, "S8 D4", *OTHERS, field="D:H9").refusal("S8") == Reason.NOT_STRONGER
    assert Table(JDF4, "S8 D4", *OTHERS, field="D:H7").play("S8").flushed


def test_a_cut_with_the_last_cards_is_a_foul_and_the_next_seat_leads() -> None:
    table = lead("S8").play("S8")
    assert table.fouled == "A"
    assert table.flushed
    assert table.turn == "B"


@pytest.mark.parametrize("upside_down", [False, True])
def test_the_spade_3_answers_a_lone_joker_flushes_and_leads(upside_down: bool) -> None:
    table = Table(JDF4, "S3 D9", *OTHERS, field="D:JK1", upside_down=upside_down).play("S3")
    assert table.flushed
    assert table.turn == "A"


@pytest.mark.parametrize("card", ["H3", "D3", "C3", "S4", "S2"])
def test_no_other_card_answers_a_lone_joker(card: str) -> None:
    assert Table(JDF4, f"{card} D9", *OTHERS, field="D:JK1").refusal(card) == Reason.NOT_STRONGER


@pytest.mark.parametrize(
    ("field", "cards"),
    [("H5 JK1", "S3"), ("JK1 JK2", "S3 H3"), ("H4 H5 JK1", "S3"), ("JK1", "S3 H3"), ("JK1", "S3 JK2")],
)
def test_the_spade_3_answers_nothing_else(field: str, cards: str) -> None:
    assert Table(JDF4, f"{cards} D9", *OTHERS, field=f"D:{field}").refusal(cards) in (
        Reason.WRONG_COUNT,
        Reason.NOT_STRONGER,
    )


def test_the_spade_3_goes_over_a_lock() -> None:
    table = Table(JDF4, "S3 D9", *OTHERS, field="B:H5 | C:H9 | D:JK1", lock="H").play("S3")
    assert table.flushed
    assert not table.locked


def test_a_spade_3_that_opens_a_trick_after_a_joker_does_not_flush() -> None:
    table = Table(JDF4, "S3 D9 JK1", *OTHERS).play("JK1").passes(3)
    assert table.turn == "A"
    assert table.play("S3").turn == "B"
    assert not table.flushed


def test_the_spade_3_on_an_ordinary_card_while_reversed_does_not_flush() -> None:
    assert Table(JDF4, "S3 D9", *OTHERS, field="D:H4", upside_down=True).play("S3").turn == "B"


def test_the_spade_3_as_the_last_card_is_a_foul_and_still_flushes() -> None:
    table = Table(JDF4, "S3", *OTHERS, field="D:JK1").play("S3")
    assert table.fouled == "A"
    assert table.flushed
    assert table.turn == "B"


def test_where_the_counter_is_off_the_spade_3_is_below_a_joker_and_flushes_nothing() -> None:
    off = program("jdf4", spade3_counter=False)
    assert Table(off, "S3 D9", *OTHERS, field="D:JK1").refusal("S3") == Reason.NOT_STRONGER
    assert Table(off, "S3", *OTHERS).play("S3").finished == "A"
