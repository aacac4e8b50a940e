"""Players type cards in many ways, and each is read as they mean it."""

from __future__ import annotations

import pytest

from clients.cli import typed
from daifugo.v1 import cards_pb2

S3, H3, D3, S8, H8, D8, S10, JK1, JK2 = 0, 1, 2, 20, 21, 22, 28, 52, 53


def sets(line: str, held: list[int]) -> list[tuple[int, ...]]:
    return typed.readings(typed.cards(line), held)


@pytest.mark.parametrize("line", ["S8 H8", "s8,h8", "ｓ８　ｈ８", "♠8 ♥8", "スペード8、ハート8", "S8、H8", "8 8"])
def test_two_eights_can_be_written_in_many_ways(line: str) -> None:
    assert sets(line, [S3, S8, H8]) == [(S8, H8)]


def test_ranks_stand_for_every_choice_of_suits() -> None:
    assert sets("8 8", [S8, H8, D8]) == [(S8, H8), (S8, D8), (H8, D8)]


def test_a_suit_can_be_given_for_some_of_the_cards() -> None:
    assert sets("D8 8", [S8, H8, D8]) == [(S8, D8), (H8, D8)]


def test_jokers_are_all_alike() -> None:
    assert sets("8 JK", [S8, JK1, JK2]) == [(S8, JK1)]
    assert sets("ジョーカー JK", [S8, JK1, JK2]) == [(JK1, JK2)]


def test_a_card_that_is_not_held_is_left_to_the_service() -> None:
    assert sets("S8", [S3]) == [(S8,)]


def test_the_second_pack_is_taken_when_the_first_card_is_not_there() -> None:
    assert sets("S8", [S8 + 54]) == [(S8 + 54,)]
    assert sets("S8 S8", [S8, S8 + 54]) == [(S8, S8 + 54)]


def test_more_cards_of_a_rank_than_held_is_said_at_once() -> None:
    with pytest.raises(typed.NotHeld) as lack:
        sets("8 8", [S8])
    assert (lack.value.rank, lack.value.held) == (5, 1)


@pytest.mark.parametrize("word", ["S1", "Z8", "8H8", "HALLO", "S8=H9"])
def test_other_words_are_not_understood(word: str) -> None:
    with pytest.raises(typed.NotUnderstood):
        typed.cards(word)


@pytest.mark.parametrize("line", ["S3 S4 JK as sequence", "S3 S4 JK 階段", "s3 s4 jk で階段", "S3 S4 JK seq"])
def test_a_shape_can_be_declared(line: str) -> None:
    assert typed.cards(line).shape == cards_pb2.SHAPE_SEQUENCE


def test_a_joker_can_be_named() -> None:
    said = typed.cards("S8 JK=H9")
    (meaning,) = typed.play(said, (S8, JK1)).jokers
    assert meaning == cards_pb2.Meaning(joker=JK1, rank=cards_pb2.RANK_NINE, suit=cards_pb2.SUIT_HEART)
    (meaning,) = typed.play(typed.cards("S8 JK=8"), (S8, JK1)).jokers
    assert meaning == cards_pb2.Meaning(joker=JK1, rank=cards_pb2.RANK_EIGHT)


@pytest.mark.parametrize(
    ("line", "command"),
    [("p", "pass"), ("パス", "pass"), ("?", "help"), ("？", "help"), ("Q", "quit"), ("手札", "hand"), ("m", "more")],
)
def test_commands_have_short_and_long_names(line: str, command: str) -> None:
    assert typed.command(line) == (command, "")


def test_a_rule_can_be_looked_up_by_a_word() -> None:
    assert typed.command("r 8切り") == ("rules", "8切り")


def test_cards_are_no_commands() -> None:
    assert typed.command("H8") is None
    assert typed.command("H 8") is None


@pytest.mark.parametrize(
    ("line", "number"), [("8", (8, False)), ("#8", (8, True)), ("8.", (8, True)), ("１２", (12, False)), ("S8", None)]
)
def test_a_number_alone_may_be_marked_as_one_of_the_list(line: str, number: tuple[int, bool] | None) -> None:
    assert typed.number(line) == number
