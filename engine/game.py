"""A match of Daifugo as pure functions: begin a match, begin a game, apply an action. Nobody else writes a state."""

from __future__ import annotations

from typing import Final

from engine import events as ev
from engine.actions import ADD, ANSWER, DRAW, DUMP, PASS, PLAY, Action
from engine.choices import Group
from engine.legal import check, default_move
from engine.moves import PASS_MOVE, Move
from engine.program import Program
from engine.randomness import game_key
from engine.rules.base import GO_ON, WAIT
from engine.state import ADD_RUN, COUNTER, DEAL, DRAW_RUN, DUMP_RUN, IDLE, PASS_RUN, PLAY_RUN, State
from engine.steps import close_decision, emit, follow, open_decision
from engine.track import Track
from engine.version import ENGINE_VERSION
from engine.view import open_choice, view

__all__ = [
    "ENGINE_VERSION",
    "advance",
    "apply",
    "begin_game",
    "default_action",
    "is_match_over",
    "new_match",
    "start_game",
    "view",
]

RUN_OF: Final[tuple[int, ...]] = tuple(
    {PLAY: PLAY_RUN, PASS: PASS_RUN, DRAW: DRAW_RUN, ADD: ADD_RUN, DUMP: DUMP_RUN}.get(kind, IDLE)
    for kind in range(ANSWER + 1)
)
"""The kind of run that each kind of action begins."""


def new_match(program: Program, games: int = 0, last_decision: int = 0) -> State:
    """Return a match before its first game. `games` 0: as many as the ruleset says. Decision numbers go on."""
    s = State(program, program.seats)
    s.games = games or program.games_in_match
    s.last_decision, s.spade_seat = last_decision, program.spade_seat
    return s


def start_game(s: State, seed: bytes, hands: tuple[int, ...] = (), blind: int = 0) -> tuple[State, list[ev.Event]]:
    """Begin the match's next game, dealt from the match seed, or with prescribed hands.

    ValueError while a game is being played and after the last one.
    """
    after = s.copy()
    events: list[ev.Event] = []
    begin_game(after, seed, hands, blind, events)
    return after, events


def apply(s: State, seat: int, action: Action) -> tuple[State, list[ev.Event]]:
    """Return the state after a seat's action and what happened, or raise IllegalAction; `s` stays as it is."""
    move = check(s, seat, s.hands[seat] if 0 <= seat < s.seats else 0, open_choice(s, seat), action)
    after = s.copy()
    events: list[ev.Event] = []
    advance(after, seat, move, events)
    return after, events


def default_action(s: State, seat: int) -> Action:
    """Return what is done for a seat whose time is up."""
    return default_move(s, seat, s.hands[seat], open_choice(s, seat)).action()


def is_match_over(s: State) -> bool:
    """Say whether the last game of the match has ended."""
    return not s.playing and s.game >= s.games


# --- on a state of one's own -----------------------------------------------------------------------------------------


def begin_game(s: State, seed: bytes, hands: tuple[int, ...], blind: int, sink: list[ev.Event] | None) -> None:
    """Change `s` to its next game; ValueError if there is none to begin. Without a sink no events are made."""
    if s.playing or is_match_over(s):
        raise ValueError("the match is over" if is_match_over(s) else "a game is being played")
    check_prescribed(s.program, hands, blind)
    fresh = State(s.program, s.seats)
    fresh.games, fresh.game, fresh.totals, fresh.firsts = s.games, s.game + 1, s.totals, s.firsts
    fresh.last_decision, fresh.spade_seat, fresh.seating = s.last_decision, s.spade_seat, s.seating
    fresh.notes = s.notes
    if not s.program.begins_round(fresh.game):
        fresh.previous, fresh.before_previous = s.previous, s.before_previous
    s.copy_public(fresh)
    s.hands, s.blind, s.laid_away, s.stock = list(hands) or fresh.hands, blind, 0, []
    s.key, s.drawn_words = game_key(seed, s.game) if s.chance is None else b"", 0
    s.group, s.held = None, []
    s.playing = True
    s.sink, s.because = sink, -1
    if sink is not None:
        order, previous = tuple(s.seating), tuple(s.previous)
        number_of_set, number_of_round = s.program.set_and_round(s.game)
        emit(s, ev.GameStarted("", -1, s.game, number_of_set, number_of_round, order, previous, s.spade_seat))
        follow(s)
    begin_run(s, DEAL, -1, PASS_MOVE)
    proceed(s)
    s.sink = None


def check_prescribed(program: Program, hands: tuple[int, ...], blind: int) -> None:
    """Refuse prescribed hands that cannot be dealt: a wrong number, an empty one, or a card in two places."""
    everything = blind
    for hand in hands:
        if not hand or hand < 0 or hand & everything or hand & ~program.deck:
            raise ValueError("every hand needs cards of the deck, and none twice")
        everything |= hand
    if len(hands) not in (0, program.seats):
        raise ValueError(f"{program.seats} hands are needed, not {len(hands)}")


def advance(s: State, seat: int, move: Move, sink: list[ev.Event] | None = None) -> None:
    """Make a legal move for a seat. Changes `s`; without a sink no events are made."""
    s.sink, s.because = sink, -1
    s.actions += 1
    close_decision(s, seat)
    follow(s)
    if move.kind == ANSWER:
        take_answer(s, seat, move.values)
    elif move.kind == PASS and s.window_seats:
        pass_window(s, seat)
    else:
        if s.window_seats:
            s.window_seats, s.window_rules = [], ()
            s.flushing, s.flush_rule = False, ""
            begin_run(s, COUNTER, seat, move)
        else:
            s.had_turn |= 0 if move.kind == DRAW else 1 << seat
            begin_run(s, RUN_OF[move.kind], seat, move)
        proceed(s)
    s.sink = None


def begin_run(s: State, kind: int, seat: int, move: Move) -> None:
    """Put the cursor before the first step of a new run."""
    s.run_kind, s.actor, s.cursor = kind, seat, 0
    s.run_number += 1
    s.run_program, s.offered_by = s.program_number, move.rule
    s.cause, s.run_ranks = move.play, move.play.ranks


def track_of(s: State) -> Track:
    """Return the track that the cursor is on."""
    return s.program.track(s.run_program, s.run_kind, s.cause)


def proceed(s: State) -> None:
    """Run the steps from the cursor on, until one waits for seats to answer."""
    track = track_of(s)
    step = track.steps[s.cursor] if s.cursor else track.first
    outcome = step.run(s)
    while outcome != WAIT:
        step = step.next if outcome == GO_ON else track.at[outcome]
        outcome = step.run(s)
    s.cursor = step.number + 1


def take_answer(s: State, seat: int, values: tuple[int, ...]) -> None:
    """Keep an answer hidden until its group is complete, then let the rule settle them all."""
    group = s.group
    assert group is not None
    if len(group.choices) == 1:
        settle_group(s, group, (values,))
        return
    held, waiting, again = s.held, False, False
    answered = False
    for i, choice in enumerate(group.choices):
        if held[i] is None:
            if choice.seat != seat:
                waiting = True
            elif not answered:
                held[i], answered = values, True
            else:
                again = True
    if again:
        open_decision(s, seat, ev.CHOICE)
    if again or waiting:
        return
    settle_group(s, group, tuple([given if given is not None else () for given in held]))


def settle_group(s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> None:
    """Let the rule that has asked settle all answers, and go on."""
    s.group, s.asking_rule = None, ""
    s.held.pop()
    if s.held:
        s.held = []
    outcome = s.program.rules[group.rule].settled(s, group, answers)
    if outcome != WAIT:
        if outcome != GO_ON:
            s.cursor = track_of(s).at[outcome].number
        proceed(s)


def pass_window(s: State, seat: int) -> None:
    """Let a counter go by; when all have, the suspended run goes on to its flush."""
    if s.sink is not None:
        emit(s, ev.Passed("", -1, seat, False, True))
        follow(s)
    s.window_seats = s.window_seats[1:]
    if s.window_seats:
        open_decision(s, s.window_seats[0], ev.WINDOW)
    else:
        s.window_rules = ()
        proceed(s)
