"""What the rules in force say of the field, whoever is asked, so that answers to it can be counted without listing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from engine.actions import ADD, PLAY
from engine.cards import FIRST_JOKER, NUMBER_CARDS, ONE_PACK
from engine.legal import must_pass, refusal, refusal_of, shaped
from engine.moves import Move, playing
from engine.native import i64
from engine.plays import ANY, ARITHMETIC, GROUP, SEQUENCE, SINGLE
from engine.rows import ANYWHERE
from engine.rules.base import ALL
from engine.state import NUMBER_LOCK, PARTIAL_LOCK

if TYPE_CHECKING:
    from engine.program import InForce
    from engine.rules.base import Rule
    from engine.state import State

MOST_FIELDS: Final = 256
"""That are remembered of one play."""
ON_RANKS: Final = (PARTIAL_LOCK, NUMBER_LOCK)
"""Locks under which it does not matter which suits jokers have, as long as none is missing."""


class Field:
    """What the rules have said of a play that lies on the field, or of an empty field."""

    def __init__(self, s: State, force: InForce) -> None:
        top, shapes = s.top(), s.program.shapes
        self.force = force
        """The rules that have been asked."""
        self.shape: i64 = top.shape
        self.size: i64 = top.size
        self.step: i64 = top.step if top.shape == ARITHMETIC and shapes.same_step else 0
        """The difference that an answer must have; 0: any."""
        self.cards = ALL
        """The cards that an answer can hold."""
        if top.size:
            for rule in force.narrowing if s.locks else force.narrowing_unlocked:
                self.cards &= rule.narrows(s)
        self.allowing = force.allowing if s.locks else force.allowing_unlocked
        """The rules that may refuse something."""
        self.needed: i64 = 0
        """The suits, as a set, that a group must have; a joker makes up for each."""
        self.jokers_alone = True
        """Whether jokers alone may answer a group."""
        self.beyond: i64 = ANYWHERE
        """The place beyond which a row of ranks must stand."""
        self.counts = True
        """Whether they refuse nothing beyond what these leave out, to hands below `listed_from`.

        Rows of ranks with jokers apart, about which there are rules of their own."""
        refusing: list[Rule] = []
        for rule in self.allowing:
            fully = rule.narrows_fully(s)
            asked = rule.of_sequences or not fully
            if top.shape == GROUP:
                needed, refuses_jokers = rule.suits_needed(s), rule.refuses_jokers(s)
                self.needed |= needed
                self.jokers_alone = self.jokers_alone and not refuses_jokers
                asked = asked or needed != 0 or refuses_jokers
            elif top.shape >= SEQUENCE:
                beyond = rule.place_to_beat(s)
                if beyond != ANYWHERE:
                    self.beyond, asked = beyond, True
            if asked:
                refusing.append(rule)
            self.counts = self.counts and (fully or rule.of_sequences)
        self.refusing = tuple(refusing)
        """Those to ask where such a hand's cards within `cards` are listed after all."""
        self.listed_from: int = ONE_PACK
        """Hands with a card from here on are listed: of two packs, or jokers that a lock binds to suits."""
        if top.shape == GROUP and shapes.joker_suits and any(lock.kind not in ON_RANKS for lock in s.locks):
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


class Fields:
    """What rules have said of one play whenever it lay on the field, or of empty fields; the last two first."""

    def __init__(self) -> None:
        self.one: Field | None = None
        self.other: Field | None = None
        self.key_of_one: i64 = -1
        self.key_of_other: i64 = -1
        self.known: dict[int, Field] = {}

    def now(self, s: State, force: InForce) -> Field:
        """Return what they say now; they are asked only of what they have not been asked yet."""
        key: i64 = 0
        for lock in s.locks:
            key |= lock.mark
        key = key << 5 | s.order << 1 | s.revolution
        one = self.one
        if one is not None and key == self.key_of_one and one.force is force:
            return one
        field = self.other
        if field is None or key != self.key_of_other or field.force is not force:
            field = self.known.get(key)
            if field is None or field.force is not force:
                if len(self.known) == MOST_FIELDS:
                    self.known.clear()
                field = Field(s, force)
                self.known[key] = field
        self.other, self.key_of_other = one, self.key_of_one
        self.one, self.key_of_one = field, key
        return field


def field_of(s: State, force: InForce) -> Field:
    """Return what the rules say of the field as it is now."""
    if not s.trick:
        return force.empty_fields.now(s, force)
    play = s.trick[-1].play
    if play.fields is None:
        play.fields = Fields()
    return play.fields.now(s, force)


def can_answer(s: State, seat: int, hand: int, field: Field) -> bool:
    """Say whether a seat with these cards in its hand could answer the field on its turn."""
    if must_pass(s, seat, field.force.silencing):
        return False
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
            if holdings.has_play(s, cards & NUMBER_CARDS, field):
                return True
            if cards <= NUMBER_CARDS:
                return False
        if not holdings.has_play(s, cards, field):
            return False
        if field.counts and hand < field.listed_from:
            return True
    for _ in unrefused(s, seat, hand, field):
        return True
    return False


def unrefused(s: State, seat: int, hand: int, field: Field) -> Iterator[Move]:
    """Iterate over a hand's plays of the field's shape that no rule refuses, for a seat that need not pass."""
    rules = field.refusing if hand < field.listed_from else field.allowing
    for play in shaped(s, hand & field.cards, ANY):
        move = playing(play)
        if refusal_of(rules, s, seat, hand, move) is None:
            yield move
