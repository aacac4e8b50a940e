"""Adding equal ranks: fusion, follow revolution, catapult and guerrilla."""

from __future__ import annotations

import pytest

from engine.actions import ADD, DUMP, PASSING, Action
from engine.cards import cards_text, parse_cards
from engine.legal import legal_moves
from engine.options import Options
from engine.program import Program
from engine.reasons import Reason
from engine.saving import load, save
from engine.state import State
from tests.engine.position import Table
from tests.engine.tables import program

FUSION = program("jdf4", same_rank_addition="fusion")
FOLLOW = program("jdf4", same_rank_addition="follow_revolution")
CATAPULT = program("jdf4", same_rank_addition="catapult")
GUERRILLA = program("jdf4", same_rank_addition="guerrilla")
OTHERS = ("C7 C9 D4", "CK CA D6", "CJ CQ D3")


def add(cards: str) -> Action:
    return Action(ADD, parse_cards(cards))


def dump(cards: str) -> Action:
    return Action(DUMP, parse_cards(cards))


def table(on: Program, hand: str, field: str = "D:H5 D5", lock: str = "", upside_down: bool = False) -> Table:
    return Table(on, hand, *OTHERS, field=field, lock=lock, upside_down=upside_down)


def added(table: Table) -> list[str]:
    """Write what the seat on turn may add or throw off."""
    s = table.state
    return [
        cards_text(move.play.cards)
        for move in legal_moves(s, s.turn, s.hands[s.turn], None)
        if move.kind in (ADD, DUMP)
    ]


# --- what may be added ---


@pytest.mark.parametrize(
    ("on", "field", "possible"),
    [
        (FUSION, "D:H5 D5", ["S5 C5", "S5 JK1", "C5 JK1", "S5 C5 JK1"]),
        (FUSION, "D:H5", ["S5 C5 JK1"]),
        (FUSION, "D:H5 D5 JK2", ["S5", "S5 JK1", "C5", "C5 JK1", "S5 C5", "S5 C5 JK1", "JK1"]),
        (FOLLOW, "D:H5 D5", ["S5 JK1", "C5 JK1", "S5 C5"]),
        (FOLLOW, "D:H5", []),
        (FOLLOW, "D:H5 D5 JK2", []),
        (CATAPULT, "D:H5 D5", ["S5", "S5 JK1", "C5", "C5 JK1", "S5 C5", "S5 C5 JK1", "JK1"]),
        (GUERRILLA, "D:H5", ["S5 JK1", "C5 JK1", "S5 C5", "S5 C5 JK1"]),
        (GUERRILLA, "D:H5 D5", ["S5 C5 JK1"]),
        (GUERRILLA, "D:H5 D5 JK2", []),
    ],
)
def test_cards_of_the_rank_on_the_field_are_added(on: Program, field: str, possible: list[str]) -> None:
    assert sorted(added(table(on, "S5 C5 JK1 S9", field))) == sorted(possible)


@pytest.mark.parametrize("on", [FUSION, FOLLOW, CATAPULT, GUERRILLA])
@pytest.mark.parametrize("field", ["", "D:JK2", "D:H4 H5 H6", "D:H9 D9"])
def test_nothing_is_added_to_an_empty_field_a_joker_a_sequence_or_another_rank(on: Program, field: str) -> None:
    position = table(on, "S5 C5 S4 SK", field)
    assert added(position) == []
    for action in (add("S5 C5"), dump("S5 C5")):
        assert position.refused(action) in (Reason.NOT_OFFERED, Reason.OTHER_RANK)


def test_a_reason_says_why_cards_cannot_be_added() -> None:
    position = table(FUSION, "S5 C5 JK1 JK2 S9")
    assert position.refused(add("S9")) == Reason.OTHER_RANK
    assert position.refused(add("S5")) == Reason.TOO_FEW_CARDS
    assert position.refused(Action(ADD)) == Reason.NO_CARDS
    assert position.refused(add("H4")) == Reason.NOT_IN_HAND
    assert position.refused(dump("S5 C5")) == Reason.NOT_OFFERED
    assert table(FOLLOW, "S5 C5 JK1 S9").refused(add("S5 C5 JK1")) == Reason.TOO_MANY_CARDS
    assert table(FOLLOW, "JK1 JK2 S9").refused(add("JK1 JK2")) == Reason.REAL_CARDS_ONLY
    assert table(GUERRILLA, "S5 C5 S9").refused(dump("S5 C5")) == Reason.TOO_FEW_CARDS


def test_more_cards_than_a_pack_has_of_a_rank_are_answered_by_no_hand_of_one_pack() -> None:
    packs = program("jdf4", same_rank_addition="catapult", deal_method="two_packs")
    field = "D:H5 D5 C5 S5 H5' D5' C5' S5'"
    position = Table(packs, "JK1 S9 H9 D9", "C7 C9 D4", "CK CA D6", "CJ CQ D3", field=field).act(add("JK1"))
    assert position.top.size == 9
    known = Options(packs)
    assert known.look(position.state, 0) == 1, "only a pass"


def test_locks_bind_what_is_added() -> None:
    position = table(FUSION, "S5 C5 JK1 JK2 S9", "D:H5 D5", lock="HD")
    assert added(position) == ["JK1 JK2"]
    assert position.refused(add("S5 C5")) == Reason.LOCK_SUIT


def test_three_threes_with_a_joker_are_added_where_a_sandstorm_needs_real_ones() -> None:
    on = program("jdf4", "sandstorm", same_rank_addition="fusion")
    assert table(on, "S3 C3 JK1 S9", "D:H3").act(add("S3 C3 JK1")).state.revolution


def test_without_the_rule_nothing_is_added() -> None:
    position = table(program("jdf4"), "S5 C5 S9")
    assert added(position) == []
    assert position.refused(add("S5 C5")) == position.refused(dump("S5 C5")) == Reason.NOT_OFFERED


# --- fusion ---


def test_a_fusion_revolts_and_lets_the_seat_before_rest_twice_and_the_adder_once() -> None:
    fused = table(FUSION, "S5 C5 S9").act(add("S5 C5"))
    s = fused.state
    assert s.revolution
    assert (fused.top.size, cards_text(fused.top.cards), s.owner) == (4, "S5 H5 D5 C5", 0)
    assert s.rests == [1, 0, 0, 2]
    assert fused.turn == "B"


def test_rests_of_a_fusion_go_on_through_flushes() -> None:
    fused = table(FUSION, "S5 C5 S9 SJ").act(add("S5 C5")).passes(2)
    assert fused.flushed
    assert fused.turn == "B", "A leads, but rests"
    assert fused.state.rests == [0, 0, 0, 1]
    fused.play("C9").play("D6").act(PASSING)
    assert fused.turn == "B", "D has rested a second time"
    assert fused.state.rests == [0, 0, 0, 0]
    assert not any(fused.state.lasting_rests)


def test_a_seat_that_has_gone_out_does_not_rest() -> None:
    position = table(FUSION, "S5 C5 S9")
    s = position.state
    s.hands[3], s.gone, s.finished = 0, 1 << 3, [3]
    assert position.act(add("S5 C5")).state.rests == [1, 0, 0, 0]


def test_with_two_seats_left_the_fusion_flushes_and_its_player_leads() -> None:
    on = program("jdf4", seats=2, same_rank_addition="fusion")
    fused = Table(on, "S5 C5 S9", "C7 C9 D4", field="B:H5 D5").act(add("S5 C5"))
    assert fused.flushed
    assert fused.turn == "A"
    assert fused.state.rests == [0, 0]


def test_a_skip_and_a_fusion_add_up_and_only_the_skip_ends_with_the_trick() -> None:
    on = program("jdf4", "five_skip", same_rank_addition="fusion")
    fused = table(on, "S5 C5 S9").act(add("S5 C5"))
    assert (fused.flushed, fused.turn) == (True, "B"), "all others are skipped; A would lead, but rests"
    assert fused.state.rests == [0, 0, 0, 1]


def test_effects_count_the_cards_that_were_added() -> None:
    on = program("jdf4", "seven_pass", same_rank_addition="fusion")
    fused = Table(on, "S7 S9 SJ", "C4 C9 D4", "CK CA D6", "CJ CQ D3", field="D:H7 D7 C7").act(add("S7"))
    choice = fused.state.group
    assert choice is not None
    assert choice.choices[0].most == 1


def test_a_fusion_is_a_revolution_that_may_be_declined_wait_or_be_frozen() -> None:
    optional = program("jdf4", "optional_revolution", same_rank_addition="fusion")
    assert not table(optional, "S5 C5 S9").act(add("S5 C5")).says(False).state.revolution
    assert table(optional, "S5 C5 S9").act(add("S5 C5")).says(True).state.revolution
    waiting = program("jdf4", "delayed_revolution", same_rank_addition="fusion")
    assert table(waiting, "S5 C5 S9").act(add("S5 C5")).state.reserved_revolutions == 1
    last = program("jdf4", revolution_freeze_count="super_revolution_5", same_rank_addition="fusion")
    assert not table(last, "S5 C5 S9").act(add("S5 C5")).state.freeze
    assert table(last, "S5 C5 JK1 S9").act(add("S5 C5 JK1")).state.freeze


def test_a_fusion_that_may_not_turn_the_order_rests_all_the_same() -> None:
    on = program("jdf4", counter_revolution=False, same_rank_addition="fusion")
    fused = table(on, "S5 C5 S9", upside_down=True).act(add("S5 C5"))
    assert fused.state.revolution
    assert fused.state.rests == [1, 0, 0, 2]


def test_one_fusion_is_one_revolution_whatever_else_is_one() -> None:
    fused = table(FUSION, "S5 C5 D5 JK1 S9", "D:H5").act(add("S5 C5 D5 JK1"))
    assert fused.state.revolution


def test_a_fusion_ends_the_trick_where_revolutions_do() -> None:
    on = program("jdf4", "revolution_flush", same_rank_addition="fusion")
    fused = table(on, "S5 C5 S9").act(add("S5 C5"))
    assert fused.flushed
    assert fused.turn == "B", "A rests"


def test_going_out_by_a_fusion_is_judged_by_the_cards_that_were_added() -> None:
    assert table(FUSION, "S5 C5").act(add("S5 C5")).finished == "A"
    assert table(FUSION, "C5 JK1").act(add("C5 JK1")).fouled == "A"
    strict = program("jdf4", "no_finish_with_revolution", same_rank_addition="fusion")
    assert table(strict, "S5 C5").act(add("S5 C5")).fouled == "A"
    sets = program("jdf4", foul_finish="custom", foul_revolution_set=True, same_rank_addition="fusion")
    assert table(sets, "S5 C5").act(add("S5 C5")).fouled == "A"


# --- follow revolution ---


def test_a_pair_on_its_pair_revolts_and_pairs_go_on() -> None:
    followed = table(FOLLOW, "S5 C5 S9").act(add("S5 C5"))
    assert followed.state.revolution
    assert (followed.top.size, followed.state.owner, len(followed.state.trick)) == (2, 0, 2)
    assert followed.state.rests == [0, 0, 0, 0]
    assert followed.turn == "B"


def test_a_pair_on_its_pair_revolts_without_other_revolutions() -> None:
    on = program("jdf4", revolution=False, same_rank_addition="follow_revolution")
    assert table(on, "S5 C5 S9").act(add("S5 C5")).state.revolution


# --- catapult ---


def test_catapulted_cards_are_part_of_the_play_before_and_the_turn_goes_on() -> None:
    thrown = table(CATAPULT, "S5 S9 D9 H9 S3", "D:H5 D5").act(add("S5"))
    assert (thrown.turn, thrown.state.owner, thrown.top.size) == ("A", 3, 3)
    assert not thrown.state.revolution
    assert thrown.refusal("S9 D9") == Reason.WRONG_COUNT
    assert thrown.play("S9 D9 H9").state.owner == 0


def test_a_catapult_may_go_on_and_its_player_may_pass() -> None:
    thrown = table(CATAPULT, "S5 C5 S9").act(add("S5")).act(add("C5"))
    assert thrown.top.size == 4
    assert not thrown.state.revolution
    thrown.passes()
    assert (thrown.turn, thrown.state.passed) == ("B", 1)


def test_the_last_card_may_be_catapulted() -> None:
    thrown = table(CATAPULT, "S5").act(add("S5"))
    assert (thrown.finished, thrown.turn, thrown.state.owner) == ("A", "B", 3)
    assert table(CATAPULT, "JK1").act(add("JK1")).fouled == "A"


# --- guerrilla ---


def test_a_guerrilla_throws_off_cards_and_the_field_stays() -> None:
    thrown = table(GUERRILLA, "S5 C5 JK1 S9").act(dump("S5 C5 JK1"))
    s = thrown.state
    assert (thrown.top.size, s.owner, s.passed, thrown.turn) == (2, 3, 0, "B")
    assert s.discard == parse_cards("S5 C5 JK1")


@pytest.mark.parametrize(("way", "action"), [("guerrilla", dump("S5 C5")), ("catapult", add("S5"))])
def test_whoever_must_pass_adds_nothing_and_throws_nothing_off(way: str, action: Action) -> None:
    on = program("jdf4", "daifugo_composure", same_rank_addition=way)
    position = table(on, "S5 C5 S9", "D:H5")
    position.state.previous = [0, 1, 2, 3]
    assert added(position) == []
    assert position.refused(action) == Reason.COMPOSURE


def test_a_guerrilla_has_no_effect() -> None:
    on = program("jdf4", "five_skip", same_rank_addition="guerrilla")
    assert table(on, "S5 C5 S9", "D:H5").act(dump("S5 C5")).turn == "B"
    four = program("jdf4", same_rank_addition="guerrilla")
    assert not table(four, "S5 C5 D5 JK1 S9", "D:H5").act(dump("S5 C5 D5 JK1")).state.revolution


def test_the_last_cards_may_be_thrown_off() -> None:
    assert table(GUERRILLA, "S5 C5", "D:H5").act(dump("S5 C5")).finished == "A"
    assert table(GUERRILLA, "S2 C2", "D:H2").act(dump("S2 C2")).fouled == "A"


def test_whoever_has_thrown_off_cards_may_act_again_in_the_trick() -> None:
    thrown = table(GUERRILLA, "S5 C5 S9", "D:H5").act(dump("S5 C5")).passes(2)
    assert thrown.turn == "A"
    assert thrown.play("S9").state.owner == 0


# --- the value ---


def test_lasting_rests_are_saved_and_copied() -> None:
    s: State = table(FUSION, "S5 C5 S9").act(add("S5 C5")).state
    again = load(FUSION, save(s))
    assert again.lasting_rests == s.lasting_rests == (1, 0, 0, 2)
    assert s.copy().lasting_rests == s.lasting_rests


def test_additions_stop_with_card_effects() -> None:
    on = program("jdf4", "omen", same_rank_addition="fusion")
    position = Table(on, "S6 H6 D6 S5 H5 S9", "D5 C5 C9 D4", "CK CA D7", "CJ CQ D3").play("S6 H6 D6").passes(3)
    assert position.play("S5 H5").refused(add("D5 C5")) == Reason.NOT_OFFERED
