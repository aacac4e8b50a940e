"""What the rules in force say of the field, whoever is asked, so that answers to it can be counted without listing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.actions import ADD, PLAY
from engine.cards import FIRST_JOKER, NUMBER_CARDS, ONE_PACK
from engine.legal import must_pass, plain_plays, refusal
from engine.plays import ANY, ARITHMETIC, SEQUENCE, SINGLE
from engine.rules.base import ALL

if TYPE_CHECKING:
    from engine.program import InForce
    from engine.rules.base import Rule
    from engine.state import Lock, State


MOST_FIELDS: Final = 16
"""That are remembered of a play or of an empty field."""


class Field:
    """What the rules have said of a play that lies on the field, or of an empty field."""

    def __init__(self, s: State, force: InForce) -> None:
        top, shapes = s.top(), s.program.shapes
        self.force = force
        self.order = s.order
        self.revolution = s.revolution
        self.locks: list[Lock] = s.locks
        """In what it holds good."""
        self.shape, self.size = top.shape, top.size
        self.step = top.step if top.shape == ARITHMETIC and shapes.same_step else 0
        """The difference that an answer must have; 0: any."""
        self.cards = ALL
        """The cards that an answer can hold."""
        if top.size:
            for rule in force.narrowing if s.locks else force.narrowing_unlocked:
                self.cards &= rule.narrows(s)
        self.counts = True
        """Whether the rules refuse nothing beyond what that leaves out, to hands below `listed_from`."""
        for rule in force.allowing if s.locks else force.allowing_unlocked:
            if self.counts and not rule.of_sequences:
                self.counts = rule.narrows_fully(s)
        self.listed_from: int = ONE_PACK
        """Hands with a card from here on are listed: of two packs, or jokers in rows of ranks or suited under locks."""
        if top.shape >= SEQUENCE or (s.locks and shapes.joker_suits and top.size > 1):
            self.listed_from = FIRST_JOKER
        self.offering: tuple[Rule, ...] = ()
        """The rules that may offer something."""
        self.offered = 0
        """Cards of which every offer has one at least."""
        for rule in force.offering:
            cards = rule.offers_of(s) & s.program.deck
            if cards:
                self.offering += (rule,)
                self.offered |= cards

    def holds(self, s: State, force: InForce) -> bool:
        """Say whether that is still good when the same play lies there."""
        if s.order != self.order or s.revolution != self.revolution or force is not self.force:
            return False
        return s.locks is self.locks or (len(s.locks) == len(self.locks) and same_locks(s.locks, self.locks))


def same_locks(locks: list[Lock], others: list[Lock]) -> bool:
    """Say whether equal locks stand in equal order."""
    return all(lock.kind == other.kind and lock.suits == other.suits for lock, other in zip(locks, others))


def field_of(s: State, force: InForce) -> Field:
    """Return what the rules say of the field as it is now."""
    if not s.trick:
        return remembered(s, force, force.empty_fields)
    play = s.trick[-1].play
    if play.fields is None:
        play.fields = []
    return remembered(s, force, play.fields)


def remembered(s: State, force: InForce, fields: list[Field]) -> Field:
    """Return what is good now of some fields that are remembered, and put it first; ask the rules if nothing is."""
    if fields and fields[0].holds(s, force):
        return fields[0]
    for i in range(1, len(fields)):
        field = fields[i]
        if field.holds(s, force):
            fields[i] = fields[0]
            fields[0] = field
            return field
    if len(fields) == MOST_FIELDS:
        fields.clear()
    field = Field(s, force)
    fields.append(field)
    return field


def can_answer(s: State, seat: int, hand: int) -> bool:
    """Say whether a seat with these cards in its hand could answer the field on its turn."""
    if must_pass(s, seat):
        return False
    field = field_of(s, s.in_force())
    if can_play(s, seat, hand, field):
        return True
    if hand & field.offered:
        for rule in field.offering:
            for move in rule.offers(s, seat, hand):
                if move.kind in (PLAY, ADD) and refusal(s, seat, hand, move) is None:
                    return True
    return False


def can_play(s: State, seat: int, hand: int, field: Field) -> bool:
    """Say whether a hand has a play of the field's shape that no rule refuses; it is listed only if need be."""
    cards = hand & field.cards
    if hand < ONE_PACK:
        if field.counts and field.shape == SINGLE:
            return cards != 0
        holdings = s.program.holdings()
        if field.counts:
            # what can be played can be played with jokers in the hand
            if holdings.has_play(s, cards & NUMBER_CARDS, field.shape, field.size, field.step):
                return True
            if cards <= NUMBER_CARDS:
                return False
        if not holdings.has_play(s, cards, field.shape, field.size, field.step):
            return False
        if field.counts and hand < field.listed_from:
            return True
    for _ in plain_plays(s, seat, hand, ANY):
        return True
    return False
