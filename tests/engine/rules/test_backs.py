"""Backs reverse the order for a while: 11バック and its variants, 2バック, 強化11バック, 6戻し."""

from __future__ import annotations

import pytest

from engine.catalogue import Value
from engine.program import Program
from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

OTHERS = ("C5 C9", "C6 C10", "D6 CQ")
JACKS, TWOS = program("jdf4", "jack_back"), program("jdf4", "two_back", "jack_back")


def backs(table: Table) -> str:
    """The backs in force with the flushes that they have left."""
    return " ".join([f"{back.rule} {back.left}" for back in table.state.backs])


def jack(**settings: Value) -> Program:
    return program("jdf4", "jack_back", **{f"jack_back__{name}": value for name, value in settings.items()})


@pytest.mark.parametrize("cards", ["SJ", "SJ HJ", "SJ HJ DJ", "SJ JK1"])
def test_a_jack_reverses_the_order_until_the_flush(cards: str) -> None:
    table = Table(JACKS, f"{cards} D9", *OTHERS).play(cards)
    assert backs(table) == "jack_back 1"
    assert table.state.order == 1
    assert not table.state.revolution
    table.passes(3)
    assert table.flushed
    assert (backs(table), table.state.order) == ("", 0)


@pytest.mark.parametrize("cards", ["S10 SJ SQ", "S9", "JK1", "S10"])
def test_sequences_other_ranks_and_a_lone_joker_do_not(cards: str) -> None:
    assert backs(Table(JACKS, f"{cards} D9 D4", *OTHERS).play(cards)) == ""


def test_a_second_jack_reverses_it_again_and_a_revolution_stays_below() -> None:
    table = Table(JACKS, "SJ D9", "HJ C9", *OTHERS[1:], field="D:S9").play("SJ")
    assert table.refusal("HJ") == Reason.NOT_STRONGER
    in_revolution = Table(JACKS, "SJ D9", *OTHERS, upside_down=True).play("SJ")
    assert (in_revolution.state.order, in_revolution.state.revolution) == (0, True)
    both = Table(TWOS, "SJ D9", "S2 C4", *OTHERS[1:], field="D:HQ", upside_down=True).play("SJ").play("S2")
    assert backs(both) == "jack_back 1 two_back 1"
    assert both.state.order == 1


def test_a_cut_ends_it() -> None:
    table = Table(JACKS, "SJ D9", "H8 C4", *OTHERS[1:]).play("SJ").play("H8")
    assert table.flushed
    assert (backs(table), table.state.order) == ("", 0)


def test_switched_off_a_jack_is_a_jack() -> None:
    assert backs(Table(program("jdf4"), "SJ D9", *OTHERS).play("SJ")) == ""


# --- variants --------------------------------------------------------------------------------------------------------


def test_its_player_may_choose() -> None:
    asked = Table(jack(optional=True), "SJ D9", *OTHERS).play("SJ")
    assert (asked.asked, asked.question) == ("A", "jack_back")
    assert backs(asked) == ""
    assert backs(Table(jack(optional=True), "SJ D9", *OTHERS).play("SJ").says(yes=True)) == "jack_back 1"
    declined = Table(jack(optional=True), "SJ D9", *OTHERS).play("SJ").says(yes=False)
    assert (backs(declined), declined.turn) == ("", "B")


def test_in_sequences_too_and_not_in_groups_where_the_ruleset_says_so() -> None:
    assert backs(Table(jack(in_sequence=True), "S10 SJ SQ D9", *OTHERS).play("S10 SJ SQ")) == "jack_back 1"
    assert backs(Table(jack(in_sequence=True), "S10 JK1 SQ D9", *OTHERS).play("S10 JK1 SQ")) == "jack_back 1"
    assert backs(Table(jack(in_sequence=True), "S4 S5 S6 D9", *OTHERS).play("S4 S5 S6")) == ""
    assert backs(Table(jack(groups=False), "SJ HJ D9", *OTHERS).play("SJ HJ")) == ""
    assert backs(Table(jack(groups=False), "SJ D9", *OTHERS).play("SJ")) == "jack_back 1"


def test_sequences_count_where_effects_of_ranks_act_in_them() -> None:
    whole = program("jdf4", "jack_back", "two_back", "six_return", "sequence_card_effects")
    assert backs(Table(whole, "S10 SJ SQ D9", *OTHERS).play("S10 SJ SQ")) == "jack_back 1"
    assert backs(Table(whole, "SK SA S2 D9", *OTHERS).play("SK SA S2")) == "two_back 1"
    table = Table(whole, "S9 S10 SJ D4", "H5 H6 H7 C4", "C7 C10", "D6 CQ", field="D:D7 D8 D9").play("S9 S10 SJ")
    assert backs(table.play("H5 H6 H7")) == ""


def test_the_seven_does_it_in_a_revolution_where_the_ruleset_says_so() -> None:
    sevens = jack(rank_in_revolution="7")
    for cards, upside_down, expected in [
        ("S7", True, "jack_back 1"),
        ("S7", False, ""),
        ("SJ", True, ""),
        ("SJ", False, "jack_back 1"),
    ]:
        assert backs(Table(sevens, f"{cards} D9", *OTHERS, upside_down=upside_down).play(cards)) == expected


def test_four_jacks_revolt_first_and_then_reverse() -> None:
    table = Table(JACKS, "SJ HJ DJ CJ D9", *OTHERS).play("SJ HJ DJ CJ")
    assert (table.state.revolution, table.state.order) == (True, 0)


# --- other backs -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cards", "expected"), [("S2", "two_back 1"), ("S2 H2", "two_back 1"), ("SK SA S2", "")])
def test_a_two_reverses_the_order_too_but_not_in_a_sequence(cards: str, expected: str) -> None:
    assert backs(Table(TWOS, f"{cards} D9", *OTHERS).play(cards)) == expected


ENHANCED = program("jdf4", "jack_back", "two_back", "enhanced_jack_back", "six_return")


def test_three_jacks_reverse_the_order_through_the_next_trick_and_replace_other_backs() -> None:
    table = Table(ENHANCED, "SJ HJ DJ D4 D3", "C5 C9", "C6 C10", "D6 CQ").play("SJ HJ DJ")
    assert backs(table) == "enhanced_jack_back 2"
    table.passes(3)
    assert backs(table) == "enhanced_jack_back 1"
    assert table.state.order == 1
    table.play("D4").passes(3)
    assert (backs(table), table.state.order) == ("", 0)


@pytest.mark.parametrize("cards", ["SJ HJ", "SJ HJ JK1", "SJ HJ DJ CJ"])
def test_not_exactly_three_real_jacks_are_an_ordinary_back(cards: str) -> None:
    assert backs(Table(ENHANCED, f"{cards} D9", *OTHERS).play(cards)) == "jack_back 1"


def test_a_new_jack_while_the_enhanced_back_runs_turns_the_order_for_its_trick() -> None:
    table = Table(ENHANCED, "SJ HJ DJ CJ D3", "C5 C9", "C6 C10", "D6 CQ").play("SJ HJ DJ").passes(3).play("CJ")
    assert backs(table) == "enhanced_jack_back 1 jack_back 1"
    assert table.state.order == 0


def test_a_six_ends_the_back_of_jacks_with_its_time_and_leaves_that_of_twos() -> None:
    hands = ("SJ D3", "S6 C4", "C7 C10", "D6 CQ")
    assert backs(Table(ENHANCED, *hands).play("SJ").play("S6")) == ""
    enhanced = Table(ENHANCED, "SJ HJ DJ D6 D3", "C5 C9", "C6 C10", "H6 CQ").play("SJ HJ DJ").passes(3)
    assert backs(enhanced.play("D6")) == ""
    two = Table(ENHANCED, "S2 D3", "H6 C4", "C7 C10", "D9 CQ").play("S2").play("H6")
    assert backs(two) == "two_back 1"
    assert backs(Table(JACKS, *hands).play("SJ").play("S6")) == "jack_back 1"


# --- last plays ------------------------------------------------------------------------------------------------------


def fouls(table: Program, cards: str) -> bool:
    """Say whether A's last cards are a foul."""
    return Table(table, cards, *OTHERS).play(cards).fouled == "A"


def test_the_order_that_a_back_leaves_says_what_the_strongest_last_card_is() -> None:
    table = Table(JACKS, "SJ D9", "H3", *OTHERS[1:]).play("SJ").play("H3")
    assert table.fouled == "B"
    assert not fouls(TWOS, "S2")
    assert fouls(JACKS, "S2")
    assert fouls(TWOS, "S2 H2 D2 C2"), "the revolution and the back cancel out"


def test_jacks_and_twos_as_last_cards_are_fouls_where_the_ruleset_says_so() -> None:
    custom = program("jdf4", "jack_back", "two_back", "foul_jack_back", "foul_two_back", foul_finish="custom")
    assert fouls(custom, "SJ")
    assert fouls(custom, "SJ HJ")
    assert not fouls(custom, "S9 S10 SJ")
    assert fouls(custom, "S2")
    off = program("jdf4", "foul_jack_back", "foul_two_back", foul_finish="custom", foul_strongest_number=False)
    assert not fouls(off, "SJ")
    assert not fouls(off, "S2")
