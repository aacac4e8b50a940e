"""Going out with cards in hand: 大革命, テポドン, ラッキーセブン."""

from __future__ import annotations

import pytest

from tests.engine.position import Table
from tests.engine.tables import program

OTHERS = ("HA CA", "HK C10", "H10 CQ")
TWOS, SIX_SEVENS, SEVENS = "S2 H2 D2 C2", "S7 H7 D7 C7 JK1 JK2", "S7 H7 D7"
GREAT, ROCKET, LUCKY = (
    program("jdf4", "great_revolution"),
    program("jdf4", "taepodong"),
    program("jdf4", "triple_seven"),
)


def test_four_real_twos_revolt_and_finish_with_cards_in_hand() -> None:
    table = Table(GREAT, f"{TWOS} D4 D5", *OTHERS).play(TWOS)
    assert (table.finished, table.turn, table.state.revolution) == ("A", "B", True)
    assert table.state.laid_away_count == 2
    assert table.hand("A") == ""
    assert table.top.size == 4, "the field stays"


@pytest.mark.parametrize("cards", ["S2 H2 D2 JK1", "S2 H2 D2", f"{TWOS} JK1"])
def test_other_twos_do_not(cards: str) -> None:
    assert Table(GREAT, f"{cards} D4 D5", *OTHERS).play(cards).finished == ""


def test_only_the_ban_of_revolution_sets_makes_it_a_foul() -> None:
    for rules in (["no_finish_with_revolution"], ["no_finish_with_weakest"], ["two_back"]):
        table = program("jdf4", "great_revolution", *rules)
        assert Table(table, f"{TWOS} D4", *OTHERS).play(TWOS).finished == "A"
        assert Table(table, TWOS, *OTHERS).play(TWOS).finished == "A"
    banned = program("jdf4", "great_revolution", "foul_revolution_set", foul_finish="custom")
    fouled = Table(banned, f"{TWOS} D4", *OTHERS).play(TWOS)
    assert (fouled.fouled, fouled.state.revolution, fouled.state.laid_away_count) == ("A", True, 1)


def test_a_great_revolution_that_is_declined_or_cannot_turn_the_order_finishes_all_the_same() -> None:
    asked = program("jdf4", "great_revolution", "optional_revolution")
    table = Table(asked, f"{TWOS} D4", *OTHERS).play(TWOS)
    assert table.finished == ""
    assert (table.says(yes=False).finished, table.state.revolution) == ("A", False)
    once = program("jdf4", "great_revolution", counter_revolution=False)
    assert Table(once, f"{TWOS} D4", *OTHERS, upside_down=True).play(TWOS).finished == "A"


def test_four_of_a_rank_and_two_jokers_finish_free_of_every_ban() -> None:
    bans = ("no_finish_with_revolution", "no_finish_with_weakest", "foul_revolution_set")
    table = program("jdf4", "taepodong", *bans, foul_finish="custom")
    for cards in (SIX_SEVENS, "S3 H3 D3 C3 JK1 JK2", "S2 H2 D2 C2 JK1 JK2"):
        after = Table(table, f"{cards} D4 D5", *OTHERS).play(cards)
        assert (after.finished, after.state.laid_away_count, after.turn) == ("A", 2, "B")
    assert Table(ROCKET, "S7 H7 D7 C7 JK1 D4", *OTHERS).play("S7 H7 D7 C7 JK1").finished == ""


def test_cards_that_the_play_gives_away_are_not_laid_away() -> None:
    table = program("jdf4", "taepodong", "seven_pass")
    after = Table(table, f"{SIX_SEVENS} D4 D5", *OTHERS).play(SIX_SEVENS).answer("D4")
    assert after.finished == "A"
    assert "D4" in after.hand("B")
    assert after.state.laid_away_count == 1


def test_the_fallen_and_the_last_seat_are_found_as_after_any_finish() -> None:
    table = Table(GREAT, f"{TWOS} D4", *OTHERS, previous="BACD", field="D:S5 H5 D5 C5").play(TWOS)
    assert (table.finished, table.fallen) == ("A", "B")


# --- lucky seven -----------------------------------------------------------------------------------------------------


def test_three_sevens_that_nobody_answers_finish_at_the_flush() -> None:
    table = Table(LUCKY, f"{SEVENS} D4 D5", *OTHERS).play(SEVENS)
    assert (table.finished, table.turn) == ("", "B")
    table.passes(3)
    assert (table.finished, table.turn, table.flushed) == ("A", "B", True)
    assert table.state.laid_away_count == 2


def test_an_answer_ends_the_chance() -> None:
    table = Table(LUCKY, f"{SEVENS} D4 D5", "S9 H9 C9 D10", *OTHERS[1:]).play(SEVENS).play("S9 H9 C9").passes(3)
    assert (table.finished, table.turn) == ("", "B")


@pytest.mark.parametrize("cards", ["S7 H7 JK1", "S7 H7", "S7 H7 D7 C7", "S9 H9 D9"])
def test_other_plays_that_nobody_answers_do_not_finish(cards: str) -> None:
    assert Table(LUCKY, f"{cards} D4 D5", *OTHERS).play(cards).passes(3).finished == ""


def test_sevens_give_cards_all_the_same_and_their_ban_does_not_count() -> None:
    table = program("jdf4", "triple_seven", "seven_pass", foul_finish="wide")
    after = Table(table, f"{SEVENS} D4 D5", *OTHERS).play(SEVENS).answer("D4").passes(3)
    assert after.finished == "A"
    last = Table(table, SEVENS, *OTHERS).play(SEVENS)
    assert last.fouled == "A", "these went out at once, before anybody could answer"


def test_the_game_ends_when_the_last_but_one_goes_out_so() -> None:
    two = program("jdf4", "triple_seven", seats=2)
    table = Table(two, f"{SEVENS} D4 D5", "HA CA").play(SEVENS).passes()
    assert table.places == "AB"
