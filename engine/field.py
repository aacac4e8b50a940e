"""What the rules in force say of the field, whoever is asked, so that answers to it can be counted without listing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import ADD, PLAY
from engine.cards import FIRST_JOKER, ONE_PACK
from engine.legal import must_pass, plain_plays, refusal
from engine.plays import ANY, GROUP, SEQUENCE, SINGLE
from engine.rules.base import ALL

if TYPE_CHECKING:
    from engine.program import InForce
    from engine.state import Lock, Placed, State


class Field:
    """What the rules have said. Good until a play, a flush, a lock or a new order."""

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
        self.listed_from: int = ONE_PACK
        """Hands with a card from here on are listed: those of two packs, under locks also those with suited jokers."""
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
            for rule in force.narrowing if s.locks else force.narrowing_unlocked:
                self.cards &= rule.narrows(s)
        self.counts = top.shape != SEQUENCE
        for rule in force.allowing if s.locks else force.allowing_unlocked:
            if self.counts and not rule.of_sequences:
                self.counts = rule.narrows_fully(s)
        self.listed_from = FIRST_JOKER if s.locks and s.program.shapes.joker_suits else ONE_PACK
        self.offers = False
        for rule in force.offering:
            if not self.offers:
                self.offers = rule.may_offer(s)


def field_of(s: State, force: InForce) -> Field:
    """Return what the rules say of the field as it is now."""
    field = s.field
    if field is None:
        field = Field()
        s.field = field
    if not field.is_seen(s, force):
        field.see(s, force)
    return field


def can_answer(s: State, seat: int, hand: int) -> bool:
    """Say whether a seat with these cards in its hand could answer the field on its turn."""
    if must_pass(s, seat):
        return False
    force = s.in_force()
    field = field_of(s, force)
    if field.counts and field.shape in (SINGLE, GROUP) and hand < field.listed_from:
        if s.program.holdings().count_groups(hand & field.cards, field.size):
            return True
    else:
        for _ in plain_plays(s, seat, hand, ANY):
            return True
    if field.offers:
        for rule in force.offering:
            for move in rule.offers(s, seat, hand):
                if move.kind in (PLAY, ADD) and refusal(s, seat, hand, move) is None:
                    return True
    return False
