"""9シャッフル and 次期エース: who sits where, and who leads."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine.game import start_game
from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

OTHERS = ("CJ CQ", "CK C3", "C10 C9")
SHUFFLE = program("jdf4", "nine_shuffle")
ACE = program("jdf4", "next_ace")


def test_two_real_nines_seat_everybody_anew() -> None:
    table = Table(SHUFFLE, "S9 H9 D4", *OTHERS).play("S9 H9")
    assert (table.question, table.asked) == ("nine_shuffle", "A")
    table.answer("ACDB")
    assert (table.state.seating, table.turn) == ([0, 2, 3, 1], "C")
    assert [event.seating for event in table.events if isinstance(event, ev.SeatingChanged)] == [(0, 2, 3, 1)]


def test_the_seating_names_every_seat_once_and_may_stay() -> None:
    table = Table(SHUFFLE, "S9 H9 D4", *OTHERS).play("S9 H9")
    assert table.refused_answer("ABC") == Reason.TOO_FEW_CARDS
    assert table.refused_answer("ABCC") == Reason.NAMED_TWICE
    assert table.answer("ABCD").turn == "B"


@pytest.mark.parametrize("cards", ["S9", "S9 JK1", "S9 H9 D9", "S8 H8"])
def test_nothing_else_does(cards: str) -> None:
    assert Table(SHUFFLE, f"{cards} D4", *OTHERS).play(cards).question == ""
    assert Table(program("jdf4"), "S9 H9 D4", *OTHERS).play("S9 H9").question == ""


def test_with_the_last_two_cards_nobody_is_seated_anew() -> None:
    table = Table(SHUFFLE, "S9 H9", *OTHERS).play("S9 H9")
    assert (table.question, table.finished, table.turn) == ("", "A", "B")


def test_it_comes_before_the_reverse_and_the_return() -> None:
    on = program("jdf4", "nine_shuffle", "nine_reverse", "nine_return")
    table = Table(on, "S9 H9 D4 D5 D6", *OTHERS).play("S9 H9").answer("ACDB")
    assert table.question == "nine_return"
    table.answer("D4 D5")
    assert (table.hand("C"), table.turn) == ("C3 D4 D5 CK", "B")


def test_it_lasts_for_the_match() -> None:
    table = Table(SHUFFLE, "S9 H9 D4", "CJ", "CK", "C10").play("S9 H9").answer("ACDB").passes(3).play("D4")
    assert table.state.seating == [0, 2, 3, 1]
    while table.state.playing:
        table.passes() if table.state.trick and len(table.plays) == 1 else table.play(min(table.plays - {"pass"}))
    state, events = start_game(table.state, b"next")
    assert state.seating == [0, 2, 3, 1]
    assert next(event.seating for event in events if isinstance(event, ev.GameStarted)) == (0, 2, 3, 1)


# --- 次期エース ------------------------------------------------------------------------------------------------------


def test_who_played_the_last_ace_leads_after_the_flush_of_somebody_else() -> None:
    table = Table(ACE, "SA D4", "C2 CQ", *OTHERS[1:]).play("SA").play("C2").passes(3)
    assert (table.flushed, table.turn) == (True, "A")
    off = Table(program("jdf4"), "SA D4", "C2 CQ", *OTHERS[1:]).play("SA").play("C2").passes(3)
    assert off.turn == "B"


def test_a_seat_that_is_out_leads_nothing_nor_does_an_earlier_ace() -> None:
    table = Table(ACE, "SA D4", "C2 C4", *OTHERS[1:], field="D:HK").play("SA").play("C2").passes(3)
    assert table.turn == "A"
    last = Table(ACE, "SA", "C2 C4", *OTHERS[1:]).play("SA").play("C2").passes(2)
    assert (last.finished, last.turn) == ("A", "B")


def test_after_an_eight_cut_too() -> None:
    table = Table(ACE, "SA D4", "C8 CQ", *OTHERS[1:], upside_down=True).play("SA").play("C8")
    assert (table.flushed, table.turn) == (True, "A")


def test_an_ace_in_a_sequence_counts_only_where_sequences_have_effects() -> None:
    for rules, leader in (((), "A"), (("sequence_card_effects",), "D")):
        on = program("jdf4", "next_ace", *rules)
        table = Table(on, "S4 S5 S6 HA D4", "C4 C5 C6", "CK C3", "C10 C9", upside_down=True, field="D:SQ SK SA")
        assert table.play("S4 S5 S6").passes(3).turn == leader


def test_the_market_of_three_aces_comes_before() -> None:
    on = program("jdf4", "next_ace", "black_market")
    table = Table(on, "SA HA DA D4 D5", "S2 H2 D9 D2 D10", *OTHERS[1:]).play("SA HA DA").answer("C")
    table.answer("D4 D5", "A").answer("CK C3", "C")
    assert table.play("S2 H2 D2").passes(3).turn == "A"
