"""Cards, dealing and the units of a match (chapters 2, 3 and 16).

Articles: JDF 5 6 10 11 14 66 77 79 80
"""

from __future__ import annotations

import pytest

from engine import events as ev
from engine.cards import JOKERS, OF_SUIT, count
from engine.game import apply, default_action, is_match_over, new_match, start_game
from engine.state import State
from tests.engine.tables import asked, program


def dealt(preset: str, seed: int = 0) -> State:
    """A first game just dealt."""
    return start_game(new_match(program(preset)), b"deal %d" % seed)[0]


@pytest.mark.parametrize(
    ("preset", "hand", "blinds", "deck"), [("jdf4", 13, 2, 54), ("jdf3", 13, 1, 40), ("jdf5", 10, 4, 54)]
)
def test_hands_are_equal_and_the_blind_cards_have_no_joker(preset: str, hand: int, blinds: int, deck: int) -> None:
    for seed in range(40):
        s = dealt(preset, seed)
        assert {count(cards) for cards in s.hands} == {hand}
        assert count(s.blind) == blinds
        assert not s.blind & JOKERS
        assert count(s.program.deck) == deck


def test_three_players_have_no_clubs_and_one_joker() -> None:
    deck = program("jdf3").deck
    assert not deck & OF_SUIT[3]
    assert count(deck & JOKERS) == 1


def test_the_last_place_deals_from_its_left_and_itself_last() -> None:
    s = new_match(program("jdf4"))
    s.previous, s.game = [1, 2, 3, 0], 1
    _, events = start_game(s, b"deal")
    told = next(event for event in events if isinstance(event, ev.Dealt))
    assert told.dealer == 0
    assert told.order == (1, 2, 3, 0)


def test_a_set_is_four_games_and_a_round_three_sets() -> None:
    s = new_match(program("jdf4", hand_size=3), 13)
    told = []
    while not is_match_over(s):
        s, events = start_game(s, b"round")
        told += [event for event in events if isinstance(event, ev.GameStarted)]
        assert bool(s.previous) == (s.game not in (1, 13)), "a round's first game knows no places"
        while s.playing:
            seat = asked(s)[0]
            s, _ = apply(s, seat, default_action(s, seat))
    assert [(event.game, event.set, event.round) for event in told[3:5]] == [(4, 1, 1), (5, 2, 1)]
    assert [(event.game, event.set, event.round) for event in told[11:]] == [(12, 3, 1), (13, 1, 2)]


def test_a_match_is_a_round_unless_told_otherwise() -> None:
    assert new_match(program("jdf4")).games == 12
    assert new_match(program("jdf4"), 4).games == 4


def test_prescribed_hands_are_dealt_as_they_are() -> None:
    hands = (1, 2, 4, 8)
    s, _ = start_game(new_match(program("jdf4")), b"", hands, 16)
    assert (tuple(s.hands), s.blind, s.blind_count) == (hands, 16, 1)
