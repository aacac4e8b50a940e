"""Actions, plays and choices."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, cast

from daifugo.v1 import cards_pb2, game_pb2, view_pb2
from engine import actions as engine
from engine.cards import BEYOND, JOKER, NO_SUIT, members
from engine.choices import Choice
from engine.plays import Play
from services.common.errors import malformed

CARDS = 108
PASS: Any = {"pass": view_pb2.Pass()}
"""As arguments: the word is reserved in Python."""
MOST_REMEMBERED = 8192
SHAPES = frozenset(cards_pb2.Shape.values())

# --- from the wire ---------------------------------------------------------------------------------------------------


def action_from(message: view_pb2.Action) -> engine.Action:
    """Read an action, or refuse one that is malformed."""
    kind = message.WhichOneof("action")
    if kind == "play":
        return _play_from(message.play)
    if kind == "pass":
        return engine.PASSING
    if kind == "draw":
        return engine.Action(engine.DRAW)
    if kind == "add":
        return engine.Action(engine.ADD, cards_from(message.add.cards, "action.add.cards"))
    if kind == "dump":
        return engine.Action(engine.DUMP, cards_from(message.dump.cards, "action.dump.cards"))
    if kind == "answer":
        return engine.answer(*message.answer.values)
    raise malformed("action", "行動が指定されていません。", "It says nothing to do.")


def cards_from(cards: Iterable[int], field: str) -> int:
    """Read cards as a set, or refuse numbers that no deck has and cards named twice."""
    found = 0
    for card in cards:
        if card >= CARDS:
            raise malformed(field, f"{card} というカードはありません。", f"There is no card {card}.", "MALFORMED_CARDS")
        if found >> card & 1:
            raise malformed(field, f"{card} が2回あります。", f"{card} is named twice.", "MALFORMED_CARDS")
        found |= 1 << card
    return found


def _play_from(message: cards_pb2.Play) -> engine.Action:
    cards = cards_from(message.cards, "action.play.cards")
    if message.shape not in SHAPES:
        raise malformed("action.play.shape", "その役はありません。", "There is no such shape.")
    named = [_meaning_from(meaning) for meaning in message.jokers]
    return engine.play_cards(cards, message.shape, tuple([meaning for meaning in named if meaning.rank != JOKER]))


def _meaning_from(message: cards_pb2.Meaning) -> engine.Meaning:
    field = "action.play.jokers"
    if message.joker >= CARDS:
        raise malformed(field, "存在しないカード番号です。", "There is no such card.", "MALFORMED_CARDS")
    rank, suit = message.rank - 1, message.suit - 1
    if not 0 <= rank <= BEYOND:
        raise malformed(field, "数字が指定されていません。", "It names no rank.")
    if suit > NO_SUIT:
        raise malformed(field, "そのマークはありません。", "There is no such suit.")
    return engine.Meaning(message.joker, rank, suit if suit >= 0 else NO_SUIT)


# --- to the wire -----------------------------------------------------------------------------------------------------


def play_to(play: Play) -> cards_pb2.Play:
    """Write a play as it counts."""
    return _play_message(play.cards, play.shape, play.meanings())


def action_to(action: engine.Action) -> view_pb2.Action:
    """Write an action."""
    cards = members(action.cards)
    if action.kind == engine.PLAY:
        return view_pb2.Action(play=_play_message(action.cards, action.shape, action.meanings))
    if action.kind == engine.PASS:
        return view_pb2.Action(**PASS)
    if action.kind == engine.DRAW:
        return view_pb2.Action(draw=view_pb2.Draw())
    if action.kind == engine.ADD:
        return view_pb2.Action(add=view_pb2.Add(cards=cards))
    if action.kind == engine.DUMP:
        return view_pb2.Action(dump=view_pb2.Dump(cards=cards))
    return view_pb2.Action(answer=view_pb2.Answer(values=action.values))


@lru_cache(maxsize=MOST_REMEMBERED)
def action_bytes(action: engine.Action) -> bytes:
    """Write an action as bytes: most have been written before."""
    return action_to(action).SerializeToString()


def _play_message(cards: int, shape: int, meanings: Iterable[engine.Meaning]) -> cards_pb2.Play:
    return cards_pb2.Play(
        cards=members(cards),
        shape=cast(cards_pb2.Shape, shape),
        jokers=[
            cards_pb2.Meaning(
                joker=m.joker, rank=cast(cards_pb2.Rank, m.rank + 1), suit=cast(cards_pb2.Suit, m.suit + 1)
            )
            for m in meanings
        ],
    )


def choice_to(choice: Choice) -> view_pb2.Choice:
    """Write a question of a rule."""
    return view_pb2.Choice(
        rule_id=choice.rule,
        of=cast(view_pb2.Choice.Of, choice.of),
        zone=cast(cards_pb2.Zone, choice.zone),
        options=choice.options,
        least=choice.least,
        most=choice.most,
        ordered=choice.ordered,
        to_seat=choice.to_seat if choice.to_seat >= 0 else None,
        required=choice.required,
    )


def kind_from(kind: int) -> int:
    """Read the kind of action that is asked for; 0 is any."""
    if kind not in game_pb2.ActionKind.values():
        raise malformed("kind", "その種類の行動はありません。", "There is no such kind of action.")
    return kind
