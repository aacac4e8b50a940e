"""What a typed line can mean as an answer to the open decision. Whether it is legal is for the service to say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clients.cli import typed
from clients.cli.people import People
from clients.common.cards import RANKS, rank_of
from daifugo.v1 import view_pb2

Choice = view_pb2.Choice


def read(line: str, view: view_pb2.View, people: People) -> list[view_pb2.Action]:
    """List the actions that a line can mean, or raise NotUnderstood or NotHeld.

    Several, where cards were named by rank only and the hand has more of them than were named.
    """
    if view.decision.WhichOneof("ask") != "choice":
        said = typed.cards(line)
        sets = typed.readings(said, list(view.hand))
        return [view_pb2.Action(play=typed.play(said, cards)) for cards in sets]
    choice = view.decision.choice
    if typed.normal(line) in typed.NOTHING:
        return [NOTHING]
    if choice.of == Choice.OF_CARD:
        return [_answer(values) for values in typed.readings(typed.cards(line), list(choice.options))]
    if choice.of == Choice.OF_RANK:
        return [_answer(tuple([name.rank for name in typed.cards(line).named]))]
    return [_answer(tuple(_values(line, view, people)))]


def also_offered(actions: list[view_pb2.Action], offers: Sequence[view_pb2.Action]) -> list[view_pb2.Action]:
    """Add the offers to add or to throw away just the cards that a play would put down."""
    found = list(actions)
    for offer in offers:
        kind = offer.WhichOneof("action")
        if kind in ("add", "dump"):
            cards = sorted(getattr(offer, kind).cards)
            found += [offer] if any(sorted(action.play.cards) == cards for action in actions) else []
    return found


def _answer(values: tuple[int, ...]) -> view_pb2.Action:
    return view_pb2.Action(answer=view_pb2.Answer(values=values))


NOTHING: Final = _answer(())


def _values(line: str, view: view_pb2.View, people: People) -> list[int]:
    choice = view.decision.choice
    if choice.of == Choice.OF_SEAT:
        known = {typed.normal(people.name(view, seat)): seat for seat in choice.options}
    elif choice.of == Choice.OF_YES_NO:
        known = typed.YES_NO
    else:
        known = {str(option): option for option in choice.options}
    words = typed.normal(line).split()
    for word in words:
        if word not in known:
            raise typed.NotUnderstood(word)
    return [known[word] for word in words]


def read_number(number: int, view: view_pb2.View, people: People) -> list[view_pb2.Action]:
    """List what a number alone can mean besides an entry of the list: a card of that rank, a rank, a number."""
    text = str(number)
    if view.decision.WhichOneof("ask") == "choice":
        choice = view.decision.choice
        if choice.of == Choice.OF_RANK:
            options = [RANKS[option] for option in choice.options if option < len(RANKS)]
        elif choice.of == Choice.OF_CARD:
            options = [RANKS[rank_of(card)] for card in choice.options if rank_of(card) < len(RANKS)]
        elif choice.of == Choice.OF_NUMBER:
            options = [str(option) for option in choice.options]
        else:
            options = []
    else:
        options = [RANKS[rank_of(card)] for card in view.hand if rank_of(card) < len(RANKS)]
    return read(text, view, people) if text in options else []


def names_itself(view: view_pb2.View) -> bool:
    """Whether the open decision is about ranks or numbers, so that a number means itself before an entry of a list."""
    of = view.decision.choice.of
    return view.decision.WhichOneof("ask") == "choice" and of in (Choice.OF_RANK, Choice.OF_NUMBER)


def same_cards(one: view_pb2.Action, other: view_pb2.Action) -> bool:
    """Whether two actions put down or name the same cards."""
    return sorted(one.play.cards) == sorted(other.play.cards) and list(one.answer.values) == list(other.answer.values)
