"""The engine and a naive second game, move for move: what a seat may do, and the whole table after every action."""

from __future__ import annotations

import pytest

from engine.catalogue import Value
from engine.game import apply, is_match_over, new_match, start_game
from engine.program import Program
from tests.engine.stream import Stream
from tests.engine.tables import EXTRAS, LOCKS, SHAPES, asked, moves_of, program
from tests.reference import naive
from tests.reference.translate import differences, drawn, naive_begin, naive_move

PAIRS: tuple[tuple[tuple[str, ...], dict[str, Value]], ...] = (
    (("five_pass", "five_skip", "red_five", "five_cut_in_revolution"), {"revolution.min_group": 3}),
    (("dokan", "five_pass", "five_skip"), {}),
    (("six_skip", "six_cut", "rokurokubi"), {}),
    (("six_skip", "six_cut"), {"six_cut_condition": "revolution_only", "revolution.min_group": 3}),
    (("seven_pass", "seven_discard", "seven_attach", "black_seven"), {}),
    (("seven_pass", "black_seven", "seven_reverse", "seven_cut_in_revolution"), {"revolution.min_group": 3}),
    (("seven_pass", "seven_attach", "salvage"), {}),
    (("nine_shuffle", "nine_reverse", "nine_return", "ambulance"), {}),
    (("nine_reverse", "nine_return"), {}),
    (("nine_shuffle", "nine_return"), {}),
    (("ten_pass", "ten_discard", "ten_reverse", "ten_skip", "ten_cut"), {}),
    (("ten_pass", "ten_reverse", "ten_skip"), {}),
    (("ten_discard", "ten_cut"), {}),
    (("jack_cut", "salvage", "next_ace"), {}),
    (("queen_discard", "queen_bomber", "queen_reverse", "queen_cut"), {"triple_queen_effect": "bloody_mary_1"}),
    (("queen_bomber", "queen_reverse"), {"triple_queen_effect": "jeanne_darc_1"}),
    (("queen_discard", "queen_bomber"), {"bomber_removal_order": "named_order"}),
    (("queen_reverse", "nine_reverse", "queen_cut"), {}),
    (("kings_privilege", "reverend_king", "king_skip"), {}),
    (("reverend_king", "king_skip"), {}),
    (("black_market", "next_ace"), {}),
    (("next_ace", "salvage", "four_stop"), {}),
    (("death", "four_cut"), {}),
    (("dokan", "seven_pass", "queen_bomber", "salvage"), {}),
    (("nine_reverse", "five_skip", "king_skip", "ten_pass"), {"seats": 3}),
    (("seven_reverse", "ten_skip", "nine_return", "five_pass"), {"seats": 6, "hand_size": 4}),
    (("queen_reverse", "five_skip", "next_ace", "salvage"), {"seats": 2}),
)
"""Rules of one rank, or of ranks that meet, in the order of the document's sentences."""

TABLES: dict[str, tuple[str, tuple[str, ...], dict[str, Value], int]] = {
    "jdf4": ("jdf4", (), {"hand_size": 7}, 8),
    "jdf3": ("jdf3", (), {"hand_size": 7}, 8),
    "jdf5": ("jdf5", (), {"hand_size": 6}, 8),
    "two packs": ("jdf4", (), {"hand_size": 7, "deal_method": "two_packs"}, 8),
    "two seats": ("jdf4", EXTRAS, {"hand_size": 6, "seats": 2}, 12),
    "seven seats, locks after three plays": ("jdf4", EXTRAS, {"seats": 7, "hand_size": 5, "lock_plays_required": 3}, 8),
    "five rules": ("jdf4", EXTRAS, {"hand_size": 7}, 12),
    "five rules, two packs": ("jdf4", EXTRAS, {"hand_size": 6, "deal_method": "two_packs"}, 12),
    "bombs in named order": ("jdf4", ("queen_bomber",), {"hand_size": 5, "bomber_removal_order": "named_order"}, 4),
    "locks": ("jdf4", LOCKS, {"hand_size": 7, "seven_strength": "red_seven"}, 12),
    "locks of three plays, two packs": (
        "jdf4",
        (*LOCKS, "down_number"),
        {"hand_size": 6, "deal_method": "two_packs", "lock_plays_required": 3, "down_number_count": "same_suit_groups"},
        12,
    ),
    "locks, but none of suits": (
        "jdf4",
        ("partial_lock", "fierce_lock", "sequence_suit_must_follow", "unreturnable_flush"),
        {"hand_size": 7, "suit_lock": False, "unreturnable_flush.basis": "exact_hands"},
        12,
    ),
    "fives, and down until the flush": (
        "jdf4",
        ("five_color_lock", "down_number", "unreturnable_flush"),
        {"hand_size": 7, "suit_lock": False, "down_number_after": "keep_down", "seven_strength": "black_seven"},
        12,
    ),
    "fives of a suit": (
        "jdf4",
        ("five_color_lock", "queen_unlock"),
        {"hand_size": 6, "suit_lock": False, "five_lock_kind": "suit"},
        8,
    ),
    "emperors and arithmetic sequences": ("jdf4", SHAPES, {"hand_size": 7}, 12),
    "emperors and arithmetic sequences, two packs": (
        "jdf4",
        (*SHAPES, *LOCKS, "sequence_suit_must_follow"),
        {"hand_size": 7, "deal_method": "two_packs", "arithmetic_sequence.same_difference_required": False},
        8,
    ),
    "arithmetic sequences in place of sequences": (
        "jdf4",
        (*SHAPES, *EXTRAS),
        {"hand_size": 7, "sequence": False, "arithmetic_sequence.same_difference_required": False},
        8,
    ),
    "full hands": ("jdf4", (), {}, 1),
    **{
        f"{' + '.join(rules)}{' in one hand' * bool(more)}": ("jdf4", rules, {"hand_size": 6, **more}, 4)
        for rules, more in PAIRS
    },
}
"""Settings, and how many rounds of two games are played with them."""


def play_both(table: Program, name: str) -> int:
    """Play two games of a match, both ways at once; count the actions."""
    stream = Stream(name)
    s, actions = new_match(table, 2), 0
    while not is_match_over(s):
        s, _ = start_game(s, name.encode())
        game = naive_begin(s)
        while s.playing:
            assert not differences(s, game)
            for seat in asked(s):
                mine = [naive_move(s, seat, move) for move in moves_of(s, seat)]
                assert set(mine) == naive.moves(game, seat)
                assert len(set(mine)) == len(mine), "listed once"
            seat = stream.pick(asked(s))
            move = stream.pick(moves_of(s, seat))
            said = naive_move(s, seat, move)
            s, events = apply(s, seat, move.action())
            game.lots = drawn(s, seat, events)
            game = naive.after(game, seat, said)
            assert not game.lots
            actions += 1
        assert not differences(s, game)
    return actions


@pytest.mark.parametrize("name", TABLES)
def test_every_listed_move_and_every_table_is_that_of_the_naive_game(name: str) -> None:
    preset, extras, settings, rounds = TABLES[name]
    table = program(preset, *extras, **settings)
    assert sum(play_both(table, f"{name} {i}") for i in range(rounds)) > 20 * rounds


@pytest.mark.long
@pytest.mark.parametrize("name", TABLES)
def test_many_more_games_agree(name: str) -> None:
    preset, extras, settings, rounds = TABLES[name]
    for i in range(100, 100 + 20 * rounds):
        play_both(program(preset, *extras, **settings), f"{name} {i}")
