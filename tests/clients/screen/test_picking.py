"""What can be picked, and which actions the picks mean."""

from __future__ import annotations

import pytest

from clients.cli.question import PASS
from clients.screen.picking import Picking, sorted_offers
from daifugo.v1 import cards_pb2, view_pb2

Choice = view_pb2.Choice
S3, H3, S8, H8, SK, JK = 0, 1, 20, 21, 40, 52


def plays(*cards: int, rank: int = 0) -> view_pb2.Action:
    jokers = [cards_pb2.Meaning(joker=JK, rank=cards_pb2.Rank.Name(rank))] if rank else []
    return view_pb2.Action(play=cards_pb2.Play(cards=cards, jokers=jokers))


@pytest.fixture
def picking(view: view_pb2.View) -> Picking:
    """The viewer's turn with two threes, two eights, a king and the joker."""
    view.hand.extend([S3, H3, S8, H8, SK, JK])
    view.decision.id = 7
    view.decision.turn.SetInParent()
    picking = Picking()
    picking.see(view)
    return picking


def choose(picking: Picking, **choice: object) -> None:
    picking.view.decision.choice.CopyFrom(Choice(**choice))  # type: ignore[arg-type]  # the fields of one message
    picking.see(picking.view)
    picking.ask([], is_complete=True)


def test_the_hand_turns_round_with_the_strength_and_the_joker_stays_last(picking: Picking) -> None:
    assert picking.items == [S3, H3, S8, H8, SK, JK]
    picking.view.strength.reversed = True
    picking.see(picking.view)
    assert picking.items == [SK, S8, H8, S3, H3, JK]


def test_the_cursor_stays_on_its_card_when_the_hand_changes(picking: Picking) -> None:
    picking.move(2)
    picking.view.strength.reversed = True
    picking.see(picking.view)
    assert picking.items[picking.at] == S8
    del picking.view.hand[:]
    picking.see(picking.view)
    assert (picking.at, picking.items) == (0, [])


def test_cards_picked_ahead_stay_picked_while_they_are_held(picking: Picking) -> None:
    picking.view.ClearField("decision")
    picking.see(picking.view)
    picking.toggle(S8)
    picking.toggle(SK)
    picking.view.hand.remove(SK)
    picking.view.decision.turn.SetInParent()
    picking.see(picking.view)
    picking.ask([plays(S8), PASS], is_complete=True)
    assert picking.picked == [S8]


def test_only_cards_of_an_offer_are_offered_unless_not_all_offers_are_known(picking: Picking) -> None:
    picking.ask([plays(S8, H8), PASS], is_complete=True)
    assert [picking.is_offered(card) for card in picking.items] == [False, False, True, True, False, False]
    picking.ask([plays(S8, H8), PASS], is_complete=False)
    assert all(picking.is_offered(card) for card in picking.items)


def test_an_equal_card_of_the_second_pack_is_offered_too(picking: Picking) -> None:
    picking.view.hand.append(S8 + 54)
    picking.see(picking.view)
    picking.ask([plays(S8)], is_complete=True)
    assert picking.is_offered(S8 + 54)
    picking.toggle(S8 + 54)
    assert picking.actions == [plays(S8)]


def test_picks_mean_every_offer_with_these_cards(picking: Picking) -> None:
    five, six = plays(S3, SK, JK, rank=3), plays(S3, SK, JK, rank=4)
    picking.ask([plays(S3), five, six], is_complete=True)
    for card in (JK, S3, SK):
        picking.toggle(card)
    assert picking.actions == [five, six]


def test_picks_that_are_no_offer_are_a_play_that_can_be_asked_about(picking: Picking) -> None:
    picking.ask([plays(S8)], is_complete=True)
    picking.toggle(H3)
    (action,) = picking.actions
    assert list(action.play.cards) == [H3]
    assert not picking.is_known(action)


def test_nothing_picked_means_nothing(picking: Picking) -> None:
    picking.ask([plays(S8)], is_complete=True)
    assert picking.actions == []


def test_a_rank_picks_one_card_more_each_time_and_then_puts_all_back(picking: Picking) -> None:
    picked = []
    for _ in range(3):
        picking.toggle_rank(5)
        picked.append(list(picking.picked))
    assert picked == [[S8], [S8, H8], []]


def test_a_rank_takes_the_card_first_that_can_be_played(picking: Picking) -> None:
    picking.ask([plays(H8)], is_complete=True)
    picking.toggle_rank(5)
    assert picking.picked == [H8]


def test_one_pick_too_many_takes_the_place_of_the_oldest_but_never_of_a_required_one(picking: Picking) -> None:
    choose(picking, of=Choice.OF_CARD, options=picking.view.hand, required=[JK], least=2, most=2)
    assert picking.picked == [JK]
    for card in (S3, H3, JK):
        picking.toggle(card)
    assert picking.picked == [JK, H3]


def test_options_that_are_not_the_hand_take_its_place(picking: Picking) -> None:
    choose(picking, of=Choice.OF_RANK, options=[0, 5, 13], least=1, most=1)
    assert (picking.has_options, picking.items, picking.picked) == (True, [0, 5, 13], [])
    picking.toggle(5)
    assert [list(action.answer.values) for action in picking.actions] == [[5]]


def test_an_answer_keeps_the_order_of_picking(picking: Picking) -> None:
    choose(picking, of=Choice.OF_CARD, options=[S3, H3, S8], least=3, most=3, ordered=True)
    for card in (S8, S3, H3):
        picking.toggle(card)
    assert [list(action.answer.values) for action in picking.actions] == [[S8, S3, H3]]


def test_having_picked_nothing_is_no_answer(picking: Picking) -> None:
    choose(picking, of=Choice.OF_CARD, options=[S3], least=0, most=1)
    assert picking.actions == []


def test_offers_go_from_weak_to_strong_with_larger_sets_first_and_jokers_last() -> None:
    offers = [PASS, plays(S8), plays(JK), plays(S3), plays(S3, JK, rank=1), plays(S3, H3), plays(SK)]
    expected = [plays(S3, H3), plays(S3), plays(S8), plays(SK), plays(S3, JK, rank=1), plays(JK)]
    assert sorted_offers(offers, is_reversed=False) == expected
    in_revolution = [plays(SK), plays(S8), plays(S3, H3), plays(S3), plays(S3, JK, rank=1), plays(JK)]
    assert sorted_offers(offers, is_reversed=True) == in_revolution


def test_hints_go_round_in_both_directions(picking: Picking) -> None:
    picking.ask([plays(S8), plays(SK), PASS], is_complete=True)
    seen = []
    for steps in (1, 1, 1, -1, -1):
        found = picking.next_offer(steps)
        assert found is not None
        picking.take(found[1])
        seen.append((found[0], picking.picked))
    assert seen == [(0, [S8]), (1, [SK]), (0, [S8]), (1, [SK]), (0, [S8])]
    picking.ask([PASS], is_complete=True)
    assert picking.next_offer(1) is None


def test_an_offer_without_cards_can_be_taken(picking: Picking) -> None:
    draw = view_pb2.Action(draw=view_pb2.Draw())
    picking.ask([draw, PASS], is_complete=True)
    picking.take(draw)
    assert (picking.picked, picking.actions) == ([], [draw])
