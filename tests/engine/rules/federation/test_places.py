"""Places and the fall (chapter 13).

Articles: JDF 10 12 64 65 65-2
"""

from __future__ import annotations

import pytest

from engine.actions import PASSING
from engine.reasons import Reason
from engine.ruleset import make_ruleset
from tests.engine.position import Table
from tests.engine.tables import program

JDF4 = program("jdf4")


def later(*hands: str, turn: str = "A", field: str = "D:H3", previous: str = "BACD") -> Table:
    """A game after one whose first place was B, unless told otherwise."""
    return Table(program(f"jdf{len(hands)}"), *hands, turn=turn, field=field, previous=previous)


def test_the_titles_of_four_three_and_five_players() -> None:
    assert make_ruleset("jdf4").titles() == ("大富豪", "富豪", "貧民", "大貧民")
    assert make_ruleset("jdf3").titles() == ("富豪", "平民", "貧民")
    assert make_ruleset("jdf5").titles() == ("大富豪", "富豪", "平民", "貧民", "大貧民")


def test_places_follow_the_order_of_going_out_and_the_last_one_left_is_last() -> None:
    table = Table(JDF4, "C4", "C5", "C6", "C7 C9").play("C4").play("C5").play("C6")
    assert table.places == "ABCD"
    assert not table.state.playing
    assert table.asked == ""


def test_the_first_place_of_the_last_game_falls_when_another_goes_out_first() -> None:
    table = later("C4", "C5 C9", "C6 C10", "C7 CJ").play("C4")
    assert table.finished == "A"
    assert table.fallen == "B"
    assert table.turn == "C"
    assert table.hand("B") == ""
    assert table.state.laid_away_count == 2


def test_who_has_fallen_is_last_and_cannot_play_on() -> None:
    table = later("C4", "C5 C9", "C6 C10", "C7 CJ").play("C4")
    assert table.refused(PASSING, "B") == Reason.NOT_YOUR_TURN
    table.play("C6").passes().play("C10")
    assert table.places == "ACDB"


def test_the_first_place_that_goes_out_first_again_does_not_fall() -> None:
    table = later("C4 C8", "C5", "C6 C10", "C7 CJ", turn="B", field="A:C3").play("C5")
    assert table.finished == "B"
    assert table.fallen == ""


def test_nobody_falls_in_a_rounds_first_game_or_at_the_second_finish() -> None:
    assert Table(JDF4, "C4", "C5 C9", "C6 C10", "C7 CJ").play("C4").fallen == ""
    table = later("C6", "C5", "C7 C10", "C9 CJ", turn="B", field="A:C3").play("C5").passes(2).play("C6")
    assert table.finished == "BA"
    assert table.fallen == ""


def test_a_foul_before_the_first_finish_makes_nobody_fall() -> None:
    table = later("S2", "C5 C9", "C6 C10", "C7 CJ", field="D:HA").play("S2")
    assert table.fouled == "A"
    assert table.fallen == ""


def test_a_foul_before_the_fall_stays_below_it() -> None:
    table = later("S8", "C5 D9", "C6", "C7 CJ").play("S8").play("C5").play("C6")
    assert table.fallen == "B"
    assert table.places == "CDBA"


def test_a_foul_after_the_fall_still_ends_below_it() -> None:
    table = later("C4", "C5 C9", "S8", "C7 CJ").play("C4")
    assert table.fallen == "B"
    table.play("S8")
    assert table.places == "ADBC"


def test_two_fouls_before_the_first_finish_raise_the_fallen_to_the_second_place() -> None:
    table = later("S8", "C5 D9", "H8", "C6").play("S8").play("C5").play("H8")
    assert table.fouled == "AC"
    assert table.turn == "D"
    table.play("C6")
    assert table.fallen == "B"
    assert table.places == "DBCA"


def test_the_first_place_that_fouls_does_not_fall_as_well() -> None:
    table = later("C9 C4", "S8", "C10 C6", "CJ C7", turn="B", field="A:H3").play("S8")
    assert table.fouled == "B"
    table.play("C6").play("C7").play("C9").passes().play("CJ")
    assert table.finished == "D"
    assert table.fallen == ""


@pytest.mark.parametrize(("fouls", "places"), [("", "ACDB"), ("C", "ADBC")])
def test_the_fallen_stand_above_those_who_foul_after_the_fall(fouls: str, places: str) -> None:
    table = later("C4", "C5 C9", "S8" if fouls else "C6", "C7 CJ").play("C4")
    table.play("S8" if fouls else "C6")
    if table.state.playing:
        table.passes()
    assert table.places == places


def test_with_three_players_the_first_place_falls_to_the_last() -> None:
    table = later("S4", "S5 S9", "S6 S10", field="C:H3", previous="BAC").play("S4")
    assert table.fallen == "B"
    assert table.places == "ACB"


def test_with_five_players_two_fouls_raise_the_fallen_to_the_middle() -> None:
    table = later("S8", "S5 S9", "H8", "S6", "S7 SJ", field="E:H3", previous="BACDE")
    table.play("S8").play("S5").play("H8").play("S6")
    assert table.fallen == "B"
    assert table.places == "DEBCA"


def test_points_are_two_for_every_player_placed_below() -> None:
    assert Table(JDF4, "C4", "C5", "C6", "C7 C9").play("C4").play("C5").play("C6").state.totals == [6, 4, 2, 0]
