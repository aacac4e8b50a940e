"""Options counted are the moves listed, one for one; random games are the same on every build."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.rulesets import every_rule
from engine.actions import ADD, PLAY, Action
from engine.choices import NO_ZONE, RANK, Choice, Group
from engine.field import can_answer, field_of
from engine.game import advance
from engine.legal import legal_moves, plain_plays, refusal
from engine.options import Options
from engine.playout import Simulator, asked_seat
from engine.plays import ANY
from engine.program import Program
from engine.randomness import Chance
from engine.state import State
from engine.view import open_choice
from tests.engine.tables import EFFECTS, EXTRAS, LOCKS, SHAPES, program

TABLES = {
    "jdf4": lambda: program("jdf4"),
    "jdf3": lambda: program("jdf3"),
    "jdf5": lambda: program("jdf5"),
    "every rule": lambda: program("jdf4", *EXTRAS, *EFFECTS),
    "every rule that goes with the others": lambda: Program(every_rule()),
    "two packs": lambda: program("jdf4", *EXTRAS, deal_method="two_packs", hand_size=9, seats=7),
    "locks from three plays": lambda: program("jdf4", lock_plays_required=3),
    "locks": lambda: program(
        "jdf4", *LOCKS, "down_number", seven_strength="red_seven", down_number_count="same_suit_groups"
    ),
    "fives, and down until the flush": lambda: program(
        "jdf4", "five_color_lock", "down_number", "unreturnable_flush", suit_lock=False, down_number_after="keep_down"
    ),
    "sequences of two cards": lambda: program("jdf4", "two_card_sequence"),
    "emperors and arithmetic sequences": lambda: program("jdf4", *SHAPES, *LOCKS),
    "arithmetic sequences in place of sequences": lambda: program(
        "jdf4", *SHAPES, sequence=False, arithmetic_sequence__same_difference_required=False
    ),
    "jokers where they are strongest": lambda: program("jdf4", *SHAPES, joker_sequence_placement="strongest"),
    "rows compared by both ends": lambda: program(
        "jdf4", *SHAPES, "revolution", joker_above_top__both_ends=True, sequence_comparison="all_stronger"
    ),
    "weak jokers": lambda: program("jdf4", "weak_joker_in_revolution", "arthur", seven_strength="black_seven"),
    "uecda": lambda: program("uecda"),
    "jokers of a suit, and locks": lambda: program("jdf4", "joker_takes_suit", "partial_lock", "color_lock"),
    "jokers of a suit, and strong sevens": lambda: program("jdf4", "joker_takes_suit", seven_strength="red_seven"),
    "jokers of a suit, and many locks": lambda: program("jdf4", "joker_takes_suit", *LOCKS[:-1], *SHAPES),
    "two seats": lambda: program("jdf4", seats=2, hand_size=8),
}


def listed(s: State, seat: int) -> list[Action]:
    """List what a seat may do, by the rules' own listing."""
    return [move.action() for move in legal_moves(s, seat, s.hands[seat], open_choice(s, seat))]


@pytest.mark.parametrize("name", TABLES)
def test_option_n_is_the_move_that_is_listed_as_number_n(name: str) -> None:
    table: Program = TABLES[name]()
    options, chance = Options(table), Chance(7)
    counted = 0
    simulator = Simulator(table, 3)
    for _ in range(40):
        simulator.begin()
        s = simulator.state
        while s.playing:
            seat = asked_seat(s)
            number = options.look(s, seat)
            counted += not options.listed
            assert [options.move(n).action() for n in range(number)] == listed(s, seat)
            advance(s, seat, options.move(chance.below(number)))
    assert counted > 0 or name == "two packs"


@pytest.mark.parametrize("name", TABLES)
def test_a_hand_can_answer_where_something_is_listed_that_answers(name: str) -> None:
    simulator = Simulator(TABLES[name](), 4)
    answered: Counter[bool] = Counter()
    for _ in range(15):
        options = simulator.begin()
        while options:
            s = simulator.state
            for seat in range(s.seats if s.trick and not s.group else 0):
                hand, others = s.hands[seat], s.hands[(seat + 1) % s.seats]
                for cards in (hand, hand | others):
                    field = field_of(s, s.in_force())
                    assert can_answer(s, seat, cards, field) == answers(s, seat, cards)
                    answered[can_answer(s, seat, cards, field)] += 1
            options = simulator.take(simulator.chance.below(options))
    assert answered[True]
    assert answered[False]


def answers(s: State, seat: int, hand: int) -> bool:
    """Say whether these cards can answer the field, by the rules' own listing."""
    offered = [move for rule in s.in_force().offering for move in rule.offers(s, seat, hand)]
    possible = [move for move in offered if move.kind in (PLAY, ADD) and refusal(s, seat, hand, move) is None]
    return bool(possible) or any(True for _ in plain_plays(s, seat, hand, ANY))


CHOICES = {
    "two of five": Choice("r", 0, RANK, (1, 3, 4, 7, 9), 2, 2),
    "up to two of five": Choice("r", 0, RANK, (1, 3, 4, 7, 9), 0, 2),
    "some with one that must be among them": Choice("r", 0, RANK, (1, 3, 4, 7, 9), 1, 3, required=(4,)),
    "two of five in an order": Choice("r", 0, RANK, (1, 3, 4, 7, 9), 2, 2, ordered=True),
    "up to three in an order": Choice("r", 0, RANK, (1, 3, 4, 7), 0, 3, ordered=True),
    "in an order with one that must be among them": Choice("r", 0, RANK, (1, 3, 4, 7), 1, 2, NO_ZONE, True, -1, (4,)),
    "nothing": Choice("r", 0, RANK, (), 0, 0),
}


@pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)
def test_answer_n_to_a_choice_is_the_one_that_is_listed_as_number_n(choice: Choice) -> None:
    s = Simulator(program("jdf4"), 3).state
    s.playing, s.decisions[0] = True, 1
    s.group, s.held = Group("r", [choice]), [None]
    options = Options(program("jdf4"))
    number = options.look(s, 0)
    assert [options.move(n).action() for n in range(number)] == listed(s, 0)


def test_a_simulator_steps_through_the_games_that_it_plays_out_by_itself() -> None:
    by_itself, stepped = Simulator(program("jdf4"), 5), Simulator(program("jdf4"), 5)
    for _ in range(9):
        by_itself.begin()
        actions = by_itself.play_out()
        options = stepped.begin()
        while options:
            options = stepped.take(stepped.chance.below(options))
        assert stepped.state.actions == actions
        assert stepped.state.places == by_itself.state.places


def test_an_option_that_is_not_there_is_refused() -> None:
    simulator = Simulator(program("jdf4"), 1)
    options = simulator.begin()
    for n in (-1, options):
        with pytest.raises(IndexError):
            simulator.take(n)


def test_chance_draws_every_number_about_as_often_and_the_same_ones_for_a_seed() -> None:
    chance, again = Chance(11), Chance(11)
    drawn = [chance.below(6) for _ in range(60_000)]
    assert drawn == [again.below(6) for _ in range(60_000)]
    assert set(Counter(drawn)) == set(range(6))
    assert all(9_500 < count < 10_500 for count in Counter(drawn).values())


def test_random_games_of_a_seed_are_the_same_on_every_build() -> None:
    seen = []
    for preset in ("jdf4", "jdf3", "jdf5"):
        simulator = Simulator(program(preset), 2026)
        actions = 0
        for _ in range(50):
            simulator.begin()
            actions += simulator.play_out()
        seen.append((actions, simulator.state.places, simulator.state.totals, simulator.chance.carried))
    assert seen == GOLDEN


GOLDEN: list[tuple[int, list[int], list[int], int]] = [
    (4502, [3, 0, 1, 2], [4, 6, 2, 12], 2910952948380767763),
    (2797, [2, 0, 1], [2, 4, 6], 1354535931244330131),
    (5032, [0, 1, 2, 3, 4], [16, 10, 6, 8, 0], 3211541275101935037),
]
"""What fifty games come to for each preset."""
