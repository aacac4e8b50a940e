"""What a seat may know of a table."""

from __future__ import annotations

from typing import Protocol, cast

from daifugo.v1 import view_pb2
from engine import events as ev
from engine.cards import members
from engine.finishing import place_of
from engine.orders import REVERSED, STRENGTH
from engine.program import Program
from engine.state import EVERYTHING_FROZEN, Public
from engine.steps import strength_now
from engine.view import OpenView, View, view
from services.common.times import write_duration, write_time
from services.game.codec.actions import choice_to, play_to
from services.game.deadlines import Limit
from services.game.eyes import BEHIND, hands_of
from services.game.lengths import OPEN_ENDED
from services.game.life import FILLING, Life, is_host
from services.game.records import Conduct
from services.game.seats import Seat
from services.game.seeds import Shuffle

TITLES = {
    "大富豪": view_pb2.TITLE_DAIFUGO,
    "富豪": view_pb2.TITLE_FUGO,
    "平民": view_pb2.TITLE_HEIMIN,
    "貧民": view_pb2.TITLE_HINMIN,
    "大貧民": view_pb2.TITLE_DAIHINMIN,
    "王様": view_pb2.TITLE_KING,
    "ど貧民": view_pb2.TITLE_DOHINMIN,
}


class Visible(Protocol):
    """What can be seen: a table, or a match that is over."""

    id: str

    def now(self) -> float:
        """Return what time it is there."""
        ...

    def seen(self, viewer: int) -> Life:
        """Return it as somebody sees it."""
        ...

    def connected(self, seat: int) -> bool:
        """Say whether a seat's occupant has a stream open."""
        ...

    def bank_shown(self, seat: int) -> int:
        """Return what a seat's time bank holds, in milliseconds."""
        ...

    def limit_of(self, seat: int) -> Limit | None:
        """Return how long a seat that is asked has."""
        ...


def view_to(table: Visible, viewer: int) -> view_pb2.View:
    """Write what somebody may know of a table: a seat, or a spectator; see `eyes`."""
    life, now = table.seen(viewer), table.now()
    v = view(life.state, hands_of(life, viewer))
    message = view_pb2.View(
        table_id=table.id, state=cast(view_pb2.TableState, life.phase), ruleset_hash=v.program.ruleset.hash
    )
    if life.phase != FILLING:
        _write_match(message, v)
        message.practice, message.deal_number = life.practice, life.deal_shown
    message.shuffle.CopyFrom(shuffle_to(life.shuffle))
    for number, seat in enumerate(life.seats):
        message.seats.append(_seat_view(v, number))
        # whoever sees a table as it was is not told who is there now
        connected = viewer != BEHIND and table.connected(number)
        message.seats[number].seat.CopyFrom(seat_to(number, seat, is_host(life, number), connected))
        if life.banks:
            bank = life.banks[number] if viewer == BEHIND else table.bank_shown(number)
            write_duration(message.seats[number].bank, bank / 1000)
        if life.conduct:
            write_conduct(message.seats[number].conduct, life.conduct[number])
    if v.playing or v.game:
        _write_field(message, v)
    _write_asked(message, v, table)
    if isinstance(v, OpenView):
        message.hands_shown = True
        for number, hand in enumerate(v.hands if v.game else ()):
            message.seats[number].hand.extend(_weakest_first(hand, v))
    if viewer >= 0:
        message.seat = viewer
        message.hand.extend(_weakest_first(v.hand, v))
        if v.decisions[viewer]:
            own, limit = message.decision, table.limit_of(viewer)
            write_decision(own, v.decisions[viewer], kind_of(v), rules_of(v), not v.trick, limit)
            if limit is not None:
                write_duration(own.remaining, limit.until - now)
            if v.choice is not None:
                own.choice.CopyFrom(choice_to(v.choice))
    return message


def _weakest_first(hand: int, v: View) -> list[int]:
    return sorted(members(hand), key=lambda c: (STRENGTH[v.order & REVERSED][c % 54 // 4], c))


def seat_to(number: int, seat: Seat, host: bool, connected: bool) -> view_pb2.Seat:
    """Write a seat and who has it."""
    occupant = seat.occupant
    return view_pb2.Seat(
        index=number,
        kind=cast(view_pb2.SeatKind, seat.kind),
        occupied=occupant is not None,
        display_name=occupant.name if occupant is not None else "",
        host=host,
        connected=connected and occupant is not None,
        bot=occupant is not None and occupant.bot,
        reserved=seat.is_kept,
        stand_in=cast(view_pb2.StandIn, seat.stand_in),
        client_seed=seat.client_seed,
    )


def shuffle_to(shuffle: Shuffle) -> view_pb2.Shuffle:
    """Write what is told of the seeds of a table."""
    return view_pb2.Shuffle(
        commitment=shuffle.commitment,
        client_seeds=shuffle.client_seeds,
        seed=shuffle.seed,
        next_commitment=shuffle.next_commitment,
    )


def write_conduct(message: view_pb2.Conduct, conduct: Conduct) -> None:
    """Write how a seat has been played, if anything counts against it."""
    if conduct.time_outs or conduct.take_overs or conduct.stood_in:
        message.time_outs, message.take_overs, message.stood_in = (
            conduct.time_outs,
            conduct.take_overs,
            conduct.stood_in,
        )


def _write_match(message: view_pb2.View, v: View) -> None:
    program, game = v.program, v.game
    message.games, message.game, message.playing = games_to(v.games), game, v.playing
    if game:
        message.set, message.round = program.set_and_round(game)


def games_to(games: int) -> int:
    """Write how many games a match has: 0 if it goes on until its host ends it."""
    return 0 if games == OPEN_ENDED else games


def _write_field(message: view_pb2.View, v: View) -> None:
    message.seating.extend(v.seating)
    message.clockwise = v.is_clockwise()
    if has_seat_suits(v.program):
        message.spade_seat = v.spade_seat
    for placed in v.trick:
        message.field.append(view_pb2.PlacedPlay(seat=placed.seat, play=play_to(placed.play)))
    if v.owner >= 0:
        message.owner = v.owner
    if v.starter >= 0:
        message.starter = v.starter
    if v.turn >= 0:
        message.turn = v.turn
    message.strength.CopyFrom(strength_to(strength_now(v)))
    for lock in v.locks:
        suits = [lock.suits >> 4 * suit & 15 for suit in range(4)]
        message.locks.append(lock_to(lock.kind, suits))
    message.discard_pile.extend(members(v.discard))
    message.laid_away_count, message.blind_count = v.laid_away_count, v.blind_count
    message.stock_count = v.stock_count
    for name, note in v.notes.items():
        if note.values:
            message.notes.append(note_to(name, note.of, note.values))
    message.previous.extend(v.previous if v.playing else v.before_previous)
    message.places.extend(v.places)


def note_to(name: str, of: int, values: tuple[int, ...]) -> view_pb2.Note:
    """Write what a rule remembers."""
    return view_pb2.Note(name=name, values=values, of=cast(view_pb2.Choice.Of, of))


def _seat_view(v: View, number: int) -> view_pb2.SeatView:
    seat = view_pb2.SeatView(total=v.totals[number])
    if not v.game:
        return seat
    seat.hand_count = v.size(number)
    seat.standing = standing_of(v, number)
    if v.places:
        seat.place = v.places.index(number) + 1
    elif v.gone >> number & 1 or number in v.fallen:
        seat.place = place_of(v, number)
    seat.passed = bool(v.passed >> number & 1) and v.program.passes_lock_out
    seat.rests = v.rests[number]
    if v.previous:
        seat.title = title_of(v.program, v.previous.index(number))
    return seat


def standing_of(p: Public, number: int) -> view_pb2.Standing:
    """Say how a seat stands in the game."""
    for seats, standing in (
        (p.finished, view_pb2.STANDING_FINISHED),
        (p.fouled, view_pb2.STANDING_FOULED),
        (p.defeated, view_pb2.STANDING_DEFEATED),
        (p.fallen, view_pb2.STANDING_FALLEN),
    ):
        if number in seats:
            return standing
    return view_pb2.STANDING_IN


def title_of(program: Program, place: int) -> view_pb2.Title:
    """Return the title of a place, from 0."""
    return TITLES[program.ruleset.titles()[place]]


def has_seat_suits(program: Program) -> bool:
    """Say whether seats carry suits."""
    return program.ruleset.bool("seat_suits")


def strength_to(now: ev.StrengthChanged) -> view_pb2.Strength:
    """Write the strength of ranks."""
    return view_pb2.Strength(
        revolution=now.revolution,
        backs=now.backs,
        reversed=now.reversed,
        from_ace=now.from_ace,
        joker_weakest=now.joker_weakest,
        joker_above_ten=now.joker_above_ten,
        reserved_revolutions=now.reserved,
        revolutions_frozen=now.freeze != 0,
        effects_stopped=now.freeze == EVERYTHING_FROZEN,
        running=[view_pb2.Back(rule_id=rule, flushes=left) for rule, left in now.running],
    )


def lock_to(kind: int, suits: list[int]) -> view_pb2.Lock:
    """Write a lock."""
    return view_pb2.Lock(kind=cast(view_pb2.LockKind, kind), suits=suits)


# --- what seats are asked --------------------------------------------------------------------------------------------


def kind_of(p: Public) -> int:
    """Return the kind of the decisions that are open."""
    if p.asking_rule:
        return ev.CHOICE
    return ev.WINDOW if p.window_seats else ev.TURN


def rules_of(p: Public) -> tuple[str, ...]:
    """Return the rules that ask."""
    return (p.asking_rule,) if p.asking_rule else p.window_rules


def _write_asked(message: view_pb2.View, v: View, table: Visible) -> None:
    open_ones = sorted((decision, seat) for seat, decision in enumerate(v.decisions) if decision)
    for decision, seat in open_ones:
        write_asked(message.asked.add(), seat, decision, kind_of(v), rules_of(v), table.limit_of(seat))


def write_asked(
    message: view_pb2.Asked, seat: int, decision: int, kind: int, rules: tuple[str, ...], limit: Limit | None
) -> None:
    """Write that a seat is asked something."""
    message.seat, message.decision_id = seat, decision
    message.kind = cast(view_pb2.DecisionKind, kind)
    if rules:
        message.rule_ids.extend(rules)
    if limit is not None:
        write_time(message.deadline, limit.until)


def write_decision(
    message: view_pb2.Decision,
    decision: int,
    kind: int,
    rules: tuple[str, ...],
    starter: bool,
    limit: Limit | None,
) -> None:
    """Write a question, all but how much time is left; of a choice only the frame."""
    message.id = decision
    if limit is not None:
        write_time(message.deadline, limit.until)
        if limit.bank is not None:
            write_duration(message.bank, limit.bank / 1000)
    if kind == ev.TURN:
        message.turn.starter = starter
    elif kind == ev.WINDOW:
        message.window.rule_ids.extend(rules)
