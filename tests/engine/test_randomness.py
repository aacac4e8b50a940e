"""The randomness of a game: fixed for ever by its key, and even."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from engine.cards import JOKERS, cards_text, count
from engine.game import new_match, start_game
from engine.randomness import commitment, draw, game_key, shuffle, words
from engine.state import State
from tests.engine.tables import program


def keyed(key: bytes, drawn: int = 0) -> State:
    """A state that draws from this key."""
    s = new_match(program("jdf4"))
    s.key, s.drawn_words = key, drawn
    return s


def test_the_key_of_a_game_and_its_words_are_hmac_sha256() -> None:
    key = hmac.new(b"seed", b"daifugo game \x00\x00\x00\x00\x00\x00\x00\x03", hashlib.sha256).digest()
    assert game_key(b"seed", 3) == key
    made = hmac.new(key, b"\x00\x00\x00\x00\x00\x00\x00\x05", hashlib.sha256).digest()
    assert words(key, 5) == [int.from_bytes(made[i : i + 4], "big") for i in range(0, 32, 4)]
    assert commitment(b"seed") == hashlib.sha256(b"seed").digest()


def test_words_numbers_and_shuffles_do_not_change() -> None:
    assert game_key(b"daifugo", 1).hex() == ("49c0f7aeffa73ca6987fea01682f5a818d1bf8e7b2f4597f04fe0a55e40465cf")
    assert words(bytes(32), 0)[:4] == [4084537354, 3130165380, 32608667, 3836244314]
    s = keyed(bytes(32))
    assert [draw(s, below) for below in (2, 6, 13, 52, 108, 1000)] == [0, 0, 0, 6, 1, 749]
    mixed = list(range(12))
    shuffle(s, mixed)
    assert mixed == [10, 2, 6, 1, 0, 11, 4, 5, 8, 7, 3, 9]


def test_a_deal_does_not_change() -> None:
    s, _ = start_game(new_match(program("jdf4")), b"daifugo")
    assert [cards_text(hand) for hand in s.hands] == [
        "C3 D5 H6 C7 C8 S9 D9 S10 D10 DK SA C2 JK1",
        "C4 C5 S6 D6 C6 D8 C9 HJ SQ HA CA H2 JK2",
        "S3 H4 D4 D7 S8 H8 H10 C10 HQ DQ SK CK S2",
        "H3 D3 S4 S5 H5 S7 H7 H9 DJ CJ CQ DA D2",
    ]
    assert cards_text(s.blind) == "SJ HK"


def test_a_shuffle_is_one_draw_for_each_place_from_the_last_but_the_first() -> None:
    for key in (b"one", b"two", b"three"):
        one, two = keyed(key, 5), keyed(key, 5)
        mixed, drawn = list(range(54)), list(range(54))
        shuffle(one, mixed)
        for i in range(53, 0, -1):
            j = draw(two, i + 1)
            drawn[i], drawn[j] = drawn[j], drawn[i]
        assert mixed == drawn
        assert one.drawn_words == two.drawn_words


def test_words_above_the_last_whole_multiple_are_thrown_away() -> None:
    below = 3_000_000_000  # more than a quarter of all words are too high
    s = keyed(b"high")
    stream = [word for block in range(20) for word in words(b"high", block)]
    kept = [word for word in stream if word < below]
    assert [draw(s, below) for _ in range(100)] == kept[:100]
    assert s.drawn_words == stream.index(kept[99]) + 1


def test_nothing_is_drawn_to_shuffle_one_card() -> None:
    s = keyed(b"one card")
    shuffle(s, [7])
    shuffle(s, [])
    assert s.drawn_words == 0


@pytest.mark.parametrize(("below", "most"), [(2, 10.8), (6, 20.5), (13, 32.9), (54, 90.6)])
def test_numbers_are_drawn_evenly(below: int, most: float) -> None:
    s = keyed(b"even")
    found = Counter(draw(s, below) for _ in range(200 * below))
    assert sum((found[i] - 200) ** 2 / 200 for i in range(below)) < most, "chi square at one in a thousand"


def test_every_order_of_four_cards_comes_as_often() -> None:
    s = keyed(b"orders")
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(24 * 100):
        mixed = [0, 1, 2, 3]
        shuffle(s, mixed)
        found[tuple(mixed)] += 1
    assert len(found) == 24
    assert sum((n - 100) ** 2 / 100 for n in found.values()) < 49.7, "chi square at one in a thousand"


def test_every_card_comes_to_every_seat_as_often_and_number_cards_are_blind_as_often() -> None:
    seats: Counter[tuple[int, int]] = Counter()
    games = 800
    for i in range(games):
        s, _ = start_game(new_match(program("jdf4")), b"%d" % i)
        for seat, hand in enumerate([*s.hands, s.blind]):
            for c in range(54):
                seats[seat, c] += hand >> c & 1
    number, joker = games * 50 / 52 / 4, games / 4
    chi = sum((seats[seat, c] - number) ** 2 / number for seat in range(4) for c in range(52))
    assert chi < 300, "about 208 - 52 degrees of freedom"
    assert sum((seats[seat, c] - joker) ** 2 / joker for seat in range(4) for c in (52, 53)) < 24.3
    blind = games * 2 / 52
    assert sum((seats[4, c] - blind) ** 2 / blind for c in range(52)) < 87


@pytest.mark.parametrize("seats", range(2, 13))
@pytest.mark.parametrize("packs", ["standard", "two_packs"])
def test_hands_are_equal_and_no_joker_is_ever_blind(seats: int, packs: str) -> None:
    table = program("jdf4", seats=seats, deal_method=packs)
    for i in range(8):
        s, _ = start_game(new_match(table), b"%d" % i)
        assert len({count(hand) for hand in s.hands}) == 1
        assert not s.blind & JOKERS
        assert sum([count(hand) for hand in s.hands]) + count(s.blind) == count(table.deck)
        assert count(s.blind) < 2 + seats


def test_small_hands_leave_the_rest_blind_without_jokers() -> None:
    for i in range(50):
        s, _ = start_game(new_match(program("jdf4", hand_size=2)), b"%d" % i)
        assert [count(hand) for hand in s.hands] == [2, 2, 2, 2]
        assert not s.blind & JOKERS
