"""Listing legal actions takes little time, however many there are; refusals name the cards they are about."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from daifugo.v1 import game_pb2, rules_pb2
from engine.actions import ADD, ANSWER, DRAW, DUMP, PASS, PASSING, PLAY, Action, answer, play_cards
from engine.cards import card_text, members, parse_cards
from engine.choices import CARD, HAND, SEAT, Choice
from engine.game import apply, new_match, start_game
from engine.legal import check, legal_moves
from engine.moves import Move
from engine.reasons import IllegalAction
from engine.state import State
from engine.view import View, view
from services.common.errors import message_of
from services.game.codec import effects, legal
from services.game.codec.actions import action_from, action_to
from tests.engine.position import Table
from tests.engine.tables import asked, moves_of, program

KINDS = (PLAY, PASS, DRAW, ADD, DUMP, ANSWER)


def opening() -> State:
    """A game whose first seat is asked to play."""
    return start_game(new_match(program("jdf4", "seven_pass", "four_stop", hand_size=8), 1), bytes(32))[0]


def asking_for_millions() -> View:
    """A view whose choice has more answers than can be listed."""
    s = opening()
    v = view(s, asked(s)[0])
    v.choice, v.asking_rule = Choice("seven_pass", v.seat, CARD, tuple(range(108)), 0, 30), "seven_pass"
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


# --- refusals name cards ---------------------------------------------------------------------------------------------


def said(v: View, action: Action, locale: str = "en") -> tuple[str, list[int], str]:
    """What the first violation and the whole refusal say."""
    with pytest.raises(IllegalAction) as illegal:
        check(v, v.seat, v.hand, v.choice, action)
    violation = legal.check_action(v, action_to(action), locale).refusal.violations[0]
    return violation.text, list(violation.cards), message_of(legal.refused(illegal.value, v, action), locale)


def test_a_card_that_is_not_held_is_named() -> None:
    s = opening()
    v = view(s, asked(s)[0])
    missing = next(card for card in range(52) if not v.hand >> card & 1)
    both = 1 << missing | v.hand & -v.hand
    sentence = f"A card of the action is not in your hand. ({card_text(missing)})"
    assert said(v, play_cards(both)) == (sentence, [missing], sentence)
    assert said(v, play_cards(both), "ja")[0] == f"手札にないカードが含まれています。（{card_text(missing)}）"


def test_an_answer_that_is_wrong_is_told_by_its_cards() -> None:
    v = asking_for_millions()
    held = members(v.hand)
    missing = next(card for card in range(52) if card not in held)
    assert v.choice is not None
    v.choice = Choice("seven_pass", v.seat, CARD, tuple(held[:2]), 1, 2, zone=HAND)
    assert said(v, answer(missing, held[0]))[1] == [missing]
    assert said(v, answer(held[0], held[0]))[1] == [held[0]]
    assert said(v, answer(held[2]))[1] == [held[2]]
    assert said(v, answer(*[held[0], held[1]] * 30_000))[1] == sorted(held[:2]), "a long answer takes no longer"
    v.choice = Choice("four_stop", v.seat, SEAT, (1, 2), 1, 1)
    assert said(v, answer(3))[1] == []


def test_a_reason_that_is_about_no_card_names_none() -> None:
    s = opening()
    v = view(s, asked(s)[0])
    text, cards, _ = said(v, PASSING)
    assert (text, cards) == ("You cannot pass on an empty field.", [])


# --- what would become of an action ----------------------------------------------------------------------------------


def checked(cards: str, locale: str = "en", **setting: str) -> game_pb2.CheckActionResponse:
    """Ask about a play of the first seat."""
    at = Table(program("jdf4", hand_size=4), "S8 S9 DQ C3", "S4 S5 D10 DJ", "C4 C5 C10 CJ", "H4 H5 H10 HJ", **setting)  # type: ignore[arg-type]  # settings are given by name
    return legal.check_action(view(at.state, 0), action_to(play_cards(parse_cards(cards))), locale)


def test_what_a_legal_action_would_do_is_told_in_words() -> None:
    found = checked("S8")
    assert [(effect.rule_id, effect.kind) for effect in found.would_fire] == [
        ("eight_cut", game_pb2.EFFECT_KIND_FLUSH),
        ("", game_pb2.EFFECT_KIND_LEAD),
    ]
    assert [effect.text for effect in found.would_fire] == ["Eight cut: the field is cleared", "your seat leads"]
    assert [effect.text for effect in checked("S8", "ja").would_fire] == ["8切り: 場が流れる", "あなたが親になる"]


def test_each_refusal_names_the_rule_in_the_order_in_which_they_are_checked() -> None:
    refusal = checked("S8", field="D:SK", lock="H").refusal
    assert [(each.rule_id, each.reason) for each in refusal.violations] == [
        ("strictly_stronger", rules_pb2.REASON_NOT_STRONGER),
        ("suit_lock", rules_pb2.REASON_LOCK_SUIT),
    ]


def test_every_kind_of_effect_has_its_words_and_its_published_number() -> None:
    published = {number for number in game_pb2.EffectKind.values() if number}
    assert published == set(effects.KINDS)
    for text in effects.KINDS.values():
        assert text.ja
        assert text.en
        assert ("{who}" in text.ja) == ("{who}" in text.en)
