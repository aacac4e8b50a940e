"""What a seat cannot know changes nothing of what it is told: byte for byte, in every kind of decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import islice

import pytest

from engine import events as ev
from engine.actions import Action
from engine.cards import FOUR, JOKER, OF_RANK, members
from engine.choices import Choice
from engine.events import Event
from engine.game import advance
from engine.legal import legal_moves
from engine.state import State
from engine.steps import ask, others_in
from engine.view import view
from tests.engine.stream import Stream
from tests.engine.tables import EFFECTS, EXTRAS, STRENGTH, program
from tests.secrecy.observing import Observer, leaks, moments
from tests.secrecy.worlds import SPECTATOR, record, worlds

ENDS = (
    *("gekokujo", "kyo_ochi", "no_finish_with_revolution", "no_finish_with_weakest", "foul_revolution_set"),
    *("daifugo_composure", "no_lead_after_miyako_ochi"),
)
TABLES = {
    "the federation's second game": (program("jdf4", hand_size=8), True),
    "three players": (program("jdf3", hand_size=8), True),
    "five players": (program("jdf5", hand_size=6), True),
    "five more rules": (program("jdf4", *EXTRAS, hand_size=8), False),
    "five more rules, second game, bombs in order": (
        program("jdf4", *EXTRAS, hand_size=7, bomber_removal_order="named_order"),
        True,
    ),
    "effects of every rank": (program("jdf4", *EXTRAS, *EFFECTS, hand_size=8), False),
    "rules of strength": (
        program("jdf4", *STRENGTH, hand_size=8, revolution__min_group=3, jack_back__optional=True),
        False,
    ),
    "damian": (program("jdf4", "omen", "jack_back", hand_size=8, triple_six_effect="damian"), False),
    "the holder of a 3 opens": (
        program("jdf4", "designated_first_card", hand_size=7, first_leader_initial="holder_D3"),
        False,
    ),
    "ends of a game, the holder of a 3 opens the second": (
        program(
            "jdf4", *ENDS, hand_size=7, foul_finish="custom", first_leader_next="holder_S3", miyako_ochi_mode="play_on"
        ),
        True,
    ),
    "two packs, six seats": (program("jdf4", *EXTRAS, hand_size=5, seats=6, deal_method="two_packs"), True),
}
KINDS = {
    "turn",
    "window",
    "exchange",
    "exchange partly answered",
    "group",
    "group partly answered",
    "choice of seven_pass",
    "choice of salvage",
    "choice in order",
    "over",
}
COUNTED = [name for name in TABLES if "five more rules" in name or "second game" in name]
"""Tables at which all of these occur between them."""
GAMES = 3


@pytest.mark.parametrize("number", range(GAMES))
@pytest.mark.parametrize("name", TABLES)
def test_nothing_hidden_changes_what_a_seat_or_a_spectator_is_told(name: str, number: int) -> None:
    table, second = TABLES[name]
    found, seen = leaks(Observer(), record(table, f"{name} {number}", second), Stream(f"{name} {number}"))
    assert not found
    assert seen


def test_every_kind_of_decision_was_looked_at_in_many_worlds() -> None:
    seen: Counter[str] = Counter()
    for name in COUNTED:
        table, second = TABLES[name]
        for number in range(GAMES):
            world, stream = record(table, f"{name} {number}", second), Stream(f"{name} {number}")
            for kind, places in moments(world).items():
                for seat in range(SPECTATOR, table.seats):
                    seen[kind] += len(list(worlds(world, seat, places[0], stream, 1)))
    assert set(seen) >= KINDS
    assert all(seen[kind] >= 5 for kind in KINDS), seen


# --- the check finds leaks -------------------------------------------------------------------------------------------


class AllCards(Observer):
    """Forgets to empty the cards of an event."""

    def event(self, s: State, event: Event, seat: int) -> object:
        return event if isinstance(event, ev.CardsMoved) else super().event(s, event, seat)


class AllChoices(Observer):
    """Forgets to empty the choice of another seat."""

    def event(self, s: State, event: Event, seat: int) -> object:
        return event if isinstance(event, ev.DecisionOpened) else super().event(s, event, seat)


class Giver(Observer):
    """Shows given cards to the seat before as well."""

    def event(self, s: State, event: Event, seat: int) -> object:
        if (
            isinstance(event, ev.CardsMoved)
            and event.seen_by != ev.EVERYBODY
            and event.seen_by >> (seat + 1) % s.seats & 1
        ):
            return replace(event, seen_by=0)
        return super().event(s, event, seat)


class CountsByRank(Observer):
    """A view with how many cards of a rank somebody else holds."""

    def view(self, s: State, seat: int) -> object:
        return (view(s, seat), (s.hands[(seat + 1) % s.seats] & OF_RANK[4]).bit_count())


class Blind(Observer):
    """A view with a blind card."""

    def view(self, s: State, seat: int) -> object:
        return (view(s, seat), members(s.blind)[:1])


class Key(Observer):
    """A view with a bit of the key."""

    def view(self, s: State, seat: int) -> object:
        return (view(s, seat), s.key[0] & 1)


class Held(Observer):
    """A view with answers that are still hidden."""

    def view(self, s: State, seat: int) -> object:
        return (view(s, seat), s.held)


class InClear(Observer):
    """A note that speaks of a hand."""

    def event(self, s: State, event: Event, seat: int) -> object:
        if isinstance(event, ev.TurnChanged):
            return (event, ev.NoteChanged("hint", -1, "strongest", 4, (s.hands[event.seat].bit_length(),)))
        return super().event(s, event, seat)


class OnlyHolders(Observer):
    """An event more where somebody holds a joker."""

    def events(self, s: State, events: list[Event], seat: int) -> list[object]:
        told = super().events(s, events, seat)
        return told + [ev.PassesCleared()] * sum(bool(hand & OF_RANK[JOKER]) for hand in s.hands)


class Unbeatable(Observer):
    """Moves that depend on what others hold."""

    def moves(self, s: State, seat: int) -> list[object]:
        found = super().moves(s, seat)
        return found[1:] if any(hand & 1 for hand in s.hands) else found


class Talkative(Observer):
    """An error that says who holds the card."""

    def refusal(self, s: State, seat: int, action: Action) -> str:
        said = super().refusal(s, seat, action)
        return (
            said + str([i for i, hand in enumerate(s.hands) if hand & action.cards]) if "not_in_hand" in said else said
        )


class Clairvoyant(Observer):
    """Tries an action on the state itself to say what it would do: how many cards a bomb takes from somebody else."""

    def foreseen(self, s: State, seat: int) -> list[object]:
        found: list[object] = []
        v = view(s, max(seat, SPECTATOR))
        for move in islice(legal_moves(v, v.seat, v.hand, v.choice), 12):
            tried, told = s.copy(), list[Event]()
            advance(tried, seat, move, told)
            found.append([type(event).__name__ for event in told])
        return found


MUTANTS: list[Callable[[], Observer]] = [
    AllCards, AllChoices, Giver, CountsByRank, Blind, Key, Held, InClear, OnlyHolders, Unbeatable, Talkative,
    Clairvoyant,
]  # fmt: skip


def assert_noticed(observer: Observer) -> None:
    """Show that a leak is found in some game."""
    name = "five more rules, second game, bombs in order"
    table, second = TABLES[name]
    for number in range(GAMES):
        if leaks(observer, record(table, f"{name} {number}", second), Stream(f"{name} {number}"))[0]:
            return
    raise AssertionError("nobody noticed")


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_leak_is_found(mutant: Callable[[], Observer]) -> None:
    assert_noticed(mutant())


def test_asking_only_those_who_could_answer_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def holders(s: State, seat: int) -> list[int]:
        return [t for t in others_in(s, seat) if s.hands[t] & OF_RANK[FOUR]]

    monkeypatch.setattr("engine.core.others_in", holders)
    assert_noticed(Observer())


def test_asking_only_those_who_have_a_choice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def undecided(s: State, rule: str, choices: list[Choice]) -> int:
        return ask(s, rule, [choice for choice in choices if len(choice.options) > choice.least])

    monkeypatch.setattr("engine.rules.exchange.ask", undecided)
    assert_noticed(Observer())
