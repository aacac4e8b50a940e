"""DEATH, ブラッディメアリ1, ジャンヌダルク1: others throw away their strongest cards."""

from __future__ import annotations

import pytest

from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

DEATH = program("jdf4", "death")
MARY = program("jdf4", triple_queen_effect="bloody_mary_1")
JEANNE = program("jdf4", triple_queen_effect="jeanne_darc_1")


def death(*others: str, hand: str = "D9", upside_down: bool = False, on: str = "") -> Table:
    """Let A play three 4s."""
    rules = program("jdf4", "death", on) if on else DEATH
    return Table(rules, f"S4 H4 D4 {hand}".strip(), *others, upside_down=upside_down).play("S4 H4 D4")


def test_everybody_else_is_asked_at_once_for_a_strongest_card() -> None:
    table = death("S2 H2 D5", "C9 C5", "CK C6")
    assert (table.question, table.asked) == ("death", "BCD")
    assert table.options == "S2 H2"
    table.answer("CK", "D").answer("C9", "C")
    assert table.hand("C") == "C5 C9", "nothing is thrown before all have answered"
    table.answer("H2", "B")
    assert [table.hand(seat) for seat in "BCD"] == ["D5 S2", "C5", "C6"]
    assert table.turn == "B"


def test_a_joker_is_the_strongest_and_the_reverse_order_counts() -> None:
    assert death("JK1 S2", "C9 C5", "CK C6").options == "JK1"
    assert death("S3 S2", "C9 C5", "CK C6", upside_down=True).options == "S3"


def test_a_weaker_card_is_refused() -> None:
    assert death("S2 D5", "C9 C5", "CK C6").refused_answer("D5", "B") == Reason.MUST_GIVE_STRONGEST


def test_who_loses_the_last_card_goes_out_without_a_foul_the_actor_first() -> None:
    table = death("S2", "C9 C5", "JK1", hand="").answer("S2", "B").answer("C9", "C").answer("JK1", "D")
    assert (table.finished, table.fouled, table.places) == ("ABD", "", "ABDC")


@pytest.mark.parametrize("cards", ["S4 H4", "S4 H4 JK1", "S4 H4 D4 C4"])
def test_only_exactly_three_real_4s_do_it(cards: str) -> None:
    assert Table(DEATH, f"{cards} D9", "CJ CQ", "CK CA", "C10 C9").play(cards).question == ""


def test_it_comes_before_the_cut_of_4s() -> None:
    table = death("S2 D5", "C9 C5", "CK C6", on="four_cut")
    assert not table.flushed
    table.answer("S2", "B").answer("C9", "C").answer("CK", "D")
    assert (table.flushed, table.turn) == (True, "A")


def test_seats_that_are_out_are_not_asked() -> None:
    table = Table(DEATH, "S4 H4 D4 D9", "CJ", "CK CA", "C10 C9", turn="B").play("CJ").passes(3)
    assert (table.finished, table.turn) == ("B", "C")
    table = Table(DEATH, "S4 H4 D4 D9 D3", "CJ", "CK CA", "C10 C9", turn="B").play("CJ").passes(3).play("CA").passes(2)
    assert table.play("CK").finished == "BC"


# --- three queens ----------------------------------------------------------------------------------------------------


def test_mary_makes_all_others_throw_two() -> None:
    table = Table(MARY, "SQ HQ DQ D9", "S2 H2 D5", "C9 C5 C6", "CK").play("SQ HQ DQ")
    assert (table.question, table.asked) == ("triple_queen_effect", "BCD")
    table.answer("S2 H2", "B").answer("C9 C6", "C").answer("CK", "D")
    assert [table.hand(seat) for seat in "BCD"] == ["D5", "C5", ""]
    assert table.finished == "D"


def test_jeanne_only_the_next_seat_that_holds_cards() -> None:
    table = Table(JEANNE, "SQ HQ DQ D9", "S2 H2 D5", "C9 C5 C6", "CK").play("SQ HQ DQ")
    assert table.asked == "B"
    assert table.answer("S2 H2").turn == "B"


def test_of_equal_cards_the_target_keeps_which_it_likes_but_not_the_stronger() -> None:
    table = Table(JEANNE, "SQ HQ DQ D9", "S2 SA HA D5", "C9", "CK").play("SQ HQ DQ")
    assert table.refused_answer("SA HA") == Reason.MUST_GIVE_STRONGEST
    assert table.answer("S2 HA").hand("B") == "D5 SA"


def test_own_discards_come_before_and_the_bomber_after() -> None:
    on = program("jdf4", "queen_discard", "queen_bomber", triple_queen_effect="jeanne_darc_1")
    table = Table(on, "SQ HQ DQ D9 D8", "S2 H2 D5", "C9 C5 C6", "CK CJ").play("SQ HQ DQ")
    assert table.question == "queen_discard"
    assert table.answer("D9").question == "triple_queen_effect"
    assert table.answer("S2 H2").question == "queen_bomber"


def test_they_are_off_by_default() -> None:
    off = program("jdf4")
    for cards in ("SQ HQ DQ", "S4 H4 D4"):
        assert Table(off, f"{cards} D9", "S2 H2 D5", "C9 C5 C6", "CK").play(cards).question == ""
