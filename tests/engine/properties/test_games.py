"""What is true of every game under any rules: cards, turns, ends and places."""

from __future__ import annotations

from hypothesis import given

from engine.cards import as_set, count
from engine.choices import CARD, HAND
from engine.events import Event
from engine.game import apply, default_action, is_match_over, new_match, start_game
from engine.program import Program
from engine.state import State
from engine.view import open_choice
from tests.engine.properties.draws import examples, names, pick, states, tables
from tests.engine.stream import Stream
from tests.engine.tables import asked
from tests.engine.values import plain
from tests.exhaust.play import ABOUT_ITS_OWN_PLAY


@examples(60)
@given(tables(), names)
def test_no_card_is_lost_or_doubled(table: Program, name: str) -> None:
    for s in states(table, name):
        zones = [*s.hands, s.blind, s.laid_away, s.discard, *[placed.play.cards for placed in s.trick]]
        zones += [1 << c for c in s.stock]
        everything = 0
        for cards in zones:
            assert not everything & cards
            everything |= cards
        assert everything == s.program.deck
        assert (s.blind_count, s.laid_away_count, s.stock_count) == (count(s.blind), count(s.laid_away), len(s.stock))


@examples(60)
@given(tables(), names)
def test_only_seats_with_cards_that_are_still_in_are_asked_or_on_turn(table: Program, name: str) -> None:
    for s in states(table, name):
        if s.playing:
            assert asked(s)
            for seat in asked(s):
                assert not s.gone >> seat & 1
                assert s.hands[seat] or s.asking_rule in ABOUT_ITS_OWN_PLAY
                choice = open_choice(s, seat)
                if choice is not None and choice.of == CARD and choice.zone == HAND:
                    assert as_set(list(choice.options)) & ~s.hands[seat] == 0
            if not s.asking_rule and not s.window_seats:
                assert asked(s) == [s.turn]
        else:
            assert not asked(s)
            assert s.turn == -1


@examples(60)
@given(tables(), names)
def test_places_are_the_finishers_the_last_one_the_fallen_and_the_fouled(table: Program, name: str) -> None:
    totals = [0] * table.seats
    for s in states(table, name):
        if s.drawn_places:
            return
        low = {*s.fouled, *s.fallen, *s.defeated}
        assert len(set(s.finished)) == len(s.finished)
        if not s.playing:
            assert sorted(s.places) == list(range(table.seats))
            top = [seat for seat in s.finished if seat not in low]
            assert s.places[: len(top)] == top
            assert set(s.places[table.seats - len(low) :]) == low
            assert table.seats - len(top) - len(low) <= 1
            for place, seat in enumerate(s.places):
                totals[seat] += table.points[place]
            assert s.totals == totals or table.scoring_rules


@examples(60)
@given(tables(), names)
def test_every_game_ends_long_before_its_limit(table: Program, name: str) -> None:
    for s in states(table, name):
        assert s.actions < s.program.most_actions
        assert s.playing or not s.drawn_places or "pass_limit" in table.rules


@examples(40)
@given(tables(), names)
def test_apply_leaves_its_argument_as_it_was(table: Program, name: str) -> None:
    stream = Stream(name)
    s = new_match(table, 1)
    before = plain(s)
    after, _ = start_game(s, name.encode())
    assert plain(s) == before
    while after.playing:
        s, before = after, plain(after)
        assert plain(s.copy()) == before
        after, _ = apply(s, *pick(stream, s))
        assert plain(s) == before
        assert plain(after) != before


@examples(40)
@given(tables(), names)
def test_what_is_done_for_an_absent_seat_is_always_legal(table: Program, name: str) -> None:
    for s in states(table, name):
        for seat in asked(s):
            apply(s, seat, default_action(s, seat))


@examples(25)
@given(tables(), names)
def test_a_match_of_absent_seats_ends_by_lot_only_where_hands_are_refilled(table: Program, name: str) -> None:
    s = new_match(table, 2)
    while not is_match_over(s):
        s, _ = start_game(s, name.encode())
        while s.playing:
            seat = asked(s)[0]
            s, _ = apply(s, seat, default_action(s, seat))
        refilled = table.ruleset.bool("salvage") and s.actions >= table.most_actions
        assert not s.drawn_places or refilled or "pass_limit" in table.rules
        assert sorted(s.places) == list(range(table.seats))


def play(table: Program, name: str) -> tuple[State, list[Event]]:
    """Play a match of two games and keep all events."""
    s, told = new_match(table, 2), []
    stream = Stream(name)
    while not is_match_over(s):
        s, events = start_game(s, name.encode())
        told += events
        while s.playing:
            s, events = apply(s, *pick(stream, s))
            told += events
    return s, told


@examples(25)
@given(tables(), names)
def test_the_same_seed_and_moves_give_the_same_game(table: Program, name: str) -> None:
    assert plain(play(table, name)) == plain(play(table, name))


@examples(15)
@given(tables(), names, names)
def test_two_tables_that_share_a_program_play_as_each_would_alone(table: Program, one: str, two: str) -> None:
    alone = [play(Program(table.ruleset), name) for name in (one, two)]
    tables_open = [(new_match(table, 2), Stream(name), list[Event]()) for name in (one, two)]
    seeds = [one.encode(), two.encode()]
    while not all(is_match_over(s) for s, _, _ in tables_open):
        for i, (s, stream, told) in enumerate(tables_open):
            if not is_match_over(s):
                s, events = apply(s, *pick(stream, s)) if s.playing else start_game(s, seeds[i])
                tables_open[i] = (s, stream, told + events)
    assert plain([(s, told) for s, _, told in tables_open]) == plain(alone)
