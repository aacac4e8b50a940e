"""What an action would bring about, as far as its seat can tell: the action is tried on a state imagined from the view.

Hidden cards stand anywhere in such a state; they only count. The few rules that look into hidden hands suppose one
outcome after another instead, and what happens under each of them is certain.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine import events as ev
from engine.cards import as_set, members
from engine.choices import FIELD, Choice, Group
from engine.game import advance
from engine.guesses import Guesses
from engine.legal import default_move
from engine.moves import PASS_MOVE, Move
from engine.randomness import Chance
from engine.state import DEAL, State
from engine.view import View, open_choice

# kinds of effects
FLUSHES: Final = 1
TURNS_STRENGTH: Final = 2
LOCKS: Final = 3
UNLOCKS: Final = 4
TURNS_DIRECTION: Final = 5
RESEATS: Final = 6
RESTS: Final = 7
MOVES_CARDS: Final = 8
ASKS: Final = 9
OPENS_WINDOW: Final = 10
NOTES: Final = 11
FINISHES: Final = 12
FOULS: Final = 13
FALLS: Final = 14
DEFEATS: Final = 15
LEADS: Final = 16
ENDS_GAME: Final = 17
SHOWS: Final = 18

MOST_OUTCOMES: Final = 200
"""How many outcomes are tried; with more of them nothing is called certain."""
MOST_STEPS: Final = 20
"""How many answers are supposed to follow until the run is over."""


class Effect(NamedTuple):
    """One thing that a rule ("" for the course of the game) does; `seat` is whom it befalls, or -1."""

    rule: str
    kind: int
    seat: int = -1


class Foresight(NamedTuple):
    """What an action would do for certain, and what it may do besides: at once, or when others have answered."""

    would: tuple[Effect, ...]
    may: tuple[Effect, ...]


def foresee(v: View, move: Move) -> Foresight:
    """Return what a legal move of the view's seat would do. It draws on nothing but the view."""
    if v.run_kind == DEAL:
        # how an exchange ends depends on everybody's cards, and on nothing that one could plan by
        return Foresight((), (Effect(v.asking_rule, MOVES_CARDS),))
    guesses = Guesses(v.seat)
    sure: list[Effect] = []
    found: list[Effect] = []
    tried = 0
    more = True
    while more and tried < MOST_OUTCOMES:
        at_once, later = outcome(v, move, guesses)
        sure = [effect for effect in sure if effect in at_once] if tried else at_once
        found += [effect for effect in [*at_once, *later] if effect not in found]
        tried += 1
        more = guesses.turn()
    if more:
        sure = []
    return Foresight(tuple(sure), tuple([effect for effect in found if effect not in sure]))


def outcome(v: View, move: Move, guesses: Guesses) -> tuple[list[Effect], list[Effect]]:
    """Try a move: return what it does at once, and what comes if nobody counters and everybody answers by default."""
    s = imagined(v, guesses)
    told: list[ev.Event] = []
    advance(s, v.seat, move, told)
    at_once = effects_of(told)
    later: list[ev.Event] = []
    for _ in range(MOST_STEPS):
        if not s.playing or not (s.window_seats or s.asking_rule):
            break
        seat = s.window_seats[0] if s.window_seats else next_asked(s)
        answer = PASS_MOVE if s.window_seats else default_move(s, seat, s.hands[seat], open_choice(s, seat))
        after: list[ev.Event] = []
        advance(s, seat, answer, after)
        later += after
    return at_once, effects_of(later)


def next_asked(s: State) -> int:
    """Return the first seat that has a choice open."""
    return next(seat for seat in range(s.seats) if s.decisions[seat])


# --- imagining -------------------------------------------------------------------------------------------------------


def imagined(v: View, guesses: Guesses) -> State:
    """Make a state of a view, with the cards that are not seen put anywhere."""
    s = State(v.program, v.seats)
    s.copy_public(v)
    s.guesses, s.chance = guesses, Chance(0)
    seen = v.hand | v.discard
    for placed in v.trick:
        seen |= placed.play.cards
    left = members(v.program.deck & ~seen)
    for seat in range(v.seats):
        number = v.size(seat)
        s.hands[seat] = v.hand if seat == v.seat else as_set(left[:number])
        left = left if seat == v.seat else left[number:]
    s.blind, left = as_set(left[: v.blind_count]), left[v.blind_count :]
    s.laid_away, s.stock = as_set(left[: v.laid_away_count]), left[v.laid_away_count :]
    if v.choice is not None:
        s.group, s.held = regrouped(s, v.choice)
    return s


def regrouped(s: State, own: Choice) -> tuple[Group, list[tuple[int, ...] | None]]:
    """Return the group of a choice, with some answer of everybody who has answered."""
    choices: list[Choice] = []
    held: list[tuple[int, ...] | None] = []
    for choice in s.program.rules[s.asking_rule].asked_with(s, own):
        choices.append(own if choice.seat == own.seat else choice)
        held.append(None if s.decisions[choice.seat] else some_answer(choice))
    return Group(s.asking_rule, choices), held


def some_answer(choice: Choice) -> tuple[int, ...]:
    """Return an answer to a choice."""
    free = [option for option in choice.options if option not in choice.required]
    return (*choice.required, *free[: choice.least - len(choice.required)])


# --- what happened ---------------------------------------------------------------------------------------------------


def effects_of(events: list[ev.Event]) -> list[Effect]:
    """List what events tell beyond the action itself, each thing once."""
    found: list[Effect] = []
    for event in events:
        for effect in effects(event):
            if effect not in found:
                found.append(effect)
    return found


def effects(event: ev.Event) -> list[Effect]:
    """List what one event tells: mostly one thing, or nothing that is not the action itself or its usual course."""
    if isinstance(event, ev.DecisionOpened):
        if event.kind == ev.WINDOW:
            return [Effect(rule, OPENS_WINDOW) for rule in event.rules]
        return [Effect(event.rule, ASKS, event.seat)] if event.kind == ev.CHOICE else []
    kind, seat = kind_of(event)
    return [Effect(event.rule, kind, seat)] if kind else []


def kind_of(event: ev.Event) -> tuple[int, int]:
    """Return the kind of effect that an event tells, 0 for none, and whom it befalls."""
    if isinstance(event, ev.CardsMoved):
        return (MOVES_CARDS if FIELD not in (event.from_zone, event.to_zone) else 0), -1
    if isinstance(event, ev.FieldFlushed):
        return FLUSHES, -1
    if isinstance(event, ev.StrengthChanged):
        return TURNS_STRENGTH, -1
    if isinstance(event, ev.LockChanged):
        return (LOCKS if event.locks else UNLOCKS), -1
    if isinstance(event, ev.DirectionChanged):
        return TURNS_DIRECTION, -1
    if isinstance(event, ev.SeatingChanged):
        return RESEATS, -1
    if isinstance(event, ev.SeatsRest):
        return (RESTS if event.rule else 0), -1
    if isinstance(event, ev.NoteChanged):
        return (NOTES if event.values else 0), -1
    return kind_of_end(event)


def kind_of_end(event: ev.Event) -> tuple[int, int]:
    """Do the same for what ends a trick, a seat's game, or the game."""
    if isinstance(event, ev.Finished):
        return (FOULS if event.foul else FINISHES), event.seat
    if isinstance(event, ev.Fell):
        return (DEFEATS if event.defeated else FALLS), event.seat
    if isinstance(event, ev.TurnChanged):
        return (LEADS if event.starter else 0), event.seat
    if isinstance(event, ev.GameEnded):
        return ENDS_GAME, -1
    return (SHOWS if isinstance(event, ev.Revealed) else 0), -1
