"""Listed moves are exactly the accepted ones; everything else is refused with a reason and changes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, permutations

import pytest
from hypothesis import given

from engine.actions import ADD, ANSWER, DRAW, DUMP, PASS, PASSING, PLAY, Action, Meaning, answer, play_cards
from engine.cards import JOKERS, NO_SUIT, RANK, REAL, as_set, members
from engine.choices import Choice
from engine.game import apply
from engine.legal import check, legal_moves
from engine.moves import Move
from engine.plays import ARITHMETIC, SEQUENCE, SINGLE
from engine.program import Program
from engine.reasons import IllegalAction, Reason
from engine.state import Public, State
from engine.view import open_choice, view
from tests.engine.properties.draws import examples, names, states, tables
from tests.engine.stream import Stream
from tests.engine.tables import asked, moves_of
from tests.engine.values import plain
from tests.reference.naive import Face, faces
from tests.reference.translate import naive_card

pytestmark = pytest.mark.timeout(600)
"""Some of these try some ten thousand actions: minutes on a machine that has other things to do."""

SHAPES = range(SINGLE, ARITHMETIC + 1)


def look(cards: int) -> tuple[Face, ...]:
    """What a set of cards looks like: equal cards cannot be told apart."""
    return faces(naive_card(c) for c in members(cards))


def verdict(s: State, seat: int, action: Action) -> Move | Reason:
    """What the engine says of an action; a view says the same as the state does."""
    said = decided(s, seat, s.hands[seat], open_choice(s, seat), action)
    seen = view(s, seat)
    assert plain(decided(seen, seat, seen.hand, seen.choice, action)) == plain(said)
    return said


def decided(p: Public, seat: int, hand: int, choice: Choice | None, action: Action) -> Move | Reason:
    """The move that an action means, or the first reason against it."""
    try:
        return check(p, seat, hand, choice, action)
    except IllegalAction as refusal:
        return refusal.reasons[0]


def refused(s: State, seat: int, actions: Iterable[Action]) -> None:
    """Every one of these is refused, and nothing has changed."""
    before = plain(s)
    for action in actions:
        with pytest.raises(IllegalAction) as refusal:
            apply(s, seat, action)
        assert isinstance(refusal.value.reason, Reason)
    assert plain(s) == before


def some(stream: Stream, s: State, seat: int) -> list[int]:
    """All sets of up to seven cards of a hand, or eighty drawn ones."""
    hand = members(s.hands[seat])
    if len(hand) <= 6:
        return [as_set(list(cards)) for n in range(1, len(hand) + 1) for cards in combinations(hand, n)]
    return [as_set(stream.shuffled(hand)[: 1 + stream.below(5)]) for _ in range(80)]


def check_plays(stream: Stream, s: State, seat: int) -> None:
    """Cards are accepted if they are listed: in one shape without a word, else as declared."""
    listed = [move for move in moves_of(s, seat) if move.kind == PLAY]
    shapes: dict[tuple[Face, ...], set[int]] = {}
    for move in listed:
        shapes.setdefault(look(move.play.cards), set()).add(move.play.shape)
        said = verdict(s, seat, move.action())
        assert isinstance(said, Move)
        assert plain(said) == plain(move)
    for cards in some(stream, s, seat):
        fit = shapes.get(look(cards), set())
        said = verdict(s, seat, play_cards(cards))
        if len(fit) == 1:
            assert isinstance(said, Move)
            assert said.play.shape in fit
        else:
            assert said == Reason.DECLARATION_NEEDED if fit else isinstance(said, Reason)
        for shape in SHAPES:
            assert isinstance(verdict(s, seat, play_cards(cards, shape)), Move) == (shape in fit)


def check_meanings(s: State, seat: int) -> None:
    """A joker may be declared as what a listed play makes of it, and as nothing else."""
    listed = [move.play for move in moves_of(s, seat) if move.kind == PLAY]
    for play in [play for play in listed if play.jokers == 1 and play.size > 1][:10]:
        (joker,) = members(play.cards & JOKERS)
        same = [other for other in listed if look(other.cards) == look(play.cards) and other.shape == play.shape]
        for rank in range(15):
            action = play_cards(play.cards, play.shape, (Meaning(joker, rank, NO_SUIT),))
            fits = any(other.meanings()[0].rank == rank for other in same)
            assert isinstance(verdict(s, seat, action), Move) == fits


def check_answers(stream: Stream, s: State, seat: int, choice: Choice) -> None:
    """Answers are accepted in any order, unless order matters, if they are listed; nothing else is.

    Where a rule has an answer instead, that one counts.
    """
    instead = s.program.rules[s.asking_rule].instead(s, choice)
    listed = {move.values for move in moves_of(s, seat, 3000)}
    few = len(choice.options) <= 7 and choice.most <= 3
    some: list[tuple[int, ...]] = [(), (-1,), (200,), tuple(range(108))]
    if few:
        some += [values for n in range(choice.most + 2) for values in permutations(choice.options, n)]
    else:
        numbers = [stream.below(choice.most + 2) for _ in range(60)]
        some += [tuple(stream.shuffled(choice.options)[:n]) for n in numbers]
    some += [(*values, values[0]) for values in some if values][:10]
    some += [(*values[1:], stream.below(108)) for values in some if values][:20]
    for values in some:
        usual = values if choice.ordered else tuple([o for o in choice.options if o in values])
        is_listed = usual in listed and len(set(values)) == len(values) and len(usual) == len(values)
        if len(listed) < 3000 or is_listed:
            said = verdict(s, seat, answer(*values))
            if instead and not is_listed:
                assert isinstance(said, Move)
                assert sorted(said.values) == sorted(instead)
                continue
            assert isinstance(said, Move) == is_listed, values
            assert isinstance(said, Reason) or said.values == usual


@examples(30)
@given(tables(most_cards=7), names)
def test_what_is_listed_is_what_is_accepted(table: Program, name: str) -> None:
    stream = Stream(f"{name} tried")
    for s in states(table, name, 2):
        for seat in asked(s):
            choice = open_choice(s, seat)
            if choice is not None:
                check_answers(stream, s, seat, choice)
                continue
            listed = moves_of(s, seat)
            assert isinstance(verdict(s, seat, PASSING), Move) == any(move.kind == PASS for move in listed)
            check_plays(stream, s, seat)
            check_meanings(s, seat)


@examples(20)
@given(tables(most_cards=7), names)
def test_everything_else_is_refused_with_a_reason_and_changes_nothing(table: Program, name: str) -> None:
    for s in states(table, name, 2):
        for seat in range(s.seats):
            others = s.program.deck & ~s.hands[seat]
            foreign = members(others)[:3]
            wrong = [Action(kind) for kind in (DRAW, ADD, DUMP, 0, 7, -1)] + [play_cards(0), play_cards(-1)]
            wrong += [play_cards(1 << c) for c in [*foreign, 107]] + [Action(ADD, s.hands[seat])]
            wrong += [play_cards(s.hands[seat] | others), play_cards(1 << 500)]
            if seat not in asked(s):
                wrong += [PASSING, play_cards(s.hands[seat]), answer(), answer(0), answer(*members(s.hands[seat]))]
            elif open_choice(s, seat) is None:
                wrong += [answer(), answer(0)]
            else:
                wrong += [PASSING, *[play_cards(1 << c) for c in members(s.hands[seat])]]
            refused(s, seat, wrong)
        for nobody in (-2, -1, s.seats, 99):
            refused(s, nobody, [PASSING, play_cards(1), answer(0)])


@examples(20)
@given(tables(), names)
def test_declarations_that_make_no_sense_are_refused_with_a_reason(table: Program, name: str) -> None:
    for s in states(table, name, 1):
        for seat in asked(s):
            if open_choice(s, seat) is None:
                plays = [move.play for move in moves_of(s, seat, 30) if move.kind == PLAY and move.play.size]
                for play in plays[:5]:
                    odd = [(Meaning(j, r, t),) for j in (-1, 200, 0, 52) for r in (-1, 77) for t in (-1, 0, 9)]
                    refused(s, seat, [play_cards(play.cards, play.shape, meanings) for meanings in odd])
                    refused(s, seat, [play_cards(play.cards, shape) for shape in (-1, 6, 99)])
                    real = members(play.cards & REAL)
                    told = [(Meaning(c, RANK[c], NO_SUIT),) for c in real]
                    refused(s, seat, [play_cards(play.cards, play.shape, meanings) for meanings in told])


@examples(30)
@given(tables(), names)
def test_moves_can_be_listed_by_shape(table: Program, name: str) -> None:
    for s in states(table, name, 1):
        for seat in asked(s):
            if open_choice(s, seat) is None:
                every = moves_of(s, seat)
                for shape in (SINGLE, SINGLE + 1, SEQUENCE):
                    some = list(legal_moves(s, seat, s.hands[seat], None, shape))
                    assert plain(some) == plain([m for m in every if m.kind != PLAY or m.play.shape == shape])


def test_answers_are_no_turns() -> None:
    assert Action(ANSWER) == answer()
