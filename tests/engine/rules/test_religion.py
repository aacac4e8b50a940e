"""宗教革命: ranks run A, 2, 3 … K, parity binds, and the next revolution turns that order over."""

from __future__ import annotations

import pytest

from engine.orders import FROM_ACE, REVERSED
from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

RELIGIOUS = program("jdf4", "religious_revolution", "jack_back")
KINGS = "SK HK DK CK"
FOUR_SEVENS = "S7 H7 D7 C7"


def preached(mine: str, second: str = "C9 C10", more: str = "D4 D5", upside_down: bool = False) -> Table:
    """A has played four Ks, everybody has passed, and A leads."""
    hands = (f"{KINGS} {mine}", second, more, "C4 C5")
    return Table(RELIGIOUS, *hands, upside_down=upside_down).play(KINGS).passes(3)


@pytest.mark.parametrize("cards", [KINGS, "SK HK DK JK1", f"{KINGS} JK1"])
@pytest.mark.parametrize("upside_down", [False, True])
def test_four_kings_make_ranks_run_from_the_ace(cards: str, upside_down: bool) -> None:
    table = Table(RELIGIOUS, f"{cards} D9", "C9 C10", "D4 D5", "C4 C5", upside_down=upside_down).play(cards)
    assert (table.state.order, table.state.revolution) == (FROM_ACE, False)


@pytest.mark.parametrize("cards", ["SK HK DK", "SK HK JK1", "SK HK JK1 JK2"])
def test_fewer_kings_do_not(cards: str) -> None:
    assert not Table(RELIGIOUS, f"{cards} D9", "C9 C10", "D4 D5", "C4 C5").play(cards).state.from_ace


def test_only_the_same_parity_answers_and_the_order_runs_from_the_ace() -> None:
    table = preached("H9 D9", second="S10 SJ SQ C2 H5")
    table.play("H9")
    assert table.refusal("S10") == Reason.PARITY
    assert table.refusal("H5") == Reason.NOT_STRONGER
    assert table.refusal("C2") == Reason.NOT_STRONGER
    assert table.plays == {"SJ", "pass"}


def test_pairs_are_bound_too_and_jokers_take_the_parity_of_what_they_stand_for() -> None:
    table = preached("H6 D6 S3", second="S10 JK1 SJ HJ C3")
    table.play("H6 D6")
    assert table.refusal("SJ HJ") == Reason.PARITY
    assert table.plays == {"S10 JK1", "pass"}


def test_a_joker_alone_answers_nothing_but_may_be_led_and_countered() -> None:
    table = preached("H9 D9", second="JK1 S3").play("H9")
    assert table.refusal("JK1") == Reason.PARITY
    assert preached("H9 S9 D8", second="JK1 JK2 S3").play("H9 S9").refusal("JK1 JK2") == Reason.PARITY
    led = preached("JK1 D9", second="S3 C9").play("JK1")
    assert led.refusal("C9") == Reason.NOT_STRONGER
    assert led.play("S3").flushed


def test_sequences_are_free_of_parity_and_follow_the_new_row() -> None:
    table = preached("H4 H5 H6 D9", second="S9 S10 SJ").play("H4 H5 H6")
    assert table.play("S9 S10 SJ").top.size == 3
    assert preached("SA S2 S3 D9", second="H10 HJ HQ").play("SA S2 S3").play("H10 HJ HQ").top.low == 9
    assert preached("SQ SA S2 D9").refusal("SQ SA S2") == Reason.NOT_A_SHAPE


def test_the_next_revolution_turns_this_order_over() -> None:
    table = preached(f"{FOUR_SEVENS} D9").play(FOUR_SEVENS)
    assert table.state.order == FROM_ACE | REVERSED
    assert table.state.revolution


def test_a_back_reverses_it_for_a_while() -> None:
    table = preached("HJ D9", second="S9 C9").play("HJ")
    assert table.state.order == FROM_ACE | REVERSED
    assert table.play("S9").passes(3).state.order == FROM_ACE


def test_four_kings_again_turn_it_over_as_any_revolution() -> None:
    both = program("jdf4", "religious_revolution", deal_method="two_packs")
    again = "SK' HK' DK' CK'"
    table = Table(both, f"{KINGS} {again} D9", "C9 C10", "D4 D5", "C4 C5").play(KINGS).passes(3).play(again)
    assert table.state.order == FROM_ACE | REVERSED


def test_a_king_answers_odd_numbers_up_to_the_jack_also_where_it_is_weakest() -> None:
    hand = "SK' C9"
    two_packs = program("jdf4", "religious_revolution", deal_method="two_packs")
    for lead, may in [("HJ", True), ("H9", True), ("H10", False), ("HQ", False), ("HA", True)]:
        hands = (f"{KINGS} {FOUR_SEVENS} {lead} S3", hand, "D4 D5", "C4 C5")
        table = Table(two_packs, *hands).play(KINGS).passes(3).play(FOUR_SEVENS).passes(3).play(lead)
        assert (f"{hand.split()[0]}" in table.plays) is may, lead


def test_it_always_happens_and_ignores_choice_and_delay() -> None:
    table = program("jdf4", "religious_revolution", "optional_revolution", "delayed_revolution")
    after = Table(table, f"{KINGS} D9", "C9 C10", "D4 D5", "C4 C5").play(KINGS)
    assert (after.state.from_ace, after.question, after.state.reserved_revolutions) == (True, "", 0)


def test_after_the_last_revolution_it_does_not_come() -> None:
    table = program("jdf4", "religious_revolution", revolution_freeze_count="super_revolution_5")
    hands = (f"{FOUR_SEVENS} JK1 {KINGS} D9", "C9 C10", "D4 D5", "C4 C5")
    after = Table(table, *hands).play(f"{FOUR_SEVENS} JK1").passes(3).play(KINGS)
    assert not after.state.from_ace
    late = Table(table, f"{KINGS} JK1 {FOUR_SEVENS} D9", *hands[1:]).play(f"{KINGS} JK1").passes(3)
    assert late.play(FOUR_SEVENS).state.order == FROM_ACE


def test_last_cards_are_judged_by_this_order() -> None:
    assert preached("D2").play("D2").finished == "A"
    assert preached("D3").play("D3").finished == "A"
    assert Table(RELIGIOUS, KINGS, "C9 C10", "D4 D5", "C4 C5").play(KINGS).fouled == "A"
    ace = preached(f"{FOUR_SEVENS} DA").play(FOUR_SEVENS).passes(3).play("DA")
    assert ace.fouled == "A"
    weakest = program("jdf4", "religious_revolution", "no_finish_with_weakest", foul_finish="none")
    hands = ("C9 C10", "D4 D5", "C4 C5")
    assert Table(weakest, f"{KINGS} DA", *hands).play(KINGS).passes(3).play("DA").fouled == "A"
    assert Table(weakest, f"{KINGS} D3", *hands).play(KINGS).passes(3).play("D3").finished == "A"
