"""Sandstorm, ambulance, rokurokubi, dignity and two jokers: exactly these cards end the trick."""

from __future__ import annotations

import pytest

from engine.reasons import Reason
from tests.engine.position import Table
from tests.engine.tables import program

OTHERS = ("CA CQ", "CK D10", "C10 CJ")
SANDSTORM = program("jdf4", "sandstorm")


@pytest.mark.parametrize(
    "field", ["D:SK", "D:S4 H4", "D:S9 H9 D9", "D:H9 H10 HJ", "D:S4 H4 D4 C4", "D:JK1", "D:JK1 JK2"]
)
def test_three_real_3s_go_on_any_field_and_end_the_trick(field: str) -> None:
    table = Table(SANDSTORM, "S3 H3 D3 D9", *OTHERS, field=field)
    assert "S3 H3 D3" in table.plays
    table.play("S3 H3 D3")
    assert (table.flushed, table.turn) == (True, "A")


def test_they_end_the_trick_as_a_lead_too() -> None:
    assert Table(SANDSTORM, "S3 H3 D3 D9", *OTHERS).play("S3 H3 D3").flushed


def test_they_go_over_a_lock_which_ends() -> None:
    table = Table(SANDSTORM, "S3 H3 D3 D9", *OTHERS, field="C:H5 | D:H6", lock="H").play("S3 H3 D3")
    assert (table.flushed, table.locked) == (True, "")


def test_any_three_of_four_may_be_played_but_not_two_and_not_all() -> None:
    table = Table(SANDSTORM, "S3 H3 D3 C3 D9", *OTHERS, field="D:S7")
    assert {play for play in table.plays if "3" in play} == {"S3 H3 D3", "S3 H3 C3", "S3 D3 C3", "H3 D3 C3"}
    assert table.refusal("S3 H3") == Reason.WRONG_COUNT
    assert table.refusal("S3 H3 D3 C3") == Reason.WRONG_COUNT


def test_a_joker_among_them_is_the_reason_against_it() -> None:
    assert Table(SANDSTORM, "S3 H3 JK1 D9", *OTHERS, field="D:S7").refusal("S3 H3 JK1") == Reason.REAL_CARDS_ONLY
    assert Table(SANDSTORM, "S3 H3 JK1", *OTHERS, field="D:S4 H4 D4").refusal("S3 H3 JK1") == Reason.NOT_STRONGER
    weaker = Table(SANDSTORM, "S3 H3 JK1 D9", *OTHERS, field="D:S4 H4 D4", upside_down=True).play("S3 H3 JK1")
    assert not weaker.flushed, "an ordinary group that is strong enough"


def test_only_a_seat_that_may_still_play_has_it() -> None:
    table = Table(SANDSTORM, "S9 D9", "S3 H3 D3 CA", *OTHERS[1:], field="D:S7", passed="B").play("S9")
    assert table.asked == "C"
    on = program("jdf4", "sandstorm", "four_stop")
    window = Table(on, "S8 D9", "S3 H3 D3 CA", *OTHERS[1:]).play("S8")
    assert window.refusal("S3 H3 D3") == Reason.NOT_A_COUNTER


def test_the_last_three_3s_are_a_foul_in_a_revolution_only() -> None:
    table = Table(SANDSTORM, "S3 H3 D3", *OTHERS, field="D:S7").play("S3 H3 D3")
    assert (table.finished, table.turn) == ("A", "B")
    assert Table(SANDSTORM, "S3 H3 D3", *OTHERS, field="D:S7", upside_down=True).play("S3 H3 D3").fouled == "A"


def test_off_they_are_an_ordinary_group() -> None:
    off = program("jdf4")
    assert Table(off, "S3 H3 D3 D9", *OTHERS, field="D:SK").refusal("S3 H3 D3") == Reason.WRONG_COUNT
    assert not Table(off, "S3 H3 D3 D9", *OTHERS).play("S3 H3 D3").flushed


@pytest.mark.parametrize(("rule", "rank"), [("ambulance", "9"), ("rokurokubi", "6")])
def test_a_real_pair_ends_the_trick_and_nothing_else_of_the_rank_does(rule: str, rank: str) -> None:
    pair = f"S{rank} H{rank}"
    for cards, flushes in ((pair, True), (f"S{rank}", False), (f"S{rank} JK1", False), (f"{pair} D{rank}", False)):
        assert Table(program("jdf4", rule), f"{cards} D3", *OTHERS).play(cards).flushed == flushes, cards
    assert not Table(program("jdf4"), f"{pair} D3", *OTHERS).play(pair).flushed


def test_a_pair_must_fit_the_field_and_its_locks() -> None:
    on = program("jdf4", "ambulance")
    assert Table(on, "S9 H9 D3", *OTHERS, field="D:S5").refusal("S9 H9") == Reason.WRONG_COUNT
    assert Table(on, "S9 H9 D3", *OTHERS, field="D:S10 H10").refusal("S9 H9") == Reason.NOT_STRONGER
    locked = Table(on, "S9 H9 D3", *OTHERS, field="C:D4 C4 | D:D5 C5", lock="DC")
    assert locked.refusal("S9 H9") == Reason.LOCK_SUIT


@pytest.mark.parametrize(
    ("cards", "flushes"),
    [("SJ SQ SK", True), ("SJ JK1 SK", True), ("SJ SQ JK1", True), ("S10 SJ SQ SK", False), ("SQ SK SA", False)],
)
def test_dignity_is_jack_queen_king_and_nothing_longer(cards: str, flushes: bool) -> None:
    table = Table(program("jdf4", "dignity"), f"{cards} D3", "C5 C6", "C7 H9", "H10 C4")
    declared = {"JK1": "Q"} if "JK1 SK" in cards else {"JK1": "K"} if "JK1" in cards else {}
    table.play(cards, **declared)
    assert table.flushed == flushes
    assert not Table(program("jdf4"), f"{cards} D3", *OTHERS).play(cards, **declared).flushed


def test_two_jokers_end_the_trick_one_does_not() -> None:
    on = program("jdf4", "double_joker_flush")
    table = Table(on, "JK1 JK2 D3", *OTHERS, field="D:S2 H2").play("JK1 JK2")
    assert (table.flushed, table.turn) == (True, "A")
    assert not Table(on, "JK1 D3", *OTHERS).play("JK1").flushed
    assert not Table(on, "S9 H9 JK1 JK2 D3", *OTHERS).play("S9 H9 JK1 JK2").flushed
    assert not Table(program("jdf4"), "JK1 JK2 D3", *OTHERS).play("JK1 JK2").flushed


def test_two_jokers_as_the_last_cards_are_a_foul_as_before() -> None:
    table = Table(program("jdf4", "double_joker_flush"), "JK1 JK2", *OTHERS, field="D:S2 H2").play("JK1 JK2")
    assert (table.fouled, table.flushed, table.turn) == ("A", True, "B")
