"""赤い5, 王の特権, 闇市: hands that change places."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine.cards import parse_cards
from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

RED = program("jdf4", "red_five")
KINGS = program("jdf4", "kings_privilege")
MARKET = program("jdf4", "black_market")


# --- 赤い5 -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "other", "sizes"),
    [("D9 D10", "S4 S6 S9", (2, 3)), ("D9 D10 DJ DQ", "S4", (3, 2)), ("D9 D10", "S4 S6", (2, 2)), ("D9", "S4", (1, 1))],
)
def test_both_hands_are_mixed_and_halved_the_odd_card_goes_to_the_larger(
    hand: str, other: str, sizes: tuple[int, int]
) -> None:
    table = Table(RED, f"H5 {hand}", other, "CK CA", "C10 C9").play("H5")
    assert (table.question, table.asked) == ("red_five", "A")
    table.answer("B")
    one, two = parse_cards(table.hand("A")), parse_cards(table.hand("B"))
    assert (one.bit_count(), two.bit_count()) == sizes
    assert one | two == parse_cards(f"{hand} {other}")
    assert table.turn == "B"


def test_the_odd_card_may_always_go_to_the_player_of_the_5() -> None:
    on = program("jdf4", "red_five", red_five_remainder="player_of_five")
    table = Table(on, "H5 D9 D10", "S4 S6 S9", "CK CA", "C10 C9").play("H5").answer("B")
    assert parse_cards(table.hand("A")).bit_count() == 3


def test_any_seat_that_holds_cards_may_be_chosen_but_not_oneself() -> None:
    table = Table(RED, "D5 D9 D10", "S4 S6 S9", "CK CA", "C10 C9").play("D5")
    assert table.refused_answer("A") == Reason.NOT_AN_OPTION
    table.answer("D")
    assert parse_cards(table.hand("A")) | parse_cards(table.hand("D")) == parse_cards("D9 D10 C10 C9")


@pytest.mark.parametrize("cards", ["S5", "C5", "H5 D5", "H5 JK1", "H4", "JK1"])
def test_black_5s_groups_and_other_cards_mix_nothing(cards: str) -> None:
    assert Table(RED, f"{cards} D9", "S4 S6 S9", "CK CA", "C10 C9").play(cards).question == ""


def test_with_the_last_card_nothing_is_mixed() -> None:
    assert Table(RED, "H5", "S4 S6 S9", "CK CA", "C10 C9").play("H5").finished == "A"


def test_only_the_two_see_what_moved() -> None:
    table = Table(RED, "H5 D9 D10 DJ DQ", "S4 S6 S9 C4", "CK CA", "C10 C9").play("H5").answer("B")
    moved = [event for event in table.events if isinstance(event, ev.CardsMoved)]
    assert 1 <= len(moved) <= 2
    assert all(event.seen_by == 0b11 for event in moved)


def test_the_halves_are_dealt_by_lot() -> None:
    kept = set()
    for cards in ("H5", "D5"):
        for passes in range(3):
            table = Table(RED, f"{cards} D9 D10 DJ DQ", "S4 S6 S9 C4", "CK CA", "C10 C9").play(cards)
            table.state.drawn_words += 16 * passes
            table.answer("B")
            kept.add(parse_cards(table.hand("A")))
    assert len(kept) > 1


def test_it_comes_before_giving_and_skipping() -> None:
    on = program("jdf4", "red_five", "five_pass", "five_skip")
    table = Table(on, "H5 D9 D10", "S4 S6 S9", "CK CA", "C10 C9").play("H5").answer("B")
    assert table.question == "five_pass"
    assert table.answer("").turn == "C"


# --- 王の特権 --------------------------------------------------------------------------------------------------------


def test_three_kings_swap_whole_hands_with_a_neighbour() -> None:
    for seat, own in (("B", "S9"), ("D", "C9 C10")):
        table = Table(KINGS, "SK HK DK D4 D5 D6", "S9", "CA", "C10 C9").play("SK HK DK")
        assert (table.question, table.asked) == ("kings_privilege", "A")
        table.answer(seat)
        assert (table.hand("A"), table.hand(seat), table.turn) == (own, "D4 D5 D6", "B")
        assert table.finished == ""


def test_who_is_no_neighbour_cannot_be_chosen() -> None:
    table = Table(KINGS, "SK HK DK D4", "S9", "CA", "C10 C9").play("SK HK DK")
    assert table.refused_answer("C") == Reason.NOT_A_NEIGHBOUR
    assert table.refused_answer("A") == Reason.NOT_A_NEIGHBOUR


@pytest.mark.parametrize("cards", ["SK HK", "SK HK JK1", "SK HK DK CK", "SQ HQ DQ"])
def test_only_exactly_three_real_kings_swap(cards: str) -> None:
    assert Table(KINGS, f"{cards} D4", "S9", "CA", "C10 C9").play(cards).question == ""


def test_with_the_last_kings_nothing_is_swapped() -> None:
    assert Table(KINGS, "SK HK DK", "S9", "CA", "C10 C9").play("SK HK DK").finished == "A"


def test_hands_are_swapped_before_everybody_passes_a_card_on() -> None:
    on = program("jdf4", "kings_privilege", "reverend_king", "king_skip")
    table = Table(on, "SK HK DK D4 D5", "S9 S10", "C9", "C5").play("SK HK DK").answer("B")
    assert table.question == "reverend_king"
    table.answer("S9", "A").answer("D4", "B").answer("C9", "C").answer("C5", "D")
    assert [table.hand(seat) for seat in "ABCD"] == ["C5 S10", "D5 S9", "D4", "C9"]
    assert (table.flushed, table.turn) == (True, "A")


# --- 闇市 ------------------------------------------------------------------------------------------------------------


def test_three_aces_exchange_two_cards_for_the_two_strongest_of_a_seat() -> None:
    table = Table(MARKET, "SA HA DA D4 D5 D6", "S2 H2 D9", "CK CQ", "C10 C9").play("SA HA DA")
    assert (table.question, table.asked) == ("black_market", "A")
    assert table.answer("B").asked == "AB"
    assert table.refused_answer("D9 S2", "B") == Reason.NOT_AN_OPTION
    table.answer("S2 H2", "B").answer("D4 D5", "A")
    assert (table.hand("A"), table.hand("B"), table.turn) == ("D6 S2 H2", "D4 D5 D9", "B")


def test_a_hand_that_is_empty_only_in_between_is_no_finish() -> None:
    table = Table(MARKET, "SA HA DA D4 D5", "S2 H2", "CK CQ", "C10 C9").play("SA HA DA").answer("B")
    table.answer("S2 H2", "B").answer("D4 D5", "A")
    assert (table.finished, table.hand("A"), table.hand("B")) == ("", "S2 H2", "D4 D5")


@pytest.mark.parametrize(("own", "other"), [("D4", "S2 H2 D9"), ("D4 D5 D6", "S2")])
def test_where_one_holds_a_single_card_one_is_exchanged(own: str, other: str) -> None:
    table = Table(MARKET, f"SA HA DA {own}", other, "CK CQ", "C10 C9").play("SA HA DA").answer("B")
    table.answer("D4", "A").answer("S2", "B")
    assert "S2" in table.hand("A")
    assert "D4" in table.hand("B")


def test_without_own_cards_there_is_no_market() -> None:
    assert Table(MARKET, "SA HA DA", "S2 H2", "CK CQ", "C10 C9").play("SA HA DA").finished == "A"


@pytest.mark.parametrize("cards", ["SA HA", "SA HA JK1", "SA HA DA CA"])
def test_only_exactly_three_real_aces_open_it(cards: str) -> None:
    assert Table(MARKET, f"{cards} D4 D5", "S2 H2", "CK CQ", "C10 C9").play(cards).question == ""


@pytest.mark.parametrize("cards", ["H5", "SK HK DK", "SA HA DA"])
def test_they_are_off_by_default(cards: str) -> None:
    assert Table(program("jdf4"), f"{cards} D4 D5", "S2 H2", "C6 CQ", "C10 C9").play(cards).question == ""
