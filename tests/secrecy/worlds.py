"""Other worlds: deals and hidden answers that a seat cannot tell from what really happened.

A recording is one game: its deal and its actions. For a seat and a moment of it, a world is the same game with the
cards that the seat does not know changed among hands and blind cards, hidden answers changed with them or at will, and
another key; it counts if every action stays legal and the cards that lie open stay as they were. What lies open is
written down here once more, from the rules, so that a leak in the engine cannot hide by being part of it. Who is asked
what is no part of it: it has to follow from what lies open, and a world in which somebody else is asked ends there, for
all to see.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from itertools import islice
from operator import or_

from engine.actions import ANSWER, Action, answer
from engine.cards import BIT, OF_RANK, TWO, as_set, members, parse_card
from engine.choices import CARD, HAND
from engine.events import OPEN, Event
from engine.game import apply, new_match, start_game
from engine.legal import legal_moves
from engine.program import Program
from engine.reasons import IllegalAction
from engine.state import DEAL, State
from engine.view import open_choice
from tests.engine.stream import Stream
from tests.engine.tables import asked
from tests.exhaust.play import preferred

SPECTATOR = -1
REAL_KEY, OTHER_KEY = b"the real key", b"another key"


@dataclass(frozen=True)
class Deal:
    """How a game begins."""

    program: Program
    hands: tuple[int, ...]
    blind: int
    previous: tuple[int, ...] = ()


@dataclass
class World:
    """A game as it went: every state, what happened on the way to it, and the actions between."""

    deal: Deal
    states: list[State] = field(default_factory=list)
    events: list[list[Event]] = field(default_factory=list)
    actions: list[tuple[int, Action]] = field(default_factory=list)


def begin(deal: Deal, key: bytes) -> World:
    """Deal the cards."""
    s = new_match(deal.program)
    s.previous, s.game = list(deal.previous), 1 if deal.previous else 0
    s, events = start_game(s, key, deal.hands, deal.blind)
    return World(deal, [s], [events])


def add(world: World, seat: int, action: Action) -> None:
    """Let a seat act."""
    s, events = apply(world.states[-1], seat, action)
    world.states.append(s)
    world.events.append(events)
    world.actions.append((seat, action))


def record(program: Program, name: str, second_game: bool, hands: tuple[int, ...] = (), favoured: int = 0) -> World:
    """Play a game with moves from a stream, cards too unless they are given; a second game begins with its exchange.

    All cards of a favoured rank (as bits) are rather played together, in most games.
    """
    stream = Stream(name)
    mixed = stream.shuffled(members(program.deck))
    each = program.ruleset.cards_each()
    hands = hands or tuple([as_set(mixed[seat * each : (seat + 1) * each]) for seat in range(program.seats)])
    previous = tuple(stream.shuffled(range(program.seats))) if second_game else ()
    blind = program.deck
    for hand in hands:
        blind &= ~hand
    world = begin(Deal(program, hands, blind, previous), REAL_KEY)
    careful = favoured and stream.below(4)
    while world.states[-1].playing:
        s = world.states[-1]
        seat = stream.pick(asked(s))
        moves = list(islice(legal_moves(s, seat, s.hands[seat], open_choice(s, seat)), 300))
        if careful:
            moves = preferred(moves, s.hands[seat], favoured)
        add(world, seat, stream.pick(moves).action())
    return world


def question(s: State) -> str:
    """Say what kind of decision is open."""
    if not s.playing:
        return "over"
    if s.window_seats:
        return "window"
    if s.group is None:
        return "turn"
    partly = " partly answered" if any(held is not None for held in s.held) else ""
    if s.run_kind == DEAL:
        return "exchange" + partly
    if len(s.group.choices) > 1:
        return "group" + partly
    return "choice in order" if s.group.choices[0].ordered else f"choice of {s.group.rule}"


# --- what is known ---------------------------------------------------------------------------------------------------


def public_trace(s: State) -> tuple[object, ...]:
    """What the rules let everybody see: open cards, numbers of cards, who is out, and what binds."""
    field_cards = [(placed.seat, placed.play.key()) for placed in s.trick]
    sizes = [hand.bit_count() for hand in s.hands]
    out = (s.finished[:], s.fouled[:], s.fallen[:], s.places[:], s.totals[:])
    locks = [(lock.kind, lock.suits) for lock in s.locks]
    return (field_cards, s.discard, sizes, out, locks, s.revolution, s.order, s.laid_away.bit_count(), disclosed(s))


def disclosed(s: State) -> tuple[object, ...]:
    """What rules disclose by design, and lots before the first turn, which fall anew in every world."""
    opening = s.group is None and not s.trick and not s.discard
    way = s.program.ruleset.word("first_leader_next" if s.previous else "first_leader_initial")
    twos = (s.hands[s.previous[0]] & OF_RANK[TWO]).bit_count() if s.asking_rule == "antitrust_law" else 0
    lots = (opens(s, way), s.actor) if opening else ()
    return (lots, "tenpenchii" in s.notes, twos, tuple(s.seating))


def opens(s: State, way: str) -> int | None:
    """Return who holds the card whose holder opens, or who opens by lot, also if nobody holds it."""
    if way.startswith("holder_"):
        card = BIT[parse_card(way.removeprefix("holder_"))]
        return next((seat for seat in s.seating if s.hands[seat] & card), s.starter)
    return s.starter if way in ("lot", "rps_winner") else None


def asks(s: State) -> tuple[object, ...]:
    """Who is asked, and by which rules."""
    return (s.turn, s.passed, s.asking_rule, s.window_rules, [bool(decision) for decision in s.decisions])


def known_to(world: World, seat: int, steps: int) -> int:
    """The cards whose way a seat knows after some steps: those that lay open, and those it has held itself."""
    known = 0
    for s in world.states[: steps + 1]:
        known |= s.discard
        for placed in s.trick:
            known |= placed.play.cards
        if seat >= 0:
            known |= s.hands[seat]
        if seat == OPEN:
            known |= reduce(or_, s.hands)
    return known


# --- other worlds ----------------------------------------------------------------------------------------------------


def moved(cards: int, to: dict[int, int]) -> int:
    """Change cards as told."""
    return sum(1 << to.get(c, c) for c in members(cards))


def changes(world: World, seat: int, steps: int, stream: Stream) -> dict[int, int]:
    """Draw which unknown card becomes which: all of them anew, or only a few."""
    hidden = members(world.deal.program.deck & ~known_to(world, seat, steps))
    few = stream.pick((len(hidden), len(hidden), 2, 3, 4))
    some = stream.shuffled(hidden)[:few]
    return dict(zip(some, stream.shuffled(some)))


def other_world(world: World, seat: int, steps: int, stream: Stream) -> World | None:
    """Draw a world; None if what was drawn is none that the seat could believe in.

    It has fewer steps if somebody else is asked in it than really was.
    """
    to = changes(world, seat, steps, stream)
    deal = world.deal
    hands = tuple([moved(hand, to) for hand in deal.hands])
    other = begin(Deal(deal.program, hands, moved(deal.blind, to), deal.previous), OTHER_KEY)
    for k, (actor, action) in enumerate(world.actions[:steps]):
        if not looks_the_same(other, world, seat):
            return None
        if asks(other.states[-1]) != asks(world.states[k]):
            break
        if action.kind == ANSWER and actor != seat:
            action = other_answer(world, other, seat, k, steps, to, stream)
        try:
            add(other, actor, action)
        except IllegalAction:
            assert actor != seat, f"what seat {seat} may do after {k} steps depends on what it cannot know"
            return None
    return other if looks_the_same(other, world, seat) else None


def looks_the_same(other: World, world: World, seat: int) -> bool:
    """Whether a seat has just seen the same cards: open ones, and its own, which a rule may have drawn by lot."""
    k = len(other.states) - 1
    one, two = other.states[k], world.states[k]
    if public_trace(one) != public_trace(two) or (seat >= 0 and one.hands[seat] != two.hands[seat]):
        return False
    if seat == OPEN and one.hands != two.hands:
        return False
    return not k or in_the_open(other.states[k - 1], one) == in_the_open(world.states[k - 1], two)


def in_the_open(before: State, s: State) -> list[tuple[int, int]]:
    """What each seat has just laid open, and taken up from where it lay open."""
    return [(was & s.discard, is_now & before.discard) for was, is_now in zip(before.hands, s.hands)]


def other_answer(
    world: World, other: World, seat: int, k: int, steps: int, to: dict[int, int], stream: Stream
) -> Action:
    """Answer for somebody else: with the cards that the real ones have become, or where it stays hidden, freely."""
    actor, action = world.actions[k]
    choice = open_choice(other.states[-1], actor)
    if choice is None or choice.of != CARD or choice.zone != HAND:
        return action
    still_held = all(s.asking_rule == choice.rule for s in world.states[k + 1 : steps + 1])
    if (still_held or (choice.to_seat != seat and seat != OPEN)) and stream.below(2):
        s = other.states[-1]
        moves = islice(legal_moves(s, actor, s.hands[actor], choice), 300)
        sized = [move for move in moves if len(move.values) == len(action.values)]
        if sized:
            return stream.pick(sized).action()
    return answer(*[to.get(c, c) for c in action.values])


def worlds(world: World, seat: int, steps: int, stream: Stream, wanted: int, tries: int = 40) -> Iterator[World]:
    """Draw up to so many worlds that differ from the real one."""
    found = 0
    for _ in range(tries):
        other = other_world(world, seat, steps, stream)
        if other is not None and differs(world, other):
            yield other
            found += 1
            if found == wanted:
                return


def differs(world: World, other: World) -> bool:
    """Whether something hidden is really different."""
    one, two = world.states[len(other.states) - 1], other.states[-1]
    return one.hands != two.hands or one.blind != two.blind or one.held != two.held
