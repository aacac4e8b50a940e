"""The rules of the UECda contest: jokers with suits, locks, everybody must pass, lots, seats and the exchange."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine import events as ev
from engine.actions import Action, Meaning, answer, play_cards
from engine.cards import NO_SUIT, card_text, cards_text, members, parse_card, parse_cards
from engine.game import apply, default_action, new_match, start_game
from engine.moves import Move
from engine.options import Options
from engine.orders import JOKER_WEAKEST, REVERSED
from engine.playout import Simulator
from engine.plays import GROUP
from engine.reasons import Reason
from engine.ruleset import RulesetError, make_ruleset
from engine.saving import load, save
from engine.state import State
from tests.engine.position import RANKS, Table
from tests.engine.tables import asked, moves_of, program
from tests.engine.values import plain

UECDA = program("uecda")
REST = ("CJ CQ", "DJ DQ", "DK DA")
"""Hands of seats that do nothing here."""


def named(cards: str, meant: str) -> Action:
    """Playing cards with the joker as a card, such as H8."""
    at = parse_card(meant)
    return play_cards(parse_cards(cards), 0, (Meaning(parse_card("JK1"), at // 4, at % 4),))


def meant(move: Move) -> str:
    """What the joker of a move stands for."""
    return " ".join([card_text(4 * m.rank + m.suit) if m.suit != NO_SUIT else "-" for m in move.play.meanings()])


# --- jokers have suits -----------------------------------------------------------------------------------------------


def test_a_joker_in_a_group_has_one_of_the_suits_that_the_group_lacks() -> None:
    table = Table(UECDA, "S7 H7 JK1 C3", "D4 D5", *REST)
    pairs = [move for move in moves_of(table.state, 0) if move.play.cards == parse_cards("S7 JK1")]
    assert [meant(move) for move in pairs] == ["H7", "D7", "C7"]
    triples = [move for move in moves_of(table.state, 0) if move.play.cards == parse_cards("S7 H7 JK1")]
    assert [meant(move) for move in triples] == ["D7", "C7"]


def test_beside_all_four_suits_it_has_none() -> None:
    table = Table(UECDA, "S7 H7 D7 C7 JK1 C3", "D4 D5", *REST)
    five = [move for move in moves_of(table.state, 0) if move.play.size == 5]
    assert [meant(move) for move in five] == ["-"]
    table.act(five[0].action())
    assert table.state.revolution


def test_a_suit_that_the_group_has_already_cannot_be_named() -> None:
    table = Table(UECDA, "S7 JK1 C3", "D4 D5", *REST)
    assert table.refused(named("S7 JK1", "S7")) == Reason.WRONG_MEANING
    table.act(named("S7 JK1", "D7"))
    assert [meant(Move(1, table.top))] == ["D7"]


def test_two_jokers_have_two_suits_and_either_of_them_may_be_named_first() -> None:
    two = program("uecda", joker_count=2)
    table = Table(two, "S7 JK1 JK2 C3", "D4 D5", *REST)
    jokers = parse_card("JK1"), parse_card("JK2")
    cards = parse_cards("S7 JK1 JK2")
    triples = [move for move in moves_of(table.state, 0, None) if move.play.cards == cards]
    assert [meant(move) for move in triples if move.play.shape == GROUP] == ["H7 D7", "H7 C7", "D7 C7"]
    rank = RANKS["7"]
    twice = play_cards(cards, GROUP, (Meaning(jokers[0], rank, 1), Meaning(jokers[1], rank, 1)))
    assert table.refused(twice) == Reason.WRONG_MEANING
    table.act(play_cards(cards, GROUP, (Meaning(jokers[0], rank, 2), Meaning(jokers[1], rank, 1))))
    assert [meant(Move(1, table.top))] == ["H7 D7"]


def test_a_joker_that_is_not_named_takes_the_first_suit_that_can_be_played() -> None:
    table = Table(UECDA, "S7 JK1 C3", "D4 D5", *REST, field="B:S5 D5 | C:S6 D6", lock="SD")
    assert table.play("S7 JK1").locked == "SD"
    table = Table(UECDA, "S7 JK1 C3", "D4 D5", *REST)
    assert meant(Move(1, table.play("S7 JK1").top)) == "H7"


def test_the_suit_of_a_joker_starts_a_lock_and_obeys_it() -> None:
    table = Table(UECDA, "S7 JK1 C3", "S9 D9 C9 C4", *REST, field="E:S5 D5")
    table.act(named("S7 JK1", "D7"))
    assert table.locked == "SD"
    assert table.refusal("S9 C9") == Reason.LOCK_SUIT
    assert table.play("S9 D9").locked == "SD"
    table = Table(UECDA, "S7 JK1 C3", "D4 D5", *REST, field="B:S5 D5 | C:S6 D6", lock="SD")
    assert table.refused(named("S7 JK1", "H7")) == Reason.LOCK_SUIT
    assert table.act(named("S7 JK1", "D7")).locked == "SD"


def test_other_suits_of_a_joker_start_none() -> None:
    table = Table(UECDA, "S7 JK1 C3", "D4 D5", *REST, field="E:S5 D5")
    assert not table.act(named("S7 JK1", "H7")).locked


def test_a_sequence_with_a_joker_starts_a_lock() -> None:
    table = Table(UECDA, "S7 S9 JK1 C3", "HJ HQ HK C4", *REST, field="E:S3 S4 S5")
    table.play("S7 JK1 S9")
    assert table.flushed, "the joker is the 8"
    table = Table(UECDA, "S9 SJ JK1 C3", "HQ HK HA C4", *REST, field="E:S3 S4 S5")
    assert table.play("S9 JK1 SJ").locked == "S"
    assert table.refusal("HQ HK HA") == Reason.LOCK_SUIT


def test_without_the_rule_a_joker_in_a_group_has_no_suit() -> None:
    table = Table(program("jdf4"), "S7 JK1 C3", "D4 D5", "CJ CQ", "DJ DQ", field="D:S5 D5")
    assert len([move for move in moves_of(table.state, 0) if move.play.cards == parse_cards("S7 JK1")]) == 1
    assert not table.act(named("S7 JK1", "D7")).locked


def test_options_with_and_without_the_joker_are_those_that_are_listed() -> None:
    for hand in ("S7 H7 D7 JK1 C3 C4 C5", "S7 H7 D7 C3 C4 C5"):
        for field in ("", "E:S5 D5", "E:S5", "E:H5 D5 C5"):
            s = Table(UECDA, hand, "D4 D9", *REST, field=field).state
            options = Options(UECDA)
            listed = [move.action().key() for move in moves_of(s, 0)]
            assert options.look(s, 0) == len(listed)
            assert [options.move(n).action().key() for n in range(len(listed))] == listed


def test_a_play_with_a_joker_that_has_a_suit_is_saved_and_loaded() -> None:
    table = Table(UECDA, "S7 JK1 C3", "D4 D5", *REST, field="E:S5 D5").act(named("S7 JK1", "D7"))
    again = load(UECDA, save(table.state))
    assert plain(again) == plain(table.state)
    assert meant(Move(1, again.trick[-1].play)) == "D7"


# --- locks and single jokers -----------------------------------------------------------------------------------------


def test_a_single_joker_may_be_played_on_a_lock_and_lifts_it() -> None:
    table = Table(UECDA, "JK1 C4 C9", "S3 S9", *REST, field="D:H5 | E:H6", lock="H")
    table.play("JK1")
    assert not table.locked
    assert [event.rule for event in table.events if isinstance(event, ev.LockChanged)] == ["joker_unlock"]
    assert table.plays == {"S3", "pass"}


def test_a_joker_in_a_group_lifts_no_lock() -> None:
    table = Table(UECDA, "S7 JK1 C3", "D4 D5", *REST, field="B:S5 D5 | C:S6 D6", lock="SD")
    assert table.play("S7 JK1").locked == "SD"


def test_what_came_before_a_single_joker_starts_no_lock_after_it() -> None:
    down = program("jdf4", "joker_unlock", weak_joker_in_revolution=True)
    table = Table(down, "JK1 C9", "H4 D9", "H3 C10", "C5 C6", upside_down=True)
    table.state.order = REVERSED | JOKER_WEAKEST
    table.play("JK1").play("H4")
    assert not table.locked
    assert table.play("H3").locked == "H"


@pytest.mark.parametrize(("field", "cards", "locked"), [("S5", "S6", "S"), ("S5 H5", "S6 D6", ""), ("S5", "H6", "")])
def test_exactly_the_same_suits_lock_at_once(field: str, cards: str, locked: str) -> None:
    assert Table(UECDA, f"{cards} C3", "D4 D9", *REST, field=f"E:{field}").play(cards).locked == locked


# --- sequences -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("upside_down", [False, True])
@pytest.mark.parametrize("cards", ["JK1 S3 S4", "SA S2 JK1"])
def test_a_joker_may_stand_beyond_either_end(cards: str, upside_down: bool) -> None:
    table = Table(UECDA, f"{cards} C9", "D4 D5", *REST, upside_down=upside_down)
    table.play(cards, "sequence", JK1="beyond")
    assert [m.rank for m in table.top.meanings()] == [RANKS["beyond"]]


def test_beyond_the_weak_end_a_sequence_is_weaker_than_every_other() -> None:
    table = Table(UECDA, "JK1 S3 S4 C9", "H5 H6 H7 D5", *REST).play("JK1 S3 S4", "sequence", JK1="beyond")
    table.play("H5 H6 H7")
    table = Table(UECDA, "S3 S4 JK1 C9", "H5 H6 H7 D5", *REST).play("S3 S4 JK1")
    assert table.refusal("H5 H6 H7") == Reason.NOT_STRONGER, "without a word the joker is the 5"


def test_without_the_rule_only_the_strong_end_has_a_beyond() -> None:
    table = Table(program("jdf4"), "JK1 S3 S4 C9", "D4 D5", "CJ CQ", "DJ DQ")
    assert table.refusal("JK1 S3 S4", "sequence", JK1="beyond") == Reason.WRONG_MEANING


@pytest.mark.parametrize(
    ("cards", "revolution"),
    [("S3 S4 S5 S6", False), ("S3 S4 S5 S6 S7", True), ("S3 S4 JK1 S6 S7", True), ("S3 H3 D3 C3", True)],
)
def test_sequences_of_five_and_groups_of_four_revolt(cards: str, revolution: bool) -> None:
    assert Table(UECDA, f"{cards} C9", "D4 D5", *REST).play(cards).state.revolution == revolution


@pytest.mark.parametrize("cards", ["S6 S7 S8", "S6 S7 JK1", "S8", "H8 JK1", "S8 H8 D8 C8"])
def test_an_eight_cuts_in_a_sequence_too(cards: str) -> None:
    table = Table(UECDA, f"{cards} C9", "D4 D5", *REST).play(cards)
    assert table.flushed
    assert table.turn == "A"


def test_every_card_of_a_sequence_must_be_stronger() -> None:
    table = Table(UECDA, "S7 S8 S9 S10 C3", "D4 D5", *REST, field="E:H5 H6 H7")
    assert table.refusal("S7 S8 S9") == Reason.NOT_STRONGER
    assert table.play("S8 S9 S10").flushed


@pytest.mark.parametrize("cards", ["S8", "S2", "JK1", "S3", "S3 S4 S5 S6 S7"])
def test_a_game_may_be_finished_with_anything(cards: str) -> None:
    assert Table(UECDA, cards, "D4 D5", *REST).play(cards).finished == "A"


# --- everybody must pass ---------------------------------------------------------------------------------------------


def test_the_owner_gets_turns_over_the_own_play_and_must_pass_before_the_flush() -> None:
    table = Table(UECDA, "S5 S9 C3", "D4 D9", *REST).play("S5").passes(4)
    assert table.turn == "A"
    assert not table.flushed
    assert table.plays == {"S9", "pass"}
    assert table.passes().flushed
    assert table.turn == "A"


def test_the_owner_may_beat_the_own_play() -> None:
    table = Table(UECDA, "S5 S9 C3", "D4 D10", *REST).play("S5").passes(4).play("S9")
    assert table.turn == "A", "everybody else is out until the flush"
    assert table.locked == "S"
    assert table.passes().turn == "A"


def test_an_owner_who_has_gone_out_need_not_pass() -> None:
    table = Table(UECDA, "S5", "D4 D9", *REST).play("S5").passes(3)
    assert not table.flushed
    assert table.passes().flushed
    assert table.turn == "B"


def test_a_pass_on_the_empty_field_counts_until_the_flush() -> None:
    table = Table(UECDA, "S5 S9", "D4 D9", *REST).passes()
    assert table.turn == "B"
    assert table.state.passed == 1
    table.play("D4").passes(4)
    assert table.flushed, "A is not asked again"
    assert table.turn == "B"


def test_when_all_have_passed_the_empty_field_by_the_first_of_them_is_asked_again() -> None:
    table = Table(UECDA, "S5 S9", "D4 D9", *REST, turn="C").passes(5)
    assert table.turn == "C"
    assert not table.state.passed
    assert [event.rule for event in table.events if isinstance(event, ev.PassesCleared)] == ["all_must_pass"]
    assert not [event for event in table.events if isinstance(event, ev.FieldFlushed)]


def test_without_the_rule_the_owner_need_not_pass() -> None:
    off = program("uecda", all_must_pass=False)
    table = Table(off, "S5 S9", "D4 D9", *REST).play("S5").passes(4)
    assert table.flushed
    assert Table(off, "S5 S9", "D4 D9", *REST).passes().state.passed == 0


# --- twenty passes ---------------------------------------------------------------------------------------------------


def test_after_twenty_passes_in_a_row_the_rest_is_placed_by_lot() -> None:
    table = Table(UECDA, "S5", "D4 D9", *REST).play("S5")
    for passes in range(1, 20):
        table.passes()
        assert table.state.notes["pass_limit"].values == (passes,)
    table.passes()
    assert not table.state.playing
    assert table.places.startswith("A")
    assert sorted(table.places) == list("ABCDE")
    assert "pass_limit" not in table.state.notes
    (ended,) = [event for event in table.events if isinstance(event, ev.GameEnded)]
    assert ended.drawn == (1, 2, 3, 4)
    assert sorted(ended.points) == [1, 2, 3, 4, 5], "a place got by lot counts as such"
    assert ended.points[0] == 5


def test_a_play_begins_the_count_anew() -> None:
    table = Table(UECDA, "S5 S9 C3", "D4 D9", *REST).passes(10).play("S5")
    assert "pass_limit" not in table.state.notes
    assert table.passes(19).state.playing
    assert not table.passes().state.playing


def test_the_lot_depends_on_the_seed_alone() -> None:
    ends = set()
    for seed in range(12):
        s, _ = start_game(new_match(UECDA), seed.to_bytes(4, "big"))
        again, _ = start_game(new_match(UECDA), seed.to_bytes(4, "big"))
        for _ in range(20):
            s, again = (apply(each, asked(each)[0], Action(2))[0] for each in (s, again))
        assert s.places == again.places
        ends.add(tuple(s.places))
    assert len(ends) > 6


def test_another_number_of_passes_or_none_may_be_chosen() -> None:
    assert not Table(program("uecda", pass_limit=5), "S5 S9", "D4 D9", *REST).passes(5).state.playing
    assert Table(program("uecda", pass_limit=0), "S5 S9", "D4 D9", *REST).passes(60).state.playing


# --- the deal and the exchange ---------------------------------------------------------------------------------------


def begun(previous: list[int], seed: bytes = b"deal") -> tuple[State, list[ev.Event]]:
    """A game begun after one with these places."""
    s = new_match(UECDA, 300)
    s.previous, s.game = previous, 1 if previous else 0
    return start_game(s, seed)


def test_all_cards_are_dealt_from_the_first_place_on() -> None:
    _, told = begun([3, 1, 0, 2, 4])
    (dealt,) = [event for event in told if isinstance(event, ev.Dealt)]
    assert dealt.order == (3, 4, 0, 1, 2)
    assert dealt.sizes == (11, 10, 10, 11, 11)


def test_the_first_game_is_dealt_from_a_seat_drawn_by_lot() -> None:
    firsts = set()
    for number in range(40):
        _, told = begun([], str(number).encode())
        (dealt,) = [event for event in told if isinstance(event, ev.Dealt)]
        (seating,) = [event.seating for event in told if isinstance(event, ev.SeatingChanged)]
        at = seating.index(dealt.order[0])
        assert dealt.order == seating[at:] + seating[:at]
        assert [dealt.sizes[seat] for seat in dealt.order] == [11, 11, 11, 10, 10]
        firsts.add(dealt.order[0])
    assert firsts == set(range(5))


def test_the_holder_of_the_diamond_three_leads_and_need_not_play_it() -> None:
    for previous in ([], [3, 1, 0, 2, 4]):
        s, _ = begun(previous)
        while s.asking_rule:
            s, _ = apply(s, asked(s)[0], default_action(s, asked(s)[0]))
        assert s.hands[s.turn] & parse_cards("D3")
        assert any(not move.play.cards & parse_cards("D3") for move in moves_of(s, s.turn))


EXCHANGE = ("S3 S4 C5 SJ", "H3 H4 H5", "D6 D7", "SK HK D4", "JK1 S2 H2 DA")


def exchange() -> Table:
    """A game about to begin with its exchange: A gets the joker and the spade 2, B the spade king."""
    return Table(UECDA, *EXCHANGE, previous="ABCDE")


def test_spades_go_first_and_the_upper_places_choose_when_they_have_received() -> None:
    table = exchange()
    assert table.asked == "AB"
    assert [table.hand(seat) for seat in "AB"] == ["S3 S4 C5 SJ S2 JK1", "H3 H4 H5 SK"]
    table.answer("JK1 S3", "A").answer("SK", "B")
    assert [table.hand(seat) for seat in "ABCDE"] == ["S4 C5 SJ S2", "H3 H4 H5", "D6 D7", "D4 SK HK", "S3 DA H2 JK1"]


@pytest.mark.parametrize("words", ["S3", "S3 S4 C5", "S3 H3", "S3 D6"])
def test_an_invalid_return_costs_the_strongest_cards(words: str) -> None:
    table = exchange().act(answer(*members(parse_cards(words))), "A").answer("H3", "B")
    assert table.hand("E") == "DA S2 H2 JK1"
    assert table.hand("A") == "S3 S4 C5 SJ"


def test_cards_named_twice_or_none_cost_the_strongest_card() -> None:
    table = exchange().act(answer(), "B").answer("S3 S4", "A")
    assert table.hand("D") == "D4 SK HK", "the king comes back"
    assert exchange().act(answer(0, 0), "A").answer("H3", "B").hand("A") == "S3 S4 C5 SJ"


def test_time_that_runs_out_costs_them_too() -> None:
    s = exchange().state
    assert cards_text(sum([1 << c for c in default_action(s, 0).values])) == "S2 JK1"
    assert cards_text(sum([1 << c for c in default_action(s, 1).values])) == "SK"


def test_something_else_than_an_answer_is_refused_as_ever() -> None:
    assert exchange().refused(play_cards(parse_cards("S3")), "A") == Reason.EXCHANGE_PENDING


def test_a_return_is_refused_where_it_costs_nothing() -> None:
    table = Table(program("uecda", invalid_return="refused"), *EXCHANGE, previous="ABCDE")
    assert table.refused_answer("S3", "A") == Reason.TOO_FEW_CARDS


# --- seats, and games without titles ---------------------------------------------------------------------------------


def test_seats_are_drawn_anew_every_third_game_and_titles_forgotten_every_hundredth() -> None:
    simulator = Simulator(UECDA, 7)
    simulator.state = new_match(UECDA, 301)
    simulator.state.chance = simulator.chance
    seatings, untitled = [], []
    for game in range(1, 302):
        simulator.begin()
        seatings.append(tuple(simulator.state.seating))
        if not simulator.state.previous:
            untitled.append(game)
            assert not simulator.state.asking_rule
        simulator.play_out()
        assert sorted(simulator.state.places) == [0, 1, 2, 3, 4]
    assert untitled == [1, 101, 201, 301]
    changed = [game for game, (before, after) in enumerate(pairwise(seatings), 2) if before != after]
    assert all(game % 3 == 1 for game in changed)
    assert len(changed) > 90, "one lot of 120 leaves everybody where they sat"
    assert len(set(seatings)) > 50
    assert sum(simulator.state.totals) == 301 * 15


def test_the_new_seating_is_told_and_holds_for_the_turns() -> None:
    s, told = begun([])
    (changed,) = [event for event in told if isinstance(event, ev.SeatingChanged)]
    assert changed.rule == "seat_redraw"
    assert list(changed.seating) == s.seating
    first = s.turn
    s, _ = apply(s, first, Action(2))
    assert s.turn == s.seating[(s.seating.index(first) + 1) % 5]


# --- what cannot stand together --------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", [{"joker_lock": True}, {"deal_method": "two_packs"}, {"joker_count": 0}])
def test_a_joker_with_a_suit_excludes_other_ways(other: dict[str, bool | int | str]) -> None:
    with pytest.raises(RulesetError, match="joker_takes_suit"):
        make_ruleset("uecda", {**other, "spade3_counter": False, "joker_unlock": False})
