"""Listing legal actions takes little time, however many there are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.actions import ADD, ANSWER, DRAW, DUMP, PASS, PLAY
from engine.choices import CARD, Choice
from engine.game import apply, new_match, start_game
from engine.legal import legal_moves
from engine.moves import Move
from engine.state import State
from engine.view import View, view
from services.game.codec import legal
from services.game.codec.actions import action_from
from tests.engine.tables import asked, moves_of, program

KINDS = (PLAY, PASS, DRAW, ADD, DUMP, ANSWER)


def opening() -> State:
    """A game whose first seat is asked to play."""
    return start_game(new_match(program("jdf4", "seven_pass", "four_stop", hand_size=8), 1), bytes(32))[0]


def asking_for_millions() -> View:
    """A view whose choice has more answers than can be listed."""
    s = opening()
    v = view(s, asked(s)[0])
    v.choice = Choice("seven_pass", v.seat, CARD, tuple(range(108)), 0, 30)
    return v


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[Move]:
    """Every move that is looked at for a listing."""
    seen: list[Move] = []

    def watched(*asked: object) -> Iterator[Move]:
        for move in legal_moves(*asked):  # type: ignore[arg-type]
            seen.append(move)
            yield move

    monkeypatch.setattr(legal, "legal_moves", watched)
    return seen


@pytest.mark.parametrize("kind", [PLAY, PASS, DRAW, ADD, DUMP])
def test_a_choice_has_answers_only(kind: int, looked_at: list[Move]) -> None:
    assert legal.legal_actions(asking_for_millions(), kind, 0, 200) == ([], False)
    assert not looked_at


@pytest.mark.parametrize("kind", [0, ANSWER])
def test_only_so_many_answers_are_looked_at(kind: int, looked_at: list[Move], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(legal, "MOST_LISTED", 500)
    v = asking_for_millions()
    page, more = legal.legal_actions(v, kind, 0, 200)
    assert (len(page), more, len(looked_at)) == (200, True, 201)
    page, more = legal.legal_actions(v, kind, 400, 200)
    assert (len(page), more, len(looked_at)) == (100, False, 701)
    assert legal.legal_actions(v, kind, 600, 200) == ([], False)


@pytest.mark.parametrize("kind", [PASS, DRAW, ADD, DUMP, ANSWER])
def test_plays_are_not_listed_to_find_another_kind(kind: int, looked_at: list[Move]) -> None:
    s = opening()
    for _ in range(2):
        v = view(s, asked(s)[0])
        page, more = legal.legal_actions(v, kind, 0, 200)
        assert not more
        expected = [move.action() for move in moves_of(s, v.seat) if move.kind == kind]
        assert [action_from(each.action) for each in page] == expected
        s = apply(s, v.seat, moves_of(s, v.seat)[0].action())[0]
    assert not looked_at


def test_the_kinds_together_are_the_whole_listing() -> None:
    s = opening()
    for _ in range(60):
        if not s.playing:
            break
        v = view(s, asked(s)[0])
        whole, _ = legal.legal_actions(v, 0, 0, 5000)
        parts = [each for kind in KINDS for each in legal.legal_actions(v, kind, 0, 5000)[0]]
        assert len(parts) == len(whole)
        assert all(each in parts for each in whole)
        s = apply(s, v.seat, moves_of(s, v.seat)[-1].action())[0]
