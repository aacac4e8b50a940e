"""What is worked out on many bits at once is what counting one by one gives: cards, suits of locks, sums, emperors."""

from __future__ import annotations

from itertools import product

from hypothesis import example, given
from hypothesis import strategies as st

from engine.cards import as_set, count, members, nth_member
from engine.held_rows import emperors_from
from engine.locks import BLACK, RED, joined, lacking, shared, suits_in
from engine.plays import SPREAD
from engine.rows import FORMS
from engine.rules.dokan import total
from engine.state import COLOR_LOCK, DOWN_LOCK, NUMBER_LOCK, PARTIAL_LOCK, SUIT_LOCK, Lock

ONE = 54
CARDS = st.integers(0, (1 << ONE) - 1)
TWO_PACKS = st.integers(0, (1 << 2 * ONE) - 1)
PRINTED = (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 1, 2, 0)
"""On a card of each rank; on jokers there is no number."""
SUITS = st.tuples(*[st.integers(0, 7)] * 4)
"""How many cards of each suit."""


def bits(cards: int) -> list[int]:
    return [card for card in range(2 * ONE) if cards >> card & 1]


def packed(suits: tuple[int, ...]) -> int:
    return sum(number << 4 * suit for suit, number in enumerate(suits))


@given(CARDS | TWO_PACKS)
@example(0)
@example((1 << ONE) - 1)
def test_a_set_has_its_cards_in_order(cards: int) -> None:
    assert members(cards) == bits(cards)
    assert count(cards) == len(bits(cards))
    assert [nth_member(cards, n) for n in range(count(cards))] == bits(cards)
    assert as_set(members(cards)) == cards


@given(CARDS | TWO_PACKS)
@example((1 << ONE) - 1)
def test_cards_add_up_to_what_is_printed_on_them(cards: int) -> None:
    assert total(cards) == sum(PRINTED[card % ONE // 4] for card in bits(cards))


@given(SUITS, SUITS)
def test_suits_are_compared_one_by_one(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    assert joined(packed(one), packed(other)) == packed(tuple(map(max, one, other)))
    assert shared(packed(one), packed(other)) == packed(tuple(map(min, one, other)))
    assert lacking(packed(one), packed(other)) == sum(max(0, y - x) for x, y in zip(one, other))


@given(st.tuples(*[st.integers(0, 3)] * 4))
def test_the_suits_that_there_are_do_not_depend_on_how_many(suits: tuple[int, ...]) -> None:
    assert suits_in(packed(suits)) == sum(1 << suit for suit in range(4) if suits[suit])


@given(st.integers(0, 0xFFFF))
@example(0xFFFF)
@example(0x8421)
def test_four_places_have_as_many_emperors_as_are_listed(places: int) -> None:
    assert emperors_from(places) == sum(1 for form in FORMS if places & form == form)


def test_no_two_sets_of_locks_have_the_same_mark() -> None:
    pairs = [*SPREAD[1:], *[2 * suits for suits in SPREAD[1:]]]
    kinds: dict[int, list[int]] = {SUIT_LOCK: pairs, PARTIAL_LOCK: pairs, DOWN_LOCK: pairs, COLOR_LOCK: [BLACK, RED]}
    ways = [[0, *[Lock(kind, suits).mark for suits in bound]] for kind, bound in kinds.items()]
    ways.append([0, Lock(NUMBER_LOCK, 0).mark])
    marks = [sum(chosen) for chosen in product(*ways)]
    assert len({*marks}) == len(marks)
    assert max(marks) < 1 << 57
