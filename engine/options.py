"""How many moves a seat has, and each of them by its number, without listing them where that can be done.

Move `n` is the one that `legal_moves` would list as number `n`. Answers to a field of one card or one rank, leads and
plain choices are counted; everything else (a sequence to beat, a window, an offer, two packs) is listed.
"""

from __future__ import annotations

from math import comb
from typing import Final

from engine.cards import JOKER, ONE_PACK, jokers_of
from engine.choices import Choice
from engine.legal import legal_moves
from engine.moves import PASS_MOVE, Move, answering, playing
from engine.orders import FROM_ACE, is_reversed
from engine.plays import (
    ONE_SUIT,
    POPULATION,
    SEQUENCE,
    SUBSETS,
    Shapes,
    lowest,
    rank_group,
    sequences_of,
)
from engine.program import NO_SEQUENCES, Program
from engine.state import State
from engine.view import open_choice

MOST_CARDS: Final = 8
"""In a group."""
MOST_JOKERS: Final = 2
"""In one pack."""


class Options:
    """What the seat that was looked at last may do. Good for many looks, one at a time."""

    def __init__(self, program: Program) -> None:
        self.shapes = program.shapes
        self.singles: list[Move] = [playing(rank_group(1 << c, c // 4, 1, 0)) for c in range(52)]
        self.groups: list[list[int]] = [
            [ways(self.shapes, suits, size, jokers) for suits in range(16)]
            for size in range(MOST_CARDS + 1)
            for jokers in range(MOST_JOKERS + 1)
        ]
        """For each size (0: any) and number of jokers, how many groups each set of suits of a rank forms."""
        self.sequences: dict[int, int] = {}
        """How many sequences a suit's cards and some jokers form."""
        self.hand = 0
        self.size = 0
        self.order = 0
        self.in_groups = 0
        self.in_suit: list[int] = [0, 0, 0, 0]
        self.listed: list[Move] = []
        self.choice: Choice | None = None
        self.free: list[int] = []

    def look(self, s: State, seat: int) -> int:
        """Look at a seat that has been asked; return how many legal moves it has."""
        self.listed, self.choice = [], None
        self.in_groups, self.size = 0, 0
        self.in_suit[0] = self.in_suit[1] = self.in_suit[2] = self.in_suit[3] = 0
        if s.group is not None:
            choice = open_choice(s, seat)
            if choice is not None:
                return self.look_at_choice(s, seat, choice)
        if s.window_seats or not self.can_count(s, seat):
            return self.list_all(s, seat)
        if s.passed >> seat & 1:
            return 1
        hand = s.hands[seat]
        top = s.top()
        self.size, self.order = top.size, s.order
        if top.size:
            for rule in s.in_force().narrowing:
                hand &= rule.narrows(s)
        self.hand = hand
        number = self.count_groups(hand, top.size)
        self.in_groups = number
        if not top.size and self.shapes.sequence_least != NO_SEQUENCES:
            for suit in range(4):
                found = self.count_sequences(hand, suit)
                if found:
                    self.in_suit[suit] = found
                    number += found
        for rule in s.in_force().allowing_pass:
            if rule.allows_pass(s, seat, s.hands[seat]) is not None:
                return number
        return number + 1

    def move(self, n: int) -> Move:
        """Return move `n` (from 0) of the seat that was looked at."""
        if self.listed:
            return self.listed[n]
        if self.choice is not None:
            return self.nth_answer(self.choice, n)
        if n < self.in_groups:
            return self.nth_group(n)
        n -= self.in_groups
        for suit in range(4):
            if n < self.in_suit[suit]:
                return playing(sequences_of(self.shapes, self.hand, suit, 0, self.order)[n])
            n -= self.in_suit[suit]
        return PASS_MOVE

    def list_all(self, s: State, seat: int) -> int:
        """List the moves after all."""
        self.listed = list(legal_moves(s, seat, s.hands[seat], open_choice(s, seat)))
        return len(self.listed)

    def can_count(self, s: State, seat: int) -> bool:
        """Say whether the rules refuse nothing beyond what narrowing leaves out, and offer nothing."""
        hand = s.hands[seat]
        if hand >= ONE_PACK or s.top().shape >= SEQUENCE or s.order & FROM_ACE:
            return False
        force = s.in_force()
        for rule in force.allowing:
            if not rule.narrows_fully(s):
                return False
        return not any([rule.offers(s, seat, hand) for rule in force.offering])

    # --- singles and groups ------------------------------------------------------------------------------------------

    def count_groups(self, hand: int, size: int) -> int:
        """Count the singles and groups of a hand; `size` 0 for all sizes."""
        jokers = POPULATION[hand >> 52]
        row = self.groups[size * (MOST_JOKERS + 1) + (jokers if self.shapes.joker_in_group else 0)]
        number = self.count_jokers(jokers, size)
        rest = hand & ((1 << 52) - 1)
        while rest:
            number += row[rest & 15]
            rest >>= 4
        return number

    def count_jokers(self, jokers: int, size: int) -> int:
        """Count the plays of jokers only."""
        most = jokers if self.shapes.joker_in_group else min(jokers, 1)
        return most if not size else 1 if size <= most else 0

    def nth_group(self, n: int) -> Move:
        """Return a single or group by its number."""
        hand, size = self.hand, self.size
        jokers = POPULATION[hand >> 52]
        usable = jokers if self.shapes.joker_in_group else 0
        row = self.groups[size * (MOST_JOKERS + 1) + usable]
        rest = hand & ((1 << 52) - 1)
        rank = 0
        while rest:
            found = row[rest & 15]
            if n < found:
                return self.nth_of_rank(rank, rest & 15, n, usable)
            n -= found
            rest >>= 4
            rank += 1
        number = size or n + 1
        return playing(rank_group(lowest(jokers_of(hand), number), JOKER, number, number))

    def nth_of_rank(self, rank: int, held: int, n: int, usable: int) -> Move:
        """Return a single or group of a rank by its number."""
        for suits in SUBSETS[held]:
            real = POPULATION[suits]
            if self.size:
                number = 1 if real <= self.size <= real + usable else 0
                jokers = self.size - real
            else:
                number = min(usable, self.shapes.most_in_group - real) + 1
                jokers = n
            if n < number:
                if real + jokers == 1:
                    return self.singles[4 * rank + SUIT_OF[suits]]
                cards = suits << 4 * rank
                if jokers:
                    cards |= lowest(jokers_of(self.hand), jokers)
                return playing(rank_group(cards, rank, real + jokers, jokers))
            n -= max(number, 0)
        raise IndexError(n)

    # --- sequences ---------------------------------------------------------------------------------------------------

    def count_sequences(self, hand: int, suit: int) -> int:
        """Count the sequences of a suit that a hand holds."""
        mine = hand >> suit & ONE_SUIT
        jokers = hand >> 52 if self.shapes.joker_in_sequence else 0
        if not jokers and self.shapes.sequence_least >= 3 and not mine & mine >> 4 & mine >> 8:
            return 0
        key = (mine << 2 | jokers) << 1 | (1 if is_reversed(self.order) else 0)
        if key not in self.sequences:
            self.sequences[key] = len(sequences_of(self.shapes, mine | jokers << 52, 0, 0, self.order))
        return self.sequences[key]

    # --- answers -----------------------------------------------------------------------------------------------------

    def look_at_choice(self, s: State, seat: int, choice: Choice) -> int:
        """Count the answers to a choice of a fixed number of options in any order; list them else."""
        if choice.ordered or choice.least != choice.most:
            return self.list_all(s, seat)
        self.choice = choice
        self.free = [option for option in choice.options if option not in choice.required]
        return comb(len(self.free), choice.most - len(choice.required))

    def nth_answer(self, choice: Choice, n: int) -> Move:
        """Return an answer by its number."""
        left = choice.most - len(choice.required)
        chosen = list(choice.required)
        for i, option in enumerate(self.free):
            if not left:
                break
            beginning_here = comb(len(self.free) - i - 1, left - 1)
            if n < beginning_here:
                chosen.append(option)
                left -= 1
            else:
                n -= beginning_here
        return answering(tuple([option for option in choice.options if option in chosen]))


SUIT_OF: Final[tuple[int, ...]] = tuple(max(suits.bit_length() - 1, 0) for suits in range(16))
"""The highest suit of a set."""


def ways(shapes: Shapes, held: int, size: int, jokers: int) -> int:
    """Count the singles and groups that a rank's cards (as suits) form, alone and with jokers."""
    number = 0
    for suits in SUBSETS[held]:
        real = POPULATION[suits]
        if size:
            number += 1 if real <= size <= real + jokers else 0
        else:
            number += max(0, min(jokers, shapes.most_in_group - real) + 1)
    return number
