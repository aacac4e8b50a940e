"""Plays: what cards put down together mean, and which plays a hand holds."""

from __future__ import annotations

from itertools import combinations as choose
from typing import TYPE_CHECKING, Final

from engine.actions import Meaning
from engine.cards import (
    BEYOND,
    BIT,
    JOKER,
    JOKERS,
    NO_SUIT,
    ONE_PACK,
    PACK,
    RANK,
    REAL,
    SUIT,
    cards_text,
    count,
    jokers_of,
    members,
)
from engine.native import i64
from engine.orders import FROM_ACE, is_reversed, position, rank_at

if TYPE_CHECKING:
    from engine.field import Fields

ANY: Final = 0
SINGLE: Final = 1
GROUP: Final = 2
SEQUENCE: Final = 3
EMPEROR: Final = 4
ARITHMETIC: Final = 5
"""The shapes from SEQUENCE on are rows of ranks: rules hold for all of them but where they speak of one."""
SHAPE_TEXT: Final = ("any", "single", "group", "sequence", "emperor", "arithmetic")


class Play:
    """Cards with one meaning. `low` is the rank of a single or group (13: jokers only).

    For other shapes it is the place of the lowest card in the row of ranks that is in force (`orders.position`), and
    every further card stands `step` places higher; the row may begin at -1 or end at 13, where a joker stands beyond
    the strongest rank. `suits` counts the real cards' suits, four bits each (a sequence counts its one suit once), and
    those that jokers of a group have been given (`declared`); an emperor has all four. `ranks` has a bit for each rank
    represented.
    """

    def __init__(
        self,
        cards: int,
        shape: int,
        size: int,
        low: int,
        suits: int,
        jokers: int,
        ranks: int,
        declared: tuple[Meaning, ...] = (),
        step: int = 1,
    ) -> None:
        self.cards = cards
        self.shape: i64 = shape
        self.size: i64 = size
        self.low: i64 = low
        self.suits: i64 = suits
        self.jokers: i64 = jokers
        self.ranks: i64 = ranks
        self.declared = declared
        self.step: i64 = step
        self.fields: Fields | None = None
        """What rules have said of it while it lay on the field, see `field.py`; not part of the value."""
        self.total: i64 = -1
        """What is printed on its cards, added up, once somebody has asked; not part of the value."""

    @property
    def high(self) -> int:
        """The place of a sequence's highest card; a group's own rank."""
        return self.low if self.shape in (SINGLE, GROUP) else self.low + (self.size - 1) * self.step

    def made_of(self, cards: int) -> Play:
        """Return the same play made of other, equal cards."""
        jokers = members(cards & JOKERS) if self.declared else []
        declared = tuple([Meaning(j, m.rank, m.suit) for j, m in zip(jokers, self.declared)])
        return Play(cards, self.shape, self.size, self.low, self.suits, self.jokers, self.ranks, declared, self.step)

    def meanings(self) -> tuple[Meaning, ...]:
        """Say what each joker stands for; nothing for jokers that stand for themselves."""
        if self.declared or not self.jokers or self.low == JOKER:
            return self.declared
        jokers = members(self.cards & JOKERS)
        if self.shape in (SINGLE, GROUP):
            return tuple([Meaning(j, self.low, NO_SUIT) for j in jokers])
        real = members(self.cards & REAL)
        held = [RANK[c] for c in real]
        missing = [r for r in range(13) if self.ranks >> r & 1 and r not in held]
        missing += [BEYOND] * (len(jokers) - len(missing))
        return tuple([Meaning(j, r, SUIT[real[0]]) for j, r in zip(jokers, missing)])

    def key(self) -> tuple[int, int, int, int, int]:
        """Return a plain value that is equal for plays of the same cards with the same meaning."""
        return (self.cards, self.shape, self.low, self.suits, self.step)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Play) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        return f"<{SHAPE_TEXT[self.shape]} {cards_text(self.cards)} from {self.low}>"


NO_PLAY: Final = Play(0, ANY, 0, -2, 0, 0, 0)
"""No cards at all: what lies on an empty field, and what a pass puts down."""


NO_SEQUENCES: Final = 99
"""As the least length: longer than any hand."""


class Shapes:
    """Which shapes a ruleset has and what jokers may do in them."""

    def __init__(
        self,
        most_in_group: int = 8,
        sequence_least: int = 3,
        sequence_most: int = 14,
        joker_in_group: bool = True,
        joker_in_sequence: bool = True,
        beyond: bool = True,
        emperor: bool = False,
        arithmetic: bool = False,
        same_step: bool = True,
        both_ends: bool = False,
        joker_suits: bool = False,
    ) -> None:
        self.most_in_group = most_in_group
        self.sequence_least = sequence_least
        self.sequence_most = sequence_most
        self.joker_in_group = joker_in_group
        self.joker_in_sequence = joker_in_sequence
        self.beyond = beyond
        self.emperor = emperor
        self.arithmetic = arithmetic
        self.same_step = same_step
        """Whether an arithmetic sequence is answered with the same difference only."""
        self.rows = emperor or arithmetic
        self.both_ends = both_ends
        """A joker may also stand beyond the end of the ranks that is weak now."""
        self.joker_suits = joker_suits
        """A joker in a group has one of the suits that the group lacks, as its player says."""
        self.groups: list[Play | None] = [None] * (14 << 6)
        """The singles and groups of one pack, made when they are first wanted."""
        self.suited: dict[int, Play] = {}
        """The same where jokers have suits."""

    def group(self, cards: int, rank: int, size: int, jokers: int) -> Play:
        """Return the single or group of `rank` that these cards are; of one pack always the same object."""
        if cards >= ONE_PACK:
            return rank_group(cards, rank, size, jokers)
        at = rank << 6 | (cards >> 4 * rank & 15) << 2 | cards >> 52
        play = self.groups[at]
        if play is None:
            play = rank_group(cards, rank, size, jokers)
            self.groups[at] = play
        return play

    def with_suits(self, group: Play, suits: int) -> Play:
        """Return a group whose jokers have been given a set of suits that it lacks, the lowest joker the first one."""
        key = group.cards << 4 | suits
        play = self.suited.get(key)
        if play is None:
            jokers = members(group.cards & JOKERS)
            named = [*[suit for suit in range(4) if suits >> suit & 1], *[NO_SUIT] * len(jokers)]
            declared = tuple([Meaning(j, group.low, suit) for j, suit in zip(jokers, named)])
            counted = group.suits + SPREAD[suits]
            play = Play(group.cards, group.shape, group.size, group.low, counted, group.jokers, group.ranks, declared)
            if group.cards < ONE_PACK:
                self.suited[key] = play
        return play


def rank_group(cards: int, rank: int, size: int, jokers: int) -> Play:
    """Return the single or group of `rank` made of these cards."""
    suits = 0
    if rank != JOKER:
        suits = SPREAD[cards >> 4 * rank & 15]
        if cards >= ONE_PACK:
            suits += SPREAD[cards >> PACK + 4 * rank & 15]
    return Play(cards, SINGLE if size == 1 else GROUP, size, rank, suits, jokers, 1 << rank)


def sequence(cards: int, low: int, size: int, suit: int, jokers: int, order: int) -> Play:
    """Return the sequence of `suit` from the place `low` upwards made of these cards."""
    ranks = 0
    for place in range(max(low, 0), min(low + size, 13)):
        ranks |= 1 << rank_at(order, place)
    return Play(cards, SEQUENCE, size, low, 1 << 4 * suit, jokers, ranks)


def with_suits(shapes: Shapes, groups: list[Play]) -> list[Play]:
    """Give the jokers of groups every set of suits that these lack, where jokers have suits; others go unchanged.

    A joker beyond four suits has none.
    """
    if not shapes.joker_suits:
        return groups
    found: list[Play] = []
    for g in groups:
        if not g.jokers or g.low == JOKER:
            found.append(g)
            continue
        free = [suit for suit in range(4) if not g.suits >> 4 * suit & 15]
        for chosen in choose(free, min(g.jokers, len(free))):
            found.append(shapes.with_suits(g, sum([1 << suit for suit in chosen])))
    return found


def in_bounds(shapes: Shapes, low: int, size: int, order: int) -> bool:
    """Say whether a sequence may span these places; a joker may stand one step beyond the end that is strong now."""
    high = low + size - 1
    if shapes.both_ends:
        return low >= -1 and high <= 13
    if shapes.beyond:
        return (low >= -1 and high <= 12) if is_reversed(order) else (low >= 0 and high <= 13)
    return low >= 0 and high <= 12


# --- what a hand holds -----------------------------------------------------------------------------------------------

SUBSETS: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(sorted((s for s in range(1, 16) if s & mask == s), key=lambda s: (s.bit_count(), s))) for mask in range(16)
)
"""The non-empty subsets of each set of four suits, small ones first."""
POPULATION: Final[tuple[int, ...]] = tuple(mask.bit_count() for mask in range(16))
"""How many suits each set of four has."""
ONE_SUIT: Final[int] = sum(1 << 4 * rank for rank in range(13))
"""The spades of one pack; a hand shifted down by a suit has that suit there."""
SPREAD: Final[tuple[int, ...]] = tuple(
    sum(1 << 4 * suit for suit in range(4) if mask >> suit & 1) for mask in range(16)
)
"""Each set of four suits, counted four bits a suit."""


def real_groups(hand: int, rank: int, size: int = 0) -> list[int]:
    """List the sets of equal rank that a hand holds, cards of two packs folded; `size` 0 for all sizes."""
    if hand < ONE_PACK:
        return groups_in_pack(hand, rank, size)
    first = hand >> 4 * rank & 15
    second = hand >> PACK + 4 * rank & 15
    if POPULATION[first] + POPULATION[second] < size:
        return []
    if size:
        return [cards for cards in real_groups(hand, rank) if count(cards) == size]
    both: list[int] = []
    for s1 in (0, *SUBSETS[first]):
        for s2 in (0, *SUBSETS[second]):
            if not s2 & first & ~s1 and s1 | s2:
                both.append(s1 << 4 * rank | s2 << PACK + 4 * rank)
    return both


def groups_in_pack(hand: i64, rank: i64, size: i64) -> list[int]:
    """List the sets of equal rank that a hand of one pack holds; `size` 0 for all sizes."""
    held = SUBSETS[hand >> 4 * rank & 15]
    if not size:
        return [suits << 4 * rank for suits in held]
    return [suits << 4 * rank for suits in held if POPULATION[suits] == size]


def lowest(cards: int, number: int) -> int:
    """Return the `number` lowest cards of a set."""
    found = 0
    for _ in range(number):
        bit = cards & -cards
        found |= bit
        cards ^= bit
    return found


def groups_of(shapes: Shapes, hand: int, rank: int, size: int) -> list[Play]:
    """List the singles and groups of a rank that a hand holds (13: jokers only); `size` 0 for all sizes."""
    found: list[Play] = []
    first = hand >> 4 * rank & 15
    second = hand >> PACK + 4 * rank & 15 if hand >= ONE_PACK else 0
    if rank != JOKER and not first | second:
        return found
    jokers = jokers_of(hand)
    held = count(jokers) if jokers else 0
    if rank == JOKER:
        sizes = range(1, held + 1) if shapes.joker_in_group else range(1, min(held, 1) + 1)
        return [shapes.group(lowest(jokers, j), JOKER, j, j) for j in sizes if size in (0, j)]
    usable = held if shapes.joker_in_group else 0
    if POPULATION[first] + POPULATION[second] + usable < size:
        return found
    if not second:
        for suits in SUBSETS[first]:
            n = POPULATION[suits]
            if size and n > size:
                break
            join(found, shapes, suits << 4 * rank, n, rank, size, jokers, usable)
    else:
        for real in real_groups(hand, rank):
            join(found, shapes, real, count(real), rank, size, jokers, usable)
    return with_suits(shapes, found) if usable else found


def join(found: list[Play], shapes: Shapes, real: int, n: int, rank: int, size: int, jokers: int, usable: int) -> None:
    """Append the groups that `n` real cards form alone and with jokers; `size` 0 for all sizes."""
    if not size:
        for j in range(min(usable, shapes.most_in_group - n) + 1):
            found.append(shapes.group(real | lowest(jokers, j), rank, n + j, j))
    elif n <= size <= n + usable:
        found.append(shapes.group(real | lowest(jokers, size - n), rank, size, size - n))


def sequences_of(shapes: Shapes, hand: int, suit: int, size: int, order: int) -> list[Play]:
    """List the sequences of a suit that a hand holds, by lowest place and length; `size` 0 for all lengths."""
    found: list[Play] = []
    jokers = jokers_of(hand)
    usable = count(jokers) if jokers and shapes.joker_in_sequence else 0
    shortest, longest = size or shapes.sequence_least, size or shapes.sequence_most
    if not usable and shortest >= 3 and not order & FROM_ACE and hand < ONE_PACK:
        mine = hand >> suit & ONE_SUIT
        if not mine & mine >> 4 & mine >> 8:
            return found  # no three in a row
    at = held_by_place(hand, suit, order)
    if 16 - at.count(-1) + usable < shortest:
        return found
    for low in range(-1, 15 - shortest):
        held: list[int] = []
        for high in range(low, min(low + longest, 14)):
            if at[high + 1] >= 0:
                held.append(at[high + 1])
            n = high - low + 1
            if n - len(held) > usable:
                break
            if n >= shortest and held and in_bounds(shapes, low, n, order):
                fill(found, held, jokers, usable, sequence(0, low, n, suit, 0, order))
    return found


def held_by_place(hand: int, suit: int, order: int) -> list[int]:
    """Return the card of a suit that a hand holds for each place from -1 to 14, the first pack's first; -1 for none."""
    at = [-1] * 16
    for rank in range(13):
        c = 4 * rank + suit
        if hand >> c & 1:
            at[position(order, rank) + 1] = c
        elif hand >= ONE_PACK and hand >> PACK + c & 1:
            at[position(order, rank) + 1] = PACK + c
    return at


def fill(found: list[Play], held: list[int], jokers: int, usable: int, span: Play) -> None:
    """Append the plays that fill a span: jokers fill the gaps, and may also stand for cards that stay in the hand."""
    everything = 0
    for c in held:
        everything |= BIT[c]
    missing = span.size - len(held)
    for spare in range(min(usable - missing, len(held) - 1) + 1):
        for kept in combinations(held, spare):
            cards = everything & ~kept | lowest(jokers, missing + spare)
            number = missing + spare
            found.append(Play(cards, span.shape, span.size, span.low, span.suits, number, span.ranks, (), span.step))


def combinations(cards: list[int], number: int) -> list[int]:
    """List the sets of `number` of these cards."""
    if not number:
        return [0]
    found: list[int] = []
    for i in range(len(cards) - number + 1):
        for rest in combinations(cards[i + 1 :], number - 1):
            found.append(BIT[cards[i]] | rest)
    return found
