"""Mechanisms that no rule of this version uses yet, proved with rules made for the purpose."""

from __future__ import annotations

import pytest

import engine.game
from engine.actions import DRAW, PASSING, Action, answer, play_cards
from engine.cards import EIGHT, FIVE, JACK, KING, as_set, members, parse_cards
from engine.choices import CARD, HAND, SEAT, Choice, Group
from engine.game import apply, new_match, start_game
from engine.moves import Move, playing
from engine.plays import rank_group, real_groups
from engine.program import Program
from engine.reasons import IllegalAction, Reason
from engine.rules import pipeline
from engine.rules.base import ASK, END, GO_ON, Rule
from engine.ruleset import Ruleset, make_ruleset
from engine.saving import load, save
from engine.state import BY_DISCARDING, Public, State
from engine.steps import ask, discard, flush_later, receive
from engine.view import open_choice, view

if not engine.game.__file__.endswith(".py"):
    pytest.skip("a compiled class cannot be subclassed by a test", allow_module_level=True)


class Always(Rule):
    """A rule that no catalogue has."""

    def on(self, ruleset: Ruleset) -> Rule | None:
        return self


class EightOnEight(Always):
    """An 8 answers an 8 that is about to end the trick, and may itself be answered."""

    id = "toy_eight_on_eight"

    def opens(self, p: Public) -> bool:
        return p.flushing

    def counters(self, p: Public, seat: int, hand: int) -> list[Move]:
        return [playing(rank_group(c, EIGHT, 1, 0), 0, self.id) for c in real_groups(hand, EIGHT) if c.bit_count() == 1]

    def acted(self, s: State) -> int:
        flush_later(s, self.id)
        return GO_ON


class Draw(Always):
    """A seat may draw a card from the stock before it plays."""

    id = "toy_draw"

    def offers(self, p: Public, seat: int, hand: int) -> list[Move]:
        return [Move(DRAW, rule=self.id)] if p.stock_count and not p.drawn else []

    def acted(self, s: State) -> int:
        receive(s, s.actor, 1 << s.stock.pop())
        s.stock_count, s.drawn = len(s.stock), True
        return ASK


class TwoQuestions(Always):
    """A 5 asks its player for two cards, one after the other, and the next seat for one, all at once."""

    id = "toy_two_questions"
    ranks = 1 << FIVE

    def played(self, s: State) -> int:
        mine = tuple(members(s.hands[s.actor]))
        other = (s.actor + 1) % s.seats
        theirs = tuple(members(s.hands[other]))
        one = Choice(self.id, s.actor, CARD, mine, 1, 1, HAND)
        return ask(s, self.id, [one, Choice(self.id, other, CARD, theirs, 1, 1, HAND), one])

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        for choice, given in zip(group.choices, answers):
            discard(s, choice.seat, 1 << given[0], BY_DISCARDING, self.id)
        return GO_ON


class KingEnds(Always):
    """A king asks its player something and, once answered, ends the game on the spot."""

    id = "toy_king_ends"
    ranks = 1 << KING

    def played(self, s: State) -> int:
        return ask(s, self.id, [Choice(self.id, s.actor, SEAT, (0, 1, 2, 3), 1, 1)])

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        return END


class JackDialogue(Always):
    """A jack asks the next seat, then the seat that it names: a chain of groups."""

    id = "toy_jack_dialogue"
    ranks = 1 << JACK

    def played(self, s: State) -> int:
        return ask(s, self.id, [Choice(self.id, (s.actor + 1) % s.seats, SEAT, (0, 1, 2, 3), 1, 1)])

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        named = answers[0][0]
        if group.choices[0].of == SEAT:
            hand = tuple(members(s.hands[named]))
            return ask(s, self.id, [Choice(self.id, named, CARD, hand, 1, 1, HAND)])
        discard(s, group.choices[0].seat, 1 << named, BY_DISCARDING, self.id)
        return GO_ON


TOYS: dict[str, tuple[Rule, ...]] = {
    "counters": (EightOnEight(),),
    "offers": (Draw(),),
    "played": (TwoQuestions(), KingEnds(), JackDialogue()),
}


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Program:
    everything = [rule for rules in TOYS.values() for rule in rules]
    monkeypatch.setattr(pipeline, "RULES", (*pipeline.RULES, *everything))
    for phase, rules in TOYS.items():
        monkeypatch.setitem(pipeline.ORDER, phase, (*pipeline.ORDER[phase], *[rule.id for rule in rules]))
    return Program(make_ruleset("jdf4"))


def game(program: Program, *hands: str) -> State:
    """A first game with these hands; seat 0 leads."""
    return start_game(new_match(program), b"", tuple([parse_cards(hand) for hand in hands]))[0]


def play(s: State, seat: int, cards: str) -> State:
    return apply(s, seat, play_cards(parse_cards(cards)))[0]


def asked(s: State) -> list[int]:
    return [seat for seat in range(s.seats) if s.decisions[seat]]


def test_a_counter_opens_a_window_of_its_own_and_the_last_one_leads(program: Program) -> None:
    s = game(program, "S8 D4 D6", "H8 D7 C7", "D8 C4 C6", "H4 H6 H7")
    s = play(s, 0, "S8")
    assert asked(s) == [1]
    s = play(s, 1, "H8")
    assert asked(s) == [2]
    s = play(load(program, save(s)), 2, "D8")
    assert asked(s) == [3]
    for seat in (3, 0, 1):
        assert asked(s) == [seat]
        s = apply(s, seat, PASSING)[0]
    assert asked(s) == [2]
    assert s.top().size == 0
    assert s.discard == parse_cards("S8 H8 D8")


def test_when_all_let_a_counter_go_by_the_suspended_flush_goes_on(program: Program) -> None:
    s = play(game(program, "S8 D4 D6", "H8 D7 C7", "C4 C6", "H4 H6"), 0, "S8")
    for seat in (1, 2, 3):
        s = apply(s, seat, PASSING)[0]
    assert asked(s) == [0]
    assert s.discard == parse_cards("S8")


def test_a_draw_keeps_the_turn_and_gives_the_card_to_nobody_else(program: Program) -> None:
    s = game(program, "S9 D4", "D7 C7", "C4 C6", "H4 H6")
    s.stock, s.stock_count = members(parse_cards("SK HK")), 2
    after, _ = apply(s, 0, Action(DRAW))
    assert after.hands[0] == parse_cards("S9 D4 HK")
    assert asked(after) == [0]
    assert after.decisions[0] != s.decisions[0]
    with pytest.raises(IllegalAction) as refused:
        apply(after, 0, Action(DRAW))
    assert refused.value.reason is Reason.NOT_OFFERED
    assert view(after, 1).hand == parse_cards("D7 C7")


def test_a_seat_that_owes_two_choices_gets_them_in_turn_without_what_it_has_named(program: Program) -> None:
    s = play(game(program, "S5 D4 D6", "D7 C7", "C4 C6", "H4 H6"), 0, "S5")
    assert asked(s) == [0, 1]
    d4, d6, c7 = parse_cards("D4"), parse_cards("D6"), parse_cards("C7")
    s = apply(s, 0, answer(*members(d4)))[0]
    assert asked(s) == [0, 1]
    second = open_choice(s, 0)
    assert second is not None
    assert as_set(list(second.options)) == d6
    with pytest.raises(IllegalAction) as refused:
        apply(s, 0, answer(*members(d4)))
    assert refused.value.reason is Reason.NOT_AN_OPTION
    s = apply(s, 0, answer(*members(d6)))[0]
    assert asked(s) == [1]
    assert s.hands[0] == parse_cards("D4 D6"), "nothing happens before the last answer is in"
    s = apply(load(program, save(s)), 1, answer(*members(c7)))[0]
    assert s.discard == parse_cards("D4 D6 C7")
    assert s.finished == [0]


def test_an_answer_may_raise_another_question_to_another_seat(program: Program) -> None:
    s = play(game(program, "SJ D4 D6", "D7 C7", "C4 C6", "H4 H6"), 0, "SJ")
    assert asked(s) == [1]
    s = apply(s, 1, answer(2))[0]
    assert asked(s) == [2]
    s = apply(s, 2, answer(*members(parse_cards("C6"))))[0]
    assert s.hands[2] == parse_cards("C4")
    assert asked(s) == [1]


def test_a_rule_may_end_the_game_and_everybody_gets_a_place(program: Program) -> None:
    s = play(game(program, "SK D4 D6", "D7 C7", "C4 C6", "H4 H6"), 0, "SK")
    s, events = apply(s, 0, answer(1))
    assert not s.playing
    assert sorted(s.places) == [0, 1, 2, 3]
    assert not asked(s)
    assert type(events[-1]).__name__ == "GameEnded"


def test_the_stopped_program_drops_card_effects_and_keeps_passing_flushing_and_the_other_bans(program: Program) -> None:
    s = game(program, "S8 H8", "D7 C7", "C4 C6", "H4 H6")
    s.program_number = 1
    s = play(s, 0, "S8")
    assert asked(s) == [1], "no 8 cut, so no window and no flush"
    s = apply(s, 1, PASSING)[0]
    s = apply(s, 2, PASSING)[0]
    s = apply(s, 3, PASSING)[0]
    assert asked(s) == [0]
    s = play(s, 0, "H8")
    assert s.finished == [0], "an 8 that does not cut is no foul"


def test_the_stopped_program_keeps_the_ban_of_twos_and_jokers_and_drops_counters(program: Program) -> None:
    s = game(program, "JK1 D4", "S3 C7", "S2", "H4 H6")
    s.program_number = 1
    s = play(s, 0, "JK1")
    with pytest.raises(IllegalAction) as refused:
        play(s, 1, "S3")
    assert refused.value.reason is Reason.NOT_STRONGER
    for seat in (1, 2, 3):
        s = apply(s, seat, PASSING)[0]
    s = play(s, 0, "D4")
    s = play(s, 1, "C7")
    s = play(s, 2, "S2")
    assert s.fouled == [2]


def test_a_program_that_stops_in_mid_run_takes_effect_with_the_next_run(program: Program) -> None:
    s = play(game(program, "S5 D4 D6", "D7 C7", "C4 C6", "H4 H6"), 0, "S5")
    s.program_number = 1
    s = apply(s, 0, answer(*members(parse_cards("D4"))))[0]
    s = apply(s, 0, answer(*members(parse_cards("D6"))))[0]
    s, events = apply(load(program, save(s)), 1, answer(*members(parse_cards("C7"))))
    assert s.finished == [0]
    assert [type(event).__name__ for event in events][-2:] == ["TurnChanged", "DecisionOpened"]


def test_only_plays_and_passes_answer_a_window(program: Program) -> None:
    s = game(program, "S8 D4 D6", "H8 D7 C7", "C4 C6", "H4 H6")
    s.stock, s.stock_count = members(parse_cards("SK HK")), 2
    s = play(s, 0, "S8")
    with pytest.raises(IllegalAction) as refused:
        apply(s, 1, Action(DRAW))
    assert refused.value.reason is Reason.WRONG_ACTION


def test_seats_that_rest_count_as_passed_and_the_others_still_act(program: Program) -> None:
    s = game(program, "S5 D4 D6 D9", "D7 C7", "C4 C6", "H6 HJ")
    s.rests = [0, 1, 0, 0]
    s = play(s, 0, "D4")
    assert asked(s) == [2]
    s = apply(s, 2, PASSING)[0]
    assert asked(s) == [3]
    s = apply(s, 3, PASSING)[0]
    assert asked(s) == [0]
    assert s.top().size == 0
    assert s.rests == [0, 0, 0, 0]


def test_a_turn_counts_as_had_when_it_is_taken(program: Program) -> None:
    s = game(program, "S4 D4", "D7 C7", "C4 C6", "H6 HJ")
    assert s.had_turn == 0
    s = play(s, 0, "S4")
    assert s.had_turn == 1
    s = apply(s, 1, PASSING)[0]
    assert s.had_turn == 3


def test_a_last_play_is_judged_even_when_a_rule_ends_the_game_at_once(program: Program) -> None:
    s = play(game(program, "SK", "D7 C7", "C4 C6", "H4 H6"), 0, "SK")
    s = apply(s, 0, answer(1))[0]
    assert s.places[0] == 0


def test_naming_a_seat_takes_no_card_of_that_number_away(program: Program) -> None:
    seats = Choice("toy_two_questions", 0, SEAT, (1, 2, 3), 1, 1)
    cards = Choice("toy_two_questions", 0, CARD, (2, 3), 1, 1, HAND)
    s = game(program, "D3 C3 D4", "D7 C7", "C4 C6", "H4 H6")
    s.group, s.held = Group("toy_two_questions", [seats, cards]), [(2,), None]
    second = open_choice(s, 0)
    assert second is not None
    assert second.options == (2, 3)


def test_a_game_that_goes_on_too_long_is_settled_by_lot(program: Program) -> None:
    program.most_actions = 3
    s = game(program, "S3 D4 D6", "D7 C7", "C4 C9", "H4 HQ")
    s = play(s, 0, "D4")
    s = play(s, 1, "C7")
    s, events = apply(s, 2, play_cards(parse_cards("C9")))
    assert not s.playing
    assert sorted(s.places) == [0, 1, 2, 3]
    assert s.drawn_places == [0, 1, 2, 3]
    assert len({*s.totals}) == 1, "seats placed by lot share the points of their places"
    assert type(events[-1]).__name__ == "GameEnded"
