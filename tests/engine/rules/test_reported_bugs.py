"""Mistakes that other implementations of the game have made, each with where it was reported or mended."""

from __future__ import annotations

import pytest

from engine.actions import PASSING
from engine.events import CardsMoved, LockChanged
from engine.game import start_game
from engine.reasons import Reason
from tests.engine.position import Table, play_action
from tests.engine.tables import EXTRAS, moves_of, program

JDF4 = program("jdf4")
OTHERS = ("CJ CQ", "CK CA", "C10 C9")


def test_a_foul_by_the_first_to_go_out_does_not_make_the_first_place_fall() -> None:
    """qsona/daifugo-together 4ed1f75, e0a5954."""
    table = Table(JDF4, "S2", "C5 C9", "C6 C10", "C7 CJ", previous="BACD", field="D:HA").play("S2")
    assert (table.fouled, table.fallen) == ("A", "")
    foul_free = Table(JDF4, "SA", "C5 C9", "C6 C10", "C7 CJ", previous="BACD", field="D:HK").play("SA")
    assert foul_free.fallen == "B"


def test_nor_does_a_3_while_reversed() -> None:
    """qsona/daifugo-together 4ed1f75."""
    table = Table(JDF4, "H3", "C5 C9", "C6", "C7", previous="BACD", field="D:H4", upside_down=True).play("H3")
    assert (table.fouled, table.fallen) == ("A", "")


def test_a_spade_3_led_after_a_jokers_trick_is_no_answer_to_it() -> None:
    """qsona/daifugo-together 494597a."""
    table = Table(JDF4, "S3 D9 JK1", *OTHERS).play("JK1").passes(3).play("S3")
    assert (table.flushed, table.turn) == (False, "B")


@pytest.mark.parametrize(
    "cards",
    ["S5 H5 D5 C5 JK1", "S5 H5 D5 JK1 JK2", "S5 H5 D5 C5 JK1 JK2", "S4 S5 S6 S7 S8", "S4 S5 S6 S7 S8 S9", "JK1 JK2"],
)
def test_large_groups_long_sequences_and_two_jokers_are_offered(cards: str) -> None:
    """qsona/daifugo-together 5f99276."""
    assert cards in Table(JDF4, f"{cards} D9", *OTHERS).plays


def test_a_joker_in_the_middle_of_a_sequence_keeps_its_place() -> None:
    """qsona/daifugo-together 92d2aa2."""
    (meaning,) = Table(JDF4, "S4 S6 JK1 D9", *OTHERS).play("S4 S6 JK1").top.meanings()
    assert meaning.rank == 2


def test_an_ambiguous_joker_is_read_as_the_strongest_and_every_rule_reads_it_so() -> None:
    """qsona/daifugo-together 6faff33."""
    table = Table(JDF4, "SK SA JK1", *OTHERS).play("SK SA JK1")
    assert table.top.low == 10
    assert table.fouled == "A"


def test_several_seats_that_owe_a_choice_at_once_do_not_block_each_other() -> None:
    """qsona/daifugo-together d9e80ad, e13db48."""
    for order in ("ABCD", "DCBA", "CADB"):
        table = Table(program("jdf4", "reverend_king"), "SK D4", *OTHERS).play("SK")
        for seat in order:
            table.answer(table.hand(seat).split()[0], seat)
        assert table.turn == "B"


def test_no_lock_is_told_where_none_is_set_and_bombed_cards_are_told() -> None:
    """qsona/daifugo-together 677d1eb."""
    table = Table(JDF4, "S9 D4", *OTHERS, field="D:H5").play("S9")
    assert not [event for event in table.events if isinstance(event, LockChanged)]
    table = Table(program("jdf4", "queen_bomber"), "SQ D4 D5", "C5 CJ", *OTHERS[1:]).play("SQ").answer("5")
    told = [event.cards for event in table.events if isinstance(event, CardsMoved)]
    assert told == [1 << 2 * 4 + 2, 1 << 2 * 4 + 3]


def test_the_last_places_are_right_after_a_foul() -> None:
    """qsona/daifugo-together f8519bd."""
    table = Table(JDF4, "S2", "C4", "C5", "C6 C7").play("S2").passes(3).play("C4").play("C5")
    assert table.places == "BCDA"


def test_a_play_is_not_compared_with_itself_for_a_lock() -> None:
    """statiolake/rich-rich-daifugo 957624c, koganie/uecda_server 52eb0f6."""
    assert Table(JDF4, "S9 D4", *OTHERS).play("S9").locked == ""
    assert Table(JDF4, "S9 D4", *OTHERS, field="D:H5").play("S9").locked == ""


def test_the_last_seat_left_gets_a_place() -> None:
    """statiolake/rich-rich-daifugo 3caa4d7."""
    assert Table(JDF4, "C4", "C5", "C6", "C7 C9").play("C4").play("C5").play("C6").places == "ABCD"


def test_a_seat_that_went_out_is_asked_nothing() -> None:
    """statiolake/rich-rich-daifugo e8d95c7."""
    for card in ("SQ", "S7", "SK"):
        table = Table(program("jdf4", *EXTRAS), card, *OTHERS).play(card)
        assert "A" not in table.asked


def test_an_8_cut_leaves_time_for_its_counter() -> None:
    """statiolake/rich-rich-daifugo 250c2dd."""
    table = Table(program("jdf4", "four_stop"), "S8 D5", "S4 H4 S9", *OTHERS[1:]).play("S8")
    assert not table.flushed
    assert table.asked == "B"


def test_four_2s_revolt_exactly_once() -> None:
    """statiolake/rich-rich-daifugo, known bug."""
    assert Table(JDF4, "S2 H2 D2 C2 D4", *OTHERS).play("S2 H2 D2 C2").state.revolution


def test_on_a_5_only_stronger_cards_may_be_played() -> None:
    """statiolake/rich-rich-daifugo."""
    assert Table(JDF4, "S4 S6 D9", *OTHERS, field="D:H5").plays == {"S6", "D9", "pass"}


def test_a_bomber_takes_cards_by_rank_whatever_their_suit() -> None:
    """qsona/daifugo-together a38fdaf."""
    table = Table(program("jdf4", "queen_bomber"), "SQ D4", "S5 H5 D5 C5 CJ", *OTHERS[1:]).play("SQ").answer("5")
    assert table.hand("B") == "CJ"


def test_with_two_players_one_foul_makes_one_first_and_one_last() -> None:
    """yncat/dfg-simulator 234dd72."""
    assert Table(program("jdf4", seats=2), "S2", "H6 H7").play("S2").places == "BA"


def test_the_game_ends_when_giving_cards_leaves_one_seat() -> None:
    """yncat/dfg-simulator 7163c34."""
    table = Table(program("jdf4", "seven_pass"), "S7 D4", "C9", "D5", "C6", turn="C", field="B:H4").play("D5")
    table.play("C6").play("S7").answer("D4")
    assert table.places == "CDAB"
    assert not table.state.playing


def test_the_turn_waits_until_every_question_is_answered_and_belongs_to_its_player() -> None:
    """yncat/dfg-simulator 775b6a8, da7c2d1."""
    table = Table(program("jdf4", "seven_pass"), "S7 D4 D5", *OTHERS).play("S7")
    assert table.asked == "A"
    assert table.refused(PASSING, "B") == Reason.CHOICE_PENDING
    assert table.answer("D4").turn == "B"


def test_after_any_flush_the_field_is_empty_and_the_lock_is_gone() -> None:
    """yncat/dfg-simulator bef78df."""
    for table in (
        Table(JDF4, "H8 D9", *OTHERS, field="C:H5 | D:H7", lock="H").play("H8"),
        Table(JDF4, "S3 D9", *OTHERS, field="C:H5 | D:JK1", lock="H").play("S3"),
        Table(JDF4, "H9 D9", *OTHERS, field="C:H5 | D:H7", lock="H").play("H9").passes(3),
    ):
        assert table.flushed
        assert table.locked == ""
        assert "pass" not in table.plays


def test_a_flush_by_passes_looks_at_who_played_last_not_at_who_passes_last() -> None:
    """yncat/dfg-simulator 43c5aea."""
    table = Table(JDF4, "D9 D4", "C5 CJ", "CK CA", "C10 C9", turn="B", field="A:H3").play("C5").passes(3)
    assert table.turn == "B"


def test_a_foul_with_an_8_gives_nobody_without_cards_the_lead() -> None:
    """yncat/dfg-simulator, src/game.ts."""
    table = Table(JDF4, "S8", *OTHERS).play("S8")
    assert (table.fouled, table.turn) == ("A", "B")


def test_sequences_do_not_mix_suits_and_pairs_with_a_joker_open_a_trick() -> None:
    """yncat/dfg-client e41afb9, 826b9db."""
    plays = Table(JDF4, "S4 H5 S6 JK1", *OTHERS).plays
    assert "S4 H5 S6" not in plays
    assert "S4 JK1" in plays


def test_plays_are_found_while_reversed_too() -> None:
    """yncat/dfg-simulator 43d9863."""
    table = Table(JDF4, "S4 S5 S6 H4 JK1", *OTHERS, upside_down=True)
    assert {"S4 S5 S6", "S4 H4", "S4 S5 JK1"} <= table.plays


def test_a_joker_makes_no_lock() -> None:
    """koganie/uecda_server 52eb0f6."""
    assert Table(JDF4, "JK1 D4", *OTHERS, field="D:H5").play("JK1").locked == ""


def test_gaps_that_jokers_cannot_fill_are_no_sequence() -> None:
    """koganie/uecda_server 68e20a2."""
    assert Table(JDF4, "S4 S7 JK1 D9", *OTHERS).refusal("S4 S7 JK1") == Reason.NOT_A_SHAPE
    assert Table(JDF4, "S4 S7 JK1 JK2 D9", *OTHERS).play("S4 S7 JK1 JK2").turn == "B"


def test_the_spade_3_is_listed_and_accepted_over_a_lone_joker() -> None:
    """koganie/uecda_server 0203076."""
    table = Table(JDF4, "S3 D9", *OTHERS, field="D:JK1")
    assert table.plays == {"S3", "pass"}
    assert table.play("S3").flushed


def test_exactly_four_of_a_rank_revolt() -> None:
    """koganie/uecda_server, Configure.cpp."""
    assert Table(JDF4, "S5 H5 D5 C5 D9", *OTHERS).play("S5 H5 D5 C5").state.revolution
    assert not Table(JDF4, "S5 H5 D5 D9", *OTHERS).play("S5 H5 D5").state.revolution


def test_no_joker_lies_on_a_lone_joker_nothing_on_two_and_a_lone_joker_waits_for_passes() -> None:
    """LongSeb/Tycoon-Daifugou f09fabb."""
    assert Table(JDF4, "JK2 D9", *OTHERS, field="D:JK1").refusal("JK2") == Reason.JOKER_ON_JOKER
    assert Table(JDF4, "S2 H2 D9", *OTHERS, field="D:JK1 JK2").refusal("S2 H2") == Reason.NOT_STRONGER
    assert Table(JDF4, "JK1 D9", *OTHERS).play("JK1").turn == "B"


def test_the_places_of_a_game_are_known_to_the_next() -> None:
    """LongSeb/Tycoon-Daifugou 4170198."""
    table = Table(JDF4, "C4", "C5", "C6", "C7 C9").play("C4").play("C5").play("C6")
    after, _ = start_game(table.state, b"next")
    assert after.previous == [0, 1, 2, 3]
    assert moves_of(after, 3)


def test_the_first_play_of_a_trick_counts_against_the_next() -> None:
    """rbtying/shengji PR #507."""
    table = Table(JDF4, "S9 D4", "S5 H10", *OTHERS[1:]).play("S9")
    assert table.refused(play_action("S5"), "B") == Reason.NOT_STRONGER


def test_the_next_seat_is_found_round_the_table() -> None:
    """ShrimpCryptid/Secret-Hitler-Online #27."""
    assert Table(JDF4, "D4 D5", *OTHERS[:2], "C10 C9", turn="D").play("C9").turn == "A"


def test_given_hands_win_over_the_seed() -> None:
    """hanabi-live #2966."""
    assert Table(JDF4, "S3", "S4", "S5", "S6").hand("C") == "S5"


def test_where_a_strongest_last_card_is_no_foul_the_first_place_falls() -> None:
    """qsona/daifugo-together 4ed1f75, e0a5954."""
    free = program("jdf4", foul_finish="none")
    rest = ("C5 C9", "C6 C10", "C7 CJ")
    assert Table(free, "S2", *rest, previous="BACD", field="D:HA").play("S2").fallen == "B"
    assert Table(free, "H3", *rest, previous="BACD", field="D:H4", upside_down=True).play("H3").fallen == "B"


def test_a_10_as_the_last_card_asks_for_nothing_to_throw_away() -> None:
    """statiolake/rich-rich-daifugo 3bf5cf7."""
    table = Table(program("jdf4", "ten_discard"), "S10", *OTHERS[:2], "C6 C9").play("S10")
    assert (table.finished, table.question, table.turn) == ("A", "", "B")


def test_a_10_throws_away_lower_and_higher_cards() -> None:
    """statiolake/rich-rich-daifugo."""
    table = Table(program("jdf4", "ten_discard"), "S10 D4 DK", *OTHERS[:2], "C6 C9").play("S10")
    assert table.options == "D4 DK"


def test_a_back_ends_with_the_trick_whatever_ends_it() -> None:
    """yncat/dfg-simulator bef78df."""
    on = program("jdf4", "jack_back")
    by_passes = Table(on, "SJ D9", *OTHERS).play("SJ").passes(3)
    by_eight = Table(on, "SJ D9", "H8 H6", *OTHERS[1:]).play("SJ").play("H8")
    by_three = Table(on, "SJ D9", "JK1 H6", "S3 H4", OTHERS[2]).play("SJ").play("JK1").play("S3")
    for table in (by_passes, by_eight, by_three):
        assert table.flushed
        assert (table.state.backs, table.state.order) == ([], 0)


@pytest.mark.parametrize(("least", "cards", "revolts"), [(4, 3, False), (4, 4, True), (5, 4, False), (5, 5, True)])
def test_sequences_revolt_from_exactly_the_length_that_is_set(least: int, cards: int, revolts: bool) -> None:
    """koganie/uecda_server, Configure.cpp."""
    on = program("jdf4", "sequence_revolution", sequence_revolution__min_length=least)
    row = " ".join(["H4", "H5", "H6", "H7", "H8"][:cards])
    assert Table(on, f"{row} D9", *OTHERS).play(row).state.revolution == revolts
