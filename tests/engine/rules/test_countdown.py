"""終焉のカウントダウン: passes count a number down, and whoever passes it to 0 is defeated."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine.cards import count
from engine.game import default_action
from engine.reasons import Reason
from engine.steps import note_of
from tests.engine.position import Table
from tests.engine.tables import asked, program

ON = program("jdf4", "countdown_of_doom")
OFF = program("jdf4")


def four(number: str = "4", cards: str = "S4", previous: str = "BCDA") -> Table:
    """Let A, last of the game before, play a 4 on a 3 and name a number."""
    table = Table(ON, f"{cards} D5 D9", "CJ CQ", "CK CA", "C10 C9", field="D:C3", previous=previous).play(cards)
    return table.answer(number) if number else table


def left(table: Table) -> int:
    return sum(note_of(table.state, "countdown_of_doom"))


def test_the_last_place_of_the_game_before_names_a_number() -> None:
    table = four("")
    assert (table.question, table.asked) == ("countdown_of_doom", "A")
    assert left(table.answer("7")) == 7
    assert table.turn == "B"


@pytest.mark.parametrize("number", ["3", "0", "100"])
def test_numbers_below_4_and_above_99_are_refused(number: str) -> None:
    assert four("").refused_answer(number) == Reason.TOO_SMALL


@pytest.mark.parametrize(("cards", "previous"), [("S4", "ABCD"), ("S4", "BACD"), ("S5", "BCDA")])
def test_nobody_else_and_no_other_card_begins_it(cards: str, previous: str) -> None:
    assert four("", cards, previous).question == ""


def test_a_pair_of_4s_does_not_begin_it_and_off_nothing_does() -> None:
    table = Table(ON, "S4 H4 D9", "CJ CQ", "CK CA", "C10 C9", field="D:C3 D3", previous="BCDA").play("S4 H4")
    assert table.question == ""
    assert Table(OFF, "S4 D9", "CJ CQ", "CK CA", "C10 C9", field="D:C3", previous="BCDA").play("S4").question == ""
    first = Table(ON, "S4 D9", "CJ CQ", "CK CA", "C10 C9").play("S4")
    assert first.question == "", "nobody is last in a first game"


def test_every_pass_counts_over_flushes_and_the_last_one_loses() -> None:
    table = four("4").passes(3)
    assert (left(table), table.turn, table.flushed) == (1, "A", True)
    table.play("D5").passes()
    told = [event for event in table.events if isinstance(event, ev.Fell)]
    assert [(event.seat, event.place, event.defeated, event.rule) for event in told] == [
        (1, 4, True, "countdown_of_doom")
    ]
    assert (table.seats(table.state.defeated), table.hand("B"), table.turn) == ("B", "", "C")
    assert left(table) == 0


def test_after_it_passes_are_harmless() -> None:
    table = four("4").passes(3).play("D5").passes(3)
    assert table.seats(table.state.defeated) == "B"


def test_another_4_sets_a_new_number() -> None:
    table = Table(ON, "S4 H4 D5", "CJ CQ", "CK CA", "C10 C9", field="D:C3", previous="BCDA").play("S4").answer("9")
    table.passes(3)
    assert left(table) == 6
    assert left(table.play("H4").answer("50")) == 50


def test_with_two_seats_a_defeat_ends_the_game() -> None:
    two = program("jdf4", "countdown_of_doom", seats=2)
    table = Table(two, "S4 D5 D9 DJ DQ", "CJ CQ", field="B:C3", previous="BA").play("S4").answer("4").passes()
    for card in ("D5", "D9", "DJ"):
        assert table.state.playing
        table.play(card).passes()
    assert (table.places, table.seats(table.state.defeated)) == ("AB", "B")


def test_the_defeated_stand_below_those_who_play_on() -> None:
    table = four("4").passes(3).play("D5").passes(3).play("D9")
    assert (table.finished, count(table.state.gone)) == ("A", 2)
    while table.state.playing:
        table.act(default_action(table.state, asked(table.state)[0]))
    assert (table.places[0], table.places[-1]) == ("A", "B")


def test_a_pass_in_a_window_does_not_count() -> None:
    on = program("jdf4", "countdown_of_doom", "four_stop")
    table = Table(on, "S4 D5 D9", "C8 CQ", "CK CA", "C10 C9", field="D:C3", previous="BCDA").play("S4").answer("9")
    table.play("C8").passes(3)
    assert (table.turn, left(table)) == ("B", 9)
