"""Emperors: four ranks in a row, one card of each suit."""

from __future__ import annotations

import pytest

from engine.events import StrengthChanged
from engine.plays import EMPEROR
from engine.program import Program
from engine.reasons import Reason
from engine.ruleset import check_ruleset
from tests.engine.position import Table, spare_hands
from tests.engine.tables import program

ON = program("jdf4", "emperor")
FIELD = "D:D4 S5 H6 C7"


def lead(hand: str, table: Program = ON) -> Table:
    """A table on which A leads."""
    return Table(table, hand, *spare_hands(hand))


def over(field: str, hand: str, table: Program = ON, upside_down: bool = False) -> Table:
    """A table on which A answers."""
    return Table(table, hand, *spare_hands(hand, field), field=field, upside_down=upside_down)


@pytest.mark.parametrize("cards", ["S4 H5 D6 C7", "C3 D4 H5 S6", "H10 SJ DQ CK", "SQ CK HA D2"])
def test_four_ranks_in_a_row_of_all_suits_are_an_emperor_that_revolts(cards: str) -> None:
    table = lead(f"{cards} D9").play(cards)
    assert (table.top.shape, table.top.size, table.turn) == (EMPEROR, 4, "B")
    assert table.state.revolution
    assert [event.rule for event in table.events if isinstance(event, StrengthChanged)] == ["emperor"]


@pytest.mark.parametrize(
    "cards",
    ["S4 H5 D6", "S4 H5 D6 C7 S8", "S4 H5 S6 C7", "S4 H5 D6 C8", "S4 H5 D6 JK1", "SK HA D2 C3", "S4 H4 D5 C5"],
)
def test_what_lacks_a_suit_or_a_rank_or_has_a_joker_is_none(cards: str) -> None:
    table = lead(f"{cards} D9")
    assert table.refusal(cards) == Reason.NOT_A_SHAPE
    assert cards not in table.plays


def test_only_a_stronger_emperor_answers_one() -> None:
    table = over(FIELD, "H3 S4 D5 C6 S7 H8 C8 S9")
    assert table.refusal("H3 S4 D5 C6") == Reason.NOT_STRONGER
    assert table.plays == {"D5 C6 S7 H8", "pass"}
    assert table.play("D5 C6 S7 H8").state.revolution


def test_in_a_revolution_the_highest_card_is_the_weak_one_and_it_turns_back() -> None:
    table = over(FIELD, "H3 S4 D5 C6 S5 H6 D7 C8", upside_down=True)
    assert table.plays == {"H3 S4 D5 C6", "pass"}
    assert not table.play("H3 S4 D5 C6").state.revolution


@pytest.mark.parametrize(
    ("field", "cards", "reason"),
    [
        ("D:H4 H5 H6 H7", "S8 H9 D10 CJ", Reason.WRONG_SHAPE),
        ("D:S4 H4 D4 C4", "S8 H9 D10 CJ", Reason.WRONG_SHAPE),
        ("D:D4 S4 H4", "S8 H9 D10 CJ", Reason.WRONG_COUNT),
        (FIELD, "H8 H9 H10 HJ", Reason.WRONG_SHAPE),
        (FIELD, "S8 H8 D8 C8", Reason.WRONG_SHAPE),
    ],
)
def test_it_is_a_shape_of_its_own(field: str, cards: str, reason: Reason) -> None:
    assert over(field, f"{cards} D2").refusal(cards) == reason


def test_where_every_card_must_be_stronger_emperors_do_not_overlap() -> None:
    table = program("jdf4", "emperor", sequence_comparison="all_stronger")
    assert over(FIELD, "S7 H8 D9 C10 D2", table).refusal("S7 H8 D9 C10") == Reason.NOT_STRONGER
    assert over(FIELD, "S8 H9 D10 CJ D2", table).play("S8 H9 D10 CJ").turn == "B"


def test_two_emperors_lock_all_suits_and_that_binds_no_emperor() -> None:
    table = over(FIELD, "S5 H6 D7 C8 D2").play("S5 H6 D7 C8")
    assert sorted(table.locked) == sorted("SHDC")
    assert table.state.revolution
    answer = "D3 H4 C5 S6"
    locked = Table(ON, f"{answer} D2", *spare_hands(answer, FIELD, "D2"), field=FIELD, upside_down=True, lock="SHDC")
    assert locked.play(answer).turn == "B"


def test_without_revolutions_it_is_only_a_shape() -> None:
    table = lead("S4 H5 D6 C7 D9", program("jdf4", "emperor", revolution=False)).play("S4 H5 D6 C7")
    assert table.top.shape == EMPEROR
    assert not table.state.revolution


def test_it_cannot_turn_a_revolution_back_where_none_may() -> None:
    table = program("jdf4", "emperor", counter_revolution=False)
    assert over(FIELD, "H3 S4 D5 C6 S9", table, upside_down=True).play("H3 S4 D5 C6").state.revolution


def test_its_player_says_whether_it_revolts_where_that_is_to_be_chosen() -> None:
    table = lead("S4 H5 D6 C7 D9", program("jdf4", "emperor", "optional_revolution")).play("S4 H5 D6 C7")
    assert table.question == "optional_revolution"
    assert not table.says(False).state.revolution


def test_as_a_last_play_it_is_a_foul_where_revolution_sets_are() -> None:
    banned = program("qdan", "emperor", "foul_revolution_set", foul_finish="custom")
    free = program("qdan", "emperor", foul_finish="custom")
    no_flip = program("qdan", "emperor", "foul_revolution_set", foul_finish="custom", revolution=False)
    for table, fouled in ((banned, "A"), (free, ""), (no_flip, "")):
        assert Table(table, "S4 H5 D6 C7", *spare_hands("S4 H5 D6 C7")).play("S4 H5 D6 C7").fouled == fouled


def test_as_a_last_play_with_the_strongest_number_it_is_a_foul() -> None:
    assert lead("SQ HK DA C2").play("SQ HK DA C2").fouled == "", "the order has just turned over"
    assert lead("S3 H4 D5 C6").play("S3 H4 D5 C6").fouled == "A"


def test_effects_of_its_ranks_come_where_sequences_have_them() -> None:
    plain = lead("S5 H6 D7 C8 D9").play("S5 H6 D7 C8")
    assert (plain.turn, plain.flushed) == ("B", False)
    for rule in ("eight_cut_in_sequence", "sequence_card_effects"):
        cut = lead("S5 H6 D7 C8 D9", program("jdf4", "emperor", rule)).play("S5 H6 D7 C8")
        assert (cut.turn, cut.flushed) == ("A", True)
    for rules, backs in ((("jack_back",), 0), (("jack_back", "sequence_card_effects"), 1)):
        back = lead("S9 H10 DJ CQ D3", program("jdf4", "emperor", *rules)).play("S9 H10 DJ CQ")
        assert len(back.state.backs) == backs


def test_with_two_packs_equal_cards_are_listed_once() -> None:
    table = program("jdf4", "emperor", deal_method="two_packs")
    two = lead("S4 S4' H5 D6 C7 C7'", table)
    assert {play for play in two.plays if len(play.split()) == 4} == {"S4 H5 D6 C7"}
    assert two.play("H5 D6 C7' S4'").top.shape == EMPEROR


def test_ranks_follow_the_row_from_the_ace_where_that_is_in_force() -> None:
    table = program("jdf4", "emperor", "religious_revolution")
    changed = lead("SK HK DK CK SA H2 D3 C4 SQ", table).play("SK HK DK CK").passes(3)
    assert changed.state.from_ace
    assert changed.play("SA H2 D3 C4").top.shape == EMPEROR


def test_off_it_is_no_shape() -> None:
    assert lead("S4 H5 D6 C7 D9", program("jdf4")).refusal("S4 H5 D6 C7") == Reason.NOT_A_SHAPE


def test_a_deck_without_a_suit_has_no_emperors() -> None:
    _, problems = check_ruleset("jdf3", {"emperor": True}, 3)
    assert [problem.settings for problem in problems] == [("emperor", "deck_composition")]
