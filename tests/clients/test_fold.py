"""Folding events gives the next view, whatever rules are behind them."""

from __future__ import annotations

import pytest

from clients.common.fold import FOLDS, fold
from daifugo.v1 import cards_pb2, view_pb2

S3, H3, S8, H8, JK = 0, 1, 20, 21, 52
HAND, FIELD, DISCARD = cards_pb2.ZONE_HAND, cards_pb2.ZONE_FIELD, cards_pb2.ZONE_DISCARD_PILE


def played(seat: int, *cards: int) -> view_pb2.Event:
    play = cards_pb2.Play(cards=cards, shape=cards_pb2.SHAPE_GROUP)
    move = view_pb2.CardsMoved(from_zone=HAND, from_seat=seat, to_zone=FIELD, count=len(cards), cards=cards, play=play)
    return view_pb2.Event(cards_moved=move)


def test_every_kind_of_event_is_folded() -> None:
    kinds = {f.name for f in view_pb2.Event.DESCRIPTOR.oneofs_by_name["event"].fields}
    assert set(FOLDS) == kinds


def test_a_play_leaves_the_hand_and_lies_on_the_field(view: view_pb2.View) -> None:
    view.hand.extend([S3, S8, H8])
    view.seats[0].hand_count = 3
    fold(view, played(0, S8, H8))
    assert list(view.hand) == [S3]
    assert (view.seats[0].hand_count, view.owner, view.starter) == (1, 0, 0)
    assert list(view.field[-1].play.cards) == [S8, H8]


def test_a_second_play_changes_the_owner_but_not_the_starter(view: view_pb2.View) -> None:
    for seat in range(4):
        view.seats[seat].hand_count = 5
    fold(view, played(1, S3))
    fold(view, played(2, S8))
    assert (view.owner, view.starter, len(view.field)) == (2, 1, 2)


def test_cards_that_join_the_play_on_top_are_one_play_of_the_seat_that_is_named(view: view_pb2.View) -> None:
    for seat in range(4):
        view.seats[seat].hand_count = 5
    fold(view, played(1, S8))
    joins = played(2, H8)
    joins.cards_moved.to_seat = 1
    joins.cards_moved.play.CopyFrom(cards_pb2.Play(cards=[S8, H8], shape=cards_pb2.SHAPE_GROUP))
    fold(view, joins)
    assert [(placed.seat, list(placed.play.cards)) for placed in view.field] == [(1, [S8, H8])]
    assert (view.owner, view.starter, view.seats[2].hand_count) == (1, 1, 4)
    joins.cards_moved.to_seat = 2
    fold(view, joins)
    assert (view.owner, view.starter, len(view.field)) == (2, 1, 1)


def test_a_flush_clears_field_marks_and_locks(view: view_pb2.View) -> None:
    view.seats[1].hand_count = 5
    fold(view, played(1, S3, H3))
    fold(view, view_pb2.Event(passed=view_pb2.Passed(seat=2, locked_out=True)))
    fold(view, view_pb2.Event(lock_changed=view_pb2.LockChanged(locks=[view_pb2.Lock(suits=[1, 1, 0, 0])])))
    assert view.seats[2].passed
    fold(view, view_pb2.Event(field_flushed=view_pb2.FieldFlushed()))
    moved = view_pb2.CardsMoved(from_zone=FIELD, to_zone=DISCARD, count=2, cards=[H3, S3])
    fold(view, view_pb2.Event(cards_moved=moved))
    assert not view.field
    assert not view.locks
    assert not view.HasField("owner")
    assert not view.seats[2].passed
    assert list(view.discard_pile) == [S3, H3]


def test_a_pass_in_a_window_is_no_pass_of_the_trick(view: view_pb2.View) -> None:
    fold(view, view_pb2.Event(passed=view_pb2.Passed(seat=2, in_window=True)))
    assert not view.seats[2].passed


def test_hidden_cards_change_counts_only(view: view_pb2.View) -> None:
    view.seats[1].hand_count, view.seats[2].hand_count = 5, 5
    given = view_pb2.CardsMoved(from_zone=HAND, from_seat=1, to_zone=HAND, to_seat=2, count=2, hidden=True)
    fold(view, view_pb2.Event(cards_moved=given))
    assert (view.seats[1].hand_count, view.seats[2].hand_count) == (3, 7)


def test_received_cards_are_sorted_into_the_hand(view: view_pb2.View) -> None:
    view.hand.extend([S3, JK])
    got = view_pb2.CardsMoved(from_zone=HAND, from_seat=1, to_zone=HAND, to_seat=0, count=1, cards=[S8])
    fold(view, view_pb2.Event(cards_moved=got))
    assert list(view.hand) == [S3, S8, JK]


def test_a_revolution_turns_the_hand_round_but_leaves_the_joker_strongest(view: view_pb2.View) -> None:
    view.hand.extend([S3, S8, JK])
    strength = view_pb2.Strength(revolution=True, reversed=True)
    fold(view, view_pb2.Event(strength_changed=view_pb2.StrengthChanged(strength=strength)))
    assert list(view.hand) == [S8, S3, JK]


def test_only_the_own_question_becomes_the_decision(view: view_pb2.View) -> None:
    for seat in (1, 0):
        asked = view_pb2.Asked(seat=seat, decision_id=7 + seat, kind=view_pb2.DECISION_KIND_TURN)
        opened = view_pb2.DecisionOpened(asked=asked, hidden=seat != 0)
        if seat == 0:
            opened.decision.id = 7
        fold(view, view_pb2.Event(decision_opened=opened))
    assert view.decision.id == 7
    fold(view, view_pb2.Event(decision_closed=view_pb2.DecisionClosed(seat=0, decision_id=7)))
    assert not view.HasField("decision")
    assert [asked.seat for asked in view.asked] == [1]


def test_a_new_round_takes_the_titles_away(view: view_pb2.View) -> None:
    view.seats[0].title = view_pb2.TITLE_DAIFUGO
    fold(view, view_pb2.Event(game_started=view_pb2.GameStarted(game=2, seating=range(4), previous=[0, 1, 2, 3])))
    assert view.seats[0].title == view_pb2.TITLE_DAIFUGO
    fold(view, view_pb2.Event(game_started=view_pb2.GameStarted(game=3, seating=range(4))))
    assert view.seats[0].title == view_pb2.TITLE_UNSPECIFIED


def test_a_note_that_is_gone_is_dropped(view: view_pb2.View) -> None:
    for values in ([1], [2], []):
        note = view_pb2.Note(name="five_skip", values=values)
        fold(view, view_pb2.Event(note_changed=view_pb2.NoteChanged(note=note)))
        assert [list(c.values) for c in view.notes] == ([values] if values else [])


def test_an_event_that_is_newer_than_its_reader_is_not_folded(view: view_pb2.View) -> None:
    with pytest.raises(ValueError, match="newer"):
        fold(view, view_pb2.Event(index=3, rule_id="of_tomorrow"))
