"""Shuffles are even: many of them, from fixed seeds, against what chance gives."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Final

import pytest

from engine.game import new_match
from engine.program import Program
from engine.randomness import draw, game_key, shuffle
from engine.ruleset import make_ruleset
from engine.state import State
from services.game.seeds import match_key

CARDS: Final = 54
ONE_IN_A_THOUSAND: Final = 3.0902
"""How far in standard deviations a normal number lies beyond what it is once in a thousand."""

Table = list[list[int]]


def keyed() -> State:
    return new_match(Program(make_ruleset("jdf4", {}, None)))


def counted(mix: Callable[[State, list[int]], None], shuffles: int) -> tuple[Table, Table]:
    """Count how often each card came to each place, and how often each came right before each."""
    s = keyed()
    places = [[0] * CARDS for _ in range(CARDS)]
    beside = [[0] * CARDS for _ in range(CARDS)]
    for number in range(shuffles):
        s.key, s.drawn_words = game_key(match_key(b"evenness", [number.to_bytes(4, "big")]), 1), 0
        cards = list(range(CARDS))
        mix(s, cards)
        before = cards[-1]
        for row, card in zip(places, cards):
            row[card] += 1
            beside[before][card] += 1
            before = card
    return places, beside


def deviation(table: Table, cells: list[tuple[int, int]], freedom: int) -> float:
    """Return by how many standard deviations χ² of these cells differs from chance (Wilson and Hilferty, 1931)."""
    expected = sum([table[row][column] for row, column in cells]) / len(cells)
    chi_square = sum([(table[row][column] - expected) ** 2 for row, column in cells]) / expected
    cube = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - cube)) / sqrt(cube))


EVERYWHERE: Final = [(row, column) for row in range(CARDS) for column in range(CARDS)]
BESIDE: Final = [(row, column) for row, column in EVERYWHERE if row != column]


@pytest.mark.parametrize(
    "shuffles", [10_000, pytest.param(100_000, marks=[pytest.mark.long, pytest.mark.timeout(120)])]
)
def test_every_card_comes_to_every_place_and_beside_every_other_equally_often(shuffles: int) -> None:
    places, beside = counted(shuffle, shuffles)
    assert abs(deviation(places, EVERYWHERE, (CARDS - 1) ** 2)) < ONE_IN_A_THOUSAND
    # rows and columns of the other have equal sums too, and its diagonal is empty
    assert abs(deviation(beside, BESIDE, (CARDS - 1) ** 2 - CARDS)) < ONE_IN_A_THOUSAND


def with_any_place(s: State, cards: list[int]) -> None:
    """The usual mistake: each place changes with any other."""
    for i in range(len(cards)):
        j = draw(s, len(cards))
        cards[i], cards[j] = cards[j], cards[i]


def without_staying(s: State, cards: list[int]) -> None:
    """The other one: a place never keeps what it has."""
    for i in range(len(cards) - 1, 0, -1):
        j = draw(s, i)
        cards[i], cards[j] = cards[j], cards[i]


@pytest.mark.parametrize("mistaken", [with_any_place, without_staying])
def test_a_shuffle_with_a_mistake_in_it_is_found(mistaken: Callable[[State, list[int]], None]) -> None:
    places, _ = counted(mistaken, 1000)
    assert deviation(places, EVERYWHERE, (CARDS - 1) ** 2) > ONE_IN_A_THOUSAND
