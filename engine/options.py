"""How many moves a seat has, and each of them by its number, without listing them where that can be done.

Move `n` is the one that `legal_moves` would list as number `n`. Answers to a field of one card or one rank, leads and
choices are counted; everything else (a sequence that can be answered, a window, an offer, two packs) is listed.
"""

from __future__ import annotations

from math import comb, perm

from engine.cards import ONE_PACK
from engine.choices import Choice
from engine.holdings import Holdings
from engine.legal import legal_moves
from engine.moves import PASS_MOVE, Move, answering, playing
from engine.plays import ANY, SEQUENCE, sequences_of
from engine.program import NO_SEQUENCES, InForce, Program
from engine.rules.base import ALL
from engine.state import Lock, Placed, State
from engine.view import open_choice


class Field:
    """What the rules in force say of the field, whoever is asked. Good until a play, a flush or a new order."""

    def __init__(self) -> None:
        self.placed: Placed | None = None
        self.locks: list[Lock] = []
        self.force: InForce | None = None
        self.revolution = False
        self.order = 0
        self.shape = ANY
        self.size = 0
        self.cards = 0
        """The cards that an answer can hold."""
        self.counts = False
        """Whether the rules refuse nothing beyond what that leaves out."""
        self.offers = False
        """Whether some rule may offer something."""

    def is_seen(self, s: State, force: InForce) -> bool:
        """Say whether this is the field that was seen last; an empty one is always seen anew."""
        if not s.trick or s.trick[-1] is not self.placed:
            return False
        if s.order != self.order or s.revolution != self.revolution:
            return False
        return s.locks is self.locks and force is self.force

    def see(self, s: State, force: InForce) -> None:
        """Ask the rules."""
        self.placed = s.trick[-1] if s.trick else None
        self.locks, self.force, self.revolution, self.order = s.locks, force, s.revolution, s.order
        top = s.top()
        self.shape, self.size, self.cards = top.shape, top.size, ALL
        if top.size:
            for rule in force.narrowing:
                self.cards &= rule.narrows(s)
        self.counts = top.shape != SEQUENCE
        for rule in force.allowing:
            if self.counts:
                self.counts = rule.narrows_fully(s)
        self.offers = False
        for rule in force.offering:
            if not self.offers:
                self.offers = rule.may_offer(s)


class Options:
    """What the seat that was looked at last may do. Good for many looks, one at a time."""

    def __init__(self, program: Program) -> None:
        self.shapes = program.shapes
        self.holdings: Holdings = program.holdings()
        self.field = Field()
        self.hand = 0
        self.in_groups = 0
        self.in_suit: list[int] = [0, 0, 0, 0]
        self.listed: list[Move] = []
        self.choice: Choice | None = None
        self.free: list[int] = []
        self.of_size: list[int] = []
        """How many answers name the least number of options, one more, and so on."""

    def look(self, s: State, seat: int) -> int:
        """Look at a seat that has been asked; return how many legal moves it has."""
        if self.listed:
            self.listed = []
        self.choice = None
        if s.group is not None:
            choice = open_choice(s, seat)
            if choice is not None:
                return self.look_at_choice(s, seat, choice)
        if s.window_seats:
            return self.list_all(s, seat)
        force, field = s.in_force(), self.field
        if not field.is_seen(s, force):
            field.see(s, force)
        hand = s.hands[seat]
        if hand >= ONE_PACK or field.shape > SEQUENCE:
            return self.list_all(s, seat)
        if s.passed >> seat & 1:
            self.in_groups = 0
            return 1
        number = self.count_plays(hand & field.cards)
        if number and not field.counts:
            return self.list_all(s, seat)
        if field.offers:
            for rule in force.offering:
                if rule.offers(s, seat, hand):
                    return self.list_all(s, seat)
        for rule in force.allowing_pass:
            if rule.allows_pass(s, seat, hand) is not None:
                return number
        return number + 1

    def count_plays(self, hand: int) -> int:
        """Count the plays of the field's shape and size that cards form."""
        self.hand, self.in_groups = hand, 0
        if not hand:
            return 0
        field = self.field
        if field.shape != SEQUENCE:
            self.in_groups = self.holdings.count_groups(hand, field.size)
            if field.shape != ANY:
                return self.in_groups
        number = self.in_groups
        if self.shapes.sequence_least != NO_SEQUENCES:
            for suit in range(4):
                found = self.holdings.count_sequences(hand, suit, field.size, field.order)
                self.in_suit[suit] = found
                number += found
        return number

    def move(self, n: int) -> Move:
        """Return move `n` (from 0) of the seat that was looked at."""
        if self.listed:
            return self.listed[n]
        if self.choice is not None:
            return self.nth_answer(self.choice, n)
        field = self.field
        if n < self.in_groups:
            return self.holdings.nth_group(self.hand, field.size, n)
        if field.shape == ANY and self.in_groups:
            n -= self.in_groups
            for suit in range(4):
                if n < self.in_suit[suit]:
                    return playing(sequences_of(self.shapes, self.hand, suit, field.size, field.order)[n])
                n -= self.in_suit[suit]
        return PASS_MOVE

    def list_all(self, s: State, seat: int) -> int:
        """List the moves after all."""
        self.listed = list(legal_moves(s, seat, s.hands[seat], open_choice(s, seat)))
        return len(self.listed)

    # --- answers -----------------------------------------------------------------------------------------------------

    def look_at_choice(self, s: State, seat: int, choice: Choice) -> int:
        """Count the answers to a choice; list them where some options are required and order matters."""
        if choice.ordered and choice.required:
            return self.list_all(s, seat)
        self.choice = choice
        self.free = [option for option in choice.options if option not in choice.required]
        self.of_size = [
            selections(len(self.free), size - len(choice.required), choice.ordered)
            for size in range(choice.least, choice.most + 1)
        ]
        return sum(self.of_size)

    def nth_answer(self, choice: Choice, n: int) -> Move:
        """Return an answer by its number; short ones come first."""
        left = choice.least - len(choice.required)
        found = 0
        for found in self.of_size:
            if n < found:
                break
            n -= found
            left += 1
        if choice.ordered:
            return answering(tuple(nth_permutation(self.free[:], left, n)))
        chosen = list(choice.required)
        for i, option in enumerate(self.free):
            if not left:
                break
            beginning_here = found * left // (len(self.free) - i)
            if n < beginning_here:
                chosen.append(option)
                found = beginning_here
                left -= 1
            else:
                n -= beginning_here
                found -= beginning_here
        return answering(tuple([option for option in choice.options if option in chosen]))


def selections(options: int, number: int, ordered: bool) -> int:
    """Count the ways to name `number` of some options."""
    if number < 0:
        return 0
    return perm(options, number) if ordered else comb(options, number)


def nth_permutation(rest: list[int], number: int, n: int) -> list[int]:
    """Return the n-th way to name `number` options in an order."""
    chosen: list[int] = []
    for left in range(number, 0, -1):
        beginning_alike = perm(len(rest) - 1, left - 1)
        chosen.append(rest.pop(n // beginning_alike))
        n %= beginning_alike
    return chosen
