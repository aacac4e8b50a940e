"""What answers a lone joker: the spade 3, the spade 2 while the order is reversed, three 3s."""

from __future__ import annotations

import pytest

from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

OTHERS = ("HA CA", "HK C10", "H10 CQ")
TWO, THREES = program("jdf4", "spade2_counter"), program("jdf4", "triple3_counter")


@pytest.mark.parametrize(("upside_down", "answers", "does_not"), [(False, "S3", "S2"), (True, "S2", "S3")])
def test_the_spade_two_takes_the_place_of_the_spade_three_while_the_order_is_reversed(
    upside_down: bool, answers: str, does_not: str
) -> None:
    table = Table(TWO, "S3 S2 D9", *OTHERS, field="D:JK1", upside_down=upside_down)
    assert table.refusal(does_not) == Reason.NOT_STRONGER
    table.play(answers)
    assert (table.flushed, table.turn) == (True, "A")


def test_a_back_counts_and_over_a_revolution_it_restores_the_spade_three() -> None:
    backs = program("jdf4", "spade2_counter", "jack_back")
    table = Table(backs, "HJ D9", "JK1 C9", "S2 S3 D4", "H10 CQ").play("HJ").play("JK1")
    assert table.plays == {"S2", "pass"}
    over = Table(backs, "HJ D9", "JK1 C9", "S2 S3 D4", "H10 CQ", upside_down=True).play("HJ").play("JK1")
    assert over.plays == {"S3", "pass"}


def test_it_goes_over_locks_and_only_on_a_lone_joker() -> None:
    assert Table(TWO, "S2 D9", *OTHERS, field="D:JK1", lock="H", upside_down=True).play("S2").flushed
    assert Table(TWO, "S2 D9", *OTHERS, field="D:S4", upside_down=True).refusal("S2") == Reason.NOT_STRONGER
    assert Table(TWO, "H2 D9", *OTHERS, field="D:JK1", upside_down=True).refusal("H2") == Reason.NOT_STRONGER


def test_a_spade_two_that_reverses_the_order_itself_still_answers() -> None:
    both = program("jdf4", "spade2_counter", "two_back")
    table = Table(both, "S2 D9", *OTHERS, field="D:JK1", upside_down=True).play("S2")
    assert (table.flushed, table.state.order) == (True, 1)


def test_a_weak_joker_is_answered_by_its_counter_with_a_flush_and_by_others_without() -> None:
    weak = program("jdf4", "weak_joker_in_revolution", "spade2_counter")
    lead = ("S7 H7 D7 C7 JK1 D9", "S2 H2 S3 C9", "HK C10", "H10 CQ")

    def on_weak_joker() -> Table:
        return Table(weak, *lead).play("S7 H7 D7 C7").passes(3).play("JK1")

    assert on_weak_joker().play("S2").flushed
    assert not on_weak_joker().play("H2").flushed
    assert not on_weak_joker().play("S3").flushed


def test_as_a_last_card_it_is_a_foul_where_the_ruleset_says_so() -> None:
    custom = program("jdf4", "spade2_counter", "foul_spade2_counter", foul_finish="custom")
    assert Table(custom, "S2", *OTHERS, field="D:JK1", upside_down=True).play("S2").fouled == "A"
    assert Table(custom, "S2", *OTHERS, field="D:S5", upside_down=False).play("S2").fouled == "A", "the strongest rank"
    free = program("jdf4", "spade2_counter", foul_finish="custom")
    assert Table(free, "S2", *OTHERS, field="D:JK1", upside_down=True).play("S2").finished == "A"


def test_three_real_threes_answer_a_lone_joker_over_shape_and_lock() -> None:
    table = Table(THREES, "S3 H3 D3 C3 D9", *OTHERS, field="D:JK1", lock="H")
    assert "H3 D3 C3" in table.plays
    table.play("H3 D3 C3")
    assert (table.flushed, table.turn) == (True, "A")


@pytest.mark.parametrize(("cards", "field"), [("S3 H3 JK2", "D:JK1"), ("H3 D3", "D:JK1"), ("S3 H3 D3", "D:S2")])
def test_nothing_else_does(cards: str, field: str) -> None:
    table = Table(THREES, f"{cards} D9", *OTHERS, field=field)
    assert table.refusal(cards) in (Reason.WRONG_COUNT, Reason.NOT_STRONGER)


def test_three_threes_on_a_group_of_jokers_or_led_flush_nothing() -> None:
    assert not Table(THREES, "S3 H3 D3 D9", *OTHERS).play("S3 H3 D3").flushed
    off = program("jdf4")
    assert Table(off, "S3 H3 D3 D9", *OTHERS, field="D:JK1").refusal("S3 H3 D3") == Reason.WRONG_COUNT


def test_three_threes_revolt_where_three_cards_are_enough() -> None:
    table = program("jdf4", "triple3_counter", revolution__min_group=3)
    after = Table(table, "S3 H3 D3 D9", *OTHERS, field="D:JK1").play("S3 H3 D3")
    assert (after.state.revolution, after.flushed) == (True, True)


def test_three_passes_in_a_row_flush_where_a_pass_is_only_for_that_turn() -> None:
    table = Table(program("jdf4", pass_out=False), "S9 D9", *OTHERS).play("S9").passes(2).play("H10").passes(2)
    assert not table.flushed
    assert (table.passes().flushed, table.turn) == (True, "D")
