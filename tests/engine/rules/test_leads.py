"""Who opens a game, and what the opener must and must not do."""

from __future__ import annotations

import pytest

from engine.actions import PASSING
from engine.cards import parse_cards
from engine.catalogue import Value
from engine.game import apply, default_action, new_match, start_game
from engine.program import Program
from engine.reasons import Reason
from engine.ruleset import RulesetError, make_ruleset
from engine.state import State
from tests.engine.position import SEATS, Table
from tests.engine.tables import program

HANDS = ("S4 H4", "D3 H5", "C3 H6", "S3 H7")


def leader(table: Program, previous: str = "", seed: str = "position", hands: tuple[str, ...] = HANDS) -> str:
    """Begin a game and return who opens it."""
    s = new_match(table, 2)
    if previous:
        s.previous, s.game = [SEATS.index(seat) for seat in previous], 1
    s, _ = start_game(s, seed.encode(), tuple([parse_cards(hand) for hand in hands]))
    return SEATS[s.turn]


def leads(way: str, **more: Value) -> Program:
    return program("jdf4", first_leader_initial=way, card_exchange=0, **more)


def later(way: str, **more: Value) -> Program:
    return program("jdf4", first_leader_next=way, card_exchange=0, **more)


@pytest.mark.parametrize(
    ("way", "seat"),
    [("top_seat", "A"), ("spade_seat", "A"), ("holder_D3", "B"), ("holder_C3", "C"), ("holder_S3", "D")],
)
def test_a_rounds_first_game_is_opened_by_the_seat_that_the_ruleset_names(way: str, seat: str) -> None:
    assert leader(leads(way)) == seat


def test_the_spade_seat_is_where_the_order_of_suits_puts_it() -> None:
    assert leader(leads("spade_seat", seat_suits__order=(3, 2, 0, 1))) == "C"


@pytest.mark.parametrize(("way", "seat"), [("previous_last", "A"), ("previous_first", "D"), ("holder_D3", "B")])
def test_a_later_game_is_opened_by_the_place_or_the_card_that_the_ruleset_names(way: str, seat: str) -> None:
    assert leader(later(way), "DCBA") == seat


@pytest.mark.parametrize("way", ["lot", "rps_winner"])
def test_a_lot_lets_every_seat_open(way: str) -> None:
    assert {leader(later(way), "DCBA", str(seed)) for seed in range(40)} == set("ABCD")
    assert {leader(leads("lot"), "", str(seed)) for seed in range(40)} == set("ABCD")


def test_a_named_three_that_nobody_holds_leaves_the_first_game_to_a_lot_and_later_ones_to_the_last_place() -> None:
    without = ("S4 H4", "D4 H5", "C4 H6", "S5 H7")
    assert {leader(leads("holder_D3"), "", str(seed), without) for seed in range(40)} == set("ABCD")
    assert {leader(later("holder_D3"), "DCBA", str(seed), without) for seed in range(20)} == {"A"}


# --- after a fall ----------------------------------------------------------------------------------------------------

FALLEN = ("S4 H4", "D9", "C6 H6", "S5 H7")


def after_fall(*extras: str, seed: str = "next", **settings: Value) -> State:
    """A plays on from the first place, B finishes, A falls; the others play the game out; the next one begins."""
    table = Table(
        program("jdf4", *extras, card_exchange=0, **settings), *FALLEN, turn="A", previous="ABCD", field="D:S3"
    )
    table.state.games = 3
    table.act(PASSING).play("D9")
    assert table.fallen == "A"
    s = table.state
    while s.playing:
        seat = next(seat for seat in range(4) if s.decisions[seat])
        s, _ = apply(s, seat, default_action(s, seat))
    assert s.places[-1] == 0
    s, _ = start_game(s, seed.encode())
    return s


def test_the_fallen_seat_opens_the_next_game_as_last_place_unless_the_ruleset_says_no() -> None:
    assert after_fall().turn == 0
    s = after_fall("no_lead_after_miyako_ochi")
    assert s.turn == s.previous[-2]
    assert not s.notes


def test_where_a_card_names_the_opener_the_next_seat_opens_for_a_fallen_one() -> None:
    opened = {}
    for seed in range(30):
        s = after_fall("no_lead_after_miyako_ochi", seed=f"next {seed}", first_leader_next="holder_D3")
        opened.update({seat: s.turn for seat in range(4) if s.hands[seat] & parse_cards("D3")})
    assert opened == {0: 1, 1: 1, 2: 2, 3: 3}


# --- the first card ---------------------------------------------------------------------------------------------------

NAMED = program("jdf4", "designated_first_card", first_leader_initial="holder_D3", leader_must_play=False)


def test_the_first_play_must_hold_the_three_that_named_its_player() -> None:
    table = Table(NAMED, *HANDS, turn="B")
    assert table.refusal("H5") == Reason.MUST_CONTAIN_CARD
    assert table.refused(PASSING) == Reason.MUST_CONTAIN_CARD
    assert table.plays == {"D3"}
    assert Table(NAMED, "S4 H4", "D3 S3 H5", "C3 H6", "S5 H7", turn="B").play("S3 D3").turn == "C"


def test_later_plays_are_free_of_it() -> None:
    table = Table(NAMED, "S4 H4", "S3 D3 H5 H9", "C3 H6", "S5 H7", turn="B").play("S3 D3").passes(3)
    assert table.play("H9").turn == "C"


def test_nobody_owes_a_three_that_nobody_holds_or_in_a_later_game() -> None:
    assert Table(NAMED, "S4 H4", "D5 H5", "C3 H6", "S5 H7", turn="B").play("H5").turn == "C"
    later_game = Table(NAMED, *HANDS, turn="B", previous="ABCD", field="A:S4")
    assert later_game.play("H5").turn == "C"


def test_a_first_card_needs_a_way_that_names_it() -> None:
    with pytest.raises(RulesetError, match=r"needs first_leader_initial = holder_D3 \| holder_S3, not spade_seat"):
        make_ruleset("jdf4", {"designated_first_card": True})


# --- passing on an empty field, composure ----------------------------------------------------------------------------


def test_on_an_empty_field_everybody_may_pass_where_the_starter_need_not_play() -> None:
    table = Table(program("jdf4", leader_must_play=False), *HANDS)
    assert table.passes(4).turn == "A"
    assert table.flushed
    assert table.state.passed == 0, "a pass on an empty field locks nobody out"
    assert table.passes(1).play("D3").turn == "C"


COMPOSED = program("jdf4", "daifugo_composure", card_exchange=0)


def test_the_last_games_first_place_passes_on_its_first_turn_even_as_the_starter() -> None:
    table = Table(COMPOSED, *HANDS, previous="BACD")
    assert table.turn == "D"
    table.play("S3").play("S4")
    assert table.turn == "B"
    assert table.refusal("H5") == Reason.COMPOSURE
    assert table.plays == {"pass"}
    leading = program("jdf4", "daifugo_composure", card_exchange=0, first_leader_next="previous_first")
    starter = Table(leading, *HANDS, previous="BACD")
    assert (starter.turn, starter.plays) == ("B", {"pass"})
    assert starter.passes().play("C3").play("H7").turn == "A"


def test_composure_is_over_after_one_turn_and_absent_in_a_first_game() -> None:
    table = Table(COMPOSED, *HANDS, previous="DABC").play("C3")
    assert table.refusal("H7") == Reason.COMPOSURE
    table.passes(3)
    assert table.play("H6").finished == "C"
    assert Table(COMPOSED, *HANDS).play("S4").turn == "B"


def test_time_that_runs_out_under_composure_passes() -> None:
    table = Table(COMPOSED, *HANDS, previous="BACD").play("S3").play("S4")
    assert default_action(table.state, 1) == PASSING


def test_play_goes_round_the_other_way_where_the_ruleset_says_so() -> None:
    table = Table(program("jdf4", seat_order="counterclockwise"), *HANDS)
    assert table.play("S4").turn == "D"
    s, _ = start_game(new_match(program("jdf4", seat_order="counterclockwise")), b"deal")
    assert not s.is_clockwise()
