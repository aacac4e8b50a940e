"""How cards are dealt where it is not the federation's way: the deck, the blind cards, leftovers, and the stock."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine import events as ev
from engine.actions import DRAW, Action
from engine.cards import JOKERS, OF_SUIT, count, parse_cards
from engine.catalogue import Value
from engine.events import redact
from engine.game import apply, default_action, is_match_over, new_match, start_game
from engine.legal import legal_moves
from engine.program import Program
from engine.reasons import Reason
from engine.ruleset import check_ruleset, make_ruleset
from engine.state import State
from engine.view import view
from tests.engine.position import Table
from tests.engine.tables import asked, program


def dealt(rules: Program, seed: int = 0, previous: tuple[int, ...] = ()) -> tuple[State, ev.Dealt]:
    """A game just dealt, and what was told of it."""
    s = new_match(rules)
    s.previous, s.game = list(previous), 1 if previous else 0
    s, events = start_game(s, b"deal %d" % seed)
    return s, next(event for event in events if isinstance(event, ev.Dealt))


def games(rules: Program, number: int) -> list[State]:
    """The states just after each deal of a match."""
    s, found = new_match(rules, number), []
    while not is_match_over(s):
        s, _ = start_game(s, b"a set")
        found.append(s)
        while s.playing:
            seat = asked(s)[0]
            s, _ = apply(s, seat, default_action(s, seat))
    return found


# --- the deck and the blind cards ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("word", "suit"), [("S", 0), ("H", 1), ("D", 2), ("C", 3)])
def test_any_suit_can_be_left_out(word: str, suit: int) -> None:
    deck = program("jdf3", deck_composition=word, spade3_counter=False).deck
    assert not deck & OF_SUIT[suit]
    assert count(deck) == 40


def test_without_spades_there_is_no_spade_to_counter_with() -> None:
    _, problems = check_ruleset("jdf3", {"deck_composition": "S"})
    assert [problem.settings for problem in problems] == [("deck_composition", "spade3_counter")]


@pytest.mark.parametrize("number", range(5))
def test_so_many_cards_stay_face_down(number: int) -> None:
    s, told = dealt(program("jdf4", blind_cards=number))
    assert told.blinds == number + (54 - number) % 4
    assert set(told.sizes) == {(54 - number) // 4}
    assert not s.blind & JOKERS


def test_blind_cards_can_stay_out_for_a_whole_set() -> None:
    kept = [s.blind for s in games(program("jdf4", blind_scope="set"), 9)]
    assert [a == b for a, b in pairwise(kept)] == [True, True, True, False, True, True, True, False]
    assert len({s.blind for s in games(program("jdf4"), 4)}) == 4


def test_cards_that_are_left_over_change_although_the_blind_cards_stay() -> None:
    first, second = games(program("jdf4", blind_scope="set", hand_size=12), 2)
    assert count(first.blind) == count(second.blind) == 6
    assert count(first.blind & second.blind) >= 2
    assert first.blind != second.blind


@pytest.mark.parametrize(("always", "joker_stays"), [(True, False), (False, True)])
def test_a_joker_may_be_left_over_where_it_need_not_be_dealt(always: bool, joker_stays: bool) -> None:
    rules = program("jdf4", joker_always_dealt=always, hand_size=9)
    assert any(dealt(rules, seed)[0].blind & JOKERS for seed in range(20)) == joker_stays


# --- who deals, and leftovers ----------------------------------------------------------------------------------------


def test_where_cards_deal_themselves_nobody_is_named_and_the_last_place_receives_first() -> None:
    auto = program("jdf4", shuffle_and_deal="auto")
    assert (dealt(auto)[1].dealer, dealt(auto)[1].order) == (-1, (0, 1, 2, 3))
    assert dealt(auto, 0, (0, 1, 3, 2))[1].order == (2, 3, 0, 1)


def test_leftovers_go_round_in_the_order_of_the_deal() -> None:
    rules = program("jdf4", remainder_deal="in_order", blind_cards=0, shuffle_and_deal="auto")
    assert dealt(rules)[1].sizes == (14, 14, 13, 13)
    s, told = dealt(rules, 0, (2, 0, 1, 3))
    assert told.sizes == (14, 13, 13, 14)
    assert not s.blind


def test_leftovers_go_to_the_lower_places_first_but_not_in_a_first_game() -> None:
    rules = program("jdf4", remainder_deal="lower_class_first", blind_cards=0, shuffle_and_deal="auto")
    assert dealt(rules)[1].sizes == (14, 14, 13, 13)
    assert dealt(rules, 0, (1, 3, 0, 2))[1].sizes == (14, 13, 14, 13)


def test_blind_cards_stay_out_although_leftovers_are_dealt() -> None:
    s, told = dealt(program("jdf4", remainder_deal="in_order", blind_cards=1))
    assert sorted(told.sizes) == [13, 13, 13, 14]
    assert count(s.blind) == told.blinds == 1


def test_leftovers_of_hands_of_a_chosen_size_are_not_dealt_and_that_is_said() -> None:
    _, problems = check_ruleset("jdf4", {"remainder_deal": "in_order", "hand_size": 10})
    assert [problem.settings for problem in problems] == [("remainder_deal", "hand_size")]


def test_what_a_ruleset_says_of_the_deal_is_what_is_dealt() -> None:
    for settings in ({}, {"remainder_deal": "in_order", "blind_cards": 0}, {"hand_size": 7}, {"blind_cards": 3}):
        s, told = dealt(program("jdf4", **settings))
        assert s.program.ruleset.undealt() == (told.blinds, told.stock)
    s, told = dealt(SMALL)
    assert SMALL.ruleset.undealt() == (told.blinds, told.stock) == (2, 42)


# --- the stock -------------------------------------------------------------------------------------------------------

SMALL = program("jdf4", deal_method="small_hand_2p", draw_from_stock=True, seats=2)
DRAWING = Action(DRAW)


@pytest.mark.parametrize("size", range(3, 8))
def test_two_players_start_with_few_cards_and_the_rest_is_a_stock(size: int) -> None:
    s, told = dealt(program("jdf4", deal_method="small_hand_2p", small_hand_size=size, seats=2))
    assert (told.sizes, told.blinds, told.stock) == ((size, size), 2, 52 - 2 * size)
    assert count(s.hands[0] | s.hands[1] | s.blind) + len(s.stock) == 54


def test_a_small_hand_is_for_two_and_has_a_size_of_its_own() -> None:
    _, problems = check_ruleset("jdf4", {"deal_method": "small_hand_2p"})
    assert {problem.kind for problem in problems} == {"seats"}
    two: dict[str, Value] = {"player_count.min": 2, "deal_method": "small_hand_2p", "hand_size": 5}
    _, problems = check_ruleset("jdf4", two, 2)
    assert [problem.settings for problem in problems] == [("deal_method", "hand_size")]


def test_a_drawn_card_comes_to_the_hand_and_the_turn_goes_on() -> None:
    table = Table(SMALL, "S9 H9", "CJ C4")
    before = table.state.stock
    table.act(DRAWING)
    assert (table.turn, count(table.state.hands[0]), table.state.stock_count) == ("A", 3, len(before) - 1)
    assert table.state.stock == before[1:]
    assert table.play("S9").turn == "B"


def test_one_card_a_turn_may_be_drawn() -> None:
    table = Table(SMALL, "S9 H9", "CJ C4", field="B:C10").act(DRAWING)
    assert table.refused(DRAWING) == Reason.ONE_DRAW_ONLY
    table.passes().act(DRAWING, "B")
    assert table.refused(DRAWING, "B") == Reason.ONE_DRAW_ONLY
    assert table.play(table.hand("B").split()[0]).act(DRAWING, "A").turn == "A"


def test_an_empty_stock_gives_nothing() -> None:
    table = Table(SMALL, "S9 H9", "CJ C4")
    table.state.stock, table.state.stock_count = [], 0
    assert table.refused(DRAWING) == Reason.STOCK_EMPTY
    assert not [move for move in legal_moves(table.state, 0, table.state.hands[0], None) if move.kind == DRAW]


def test_without_the_rule_nobody_draws() -> None:
    rules = program("jdf4", deal_method="small_hand_2p", seats=2)
    assert Table(rules, "S9 H9", "CJ C4").refused(DRAWING) == Reason.NOT_OFFERED


def test_nobody_else_sees_what_is_drawn_or_what_the_stock_is() -> None:
    table = Table(SMALL, "S9 H9", "CJ C4")
    drawn = table.state.stock[0]
    table.act(DRAWING)
    moved = next(event for event in table.events if isinstance(event, ev.CardsMoved))
    assert moved.cards == 1 << drawn
    for seat in (1, -1):
        seen = redact(moved, seat)
        assert isinstance(seen, ev.CardsMoved)
        assert (seen.cards, seen.count) == (None, 1)
    assert not hasattr(view(table.state, 0), "stock")
    assert view(table.state, 1).stock_count == 49


def test_a_hand_that_was_dealt_by_hand_leaves_the_other_cards_to_the_stock() -> None:
    s, _ = start_game(new_match(SMALL), b"", (parse_cards("S9"), parse_cards("CJ")), parse_cards("H3"))
    assert len(s.stock) == 51
    assert make_ruleset("jdf4", {"player_count.min": 2, "deal_method": "small_hand_2p"}, 2).cards_each() == 5
