"""The core steps: what every run does, whatever the rules."""

from __future__ import annotations

from engine import events as ev
from engine.choices import FIELD, HAND
from engine.dealing import deal
from engine.finishing import close_game, match_ranks, place_by_lot, score, see_order, settle
from engine.rules.base import END, FINISH, FLUSH, GO_ON, WAIT
from engine.state import GAME, TRICK, Placed, State
from engine.steps import (
    drop_choices,
    emit,
    flush_field,
    flush_later,
    follow,
    leave_hand,
    next_holder,
    next_seat,
    open_decision,
    others_in,
    rested,
    wipe_notes,
)
from engine.track import Step

# --- the first turn ---------------------------------------------------------------------------------------------------


def lead(s: State) -> int:
    """Give the first turn to the seat that the rules of the first lead have named."""
    leader = s.to_lead if s.to_lead >= 0 else s.spade_seat
    s.to_lead = -1
    s.starter = leader if s.is_in(leader) else next_holder(s, leader)
    give_turn(s, s.starter, True)
    return GO_ON


# --- plays and passes ------------------------------------------------------------------------------------------------


def place(s: State) -> int:
    """Put the running play on the field."""
    play, seat = s.cause, s.actor
    if not s.trick:
        s.last_trick = []
        wipe_notes(s, TRICK)
        s.starter = seat
    leave_hand(s)
    s.trick.append(Placed(seat, play, s.order))
    s.owner = seat
    s.passes_in_row, s.skipped = 0, 0
    if s.sink is not None:
        emit(s, ev.CardsMoved(s.offered_by, -1, HAND, seat, FIELD, -1, play.size, play.cards, play=play))
        follow(s)
    return GO_ON


def mark_pass(s: State) -> int:
    """Mark the actor's pass; a pass on an empty field marks nobody, unless everybody must pass."""
    counts = bool(s.trick) or s.program.all_must_pass
    if counts:
        s.passed |= 1 << s.actor
        s.passes_in_row += 1
    if s.sink is not None:
        emit(s, ev.Passed("", -1, s.actor, counts and s.program.passes_lock_out))
        follow(s)
    return GO_ON


def offer_effect(s: State) -> int:
    """Let the rule that offered the move act on it."""
    return s.program.rules[s.offered_by].acted(s)


def open_window(s: State) -> int:
    """Open a window for counters to the running play, if some rule wants one; everybody still in is asked."""
    see_order(s)
    counters = s.in_force().counter_rules
    if not counters:
        return GO_ON
    rules: list[str] = []
    for rule in counters:
        if rule.opens(s):
            rules.append(rule.id)
    if rules:
        s.window_seats = [seat for seat in others_in(s, s.actor) if not s.passed >> seat & 1]
        if s.window_seats:
            s.window_rules = tuple(rules)
            open_decision(s, s.window_seats[0], ev.WINDOW)
            return WAIT
    return GO_ON


# --- the end of a trick, a turn, a game ------------------------------------------------------------------------------


def flush(s: State) -> int:
    """End the trick, if something in this run wants that."""
    if not s.flushing:
        return FINISH
    see_order(s)
    flush_field(s)
    return GO_ON


def finish(s: State) -> int:
    """Settle who went out; with one seat or none left the game is over."""
    see_order(s)
    outcome = settle(s)
    if not s.gone:
        return outcome
    left = ((1 << s.seats) - 1) & ~s.gone
    return outcome if left & left - 1 else END


def turn(s: State) -> int:
    """Give the turn to the leader after a flush, else to the next seat; flush when nobody may act."""
    if s.to_lead >= 0:
        seat = s.to_lead if s.is_in(s.to_lead) else next_holder(s, s.to_lead)
        if s.lasting_rests:
            seat = rested(s, seat)
        s.to_lead, s.starter = -1, seat
        give_turn(s, seat, True)
        return GO_ON
    seat = next_seat(s, s.actor)
    if seat < 0:
        if s.trick:
            flush_later(s, "flush_by_passes")
            return FLUSH
        clear_passes(s)
        seat = next_holder(s, s.actor)
    if not s.trick:
        s.starter = seat
    give_turn(s, seat, not s.trick)
    return GO_ON


def clear_passes(s: State) -> None:
    """Let everybody act again on an empty field that all have passed by: whoever was to lead is asked again."""
    if s.passed:
        s.passed, s.skipped = 0, 0
        if s.sink is not None:
            emit(s, ev.PassesCleared("all_must_pass", s.because))


def give_turn(s: State, seat: int, starter: bool) -> None:
    """Make it a seat's turn."""
    s.turn, s.drawn = seat, False
    if s.sink is not None:
        emit(s, ev.TurnChanged("", s.because, seat, starter))


def ask_turn(s: State) -> int:
    """Ask the seat whose turn it is; a game that has gone on too long ends here instead."""
    if s.actions >= s.program.most_actions:
        place_by_lot(s)
        return END
    open_decision(s, s.turn, ev.TURN)
    return WAIT


def end(s: State) -> int:
    """Fix the places and drop every open question."""
    see_order(s)
    settle(s)
    drop_choices(s)
    s.window_rules, s.window_seats = (), []
    close_game(s)
    return GO_ON


def close(s: State) -> int:
    """Score the game, and the match when this was its last."""
    score(s)
    s.before_previous, s.previous = s.previous, s.places[:]
    wipe_notes(s, GAME)
    if s.game >= s.games and s.sink is not None:
        emit(s, ev.MatchEnded("", s.because, tuple(match_ranks(s)), tuple(s.totals)))
    return WAIT


# --- the steps as a track holds them ---------------------------------------------------------------------------------


class Deal(Step):
    def run(self, s: State) -> int:
        return deal(s)


class Lead(Step):
    def run(self, s: State) -> int:
        return lead(s)


class Place(Step):
    def run(self, s: State) -> int:
        return place(s)


class MarkPass(Step):
    def run(self, s: State) -> int:
        return mark_pass(s)


class OfferEffect(Step):
    def run(self, s: State) -> int:
        return offer_effect(s)


class OpenWindow(Step):
    def run(self, s: State) -> int:
        return open_window(s)


class Flush(Step):
    def run(self, s: State) -> int:
        return flush(s)


class Finish(Step):
    def run(self, s: State) -> int:
        return finish(s)


class Turn(Step):
    def run(self, s: State) -> int:
        return turn(s)


class AskTurn(Step):
    def run(self, s: State) -> int:
        return ask_turn(s)


class End(Step):
    def run(self, s: State) -> int:
        return end(s)


class Close(Step):
    def run(self, s: State) -> int:
        return close(s)
