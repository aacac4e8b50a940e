"""階段内の札効果: the effects of ranks inside sequences."""

from __future__ import annotations

import pytest

from tests.engine.position import Table
from tests.engine.tables import program

OTHERS = ("CJ CA", "CK C10", "C3 C4")


@pytest.mark.parametrize(
    ("rule", "cards", "question"),
    [
        ("five_pass", "S4 S5 S6", "five_pass"),
        ("seven_pass", "S6 S7 S8", "seven_pass"),
        ("ten_pass", "S9 S10 SJ", "ten_pass"),
        ("seven_discard", "S6 S7 S8", "seven_discard"),
        ("seven_attach", "S6 JK1 S8", "seven_attach"),
        ("ten_discard", "S9 S10 SJ", "ten_discard"),
        ("queen_discard", "SQ SK SA", "queen_discard"),
        ("queen_bomber", "SQ SK SA", "queen_bomber"),
        ("nine_return", "S7 S8 S9", "nine_return"),
        ("reverend_king", "SQ SK SA", "reverend_king"),
    ],
)
def test_what_asks_something_asks_it_for_one_card(rule: str, cards: str, question: str) -> None:
    declared = {"JK1": "7"} if "JK1" in cards else {}
    without = program("jdf4", rule)
    assert Table(without, f"{cards} D5 D6", *OTHERS).play(cards, **declared).question == ""
    table = Table(program("jdf4", rule, "sequence_card_effects"), f"{cards} D5 D6", *OTHERS).play(cards, **declared)
    assert table.question == question
    group = table.state.group
    assert group is not None
    assert group.choices[0].most == 1


@pytest.mark.parametrize(
    ("rule", "cards"),
    [("eight_cut", "S7 S8 S9"), ("four_cut", "S3 S4 S5"), ("jack_cut", "SJ SQ SK"), ("ten_cut", "S9 JK1 SJ")],
)
def test_what_cuts_cuts(rule: str, cards: str) -> None:
    off = program("jdf4", rule)
    assert not Table(off, f"{cards} D5", *OTHERS).play(cards).flushed
    table = Table(program("jdf4", rule, "sequence_card_effects"), f"{cards} D5", *OTHERS)
    assert table.play(cards, **({"JK1": "10"} if "JK1" in cards else {})).flushed


def test_a_skip_skips_one_seat_and_two_skips_two() -> None:
    one = program("jdf4", "five_skip", "sequence_card_effects")
    assert Table(one, "S4 S5 S6 D9", *OTHERS).play("S4 S5 S6").turn == "C"
    two = program("jdf4", "five_skip", "six_skip", "sequence_card_effects")
    assert Table(two, "S4 S5 S6 D9", *OTHERS).play("S4 S5 S6").turn == "D"


def test_two_reverses_turn_the_direction_twice() -> None:
    one = program("jdf4", "nine_reverse", "sequence_card_effects")
    assert Table(one, "S8 S9 S10 D3", *OTHERS, field="D:H3 H4 H5").play("S8 S9 S10").turn == "A"
    off = program("jdf4", "nine_reverse", "sequence_card_effects", eight_cut=False)
    assert Table(off, "S8 S9 S10 D3", *OTHERS).play("S8 S9 S10").turn == "D"
    two = program("jdf4", "nine_reverse", "ten_reverse", "sequence_card_effects", eight_cut=False)
    assert Table(two, "S8 S9 S10 D3", *OTHERS).play("S8 S9 S10").turn == "B"


def test_gives_go_by_rising_rank_then_discards_then_the_cut() -> None:
    every = program("jdf4", "five_pass", "seven_pass", "seven_discard", "sequence_card_effects")
    table = Table(every, "S5 S6 S7 S8 D9 D10 DJ DQ", *OTHERS).play("S5 S6 S7 S8")
    asked = []
    for card in ("D9", "D10", "DJ"):
        asked.append(table.question)
        assert not table.flushed
        table.answer(card)
    assert asked == ["five_pass", "seven_pass", "seven_discard"]
    assert (table.flushed, table.hand("A"), table.turn) == (True, "DQ", "A")


def test_fouls_do_not_reach_into_sequences() -> None:
    wide = program("jdf4", "seven_pass", "sequence_card_effects", foul_finish="wide")
    table = Table(wide, "S6 S7 S8 D4", *OTHERS).play("S6 S7 S8").answer("D4")
    assert (table.finished, table.fouled) == ("A", "")


def test_a_trick_with_a_3_in_a_sequence_is_salvaged_from() -> None:
    for extra, question in (("sequence_card_effects", "salvage"), ("", "")):
        rules = [rule for rule in ("salvage", extra) if rule]
        table = Table(program("jdf4", *rules), "S3 S4 S5 D9", *OTHERS).play("S3 S4 S5").passes(3)
        assert table.question == question
