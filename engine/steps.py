"""What rules and core steps do to a state: the verbs of the game. None of them knows a rule."""

from __future__ import annotations

from engine import events as ev
from engine.cards import count
from engine.choices import DISCARD, FIELD, HAND, LAID_AWAY, Choice, Group
from engine.native import i64
from engine.orders import FROM_ACE, JOKER_ABOVE_TEN, JOKER_WEAKEST, NORMAL, REVERSED, is_reversed
from engine.plays import Play
from engine.rules.base import GO_ON, WAIT
from engine.state import BY_PLAY, BY_QUEEN, BY_SPECIAL, Back, Emptied, Lock, Note, Public, State
from engine.view import open_choice

# --- telling ---------------------------------------------------------------------------------------------------------


def emit(s: State, event: ev.Event) -> None:
    """Append an event, if anybody listens."""
    if s.sink is not None:
        s.sink.append(event)


def follow(s: State) -> None:
    """Let the next events follow from the last one."""
    if s.sink is not None:
        s.because = len(s.sink) - 1


# --- seats -----------------------------------------------------------------------------------------------------------


def in_turn_order(p: Public, start: int) -> list[int]:
    """List all seats in the current direction, beginning after `start` and ending with it."""
    order = others(p, start, False)
    order.append(start)
    return order


def others_in(p: Public, start: int) -> list[int]:
    """List the seats that are in the game in the current direction, beginning after `start` and without it."""
    return others(p, start, True)


def others(p: Public, start: int, only_in: bool) -> list[int]:
    """List the seats but `start` in the current direction, or only those that are in the game."""
    found: list[int] = []
    step: i64 = 1 if p.is_clockwise() else p.seats - 1
    at: i64 = place_at_table(p, start)
    for _ in range(p.seats - 1):
        at += step
        if at >= p.seats:
            at -= p.seats
        seat = p.seating[at]
        if not only_in or p.is_in(seat):
            found.append(seat)
    return found


def from_actor(p: Public) -> list[int]:
    """List all seats in the current direction, beginning with the actor."""
    order = others(p, p.actor, False)
    order.insert(0, p.actor)
    return order


def neighbour(p: Public, seat: int) -> int:
    """Return the next seat in the current direction, whoever sits there."""
    at: i64 = place_at_table(p, seat)
    if p.turned and not p.is_clockwise():
        return p.seating[at - 1 if at else p.seats - 1]
    return p.seating[at + 1 if at + 1 < p.seats else 0]


def place_at_table(p: Public, seat: int) -> i64:
    """Return where a seat is among the seats in clockwise order."""
    at: i64 = 0
    while p.seating[at] != seat:
        at += 1
    return at


def next_holder(p: Public, start: int) -> int:
    """Return the nearest seat after `start` that holds cards, passed or resting or not; -1 when there is none."""
    at = start
    for _ in range(p.seats - 1):
        at = neighbour(p, at)
        if p.is_in(at):
            return at
    return -1


def previous_holder(p: Public, start: int) -> int:
    """Return the nearest seat before `start` that holds cards, passed or resting or not; -1 when there is none."""
    for seat in reversed(in_turn_order(p, start)[:-1]):
        if p.is_in(seat):
            return seat
    return -1


def turn_round(s: State, cause: int, rule: str) -> None:
    """Turn the direction of play; a second time by the same cause turns it back."""
    s.turned ^= cause
    if s.sink is not None:
        emit(s, ev.DirectionChanged(rule, s.because, s.is_clockwise()))


def next_seat(s: State, start: int) -> int:
    """Return who may act next in the trick, spending the rests of seats that are skipped; -1 when nobody is left.

    A skipped seat counts as passed, or skipping would keep a dead trick alive. The owner need not pass,
    unless the ruleset says that all must.
    """
    away = s.passed | s.skipped | s.gone
    if s.trick and s.owner >= 0 and not s.program.all_must_pass:
        away |= 1 << s.owner
    seat = start
    while True:
        seat = neighbour(s, seat)
        if not away >> seat & 1 and s.hands[seat]:
            if not s.rests[seat]:
                return seat
            spend_rest(s, seat)
            s.skipped |= 1 << seat
        if seat == start:
            return -1


def rested(s: State, seat: int) -> int:
    """Return who leads in place of a seat that may have to rest: whoever comes first and does not."""
    while s.rests[seat] and next_holder(s, seat) >= 0:
        spend_rest(s, seat)
        seat = next_holder(s, seat)
    return seat


def spend_rest(s: State, seat: int) -> None:
    """Let a seat rest one turn; what ends with the trick is spent first."""
    s.rests[seat] = s.rests[seat] - 1
    if s.lasting_rests:
        last(s, [min(turns, s.rests[each]) for each, turns in enumerate(s.lasting_rests)])
    tell_rests(s, "")


def rest(s: State, seat: int, turns: int, rule: str) -> None:
    """Let a seat rest some turns, through flushes if need be."""
    if s.is_in(seat):
        s.rests[seat] = s.rests[seat] + turns
        before = s.lasting_rests or (0,) * s.seats
        last(s, [each + turns * (at == seat) for at, each in enumerate(before)])
        tell_rests(s, rule)


def last(s: State, turns: list[int]) -> None:
    """Set how many of each seat's rests a flush does not end."""
    s.lasting_rests = tuple(turns) if any(turns) else ()


def tell_rests(s: State, rule: str) -> None:
    """Tell which seats rest."""
    if s.sink is not None:
        rests = tuple([(seat, turns) for seat, turns in enumerate(s.rests) if turns])
        emit(s, ev.SeatsRest(rule, s.because, rests))


# --- cards -----------------------------------------------------------------------------------------------------------


def leave_hand(s: State) -> None:
    """Take the running play out of the actor's hand; note it when these cards were the last."""
    left = s.hands[s.actor] & ~s.cause.cards
    s.hands[s.actor] = left
    if not left:
        s.emptied.append(Emptied(s.actor, BY_PLAY, s.cause, s.order, -1, s.run_number))


def lose(s: State, seat: int, cards: int, cause: int) -> None:
    """Take cards out of a hand; note it when they were the last."""
    left = s.hands[seat] & ~cards
    s.hands[seat] = left
    if not left and cards and not s.gone >> seat & 1:
        s.emptied.append(Emptied(seat, cause, s.cause, s.order, s.order, s.run_number))


def receive(s: State, seat: int, cards: int) -> None:
    """Put cards into a hand; a hand that had lost its last card is no longer empty."""
    if cards:
        s.hands[seat] = s.hands[seat] | cards
        if s.emptied:
            s.emptied = [note for note in s.emptied if note.seat != seat or note.cause == BY_SPECIAL]


def go_out(s: State, seat: int, play: Play, rule: str) -> None:
    """Let a seat go out by a special finish, whatever it holds."""
    s.emptied = [note for note in s.emptied if note.seat != seat]
    s.emptied.append(Emptied(seat, BY_SPECIAL, play, s.order, -1, s.run_number, rule))


def give(s: State, giver: int, taker: int, cards: int, cause: int, rule: str) -> None:
    """Hand cards from one seat to another; only these two see them."""
    if not cards:
        return
    lose(s, giver, cards, cause)
    receive(s, taker, cards)
    tell_given(s, giver, taker, cards, rule)


def tell_given(s: State, giver: int, taker: int, cards: int, rule: str) -> None:
    """Tell of cards that went from hand to hand."""
    if s.sink is not None:
        both = 1 << giver | 1 << taker
        emit(s, ev.CardsMoved(rule, s.because, HAND, giver, HAND, taker, cards.bit_count(), cards, both))


def discard(s: State, seat: int, cards: int, cause: int, rule: str) -> None:
    """Put cards from a hand on the discard pile, open."""
    if not cards:
        return
    lose(s, seat, cards, cause)
    s.discard |= cards
    if s.sink is not None:
        emit(s, ev.CardsMoved(rule, s.because, HAND, seat, DISCARD, -1, cards.bit_count(), cards))


def retrieve(s: State, seat: int, cards: int, rule: str) -> None:
    """Take cards from the discard pile into a hand, open."""
    if not cards:
        return
    s.discard &= ~cards
    receive(s, seat, cards)
    if s.sink is not None:
        emit(s, ev.CardsMoved(rule, s.because, DISCARD, -1, HAND, seat, cards.bit_count(), cards))


def lay_away(s: State, seat: int, rule: str) -> None:
    """Lay a whole hand away face down; it does not come back."""
    cards = s.hands[seat]
    if not cards:
        return
    s.hands[seat] = 0
    s.laid_away |= cards
    s.laid_away_count += count(cards)
    if s.sink is not None:
        emit(s, ev.CardsMoved(rule, s.because, HAND, seat, LAID_AWAY, -1, cards.bit_count(), cards, 1 << seat))


# --- strength, locks, flush ------------------------------------------------------------------------------------------


def set_order(s: State, rule: str) -> None:
    """Work out the strength order in force from all that bears on it, and tell of it."""
    order = FROM_ACE if s.from_ace else NORMAL
    if s.revolution != (len(s.backs) % 2 == 1):
        order |= REVERSED
    if s.joker_above_ten:
        order |= JOKER_ABOVE_TEN
    elif s.revolution and s.program.revolution_weakens_jokers:
        order |= JOKER_WEAKEST
    s.order = order
    if s.sink is not None:
        emit(s, strength_now(s, rule, s.because))


def strength_now(p: Public, rule: str = "", because: int = -1) -> ev.StrengthChanged:
    """Return what anybody may know of the order of strength and what makes it so."""
    running = tuple([(back.rule, back.left) for back in p.backs])
    return ev.StrengthChanged(
        rule,
        because,
        p.revolution,
        len(running),
        is_reversed(p.order),
        p.reserved_revolutions,
        p.freeze,
        p.from_ace,
        p.order & JOKER_WEAKEST != 0,
        p.joker_above_ten,
        running,
    )


def set_locks(s: State, locks: list[Lock], rule: str) -> None:
    """Replace the locks in force."""
    s.locks = locks
    if s.sink is not None:
        told = tuple(
            [(k.kind, (k.suits & 15, k.suits >> 4 & 15, k.suits >> 8 & 15, k.suits >> 12 & 15)) for k in locks]
        )
        emit(s, ev.LockChanged(rule, s.because, told))


def flush_later(s: State, rule: str) -> None:
    """Let this run end the trick when it comes to its flush."""
    if not s.flushing:
        s.flushing, s.flush_rule = True, rule


def flush_field(s: State) -> None:
    """Put the field on the discard pile; passes, rests, locks and what lasts for a trick end, and the owner leads."""
    cards = 0
    for placed in s.trick:
        cards |= placed.play.cards
    rule = s.flush_rule
    s.flushing, s.flush_rule = False, ""
    s.discard |= cards
    s.last_trick, s.trick = s.trick, []
    s.to_lead, s.owner = s.owner, -1
    s.passed, s.skipped, s.passes_in_row, s.row_start = 0, 0, 0, 0
    for seat in range(s.seats):
        s.rests[seat] = s.lasting_rests[seat] if s.lasting_rests else 0
    if s.sink is not None:
        emit(s, ev.FieldFlushed(rule, s.because))
        follow(s)
        emit(s, ev.CardsMoved(rule, s.because, FIELD, -1, DISCARD, -1, cards.bit_count(), cards))
        if s.lasting_rests:
            tell_rests(s, "")
    if s.locks:
        set_locks(s, [], "")
    if s.backs:
        s.backs = [Back(back.rule, back.left - 1) for back in s.backs if back.left > 1]
        set_order(s, "")
    if s.turned & BY_QUEEN:
        turn_round(s, BY_QUEEN, "")


# --- notes -----------------------------------------------------------------------------------------------------------


def set_note(s: State, rule: str, scope: int, of: int, values: tuple[int, ...]) -> None:
    """Remember ranks, seats or numbers for a rule until the scope ends.

    Everybody is told them: what must stay hidden may only be held in the answers of an open group.
    """
    s.notes[rule] = Note(scope, of, values)
    if s.sink is not None:
        emit(s, ev.NoteChanged(rule, s.because, rule, of, values))


def note_of(p: Public, rule: str) -> tuple[int, ...]:
    """Return what a rule remembers, or nothing."""
    note = p.notes.get(rule) if p.notes else None
    return note.values if note is not None else ()


def forget(s: State, rule: str) -> None:
    """Drop what a rule remembers."""
    note = s.notes.get(rule)
    if note is not None:
        of = note.of
        del s.notes[rule]
        if s.sink is not None:
            emit(s, ev.NoteChanged(rule, s.because, rule, of, ()))


def wipe_notes(s: State, scope: int) -> None:
    """Forget the notes of a scope that has ended, and of every smaller one."""
    if s.notes:
        for rule in [rule for rule, note in s.notes.items() if note.scope <= scope]:
            forget(s, rule)


# --- asking ----------------------------------------------------------------------------------------------------------


def open_decision(s: State, seat: int, kind: int) -> None:
    """Ask a seat; the decision gets the table's next number."""
    s.last_decision += 1
    s.decisions[seat] = s.last_decision
    if s.sink is not None:
        choice = open_choice(s, seat) if kind == ev.CHOICE else None
        rules = (s.asking_rule,) if kind == ev.CHOICE else s.window_rules
        rule = rules[0] if rules else ""
        emit(s, ev.DecisionOpened(rule, s.because, seat, s.last_decision, kind, rules, choice))


def close_decision(s: State, seat: int) -> None:
    """End a question to a seat, answered or not."""
    if s.decisions[seat]:
        if s.sink is not None:
            emit(s, ev.DecisionClosed("", s.because, seat, s.decisions[seat]))
        s.decisions[seat] = 0


def ask(s: State, rule: str, choices: list[Choice]) -> int:
    """Put a group of choices to seats, one at a time to each, and wait; with no choices go on.

    A seat that is out decides nothing, not even about its own play (どかん lets it go out before the play's effects).
    """
    if s.gone:
        choices = [choice for choice in choices if not s.gone >> choice.seat & 1]
    if not choices:
        return GO_ON
    s.group = Group(rule, choices)
    if s.held:
        s.held = []
    for _ in choices:
        s.held.append(None)
    s.asking_rule = rule
    asked: i64 = 0
    for choice in choices:
        seat: i64 = choice.seat
        if not asked >> seat & 1:
            asked |= 1 << seat
            open_decision(s, seat, ev.CHOICE)
    return WAIT


def drop_choices(s: State) -> None:
    """Forget the open choices and close their decisions."""
    if s.group is not None:
        for choice in s.group.choices:
            close_decision(s, choice.seat)
        s.group, s.held, s.asking_rule = None, [], ""
