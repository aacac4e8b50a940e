"""Cards and sets of cards as integers.

A card is `4*rank + suit` (ranks 3..2 are 0..12, suits S H D C are 0..3), jokers are 52 and 53, and a second pack
continues at 54. A set of cards is an int with one bit per card.
"""

from __future__ import annotations

from typing import Final

from engine.native import i64

SPADE: Final = 0
HEART: Final = 1
DIAMOND: Final = 2
CLUB: Final = 3
NO_SUIT: Final = 4
"""The suit of a joker."""

THREE: Final = 0
FOUR: Final = 1
FIVE: Final = 2
SIX: Final = 3
SEVEN: Final = 4
EIGHT: Final = 5
NINE: Final = 6
TEN: Final = 7
JACK: Final = 8
QUEEN: Final = 9
KING: Final = 10
ACE: Final = 11
TWO: Final = 12
JOKER: Final = 13
"""The rank of a joker that stands for itself."""
BEYOND: Final = 14
"""What a joker in a sequence stands for one step past the strongest rank: above 2, below 3 while reversed."""

PACK: Final = 54
RANK_TEXT: Final = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2", "JK")
SUIT_TEXT: Final = ("S", "H", "D", "C")

RANK: Final[tuple[int, ...]] = tuple((c % PACK) // 4 if c % PACK < 52 else JOKER for c in range(2 * PACK))
"""The rank of each card."""
SUIT: Final[tuple[int, ...]] = tuple(c % PACK % 4 if c % PACK < 52 else NO_SUIT for c in range(2 * PACK))
"""The suit of each card."""
BIT: Final[tuple[int, ...]] = tuple(1 << c for c in range(2 * PACK))
"""Each card as a set of one."""
OF_RANK: Final[tuple[int, ...]] = tuple(sum(1 << c for c in range(2 * PACK) if RANK[c] == rank) for rank in range(14))
"""All cards of a rank; entry 13 holds the jokers."""
OF_SUIT: Final[tuple[int, ...]] = tuple(sum(1 << c for c in range(2 * PACK) if SUIT[c] == suit) for suit in range(5))
"""All cards of a suit; entry 4 holds the jokers."""
JOKERS: Final[int] = sum(1 << c for c in range(2 * PACK) if RANK[c] == JOKER)
REAL: Final[int] = sum(1 << c for c in range(2 * PACK) if RANK[c] != JOKER)

ONE_PACK: Final[int] = 1 << PACK
"""Sets below this have no card of a second pack; masks of one pack are small, and small numbers are fast."""
NUMBER_CARDS: Final[int] = (1 << 52) - 1
"""Of one pack."""
FIRST_JOKER: Final[int] = 1 << 52
"""Sets below this have no joker, and no card of a second pack."""
JOKERS_OF_ONE_PACK: Final[int] = 3 << 52
EVERY_SECOND: Final = 0x55555555555555
"""Every second card of one pack."""
OF_TWO_RANKS: Final[list[list[int]]] = [
    [first + i for i in range(8) if some >> i & 1] for first in range(0, 56, 8) for some in range(256)
]
"""The cards of each set of two neighbouring ranks of one pack, two ranks after the other."""


def jokers_of(cards: int) -> int:
    """Return the jokers of a set."""
    return cards & JOKERS_OF_ONE_PACK if cards < ONE_PACK else cards & JOKERS


def of_rank(cards: int, rank: int) -> int:
    """Return the cards of a rank in a set."""
    return cards & (15 << 4 * rank) & ONE_PACK - 1 if cards < ONE_PACK else cards & OF_RANK[rank]


def ranks_of(cards: int) -> list[int]:
    """List the ranks in a set, 3 first, jokers (13) last."""
    both = cards if cards < ONE_PACK else (cards | cards >> PACK) & (ONE_PACK - 1)
    return [rank for rank in range(14) if both >> 4 * rank & 15]


def card(rank: int, suit: int, pack: int = 0) -> int:
    """Return the card of `rank` and `suit` in the first or second pack."""
    return pack * PACK + rank * 4 + suit


def members(cards: int) -> list[int]:
    """List the cards of a set, lowest number first."""
    found: list[int] = []
    if cards < ONE_PACK:
        first: i64 = 0
        rest: i64 = cards
        while rest:
            if rest & 255:
                found.extend(OF_TWO_RANKS[first | rest & 255])
            rest >>= 8
            first += 256
        return found
    while cards:
        lowest = cards & -cards
        found.append(lowest.bit_length() - 1)
        cards ^= lowest
    return found


def count(cards: int) -> int:
    """Count the cards of a set."""
    return count_in_pack(cards) if 0 <= cards < ONE_PACK else cards.bit_count()


def count_in_pack(cards: i64) -> i64:
    """Count the cards of a set of one pack: first in pairs, then in fours and so on."""
    cards -= cards >> 1 & EVERY_SECOND
    cards = (cards & 0x3333333333333333) + (cards >> 2 & 0x3333333333333333)
    cards = cards + (cards >> 4) & 0x0F0F0F0F0F0F0F0F
    cards += cards >> 8
    cards += cards >> 16
    return cards + (cards >> 32) & 127


def nth_member(cards: int, n: int) -> int:
    """Return a card of a set by its number from 0, lowest number first."""
    if cards >= ONE_PACK:
        return members(cards)[n]
    first: i64 = 0
    rest: i64 = cards
    while True:
        here = OF_TWO_RANKS[rest & 255]
        if n < len(here):
            return first + here[n]
        n -= len(here)
        rest >>= 8
        first += 8


def as_set(cards: list[int] | tuple[int, ...]) -> int:
    """Return the set that holds these cards."""
    found = 0
    for c in tuple(cards):  # quicker than going through what may be either
        found |= BIT[c]
    return found


def folded(cards: int) -> int:
    """Name each card of a second pack and each joker by its lowest equal: two hands that fold alike play alike.

    Works on one set at a time: of equal cards the lowest numbers are taken.
    """
    found = 0
    for c in members(cards):
        rank = RANK[c]
        equals = JOKERS if rank == JOKER else OF_RANK[rank] & OF_SUIT[SUIT[c]]
        free = equals & ~found
        found |= free & -free
    return found


def alike(cards: int, others: int) -> bool:
    """Say whether two sets are the same but for which of equal cards they hold."""
    return cards == others or (cards.bit_count() == others.bit_count() and folded(cards) == folded(others))


def card_text(c: int) -> str:
    """Write a card as players do: S3, H10, JK1; the second pack adds an apostrophe."""
    base = c % PACK
    mark = "'" if c >= PACK else ""
    if base >= 52:
        return f"JK{base - 51}{mark}"
    return f"{SUIT_TEXT[base % 4]}{RANK_TEXT[base // 4]}{mark}"


def cards_text(cards: int) -> str:
    """Write a set of cards, lowest number first, separated by spaces."""
    return " ".join([card_text(c) for c in members(cards)])


def parse_card(text: str) -> int:
    """Read a card as `card_text` writes it; raise ValueError for anything else."""
    base = text.removesuffix("'")
    pack = PACK if base != text else 0
    if base in ("JK1", "JK2"):
        return pack + 51 + int(base[2])
    if len(base) in (2, 3) and base[0] in SUIT_TEXT and base[1:] in RANK_TEXT[:13]:
        return pack + RANK_TEXT.index(base[1:]) * 4 + SUIT_TEXT.index(base[0])
    raise ValueError(f"not a card: {text!r}")


def parse_cards(text: str) -> int:
    """Read cards separated by spaces as a set; raise ValueError for a card that is named twice."""
    found = 0
    for word in text.split():
        bit = BIT[parse_card(word)]
        if found & bit:
            raise ValueError(f"named twice: {word}")
        found |= bit
    return found
