"""What the top line says of the order of strength."""

from __future__ import annotations

import pytest

from clients.screen.badges import of_strength
from clients.screen.texts import words
from daifugo.v1 import view_pb2
from tests.clients.screen.situations import book

JACK = view_pb2.Back(rule_id="jack_back", flushes=1)
TWO = view_pb2.Back(rule_id="two_back", flushes=1)


@pytest.mark.parametrize(
    ("strength", "badges"),
    [
        (view_pb2.Strength(), []),
        (view_pb2.Strength(revolution=True, reversed=True), ["Revolution", "3 is high"]),
        (view_pb2.Strength(backs=1, running=[JACK], reversed=True), ["J-back", "3 is high"]),
        (view_pb2.Strength(backs=2, running=[JACK, TWO]), ["J-back", "two_back"]),
        (view_pb2.Strength(revolution=True, backs=1, running=[JACK]), ["Revolution", "J-back"]),
        (view_pb2.Strength(from_ace=True), ["K is high"]),
        (view_pb2.Strength(from_ace=True, revolution=True, reversed=True), ["Revolution", "A is high"]),
    ],
)
def test_what_turned_the_order_is_named_and_then_what_is_strongest(
    strength: view_pb2.Strength, badges: list[str]
) -> None:
    assert list(of_strength(strength, book("en"), words("en"))) == badges


def test_badges_are_in_the_language_of_the_screen() -> None:
    strength = view_pb2.Strength(backs=1, running=[JACK], reversed=True)
    assert list(of_strength(strength, book("ja"), words("ja"))) == ["11バック", "3が強い"]
