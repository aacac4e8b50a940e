"""One random match on a random table, looked at closely."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from engine.actions import play_cards
from engine.cards import JOKER, OF_RANK, PACK, as_set, count, members
from engine.events import Event
from engine.game import advance, begin_game, is_match_over, new_match
from engine.legal import check
from engine.moves import Move
from engine.options import Options
from engine.program import Program
from engine.reasons import IllegalAction
from engine.saving import load, save
from engine.state import State
from engine.view import open_choice
from tests.engine.stream import Stream
from tests.engine.tables import asked
from tests.engine.values import plain

GAMES: Final = 3
"""Of a match: the second has titles, the third those of two games."""

ABOUT_ITS_OWN_PLAY: Final = ("salvage", "optional_revolution", "jack_back", "triple_six_effect")
"""Rules that ask a seat without cards, before it goes out: its last play may turn the order or bring back a card."""

MOST_LISTED: Final = 300
"""Where more moves than that can be made no rank is favoured."""

FAIR: Final = 0
BY_RANK: Final = 1
BY_SUIT: Final = 2
FAVOURED: Final = 3


def play(program: Program, stream: Stream, favoured: int = 0) -> int:
    """Play a match of random games; return the number of actions. Raises whatever goes wrong.

    Where ranks are favoured (as bits) some hands have all of one, and it is rather played than others.
    """
    s = new_match(program, GAMES)
    known = Options(program)
    eager = stream.pick([1, 3, 60])
    favoured_in_play = favoured if stream.below(2) else 0
    actions = 0
    while not is_match_over(s):
        told: list[Event] = []
        begin_game(s, stream.name.encode(), *deal(program, stream, favoured), told)
        while s.playing:
            seat = stream.pick(asked(s))
            attempt(s, seat, stream)
            advance(s, seat, pick(known, s, seat, stream, eager, favoured_in_play), told)
            told.clear()
            look_over(s)
            if not stream.below(100):
                assert plain(load(s.program, save(s))) == plain(s), "a state that is saved and loaded is the same"
        actions += s.actions
    return actions


def pick(known: Options, s: State, seat: int, stream: Stream, eager: int, favoured: int) -> Move:
    """Pick a move, of some drawn ones the one with the most cards: rare rules want many."""
    number = known.look(s, seat)
    if favoured and number <= MOST_LISTED:
        return stream.pick(preferred([known.move(i) for i in range(number)], s.hands[seat], favoured))
    drawn = [known.move(stream.below(number)) for _ in range(min(eager, number))]
    return max(drawn, key=lambda move: move.play.size)


def preferred(moves: list[Move], hand: int, favoured: int) -> list[Move]:
    """Return the largest moves that play all cards of a favoured rank; if there are none, those that play no such."""
    sets = [hand & OF_RANK[rank] for rank in range(JOKER + 1) if favoured >> rank & 1 and hand & OF_RANK[rank]]
    whole = [move for move in moves if any([cards & ~move.play.cards == 0 for cards in sets])]
    if whole:
        most = max([move.play.size for move in whole])
        return [move for move in whole if move.play.size == most]
    return [move for move in moves if not any([cards & move.play.cards for cards in sets])] or moves


def attempt(s: State, seat: int, stream: Stream) -> None:
    """Ask of some cards of a hand whether they could be played: mostly they cannot."""
    if stream.below(4):
        return
    held = members(s.hands[seat])
    if not held:
        return
    first = stream.pick(held)
    cards = in_a_suit(s, held, first, stream) if not stream.below(3) else nearly_a_group(held, first, stream)
    with suppress(IllegalAction):
        check(s, seat, s.hands[seat], open_choice(s, seat), play_cards(as_set(cards)))


def nearly_a_group(held: list[int], first: int, stream: Stream) -> list[int]:
    """Pick cards that mostly have one rank."""
    cards = [c for c in held if c % PACK // 4 == first % PACK // 4 or not stream.below(6)]
    return cards[: 1 + stream.below(4)]


def in_a_suit(s: State, held: list[int], first: int, stream: Stream) -> list[int]:
    """Pick as many cards of a suit as lie on the field, from one upwards, and jokers for what is not there."""
    size = s.top().size or 3 + stream.below(2)
    jokers = [c for c in held if c % PACK // 4 == JOKER]
    suit = [c for c in held if c % 4 == first % 4 and c not in jokers and 0 <= c // 4 - first // 4 < size]
    return (suit + jokers if stream.below(2) else jokers[:1] + suit)[:size]


def deal(program: Program, stream: Stream, favoured: int = 0) -> tuple[tuple[int, ...], int]:
    """Draw hands of equal cards next to each other, or none: then the engine deals."""
    kind = stream.pick([FAIR, FAIR, BY_RANK, BY_SUIT] if not favoured else [FAIR, BY_RANK, FAVOURED, FAVOURED])
    ruleset = program.ruleset
    if kind == FAIR or ruleset.word("deal_method") == "small_hand_2p":
        return (), 0
    each = ruleset.cards_each()
    hands = dealt_to(program, each, stream, favoured) if kind == FAVOURED else in_a_row(program, each, stream, kind)
    given = 0
    for hand in hands:
        given |= hand
    return tuple(hands), program.deck & ~given


def in_a_row(program: Program, each: int, stream: Stream, kind: int) -> list[int]:
    """Deal from a pack in which equal ranks, or sequences, lie more or less together."""
    noise = stream.pick([1, 2, 4, 12])
    wild = stream.below(13)
    near = {}
    for c in members(program.deck):
        rank = c % PACK // 4
        if kind == BY_RANK:
            rank = wild if rank == JOKER else rank
        near[c] = stream.below(noise) + (rank if kind == BY_RANK else c % 4 * 13 + rank)
    cards = sorted(members(program.deck), key=lambda c: (near[c], stream.below(1000)))
    at = stream.below(len(cards))
    cards = cards[at:] + cards[:at]
    return [as_set(cards[i * each : (i + 1) * each]) for i in range(program.seats)]


def dealt_to(program: Program, each: int, stream: Stream, favoured: int) -> list[int]:
    """Deal all cards of each favoured rank to one hand, as far as there is room, and the others at random."""
    hands = [0] * program.seats
    cards = stream.shuffled(members(program.deck))
    one = stream.below(program.seats)
    together = not stream.below(3)
    for rank in range(JOKER + 1):
        seat = one if together else stream.below(program.seats)
        for c in [c for c in cards if c % PACK // 4 == rank]:
            if favoured >> rank & 1 and hands[seat].bit_count() < each:
                hands[seat] |= 1 << c
                cards.remove(c)
    for seat in range(program.seats):
        room = each - hands[seat].bit_count()
        hands[seat] |= as_set(cards[:room])
        cards = cards[room:]
    return hands


def look_over(s: State) -> None:
    """Check what holds at every moment: the cards, who is asked, the places."""
    zones = [*s.hands, s.blind, s.laid_away, s.discard, *[placed.play.cards for placed in s.trick]]
    zones += [1 << c for c in s.stock]
    everything = 0
    for cards in zones:
        assert not everything & cards, "a card is in two places"
        everything |= cards
    assert everything == s.program.deck, "a card is lost"
    assert (s.blind_count, s.laid_away_count) == (count(s.blind), count(s.laid_away))
    if s.playing:
        assert asked(s), "nobody is asked"
        for seat in asked(s):
            assert not s.gone >> seat & 1, "a seat that is out is asked"
            assert s.hands[seat] or s.asking_rule in ABOUT_ITS_OWN_PLAY, "a seat without cards is asked"
    else:
        assert sorted(s.places) == list(range(s.seats)), "everybody has a place"
