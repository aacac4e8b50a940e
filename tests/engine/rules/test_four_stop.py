"""4止め: right after an 8 cut the others may stop it with twice as many 4s."""

from __future__ import annotations

import pytest

from engine.actions import PASSING, answer
from engine.reasons import Reason
from tests.engine.position import Table, play_action
from tests.engine.tables import program

ON = program("jdf4", "four_stop")


def cut(
    cards: str = "S8", b: str = "S4 H4 D4 C4 S9", d: str = "C10 C9", field: str = "", passed: str = "", lock: str = ""
) -> Table:
    """Let A cut with eights."""
    return Table(ON, f"{cards} D5", b, "CK CA", d, field=field, passed=passed, lock=lock).play(cards)


def test_everybody_still_in_is_asked_in_turn_whatever_they_hold() -> None:
    table = cut()
    asked = []
    while table.question:
        asked.append(table.asked)
        assert not table.flushed, "the flush waits"
        table.passes()
    assert asked == ["B", "C", "D"]
    assert table.flushed
    assert table.turn == "A"


def test_two_fours_stop_an_eight_and_their_player_leads() -> None:
    table = cut().play("S4 H4")
    assert table.flushed
    assert table.turn == "B"
    assert table.hand("B") == "D4 C4 S9"
    assert not table.state.revolution


def test_any_two_fours_will_do() -> None:
    pairs = {"S4 H4", "S4 D4", "S4 C4", "H4 D4", "H4 C4", "D4 C4"}
    assert cut().plays == pairs | {"pass"}


def test_four_fours_stop_two_eights_and_revolt() -> None:
    table = cut("S8 H8").play("S4 H4 D4 C4")
    assert table.turn == "B"
    assert table.state.revolution


def test_an_eight_and_a_joker_count_as_two() -> None:
    assert cut("S8 JK1").plays == {"S4 H4 D4 C4", "pass"}


@pytest.mark.parametrize("cards", ["S8 H8 D8", "S8 H8 JK1"])
def test_three_eights_cannot_be_stopped(cards: str) -> None:
    table = cut(cards)
    assert table.question == ""
    assert table.flushed


def test_too_few_or_too_many_fours_jokers_and_other_cards_are_no_counter() -> None:
    assert cut().refusal("S4") == Reason.WRONG_COUNT
    assert cut().refusal("S4 H4 D4 C4") == Reason.WRONG_COUNT
    assert cut().refusal("S9") == Reason.NOT_A_COUNTER
    assert cut(b="S4 JK1 S9").refusal("S4 JK1") == Reason.REAL_CARDS_ONLY
    assert cut().refused(answer(1)) == Reason.WRONG_ACTION


def test_fours_ignore_a_lock() -> None:
    table = cut("S8", field="C:S5 | D:S6", lock="S")
    assert table.play("H4 D4").turn == "B"


def test_who_has_passed_may_not_stop() -> None:
    table = cut(field="D:S5", passed="B")
    assert table.asked == "C"
    assert table.refused(play_action("S4 H4"), "B") == Reason.PASSED_OUT


def test_it_is_not_the_next_seats_turn_until_it_is_asked() -> None:
    assert cut().refused(PASSING, "C") == Reason.NOT_YOUR_TURN


def test_a_later_seat_may_stop_after_others_let_it_go() -> None:
    table = cut(b="S9 S10", d="S4 H4 C9").passes(2).play("S4 H4")
    assert table.turn == "D"


def test_the_last_cards_may_be_a_stop() -> None:
    table = cut(b="S4 H4").play("S4 H4")
    assert table.finished == "B"
    assert table.turn == "C"


def test_a_foul_with_the_last_eight_stands_when_it_is_stopped() -> None:
    table = Table(ON, "S8", "S4 H4 S9", "CK CA", "C10 C9").play("S8")
    assert table.question == "four_stop"
    table.play("S4 H4")
    assert table.fouled == "A"
    assert table.turn == "B"


def test_a_foul_with_the_last_eight_stands_when_it_is_let_go() -> None:
    table = Table(ON, "S8", "S4 H4 S9", "CK CA", "C10 C9").play("S8").passes(3)
    assert table.fouled == "A"
    assert table.turn == "B"


def test_the_foul_of_the_cutter_comes_before_the_stoppers_own_finish() -> None:
    table = Table(ON, "S8", "S4 H4", "CK CA", "C10 C9").play("S8").play("S4 H4")
    assert (table.fouled, table.finished, table.turn) == ("A", "B", "C")


@pytest.mark.parametrize("cards", ["S7", "S7 S8 S9", "JK1"])
def test_only_an_eight_cut_can_be_stopped(cards: str) -> None:
    assert Table(ON, f"{cards} D5", "S4 H4 D6", "CK CA", "C10 C9").play(cards).question == ""


def test_fours_in_ones_own_turn_are_ordinary_cards() -> None:
    assert Table(ON, "S4 H4 D5", "CJ CQ", "CK CA", "C10 C9").play("S4 H4").flushed is False


def test_it_is_off_in_the_federations_rules() -> None:
    assert Table(program("jdf4"), "S8 D5", "S4 H4 D6", "CK CA", "C10 C9").play("S8").turn == "A"
