"""What three real 6s do beside an omen: ダミアン defeats who passes, サタン takes a card from the discard pile."""

from __future__ import annotations

import pytest

from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

DAMIAN = program("jdf4", "omen", triple_six_effect="damian")
SATAN = program("jdf4", "omen", triple_six_effect="satan")
SIXES = "S6 H6 D6"
OTHERS = ("HA CA", "HK C10", "H10 CQ")


def test_whoever_passes_before_the_flush_is_defeated() -> None:
    table = Table(DAMIAN, f"{SIXES} D4", *OTHERS).play(SIXES).passes()
    assert (table.seats(table.state.defeated), table.turn) == ("B", "C")
    assert table.state.laid_away_count == 2
    assert not table.state.revolution


def test_later_ones_stand_below_and_the_last_one_standing_wins() -> None:
    table = Table(DAMIAN, f"{SIXES} D4", *OTHERS).play(SIXES).passes(3)
    assert table.places == "ABCD"


def test_a_flush_ends_it() -> None:
    hands = (f"{SIXES} D4 D5", "S8 H8 D8 C4 C5", "HK C10", "H10 CQ")
    table = Table(DAMIAN, *hands).play(SIXES).play("S8 H8 D8").play("C4").passes()
    assert table.flushed is False
    assert table.state.defeated == []


def test_an_answer_does_not_end_it() -> None:
    hands = (f"{SIXES} D4 D5", "S9 H9 D9 C4 C5", "HK C10", "H10 CQ")
    table = Table(DAMIAN, *hands).play(SIXES).play("S9 H9 D9").passes()
    assert table.seats(table.state.defeated) == "C"


def test_those_defeated_take_the_places_above_fouls() -> None:
    hands = (f"{SIXES} D4", "HA CA", "HK C10", "H2")
    table = Table(DAMIAN, *hands, turn="D", field="C:HQ").play("H2")
    assert table.fouled == "D"
    table.passes(3).play(SIXES).passes(2)
    assert table.places == "ABCD"


def test_a_card_of_choice_comes_back_from_the_discard_pile() -> None:
    table = Table(SATAN, f"{SIXES} D4", *OTHERS, discard="S2 H9").play(SIXES)
    assert (table.asked, table.question, table.options) == ("A", "triple_six_effect", "H9 S2")
    assert table.refused_answer("C2") == Reason.NOT_AN_OPTION
    table.answer("S2")
    assert (table.hand("A"), table.turn) == ("D4 S2", "B")


def test_a_hand_that_was_empty_is_refilled() -> None:
    table = Table(SATAN, SIXES, *OTHERS, discard="H9").play(SIXES).answer("H9")
    assert (table.finished, table.hand("A")) == ("", "H9")


def test_nobody_is_asked_while_the_pile_is_empty() -> None:
    assert Table(SATAN, f"{SIXES} D4", *OTHERS).play(SIXES).question == ""


@pytest.mark.parametrize("cards", ["S6 H6 JK1", "S6 H6", "S6 H6 D6 C6"])
def test_other_sixes_do_nothing(cards: str) -> None:
    assert Table(SATAN, f"{cards} D4", *OTHERS, discard="H9").play(cards).question == ""
    assert Table(DAMIAN, f"{cards} D4", *OTHERS).play(cards).passes(3).state.defeated == []


def test_neither_acts_while_the_rule_of_three_sixes_is_off() -> None:
    assert Table(program("jdf4"), f"{SIXES} D4", *OTHERS, discard="H9").play(SIXES).question == ""
