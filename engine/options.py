"""How many moves a seat has, and each of them by its number, without listing them where that can be done.

Move `n` is the one that `legal_moves` would list as number `n`. Leads, answers to a field and to choices are counted;
everything else (a window, two packs, jokers that a lock binds to suits) and offers are listed.
"""

from __future__ import annotations

from math import comb, perm

from engine.cards import ONE_PACK, as_set, count, members, nth_member
from engine.choices import Choice
from engine.field import Field, field_of, unrefused
from engine.holdings import Holdings
from engine.legal import counters, legal_moves, must_pass, offers
from engine.moves import NAMING_NOTHING, NO_MOVES, PASS_MOVE, Move, answering, naming
from engine.native import i64
from engine.plays import GROUP, SINGLE
from engine.program import Program
from engine.state import State
from engine.view import open_choice


class Options:
    """What the seat that was looked at last may do. Good for many looks, one at a time."""

    def __init__(self, program: Program) -> None:
        self.holdings: Holdings = program.holdings()
        self.state: State | None = None
        self.hand = 0
        self.field: Field | None = None
        """What is said of the plays that are counted."""
        self.plays: i64 = 0
        """How many they are."""
        self.in_groups: i64 = 0
        """How many of them are singles and groups, which come first."""
        self.offered = NO_MOVES
        self.listed = NO_MOVES
        """Where moves are listed, the first ones: all of them, or the plays."""
        self.choice: Choice | None = None
        self.of_size: list[int] = []
        """How many answers name the least number of options, one more, and so on."""

    def look(self, s: State, seat: int) -> int:
        """Look at a seat that has been asked; return how many legal moves it has."""
        self.listed = self.offered = NO_MOVES
        self.choice = None
        if s.group is not None:
            choice = open_choice(s, seat)
            if choice is not None:
                return self.look_at_choice(s, seat, choice)
        hand = s.hands[seat]
        if s.window_seats:
            self.listed = counters(s, seat, hand)
            self.listed.append(PASS_MOVE)
            return len(self.listed)
        self.plays = 0
        if s.passed >> seat & 1:
            return 1
        force = s.in_force()
        field = field_of(s, force)
        if hand >= ONE_PACK:
            return self.list_all(s, seat)
        if not must_pass(s, seat, force.silencing):
            self.state, self.hand, self.field = s, hand & field.cards, field
            self.in_groups = self.holdings.count_groups(self.hand, field) if field.shape <= GROUP else 0
            self.plays = self.in_groups
            if field.shape not in (SINGLE, GROUP):
                self.plays += self.holdings.in_rows.count(s, self.hand, field)
            if self.plays and not (field.counts and hand < field.listed_from):
                self.listed = list(unrefused(s, seat, hand, field))
                self.plays = len(self.listed)
        number = self.plays
        if hand & field.offered:
            self.offered = offers(s, seat, hand, field.offering)
            number += len(self.offered)
        for rule in force.allowing_pass:
            if rule.allows_pass(s, seat, hand) is not None:
                return number
        return number + 1

    def move(self, n: int) -> Move:
        """Return move `n` (from 0) of the seat that was looked at."""
        if n < len(self.listed):
            return self.listed[n]
        if self.choice is not None:
            return self.nth_answer(self.choice, n)
        if n >= self.plays:
            n -= self.plays
            return self.offered[n] if n < len(self.offered) else PASS_MOVE
        assert self.field is not None
        if n < self.in_groups:
            return self.holdings.nth_group(self.hand, self.field, n)
        assert self.state is not None
        return self.holdings.in_rows.nth(self.state, self.hand, self.field, n - self.in_groups)

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
        required = len(choice.required)
        # cards are listed only where more than one of them is named
        alone = choice.cards if not required else 0
        free = count(alone) if alone else len(choice.options) - required
        if choice.most == 1 and not required:
            return free + 1 - choice.least
        self.of_size = []
        number = 0
        for size in range(choice.least, choice.most + 1):
            found = selections(free, size - required, choice.ordered)
            self.of_size.append(found)
            number += found
        return number

    def nth_answer(self, choice: Choice, n: int) -> Move:
        """Return an answer by its number; short ones come first."""
        if choice.most == 1 and not choice.required:
            n -= 1 - choice.least
            return naming(nth_option(choice, n)) if n >= 0 else NAMING_NOTHING
        left = choice.least - len(choice.required)
        found = 0
        for found in self.of_size:
            if n < found:
                break
            n -= found
            left += 1
        if left == 1 and not choice.required:
            return naming(nth_option(choice, n))
        if not left and not choice.required:
            return NAMING_NOTHING
        free = members(choice.cards) if choice.cards else list(choice.options)
        if choice.ordered:
            return answering(tuple(nth_permutation(free, left, n)))
        if not choice.required:
            return answering(tuple(nth_combination(free, left, found, n)))
        required = as_set(choice.required)
        free = [option for option in free if not required >> option & 1]
        chosen = required | as_set(nth_combination(free, left, found, n))
        return answering(tuple([option for option in choice.options if chosen >> option & 1]))


def nth_option(choice: Choice, n: int) -> int:
    """Return an option of a choice by its number."""
    return nth_member(choice.cards, n) if choice.cards else choice.options[n]


def selections(options: int, number: int, ordered: bool) -> int:
    """Count the ways to name `number` of some options."""
    if number < 2:
        return options if number == 1 else 1 if number == 0 else 0
    if ordered:
        return perm(options, number)
    return options * (options - 1) // 2 if number == 2 else comb(options, number)


def nth_combination(options: list[int], number: int, ways: int, n: int) -> list[int]:
    """Return the n-th way to name `number` of some options; there are so many ways."""
    chosen: list[int] = []
    left = len(options)
    for option in options:
        if not number:
            break
        beginning_here = ways * number // left
        if n < beginning_here:
            chosen.append(option)
            ways = beginning_here
            number -= 1
        else:
            n -= beginning_here
            ways -= beginning_here
        left -= 1
    return chosen


def nth_permutation(rest: list[int], number: int, n: int) -> list[int]:
    """Return the n-th way to name `number` options in an order."""
    chosen: list[int] = []
    for left in range(number, 0, -1):
        beginning_alike = perm(len(rest) - 1, left - 1)
        chosen.append(rest.pop(n // beginning_alike))
        n %= beginning_alike
    return chosen
