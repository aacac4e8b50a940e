"""Exchanges that differ from the federation's, and what rich and poor do beside them."""

from __future__ import annotations

import pytest

from engine.cards import parse_cards
from engine.catalogue import Value
from engine.choices import SEAT
from engine.game import apply, default_action, new_match, start_game
from engine.program import Program
from engine.reasons import Reason
from engine.saving import load, save
from engine.state import MATCH, Note
from tests.engine.position import Table
from tests.engine.properties.draws import states
from tests.engine.tables import asked, program
from tests.engine.values import plain

HANDS = ("S3 S4 S5 S2", "H3 H4 H5 HA", "D3 D4 SK HK", "JK1 C2 CA CK")
FIRST = program("jdf4", exchange_timing="tribute_first")
BY_SUIT = program("jdf4", tribute_order="suit_order_CDHS")


def exchange(rules: Program, *hands: str, previous: str = "") -> Table:
    """A game about to begin with its exchange."""
    return Table(rules, *(hands or HANDS), previous=previous or "ABCDEFGHIJKL"[: rules.seats])


# --- who chooses when ------------------------------------------------------------------------------------------------


def test_where_the_lower_places_give_first_the_upper_ones_choose_among_what_they_have_received() -> None:
    table = exchange(FIRST)
    assert table.asked == "CD"
    table.answer("JK1 C2", "D").answer("SK", "C")
    assert table.asked == "AB"
    assert table.hand("A") == "S3 S4 S5 S2 C2 JK1"
    table.answer("JK1 C2", "A").answer("H3", "B")
    assert [table.hand(seat) for seat in "ABCD"] == ["S3 S4 S5 S2", "H4 H5 SK HA", "H3 D3 D4 HK", "CK CA C2 JK1"]
    assert table.turn == "D"


def test_where_suits_decide_the_lower_places_are_not_asked() -> None:
    table = exchange(BY_SUIT, "S3 S4 S5", "H3 H4", "SK HK", "H2 S2 DA")
    assert table.asked == "AB"
    assert table.hand("A") == "S3 S4 S5", "nothing has moved"
    table.answer("S3 S4", "A").answer("H3", "B")
    assert [table.hand(seat) for seat in "ABCD"] == ["S5 S2 H2", "H4 SK", "H3 HK", "S3 S4 DA"]


def test_where_suits_decide_and_the_lower_places_give_first_the_cards_are_there_at_once() -> None:
    both = program("jdf4", exchange_timing="tribute_first", tribute_order="suit_order_CDHS")
    table = exchange(both, "S3 S4 S5", "H3 H4", "SK HK", "H2 S2 D2")
    assert table.asked == "AB"
    assert table.hand("A") == "S3 S4 S5 S2 H2"
    assert table.hand("D") == "D2"


def test_the_weakest_must_be_returned_where_the_rules_say_so() -> None:
    table = exchange(program("jdf4", return_choice="weakest"), "S3 H3 D3 S2", "H4 H5", "D4 SK", "JK1 C2 CA")
    assert table.refused_answer("S2 S3", "A") == Reason.MUST_GIVE_WEAKEST
    assert table.refused_answer("H5", "B") == Reason.MUST_GIVE_WEAKEST
    assert table.answer("H3 D3", "A").answer("H4", "B").asked == "CD"


# --- jokers ----------------------------------------------------------------------------------------------------------


def test_jokers_can_be_left_out_of_the_exchange() -> None:
    table = exchange(program("jdf4", exchange_joker_excluded="exclude"), "JK2 S4 S5", "H3 H4", "D3 D4", "JK1 C2 CA")
    assert table.refused_answer("JK1 C2", "D") == Reason.MUST_GIVE_STRONGEST
    assert table.refused_answer("JK2 S4", "A") == Reason.NOT_AN_OPTION
    assert table.answer("C2 CA", "D").answer("S4 S5", "A").asked == "BC"


def test_a_joker_is_given_all_the_same_where_nothing_else_is_there() -> None:
    out = program("jdf4", exchange_joker_excluded="exclude")
    assert exchange(out, "S3 S4 S5", "H3 H4", "D3 D4", "JK1 JK2 C3").answer("C3 JK1", "D").asked == "ABC"


def test_a_received_joker_goes_back_where_the_rules_say_so() -> None:
    back = program("jdf4", exchange_timing="tribute_first", exchange_joker_excluded="return_joker")
    table = exchange(back).answer("JK1 C2", "D").answer("HK", "C")
    assert table.refused_answer("S3 S4", "A") == Reason.MUST_RETURN_JOKER
    assert table.answer("JK1 S3", "A").answer("H3", "B").hand("D") == "S3 CK CA JK1"


def test_a_received_joker_goes_back_with_the_weakest_card() -> None:
    settings = {"exchange_timing": "tribute_first", "exchange_joker_excluded": "return_joker"}
    table = exchange(program("jdf4", return_choice="weakest", **settings)).answer("JK1 C2", "D").answer("HK", "C")
    assert table.refused_answer("JK1 S4", "A") == Reason.MUST_GIVE_WEAKEST
    assert table.answer("JK1 S3", "A").asked == "B"


# --- who exchanges with whom -----------------------------------------------------------------------------------------


def test_commoners_exchange_a_card_with_their_neighbour() -> None:
    seven = program("jdf4", "commoner_exchange", seats=7)
    hands = [f"{suit}3 {suit}4 {suit}K" for suit in "SHDC"] + ["S7 S8 SQ", "H7 H8 HQ", "D7 D8 DQ"]
    table = exchange(seven, *hands)
    assert table.asked == "ABCDFG", "the third commoner has no neighbour left"
    assert table.refused_answer("C3", "D") == Reason.MUST_GIVE_STRONGEST
    for seat, cards in zip("ABCDFG", ("S3 S4", "H3", "D3", "CK", "HQ", "DQ D8")):
        table.answer(cards, seat)
    assert table.hand("C") == "D4 DK CK"


def test_an_absolute_monarch_exchanges_one_two_and_three_cards_and_nobody_else_does() -> None:
    table = exchange(program("jdf4", "absolute_monarchy"), "S3 S4 S5 S6 S7 S8 S9", "HA H3", "DK DQ D3", "C2 CA CK C3")
    assert table.asked == "ABCD"
    table.answer("S3", "A").answer("HA", "B").answer("DK DQ", "C").answer("C2 CA CK", "D")
    table.answer("S4 S5", "A")
    assert table.refused_answer("S3 S6 S7", "A") == Reason.MUST_GIVE_STRONGEST or table.asked == "A"
    table.answer("S6 S7 S8", "A")
    assert table.hand("A") == "S9 DQ DK CK HA CA C2"
    assert [table.hand(seat) for seat in "BCD"] == ["S3 H3", "D3 S4 S5", "C3 S6 S7 S8"]


def test_three_seats_have_a_monarch_and_one_subject() -> None:
    three = program("jdf3", "absolute_monarchy")
    assert exchange(three, "S3 S4 S5 S6", "H3 H4", "D3 D4 D5 D6").asked == "AC"


def test_a_monarchy_only_on_a_streak_needs_two_wins_in_a_row() -> None:
    rules = program("jdf4", "absolute_monarchy", monarchy_only_on_streak=True)
    table = exchange(rules, "S3 S4 S5 S6 S7 S8 S9", "HA H3", "DK DQ D3", "C2 CA CK C3")
    assert table.state.group is not None
    assert {choice.rule for choice in table.state.group.choices} == {"card_exchange"}


# --- 天変地異 ------------------------------------------------------------------------------------------------------

POOR = ("S2 H2 JK1", "H3 HA", "D3 DA", "C3 S4 H10")


def test_a_last_place_with_only_low_cards_takes_the_first_places_hand() -> None:
    table = exchange(program("jdf4", "tenpenchii"), *POOR)
    assert (table.hand("A"), table.hand("D")) == ("C3 S4 H10", "S2 H2 JK1")
    assert table.asked == "BC"


@pytest.mark.parametrize("card", ["CJ", "JK2"])
def test_a_higher_card_or_a_joker_keeps_the_hands_where_they_are(card: str) -> None:
    assert exchange(program("jdf4", "tenpenchii"), *POOR[:3], f"C3 S4 {card}").hand("D").startswith("C3 S4")


def test_hands_are_taken_without_an_exchange_between_two_and_instead_of_a_monarchy() -> None:
    off = exchange(program("jdf4", "tenpenchii", card_exchange=0), *POOR)
    assert (off.hand("A"), off.turn) == ("C3 S4 H10", "D")
    two = exchange(program("jdf4", "tenpenchii", seats=2), "S2 H2", "C3 S4")
    assert (two.hand("A"), two.hand("B"), two.turn) == ("C3 S4", "S2 H2", "B")
    assert exchange(program("jdf4", "tenpenchii", "absolute_monarchy"), *POOR).asked == "BC"


def test_a_rounds_first_game_has_no_upheaval() -> None:
    rules = program("jdf4", "tenpenchii", "antitrust_law", "absolute_monarchy")
    assert Table(rules, *POOR).hand("D") == "C3 S4 H10"


# --- 独占禁止法, 都税 -----------------------------------------------------------------------------------------------


def test_five_twos_and_jokers_in_the_first_hand_are_too_many() -> None:
    rules = program("jdf4", "antitrust_law", card_exchange=0)
    table = exchange(rules, "S2 H2 D2 C2 JK1 H9", "H4 HK", "H5 HQ", "H6 HJ S7")
    assert table.asked == "BCD"
    table.answer("H6 S7", "D").answer("H5", "C").answer("HK", "B")
    assert table.hand("A") == "H5 H6 S7 H9 HK JK1"
    assert [table.hand(seat) for seat in "BCD"] == ["H4 D2", "HQ H2", "HJ S2 C2"]


def test_four_are_not_too_many() -> None:
    rules = program("jdf4", "antitrust_law", card_exchange=0)
    assert exchange(rules, "S2 H2 D2 JK1 H9", "H4", "H5", "H6").turn == "D"


def test_the_law_counts_what_the_exchange_has_brought() -> None:
    table = exchange(program("jdf4", "antitrust_law"), "S2 H2 D2 S3 S4", "H4 H9", "H5 H10", "C2 JK1 H6")
    for seat, cards in zip("ABCD", ("S3 S4", "H4", "H10", "C2 JK1")):
        table.answer(cards, seat)
    assert table.question == "antitrust_law"
    assert table.asked == "BCD"


TAX = program("jdf4", "capital_tax", miyako_ochi_mode="play_on")


def test_who_plays_on_after_the_fall_and_who_finished_before_is_remembered_for_the_next_game() -> None:
    table = Table(TAX, "S3 S4", "H9", "D3 D9", "CK", previous="ABCD", field="D:C3", turn="B").play("H9").passes()
    assert table.fallen == "A"
    table.play("CK").passes().play("S3").passes().play("S4")
    assert table.places == "BDCA"
    assert table.state.notes["capital_tax"].values == (0, 1, 3)


def test_the_tax_is_a_card_for_everybody_who_finished_before_beside_the_usual_exchange() -> None:
    s = new_match(TAX)
    s.previous, s.game, s.notes["capital_tax"] = [1, 3, 2, 0], 1, Note(MATCH, SEAT, (0, 1, 3))
    hands = ("S2 SA SK SQ S3", "H3 H4 H5 H6", "DK D3", "C3 C4 C5")
    s, _ = start_game(s, b"tax", tuple([parse_cards(hand) for hand in hands]))
    table = Table(TAX, *hands)
    table.state = s
    table.answer("S2 SA", "A").answer("SK", "A").answer("SQ", "A")
    table.answer("H3 H4", "B").answer("H5", "B").answer("DK", "C").answer("C3", "D").answer("C4", "D")
    assert [table.hand(seat) for seat in "ABCD"] == ["S3 H3 H4 C4 H5", "H6 SK SA S2", "D3 C3", "C5 SQ DK"]


@pytest.mark.parametrize("settings", [{}, {"invalid_return": "strongest_taken"}, {"return_choice": "weakest"}])
def test_what_is_owed_above_where_suits_decide_cannot_be_returned_below(settings: dict[str, str]) -> None:
    suits = {"miyako_ochi_mode": "play_on", "tribute_order": "suit_order_CDHS"}
    rules = program("jdf4", "capital_tax", "absolute_monarchy", **suits, **settings)
    s = new_match(rules)
    s.previous, s.game, s.notes["capital_tax"] = [1, 3, 2, 0], 1, Note(MATCH, SEAT, (0, 1, 3, 2))
    hands = ("S2 SA SK SQ SJ S3", "H3 H4 H5 H6 H7 H8 H9", "D4 DK DQ DA", "C3 C4 C5")
    s, _ = start_game(s, b"tax", tuple([parse_cards(hand) for hand in hands]))
    table = Table(rules, *hands)
    table.state = s
    assert table.asked == "BCD"
    table.answer("H3", "B").answer("H4 H5", "B").answer("H6 H7 H8", "B")
    reason = Reason.MUST_GIVE_WEAKEST if "return_choice" in settings else Reason.NOT_AN_OPTION
    if "invalid_return" not in settings:
        assert table.refused_answer("C5", "D") == reason, "it goes to the monarch"
        assert table.refused_answer("DA", "C") == reason
    table.answer("C3", "D").answer("D4", "C")
    hands = ("S3 C3 D4 H6 H7 H8", "C5 H9 DK SK DA SA S2", "H4 H5 SJ DQ", "H3 C4 SQ")
    assert [parse_cards(table.hand(seat)) for seat in "ABCD"] == [parse_cards(hand) for hand in hands]


def test_nobody_is_taxed_when_nobody_fell() -> None:
    table = Table(TAX, "S9", "H3", "D3", "C4", previous="ABCD", field="D:S3").play("S9").passes(3)
    table.play("H3").passes(2).play("D3")
    assert table.places == "ABCD"
    assert "capital_tax" not in table.state.notes


# --- whole games -----------------------------------------------------------------------------------------------------

UPHEAVALS = ("tenpenchii", "absolute_monarchy", "antitrust_law", "capital_tax", "commoner_exchange")


@pytest.mark.parametrize("timing", ["simultaneous", "tribute_first"])
@pytest.mark.parametrize("order", ["giver_chooses", "suit_order_CDHS"])
@pytest.mark.parametrize("weakest", ["free", "weakest"])
def test_whole_matches_lose_no_card_and_can_be_saved_anywhere(timing: str, order: str, weakest: str) -> None:
    settings: dict[str, Value] = {"exchange_timing": timing, "tribute_order": order, "return_choice": weakest}
    settings |= {"miyako_ochi_mode": "play_on", "deal_method": "two_packs", "blind_scope": "set", "hand_size": 6}
    rules = program("jdf4", *UPHEAVALS, seats=6, **settings)
    for s in states(rules, f"{timing} {order} {weakest}", 3):
        cards = [*s.hands, s.blind, s.laid_away, s.discard, *[placed.play.cards for placed in s.trick]]
        assert sum(cards) == rules.deck
        assert plain(load(rules, save(s))) == plain(s)
        for seat in asked(s):
            apply(s, seat, default_action(s, seat))
