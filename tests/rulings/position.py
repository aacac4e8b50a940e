"""From a ruling to the engine: set up its position and take its steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Final

from engine import events as ev
from engine.actions import ADD, ANSWER, DRAW, DUMP, PASSING, PLAY, Action, Meaning, play_cards
from engine.cards import JACK, RANK, RANK_TEXT, TWO, as_set, cards_text, members
from engine.catalogue import Value
from engine.choices import CARD, FIELD, HAND, NUMBER, SEAT, YES_NO, Choice
from engine.choices import RANK as RANKS
from engine.finishing import close_game, place_of, score
from engine.game import apply, default_action, new_match, start_game
from engine.legal import plain_plays
from engine.locks import BLACK, RED
from engine.plays import ANY, SHAPE_TEXT, Play
from engine.program import Program
from engine.readings import means, readings
from engine.reasons import IllegalAction
from engine.ruleset import Ruleset, make_ruleset
from engine.state import (
    COLOR_LOCK,
    DOWN_LOCK,
    EVERYTHING_FROZEN,
    GAME,
    MATCH,
    NUMBER_LOCK,
    PARTIAL_LOCK,
    REVOLUTIONS_FROZEN,
    STOPPED_PROGRAM,
    SUIT_LOCK,
    TRICK,
    Back,
    Lock,
    Note,
    Placed,
    State,
)
from engine.steps import open_decision, set_order
from engine.strength import ends
from engine.view import open_choice
from tests.rulings.notation import SEATS, FieldPlay, Locks, Meant, Position, Ruling, Step

KNOWN: Final = frozenset(
    {
        *("elapsed", "spade_seat", "auto_pass", "disconnected", "first_turn", "fell_last", "finished_before"),
        *("arthur", "enhanced", "frozen", "frozen_revolution", "lucky", "reserved", "damian", "countdown", "keep_down"),
        "passes",
    }
)
"""Flags about seats and rules that this reader sets up, or that change nothing here."""
FILLINGS: Final = 6
"""How many ways of filling in the cards that do not matter each ruling is run with."""


class CannotSetUp(Exception):
    """The ruling speaks of something that the engine or this reader does not have yet."""


class NotAsked(Exception):
    """A step answers a choice that nobody has been asked."""


@dataclass
class Run:
    """A ruling as it went."""

    ruling: Ruling
    ruleset: Ruleset
    state: State
    events: list[ev.Event] = field(default_factory=list)
    """What the steps brought about; the set-up is not among it."""
    taken: int = 0
    """How many steps were legal."""
    refusal: IllegalAction | None = None
    totals_before: tuple[int, ...] = ()
    dealt: list[ev.Event] = field(default_factory=list)
    """What the set-up of an exchange brought about."""

    def finishes(self) -> list[ev.Finished]:
        """List who finished during the steps."""
        return [event for event in self.events if isinstance(event, ev.Finished)]

    def place(self, seat: int) -> int | None:
        """Return the place that a seat has, if it has one."""
        s = self.state
        if s.places:
            return s.places.index(seat) + 1
        return place_of(s, seat) if s.gone >> seat & 1 or seat in s.fallen else None

    def asked(self) -> int | None:
        """Return the seat that is asked next, or None when the game is over."""
        s = self.state
        if not s.playing:
            return None
        waiting = [seat for seat in range(s.seats) if s.decisions[seat]]
        return waiting[0] if waiting else s.turn

    def last_play(self) -> Play | None:
        """Return the last play that was put on the field."""
        plays = [event.play for event in self.events if isinstance(event, ev.CardsMoved) and event.to_zone == FIELD]
        return plays[-1] if plays else None


def run(ruling: Ruling, ruleset: Ruleset, filling: int = 0) -> Run:
    """Take the steps of a ruling from its position, filled in one of many ways."""
    told: list[ev.Event] = []
    answer = possible_answer(ruling, ruleset, filling)
    made = Run(ruling, ruleset, set_up(ruling, ruleset, Random(filling), told, answer), dealt=told)
    made.totals_before = tuple(made.state.totals)
    for step in ruling.steps:
        if step.seat < 0:
            happen(made, step.kind, filling)
        elif step.kind == "tribute" and not made.state.decisions[step.seat]:
            # suits have decided: it has been given
            assert [e for e in told if isinstance(e, ev.CardsMoved) and (e.from_zone, e.from_seat) == (HAND, step.seat)]
        else:
            try:
                made.state, events = apply(made.state, step.seat, action_of(made.state, step))
            except IllegalAction as refusal:
                made.refusal = refusal
                break
            made.events += events
        made.taken += 1
    return made


def possible_answer(ruling: Ruling, ruleset: Ruleset, filling: int) -> tuple[int, list[int]]:
    """Return cards that nobody is shown to hold and that answer the first play, and the seats where they can do that.

    A play is unanswerable only if no cards that are not shown could answer it.
    """
    first = ruling.steps[0]
    if first.kind != "play" or "unreturnable_flush" not in program_of(ruleset).rules:
        return NO_ANSWER
    s = set_up(ruling, ruleset, Random(filling), [])
    hidden = as_set(unused(ruling, s))
    filled = [
        seat for seat in range(s.seats) if seat not in ruling.position.hands or ruling.position.hands[seat].fillers
    ]
    takers = [seat for seat in filled if seat != first.seat and s.is_in(seat) and not s.passed >> seat & 1]
    answer, seat_asked = 0, s.seats
    for taker in takers:
        after = s.copy()
        others = as_set([card for seat, hand in enumerate(s.hands) if seat != taker for card in members(hand)])
        after.hands[taker] |= hidden & ~others
        try:
            for step in ruling.steps:
                after, _ = apply(after, step.seat, action_of(after, step))
        except (IllegalAction, NotAsked):
            return NO_ANSWER
        if after.trick and (after.turn == taker or after.turn not in takers) and not answer:
            together = as_set([card for seat in takers for card in members(after.hands[seat])])
            answers = islice(answers_to(after, taker, together), 1000)
            answer = min((cards & hidden for cards in answers), key=int.bit_count, default=0)
            seat_asked = taker
    return answer, [seat for seat in takers if seat >= seat_asked]


def answers_to(s: State, seat: int, hand: int) -> Iterator[int]:
    """Iterate over the cards of plays that would answer the field."""
    yield from [move.play.cards for move in plain_plays(s, seat, hand, ANY)]
    for rule in s.in_force().offering:
        yield from [move.play.cards for move in rule.offers(s, seat, hand) if move.kind == PLAY]


# --- the position ----------------------------------------------------------------------------------------------------


def program_of(ruleset: Ruleset) -> Program:
    """Compile a ruleset, once."""
    if ruleset.hash not in _PROGRAMS:
        _PROGRAMS[ruleset.hash] = Program(ruleset)
    return _PROGRAMS[ruleset.hash]


_PROGRAMS: dict[str, Program] = {}


NO_ANSWER: Final[tuple[int, list[int]]] = (0, [])


def set_up(
    ruling: Ruling, ruleset: Ruleset, rng: Random, told: list[ev.Event], answer: tuple[int, list[int]] = NO_ANSWER
) -> State:
    """Return the state before the steps; tell what has led to it in an exchange.

    `answer` are cards that some of these seats hold.
    """
    position = ruling.position
    s = new_match(program_of(ruleset))
    if position.players is not None and position.players != s.seats:
        raise CannotSetUp(f"{position.players} players")
    unknown = {*position.flags, *position.seats} - KNOWN
    if unknown:
        raise CannotSetUp(f"state of a rule that the engine does not have yet {sorted(unknown)}")
    if position.phase == "choice":
        raise CannotSetUp(f"phase {position.phase}")
    s.spade_seat = position.seats.get("spade_seat", (s.spade_seat,))[0]
    s.previous, s.before_previous = list(position.prev), list(position.prev2)
    fell = position.seats.get("fell_last", ())
    if fell and "no_lead_after_miyako_ochi" in s.program.rules:
        s.notes["no_lead_after_miyako_ochi"] = Note(MATCH, SEAT, fell)
    if position.flags.get("countdown"):
        s.notes["countdown_of_doom"] = Note(GAME, NUMBER, (position.flags["countdown"],))
    if position.flags.get("passes"):
        s.notes["pass_limit"] = Note(GAME, NUMBER, (position.flags["passes"],))
    taxed = (*fell, *position.seats.get("finished_before", ()))
    if fell and "capital_tax" in s.program.rules:
        s.notes["capital_tax"] = Note(MATCH, SEAT, taxed)
    hands = fill(ruling, s, rng, answer)
    if position.phase in ("deal", "start", "exchange"):
        s.game = number_of_game(position, s) - 1
        s.games = max(s.games, s.game + 1)
        if position.phase == "deal":
            s.kept_blinds = as_set(list(position.blind or ()))
        else:
            s.hands = hands
        return exchanging(s, position, told) if position.phase == "exchange" and ruling.steps[0].seat >= 0 else s
    s.hands, s.game, s.playing = hands, number_of_game(position, s), True
    s.games = max(s.games, s.game)
    s.blind = s.program.deck & ~as_set([c for hand in hands for c in members(hand)]) & ~shown(position)
    s.stock = rng.sample(members(s.blind), position.stock)
    s.blind &= ~as_set(s.stock)
    s.blind_count, s.stock_count = s.blind.bit_count(), len(s.stock)
    lay_out(s, position)
    if position.phase == "match_end":
        s.totals = [dict(position.totals).get(seat, 0) for seat in range(s.seats)]
        s.previous = list(position.last)
    if position.phase in ("rank", "score", "match_end", "after_exchange"):
        return s
    if position.phase == "response":
        return responding(s, position, ruling.position.trick[-1])
    if position.turn is None:
        raise CannotSetUp("nobody's turn")
    take_turn(s, position.turn, position.seats.get("first_turn", ()))
    return s


def number_of_game(position: Position, s: State) -> int:
    """Return which game of the match it is, from 1."""
    first = (position.round - 1) * s.program.games_in_round
    if position.game == "first":
        return first + 1
    if position.game == "last":
        return s.games
    return first + (int(position.game) if position.game else 2 if position.prev else 1)


def shown(position: Position) -> int:
    """Return all cards that the state names."""
    cards = [card for hand in position.hands.values() for card in hand.cards]
    cards += [meant.card for play in position.trick for meant in play.cards]
    return as_set([*cards, *(position.discard or ()), *(position.blind or ())])


def unused(ruling: Ruling, s: State) -> list[int]:
    """List the cards that may fill hands. Cards of ranks that a step names are left out: they would matter."""
    named = {word for step in ruling.steps for word in step.words}
    return [card for card in members(s.program.deck & ~shown(ruling.position)) if RANK_TEXT[RANK[card]] not in named]


def fill(ruling: Ruling, s: State, rng: Random, answer: tuple[int, list[int]]) -> list[int]:
    """Return the hands, with unused cards where the state does not say which, those of `answer` among them."""
    position = ruling.position
    free = [card for card in unused(ruling, s) if not answer[0] >> card & 1]
    needed = members(answer[0])
    rng.shuffle(free)
    hands = []
    gone = {seat for seat, _ in position.out} | {*position.foul, *position.fell, *position.defeated}
    open_seats = [seat for seat in range(s.seats) if seat not in position.hands]
    each = min(7, len(free) // max(1, len(open_seats)))
    for seat in range(s.seats):
        hand = position.hands.get(seat)
        if hand is not None:
            number = hand.fillers
        elif seat in gone:
            number = 0
        elif position.phase in ("exchange", "start"):
            number = each
        else:
            number = rng.randint(2, 5)
        kept = needed[:number] if seat in answer[1] else []
        needed = [card for card in needed if card not in kept]
        filled, free = kept + free[: number - len(kept)], free[number - len(kept) :]
        if len(filled) < number:
            raise CannotSetUp("not enough cards")
        hands.append(as_set([*(hand.cards if hand is not None else ()), *filled]))
    return hands


def lay_out(s: State, position: Position) -> None:
    """Put everything on the table that the state names, except whose turn it is."""
    set_strength(s, position)
    s.turned = 0 if position.clockwise else 1
    s.finished = [seat for seat, _ in sorted(position.out, key=lambda pair: pair[1])]
    s.fouled, s.fallen, s.defeated = list(position.foul), list(position.fell), list(position.defeated)
    if position.flags.get("damian"):
        s.defeated.reverse()
    for seat in (*s.finished, *s.fouled, *s.fallen, *s.defeated):
        s.gone |= 1 << seat
    s.discard = as_set(list(position.discard or ()))
    for seat in position.passed:
        s.passed |= 1 << seat
    for play in position.trick:
        put(s, play)
    set_lock(s, position.lock)
    if position.flags.get("keep_down"):
        s.locks.append(Lock(DOWN_LOCK, s.trick[-1].play.suits))


def set_strength(s: State, position: Position) -> None:
    """Put the order of strength in force: revolution, backs, and what rules have frozen or moved."""
    flags = position.flags
    s.revolution = position.rev or position.order == "K..A"
    s.from_ace, s.joker_above_ten = bool(position.order), bool(flags.get("arthur"))
    s.reserved_revolutions = flags.get("reserved", 0)
    s.backs = backs_of(s, position)
    if flags.get("frozen"):
        s.freeze, s.program_number = EVERYTHING_FROZEN, STOPPED_PROGRAM
    elif flags.get("frozen_revolution"):
        s.freeze = REVOLUTIONS_FROZEN
    if flags.get("damian"):
        s.notes["triple_six_effect"] = Note(TRICK, NUMBER, (len(s.defeated),))
    set_order(s, "")


def backs_of(s: State, position: Position) -> list[Back]:
    """Return as many backs as the state says; the plays on the field tell by which rules, the last ones first."""
    if position.flags.get("enhanced"):
        jacks = position.trick and all(RANK[meant.card] == JACK for meant in position.trick[-1].cards)
        return [Back("enhanced_jack_back", 2 if jacks else 1)]
    ranks = [RANK[play.cards[0].card] for play in position.trick]
    rules = [{JACK: "jack_back", TWO: "two_back"}[rank] for rank in ranks if rank in (JACK, TWO)]
    usual = "jack_back" if "jack_back" in s.program.rules else "two_back"
    missing = max(0, position.back - len(rules))
    return [Back(rule, 1) for rule in [*[usual] * missing, *rules][-position.back :]] if position.back else []


def put(s: State, play: FieldPlay) -> None:
    """Put a play of the trick on the field, with the reading that is strongest now among those that it can have."""
    cards = as_set([meant.card for meant in play.cards])
    found = [r for r in readings(s.program.shapes, cards, s.order) if means(r, meanings_of(play.cards))]
    if s.trick:
        top = s.trick[-1].play
        found = [r for r in found if (r.shape, r.step) == (top.shape, top.step)] or found
    if not found:
        raise CannotSetUp(f"{cards_text(cards)} is no play")
    if not s.trick:
        s.starter = play.seat
    s.trick.append(Placed(play.seat, max(found, key=lambda reading: ends(s.order, reading)), s.order))
    s.owner = play.seat


def set_lock(s: State, lock: Locks) -> None:
    """Put a lock in force."""
    if lock.partial:
        s.locks.append(Lock(PARTIAL_LOCK, sum(1 << 4 * suit for suit in lock.partial)))
    if lock.color:
        s.locks.append(Lock(COLOR_LOCK, RED if lock.color == "red" else BLACK))
    if lock.number:
        s.locks.append(Lock(NUMBER_LOCK, 0))
    if lock.suits:
        suits = sum(1 << 4 * suit for suit in lock.suits)
        top = s.trick[-1].play.suits if s.trick else 0
        if {suit for suit in range(4) if top >> 4 * suit & 15} == lock.suits:
            suits = top
        s.locks.append(Lock(SUIT_LOCK, suits))


def take_turn(s: State, seat: int, firsts: tuple[int, ...] = ()) -> None:
    """Make it a seat's turn, the first one of some seats, and ask it."""
    s.turn = seat
    if not s.trick:
        s.starter = seat
    s.had_turn = (1 << s.seats) - 1
    for first in firsts:
        s.had_turn &= ~(1 << first)
    open_decision(s, seat, ev.TURN)


def responding(s: State, position: Position, last: FieldPlay) -> State:
    """Go back before the last play, make it, and let the counter go by until the seat to act is asked."""
    s.trick.pop()
    s.owner = s.trick[-1].seat if s.trick else -1
    cards = as_set([meant.card for meant in last.cards])
    s.hands[last.seat] |= cards
    s.gone &= ~(1 << last.seat)
    s.finished = [seat for seat in s.finished if seat != last.seat]
    s.fouled = [seat for seat in s.fouled if seat != last.seat]
    if not s.program.passes_lock_out:
        s.passed = 0
    take_turn(s, last.seat)
    s, _ = apply(s, last.seat, play_cards(cards, 0, meanings_of(last.cards)))
    while position.turn in s.window_seats and s.window_seats[0] != position.turn:
        s, _ = apply(s, s.window_seats[0], PASSING)
    return s


def exchanging(s: State, position: Position, told: list[ev.Event]) -> State:
    """Deal the hands, and complete as many exchanges as the state says."""
    received = as_set(list(position.received))
    if received:
        s.hands[s.previous[0]] &= ~received
        s.hands[s.previous[-1]] |= received
    s, events = start_game(s, b"ruling", tuple(s.hands))
    told += events
    if s.group is None:
        raise CannotSetUp("there is no exchange")
    seats = [choice.seat for choice in s.group.choices][: 2 * position.exchange_done]
    for seat in seats:
        s, _ = apply(s, seat, default_action(s, seat))
    return s


# --- the steps -------------------------------------------------------------------------------------------------------


def happen(made: Run, kind: str, filling: int) -> None:
    """Let happen what happens by itself."""
    s = made.state
    if kind in ("rank", "score"):
        close_game(s)
        score(s)
    elif kind == "antitrust":
        # the exchange is over: a game without one comes to the law at once
        over = new_match(without(made.ruleset, card_exchange=0))
        over.previous, over.game, over.games = s.previous, s.game - 1, s.games
        made.state, made.events = start_game(over, b"ruling", tuple(s.hands))
        while made.state.group is not None:
            seat = next(seat for seat in range(s.seats) if made.state.decisions[seat])
            made.state, events = apply(made.state, seat, default_action(made.state, seat))
            made.events += events
    elif kind in ("deal", "deal_order", "start", "exchange", "tenpenchii"):
        hands = () if kind.startswith("deal") else tuple(s.hands)
        s.hands = [0] * s.seats
        made.state, made.events = start_game(s, seed_of(made, filling), hands)
        while kind == "start" and made.state.group is not None:
            seat = next(seat for seat in range(s.seats) if made.state.decisions[seat])
            made.state, events = apply(made.state, seat, default_action(made.state, seat))
            made.events += events
    elif kind == "match_result":
        s.playing = False
    else:
        raise CannotSetUp(kind)


def seed_of(made: Run, filling: int) -> bytes:
    """Return a seed; one that leaves over the cards which the state says, where jokers may be left over."""
    left = as_set(list(made.ruling.position.leftover))
    seed = filling.to_bytes(4, "big")
    while left and start_game(new_match(without(made.ruleset, joker_always_dealt=False)), seed)[0].blind & left != left:
        seed += b"+"
    return seed


def without(ruleset: Ruleset, **changes: Value) -> Program:
    """Compile a ruleset with something switched off."""
    return program_of(make_ruleset(ruleset.preset, {**ruleset.changes(), **changes}, ruleset.seats))


def meanings_of(cards: Iterable[Meant]) -> tuple[Meaning, ...]:
    """Return what the jokers of a play are said to stand for."""
    return tuple(Meaning(meant.card, meant.rank, meant.suit) for meant in cards if meant.rank >= 0)


def action_of(s: State, step: Step) -> Action:
    """Return the action that a step means; answers to choices look at what is asked."""
    cards = as_set([meant.card for meant in step.cards])
    if step.kind == "play":
        shape = SHAPE_TEXT.index(step.reading) if step.reading else 0
        return play_cards(cards, shape, meanings_of(step.cards))
    if step.kind in ("pass", "auto"):
        return PASSING
    if step.kind in ("timeout", "cpu", "tribute"):
        return default_action(s, step.seat)
    if step.kind in ("draw", "add", "dump"):
        return Action({"draw": DRAW, "add": ADD, "dump": DUMP}[step.kind], cards)
    choice = open_choice(s, step.seat)
    if choice is None:
        raise NotAsked(f"{SEATS[step.seat]} has nothing to {step.kind}")
    return Action(ANSWER, values=values_of(step, choice))


def values_of(step: Step, choice: Choice) -> tuple[int, ...]:
    """Return a step's answer to a choice."""
    if step.to >= 0 and choice.to_seat != step.to:
        raise NotAsked(f"{choice.rule} gives to {SEATS[choice.to_seat]}")
    if choice.of == CARD:
        if step.any >= 0:
            return tuple([*choice.required, *[o for o in choice.options if o not in choice.required]][: step.any])
        return tuple(meant.card for meant in step.cards)
    if choice.of == RANKS:
        return tuple(RANK_TEXT.index(word) for word in step.words)
    if choice.of == SEAT:
        return tuple(SEATS.index(word) for word in step.words)
    if choice.of == YES_NO:
        return tuple(int(word == "yes") for word in step.words)
    return tuple(int(word) for word in step.words)
