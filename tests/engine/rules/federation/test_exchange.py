"""The exchange of cards (chapter 14).

Articles: JDF 11 66 67 68 69
"""

from __future__ import annotations

from engine.reasons import Reason
from tests.engine.position import Table, play_action
from tests.engine.tables import program

HANDS = ("S3 S4 S5 S2", "H3 H4 H5 HA", "D3 D4 SK HK", "JK1 C2 CA CK")


def exchange(*hands: str, previous: str = "ABCD") -> Table:
    """A game about to begin with its exchange."""
    return Table(program(f"jdf{len(hands or HANDS)}"), *(hands or HANDS), previous=previous)


def test_the_first_and_the_last_exchange_two_cards_and_the_middle_ones_one_all_at_once() -> None:
    table = exchange()
    assert table.asked == "ABCD"
    table.answer("S3 S4", "A").answer("JK1 C2", "D").answer("H3", "B")
    assert table.hand("A") == "S3 S4 S5 S2", "nothing has moved"
    table.answer("SK", "C")
    assert [table.hand(seat) for seat in "ABCD"] == ["S5 S2 C2 JK1", "H4 H5 SK HA", "H3 D3 D4 HK", "S3 S4 CK CA"]
    assert table.turn == "D"


def test_the_order_of_answers_does_not_matter() -> None:
    table = exchange().answer("SK", "C").answer("H3", "B").answer("JK1 C2", "D").answer("S3 S4", "A")
    assert table.hand("A") == "S5 S2 C2 JK1"


def test_the_lower_place_gives_its_strongest_cards() -> None:
    table = exchange()
    for cards in ("C2 CA", "JK1 CA", "CK CA"):
        assert table.refused_answer(cards, "D") == Reason.MUST_GIVE_STRONGEST
    assert table.refused_answer("D3", "C") == Reason.MUST_GIVE_STRONGEST


def test_among_equals_the_giver_chooses() -> None:
    assert exchange().answer("HK", "C").asked == "ABD"
    assert exchange().answer("SK", "C").asked == "ABD"
    jokers = exchange("S3 S4", "H3 H4", "JK1 JK2 D3", "C3 C4")
    assert jokers.answer("JK2", "C").asked == "ABD"
    twos = exchange("S3 S4 S5", "H3 H4", "D3 D4", "JK1 C2 H2 D2")
    assert twos.refused_answer("C2 H2", "D") == Reason.MUST_GIVE_STRONGEST
    assert twos.answer("JK1 H2", "D").asked == "ABC"


def test_the_upper_place_gives_any_cards() -> None:
    for cards in ("S3 S4", "S5 S2", "S3 S2"):
        assert exchange().answer(cards, "A").asked == "BCD"


def test_the_number_of_cards_is_fixed() -> None:
    table = exchange()
    assert table.refused_answer("S3", "A") == Reason.TOO_FEW_CARDS
    assert table.refused_answer("S3 S4 S5", "A") == Reason.TOO_MANY_CARDS
    assert table.refused_answer("H9", "B") == Reason.NOT_IN_HAND


def test_nobody_plays_before_every_exchange_is_over() -> None:
    table = exchange().answer("JK1 C2", "D")
    assert table.refused(play_action("CA"), "D") == Reason.EXCHANGE_PENDING
    assert table.refused(play_action("S3"), "A") == Reason.EXCHANGE_PENDING


def test_received_cards_cannot_go_back() -> None:
    assert exchange().answer("JK1 C2", "D").refused_answer("JK1 C2", "A") == Reason.NOT_IN_HAND


def test_a_rounds_first_game_has_no_exchange() -> None:
    assert Table(program("jdf4"), *HANDS).asked == "A"


def test_three_players_exchange_one_card_between_first_and_last() -> None:
    table = exchange("S3 S4", "H3 H4", "JK1 D2", previous="ABC")
    assert table.asked == "AC"
    table.answer("JK1", "C").answer("S3", "A")
    assert table.hand("A") == "S4 JK1"


def test_the_middle_of_five_players_exchanges_nothing() -> None:
    assert exchange("S3 S4 S5", "H3 H4", "D3", "C3 C4", "SK SA S2", previous="ABCDE").asked == "ABDE"
