"""The preset uecda and the contest's game in its own terms, move for move."""

from __future__ import annotations

import pytest

from engine.actions import answer
from engine.cards import BEYOND, JOKERS, RANK, REAL, SUIT, card, members
from engine.game import apply, is_match_over, new_match, start_game
from engine.moves import PASS_MOVE, Move
from engine.plays import SINGLE, Play
from engine.state import State
from engine.view import open_choice
from tests.engine.stream import Stream
from tests.engine.tables import asked, moves_of, program
from tests.reference import contest
from tests.reference.contest import Cell, Contest

UECDA = program("uecda")


def cell(c: int) -> Cell:
    """The cell of a card in a hand."""
    return contest.JOKER if RANK[c] > 12 else (SUIT[c], RANK[c] + 1)


def card_at(at: Cell) -> int:
    """The card of a cell in a hand."""
    return 52 if at == contest.JOKER else card(at[1] - 1, at[0])


def as_cells(play: Play) -> contest.Play:
    """Put a play on the contest's table."""
    real = frozenset(cell(c) for c in members(play.cards & REAL))
    if not play.cards & JOKERS:
        return contest.Play(real)
    if play.shape == SINGLE:
        return contest.ALONE
    (meant,) = play.meanings()
    column = meant.rank + 1 if meant.rank != BEYOND else 0 if play.low < 0 else 14
    return contest.Play(real, (meant.suit, column))


def moves(s: State, seat: int) -> dict[contest.Play, Move]:
    """Everything that a seat may do, on the contest's table."""
    listed = moves_of(s, seat)
    found = {contest.PASS if move.kind == PASS_MOVE.kind else as_cells(move.play): move for move in listed}
    assert len(found) == len(listed), "listed once"
    return found


def deal(stream: Stream) -> list[list[int]]:
    """Deal at random, or hands of few suits or ranks: long sequences and groups of four want those."""
    pack = stream.shuffled(members(UECDA.deck))
    way = stream.below(3)
    if way:
        pack.sort(key=lambda c: (RANK[c] if way == 1 else SUIT[c], c))
        cut = stream.below(53)
        pack = pack[cut:] + pack[:cut]
    for _ in range(stream.below(8) if way else 0):
        i, j = stream.below(53), stream.below(53)
        pack[i], pack[j] = pack[j], pack[i]
    return [pack[:11], pack[11:22], pack[22:33], pack[33:43], pack[43:]]


def exchange(s: State, stream: Stream, dealt: list[set[Cell]]) -> State:
    """Let the two rich players return cards, by lot or something that is not valid; check who then holds what."""
    first, second, _, fourth, last = s.previous
    for rich, poor, number in ((first, last, 2), (second, fourth, 1)):
        given = contest.strongest(dealt[poor], number)
        dealt[poor] -= given
        dealt[rich] |= given
    assert [{cell(c) for c in members(hand)} for hand in s.hands] == dealt
    for rich, poor, number in ((first, last, 2), (second, fourth, 1)):
        choice = open_choice(s, rich)
        assert choice is not None
        wanted = stream.shuffled(choice.options)[: number + (stream.below(4) == 0)]
        returned = {cell(c) for c in wanted}
        if len(wanted) != number:
            returned = contest.strongest(dealt[rich], number)
        s, _ = apply(s, rich, answer(*wanted))
        dealt[rich] -= returned
        dealt[poor] |= returned
    return s


def play(name: str, games: int) -> int:
    """Play games both ways at once; count the plays that revolted."""
    stream = Stream(name)
    s, revolutions = new_match(UECDA, games), 0
    while not is_match_over(s):
        hands = [{cell(c) for c in hand} for hand in deal(stream)]
        dealt = tuple([sum([1 << card_at(at) for at in hand]) for hand in hands])
        s, _ = start_game(s, name.encode(), dealt)
        if s.previous:
            s = exchange(s, stream, hands)
        game = Contest(hands, s.seating)
        game.begin()
        while s.playing:
            assert asked(s) == [game.player]
            mine = moves(s, game.player)
            assert set(mine) == game.plays()
            chosen = stream.pick(sorted(mine, key=str))
            s, _ = apply(s, game.player, mine[chosen].action())
            before = game.upside_down
            game.do(chosen)
            revolutions += before != game.upside_down
            assert s.finished[: len(game.ranking)] == game.ranking
            assert s.revolution == game.upside_down
            if not s.playing:
                assert len(game.ranking) == 4 or game.passes == 20
            else:
                assert [{cell(c) for c in members(hand)} for hand in s.hands] == game.hands
                assert bool(s.locks) == game.locked
                assert {seat for seat in range(5) if s.passed >> seat & 1} == game.passed
    return revolutions


@pytest.mark.parametrize("name", [f"contest {number}" for number in range(6)])
def test_what_may_be_done_and_what_comes_of_it_is_as_in_the_contest(name: str) -> None:
    assert play(name, 4) > 0


def test_passes_alone_end_the_game_as_in_the_contest() -> None:
    s, _ = start_game(new_match(UECDA), b"passes")
    game = Contest([{cell(c) for c in members(hand)} for hand in s.hands], s.seating)
    game.begin()
    while s.playing:
        assert asked(s) == [game.player]
        s, _ = apply(s, game.player, PASS_MOVE.action())
        game.do(contest.PASS)
    assert game.passes == 20


@pytest.mark.long
@pytest.mark.timeout(900)
def test_many_more_games_are_as_in_the_contest() -> None:
    assert sum([play(f"long contest {number}", 4) for number in range(30)]) > 20
