"""Strength orders: which rank beats which, and which rows sequences follow."""

from __future__ import annotations

import pytest

from engine.cards import ACE, JACK, JOKER, KING, TEN, THREE, TWO, parse_cards
from engine.orders import (
    FROM_ACE,
    JOKER_ABOVE_TEN,
    JOKER_WEAKEST,
    NORMAL,
    REVERSED,
    STRENGTH,
    position,
    rank_at,
    top_rank,
)
from engine.plays import SEQUENCE, Shapes, sequences_of
from engine.readings import readings
from engine.strength import weakest


@pytest.mark.parametrize(
    ("order", "lowest", "highest"),
    [
        (NORMAL, THREE, TWO),
        (REVERSED, TWO, THREE),
        (FROM_ACE, ACE, KING),
        (FROM_ACE | REVERSED, KING, ACE),
    ],
)
def test_an_order_runs_from_one_rank_to_another_with_the_joker_on_top(order: int, lowest: int, highest: int) -> None:
    ranks = sorted(range(13), key=lambda rank: STRENGTH[order][rank])
    assert (ranks[0], ranks[-1], top_rank(order)) == (lowest, highest, highest)
    assert STRENGTH[order][JOKER] > STRENGTH[order][highest]
    assert [rank_at(order, position(order, rank)) for rank in range(13)] == list(range(13))


@pytest.mark.parametrize("order", [NORMAL, REVERSED, FROM_ACE, FROM_ACE | REVERSED])
def test_a_lone_joker_can_be_the_weakest_or_stand_between_ten_and_jack(order: int) -> None:
    assert STRENGTH[order | JOKER_WEAKEST][JOKER] < min(STRENGTH[order][:13])
    between = STRENGTH[order | JOKER_ABOVE_TEN][JOKER]
    assert min(STRENGTH[order][TEN], STRENGTH[order][JACK]) < between < max(STRENGTH[order][TEN], STRENGTH[order][JACK])


def test_sequences_follow_the_row_in_force() -> None:
    shapes = Shapes(beyond=False)
    assert not readings(shapes, parse_cards("SA S2 S3"), NORMAL)
    low = readings(shapes, parse_cards("SA S2 S3"), FROM_ACE)[0]
    high = readings(shapes, parse_cards("SJ SQ SK"), FROM_ACE)[0]
    assert weakest(FROM_ACE, low) < weakest(FROM_ACE, high)
    assert weakest(FROM_ACE | REVERSED, low) > weakest(FROM_ACE | REVERSED, high)
    assert not readings(shapes, parse_cards("SQ SK SA"), FROM_ACE)


def test_a_joker_stands_for_the_rank_that_the_row_lacks() -> None:
    (play,) = [p for p in readings(Shapes(beyond=False), parse_cards("SA S3 JK1"), FROM_ACE) if p.shape == SEQUENCE]
    assert [m.rank for m in play.meanings()] == [TWO]
    listed = sequences_of(Shapes(beyond=False), parse_cards("SA S3 JK1"), 0, 3, FROM_ACE)
    assert play in listed
