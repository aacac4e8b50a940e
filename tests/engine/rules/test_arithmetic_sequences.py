"""Arithmetic sequences: three or more cards of one suit at equal distances."""

from __future__ import annotations

import pytest

from engine.catalogue import Value
from engine.plays import ARITHMETIC, SEQUENCE
from engine.program import Program
from engine.reasons import IllegalAction, Reason
from tests.engine.position import Table, play_action, spare_hands
from tests.engine.tables import moves_of, program

ON = program("jdf4", "arithmetic_sequence")
FIELD = "D:H4 H6 H8"


def on(*rules: str, **settings: Value) -> Program:
    """Arithmetic sequences and something else."""
    return program("jdf4", "arithmetic_sequence", *rules, **settings)


def lead(hand: str, table: Program = ON) -> Table:
    """A table on which A leads."""
    return Table(table, hand, *spare_hands(hand))


def over(field: str, hand: str, table: Program = ON, upside_down: bool = False) -> Table:
    """A table on which A answers."""
    return Table(table, hand, *spare_hands(hand, field), field=field, upside_down=upside_down)


def listed(table: Table) -> set[tuple[int, int, int]]:
    """Size, lowest place and difference of every arithmetic sequence that the seat on turn may play."""
    plays = [move.play for move in moves_of(table.state, table.state.turn)]
    return {(play.size, play.low, play.step) for play in plays if play.shape == ARITHMETIC}


@pytest.mark.parametrize(
    ("cards", "step"), [("H4 H6 H8", 2), ("H4 H6 H8 H10", 2), ("S3 S9 S2", 6), ("D5 D8 DJ DA", 3), ("C6 C10 CA", 4)]
)
def test_cards_of_a_suit_at_equal_distances_are_one(cards: str, step: int) -> None:
    table = lead(f"{cards} C9").play(cards)
    assert (table.top.shape, table.top.step, table.turn) == (ARITHMETIC, step, "B")


@pytest.mark.parametrize("cards", ["H4 H6", "H4 H6 H9", "H4 H6 D8", "HK H2 H4", "H4 H6 H8 H9", "JK1 JK2 H4 D6"])
def test_other_cards_are_none(cards: str) -> None:
    table = lead(f"{cards} C9")
    assert table.refusal(cards) == Reason.NOT_A_SHAPE
    assert cards not in table.plays


def test_what_is_also_a_sequence_is_what_its_player_says() -> None:
    table = lead("H4 H5 H6 C9")
    with pytest.raises(IllegalAction, match="declaration_needed: sequence / arithmetic"):
        table.play("H4 H5 H6")
    assert lead("H4 H5 H6 C9").play("H4 H5 H6", "sequence").top.shape == SEQUENCE
    said = lead("H4 H5 H6 C9").play("H4 H5 H6", "arithmetic")
    assert (said.top.shape, said.top.step) == (ARITHMETIC, 1)


def test_where_there_are_no_sequences_nothing_needs_to_be_said() -> None:
    assert lead("H4 H5 H6 C9", on(sequence=False)).play("H4 H5 H6").top.shape == ARITHMETIC


@pytest.mark.parametrize(
    ("cards", "reason"),
    [
        ("S3 S5 S7", Reason.NOT_STRONGER),
        ("S4 S6 S8", Reason.NOT_STRONGER),
        ("S5 S8 SJ", Reason.WRONG_SHAPE),
        ("S5 S6 S7", Reason.WRONG_SHAPE),
        ("S5 H5 D5", Reason.WRONG_SHAPE),
        ("S5 S7 S9 SJ", Reason.WRONG_COUNT),
        ("S5 S7", Reason.NOT_A_SHAPE),
    ],
)
def test_only_a_stronger_one_of_the_same_distance_answers(cards: str, reason: Reason) -> None:
    table = over(FIELD, f"{cards} S9 SJ C2" if "S9" not in cards and "SJ" not in cards else f"{cards} C2")
    assert table.refusal(cards) == reason
    assert over(FIELD, "S5 S7 S9 C2").play("S5 S7 S9").turn == "B"


def test_any_distance_answers_where_that_is_played() -> None:
    free = on(arithmetic_sequence__same_difference_required=False)
    assert over(FIELD, "S5 S8 SJ C2", free).play("S5 S8 SJ").top.step == 3
    assert over(FIELD, "S5 S6 S7 C2", free).play("S5 S6 S7").top.shape == ARITHMETIC
    assert over(FIELD, "S4 S8 SQ C2", free).refusal("S4 S8 SQ") == Reason.NOT_STRONGER
    assert listed(over(FIELD, "S5 S6 S7 S8 SJ", free)) == {(3, 2, 1), (3, 3, 1), (3, 2, 3)}
    assert listed(over(FIELD, "S5 S6 S7 S8 S9 SQ")) == {(3, 2, 2)}


def test_a_sequence_is_answered_with_a_sequence_only() -> None:
    assert over("D:H4 H5 H6", "S5 S6 S7 C2").play("S5 S6 S7").top.shape == SEQUENCE
    assert over("D:H4 H5 H6", "S5 S7 S9 C2").refusal("S5 S7 S9") == Reason.WRONG_SHAPE


def test_in_a_revolution_the_highest_card_is_the_weak_one() -> None:
    assert over(FIELD, "S3 S5 S7 C2", upside_down=True).play("S3 S5 S7").turn == "B"
    assert over(FIELD, "S5 S7 S9 C2", upside_down=True).refusal("S5 S7 S9") == Reason.NOT_STRONGER


def test_where_every_card_must_be_stronger_they_do_not_overlap() -> None:
    every = on(sequence_comparison="all_stronger")
    assert over(FIELD, "S8 S10 SQ C2", every).refusal("S8 S10 SQ") == Reason.NOT_STRONGER
    assert over(FIELD, "S9 SJ SK C2", every).play("S9 SJ SK").turn == "B"


# --- jokers ----------------------------------------------------------------------------------------------------------


def test_a_joker_fills_a_gap_or_goes_on() -> None:
    assert lead("H4 H10 JK1 C9", on(sequence=False)).play("H4 H10 JK1", JK1="7").top.step == 3
    assert lead("H4 H7 JK1 C9").play("H4 H7 JK1").top.low == 1
    assert lead("H4 H7 JK1 C9").refusal("H4 H7 JK1", JK1="9") == Reason.WRONG_MEANING
    assert lead("HA H9 JK1 C9").play("HA H9 JK1").top.low == 1, "4-9-A: nothing stands beyond the 2"


def test_what_a_joker_stands_for_says_the_distance_and_otherwise_the_strongest_reading_counts() -> None:
    assert listed(lead("H4 H8 JK1")) == {(3, 1, 2), (3, 1, 4)}
    assert lead("H4 H8 JK1 C9").play("H4 H8 JK1").top.step == 4, "4-8-Q ends higher than 4-6-8"
    assert lead("H4 H8 JK1 C9").play("H4 H8 JK1", JK1="6").top.step == 2
    assert over("D:S3 S5 S7", "H4 H8 JK1 C9").play("H4 H8 JK1").top.step == 2, "the field decides"


def test_two_jokers_with_a_card_may_be_three_shapes() -> None:
    with pytest.raises(IllegalAction, match="declaration_needed: group / sequence / arithmetic"):
        lead("H8 JK1 JK2 C9").play("H8 JK1 JK2")
    table = lead("H8 JK1 JK2 C9").play("H8 JK1 JK2", "arithmetic")
    assert (table.top.low, table.top.step) == (5, 3), "8-J-A is the strongest from the 8 on"


def test_every_listed_one_is_reached_by_declaring_its_jokers() -> None:
    table = lead("H8 JK1 JK2")
    plays = [move for move in moves_of(table.state, 0) if move.play.shape == ARITHMETIC]
    assert len({move.play.key() for move in plays}) == len(plays) > 8
    for move in plays:
        again = lead("H8 JK1 JK2").act(move.action())
        assert again.top == move.play


def test_where_jokers_take_the_strongest_place_only_the_distance_is_chosen() -> None:
    strongest = on(joker_sequence_placement="strongest")
    assert lead("H8 H10 JK1 C9", strongest).refusal("H8 H10 JK1", "arithmetic", JK1="6") == Reason.WRONG_MEANING
    assert lead("H8 H10 JK1 C9", strongest).play("H8 H10 JK1", "arithmetic", JK1="9").top.step == 1
    assert lead("H8 H10 JK1 C9", strongest).play("H8 H10 JK1", "arithmetic", JK1="Q").top.step == 2


def test_an_undeclared_joker_takes_the_field_s_distance_where_it_stands_strongest() -> None:
    strongest = on(joker_sequence_placement="strongest")
    assert over("D:S3 S5 S7", "H8 H10 JK1 C9", strongest).play("H8 H10 JK1").top.low == 5


# --- what holds for sequences ----------------------------------------------------------------------------------------


def test_suits_lock_as_those_of_sequences_do() -> None:
    locked = over(FIELD, "H5 H7 H9 C2").play("H5 H7 H9")
    assert locked.locked == "H"
    field = f"{FIELD} | B:H5 H7 H9"
    bound = Table(ON, "S6 S8 S10 C2", *spare_hands(field, "S6 S8 S10 C2"), field=field, lock="H")
    assert bound.refusal("S6 S8 S10") == Reason.LOCK_SUIT


def test_suits_follow_where_those_of_sequences_must() -> None:
    assert over(FIELD, "S5 S7 S9 C2", on("sequence_suit_must_follow")).refusal("S5 S7 S9") == Reason.SEQUENCE_SUIT
    assert over(FIELD, "H5 H7 H9 C2", on("sequence_suit_must_follow")).play("H5 H7 H9").turn == "B"


@pytest.mark.parametrize(
    ("rules", "cards", "flushed"),
    [
        ((), "H4 H6 H8", False),
        (("eight_cut_in_sequence",), "H4 H6 H8", True),
        (("sequence_card_effects",), "H4 H6 H8", True),
        (("sequence_card_effects",), "H4 H7 H10", False),
    ],
)
def test_effects_of_its_ranks_come_where_sequences_have_them(rules: tuple[str, ...], cards: str, flushed: bool) -> None:
    assert lead(f"{cards} C9", on(*rules)).play(cards).flushed == flushed


def test_a_back_comes_where_it_comes_in_sequences() -> None:
    assert not lead("H9 HJ HK C9", on("jack_back")).play("H9 HJ HK").state.backs
    assert lead("H9 HJ HK C9", on("jack_back", jack_back__in_sequence=True)).play("H9 HJ HK").state.backs


@pytest.mark.parametrize("cards", ["HJ HQ HK", "HQ HK HA", "H4 H5 H6 H7"])
def test_what_sets_off_by_ranks_that_follow_each_other_is_the_sequence_alone(cards: str) -> None:
    rules = ("dignity", "revolution_of_qka", "sequence_revolution")
    as_sequence = lead(f"{cards} C9", on(*rules)).play(cards, "sequence")
    as_arithmetic = lead(f"{cards} C9", on(*rules)).play(cards, "arithmetic")
    assert as_sequence.flushed or as_sequence.state.revolution
    assert not as_arithmetic.flushed
    assert not as_arithmetic.state.revolution


def test_going_out_with_one_is_judged_as_with_a_sequence() -> None:
    assert lead("H8 HJ HA").play("H8 HJ HA").fouled == ""
    assert lead("H8 H10 JK1", on(sequence=False)).play("H8 H10 JK1").fouled == "A"
    assert lead("H8 H10 HQ HA").play("H8 H10 HQ HA").fouled == ""
    assert lead("H6 H9 HQ H2").play("H6 H9 HQ H2").fouled == "A"


def test_a_range_of_fouls_that_leaves_sequences_free_leaves_these_free() -> None:
    free = on(foul_finish="blog", sequence=False)
    for cards in ("H6 H9 HQ H2", "H8 H10 JK1"):
        assert lead(cards, free).play(cards).fouled == ""


def test_off_it_is_no_shape() -> None:
    assert Table(program("jdf4"), "H4 H6 H8 C9", *spare_hands("H4 H6 H8 C9")).refusal("H4 H6 H8") == Reason.NOT_A_SHAPE


def test_two_packs_list_equal_cards_once_and_take_either() -> None:
    table = lead("H4 H4' H6 H8 H8' C9", on(deal_method="two_packs"))
    assert listed(table) == {(3, 1, 2)}
    assert table.act(play_action("H4' H6 H8'")).top.step == 2


def test_ranks_follow_the_row_from_the_ace_where_that_is_in_force() -> None:
    table = lead("SK HK DK CK HA H3 H5 C9", on("religious_revolution")).play("SK HK DK CK").passes(3)
    assert table.play("HA H3 H5").top.low == 0
