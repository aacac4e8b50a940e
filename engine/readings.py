"""What cards put down together can mean."""

from __future__ import annotations

from engine.actions import Meaning
from engine.cards import JOKER, JOKERS, NO_SUIT, RANK, REAL, SPADE, SUIT, members
from engine.orders import position
from engine.plays import SEQUENCE, Play, Shapes, in_bounds, sequence, with_suits
from engine.rows import row_readings


def readings(shapes: Shapes, cards: int, order: int) -> list[Play]:
    """List every play that these cards can be: singles and groups, sequences from their lowest place, other rows."""
    found = plain_readings(shapes, cards, order)
    if shapes.rows:
        found += row_readings(shapes, cards, order)
    return found


def plain_readings(shapes: Shapes, cards: int, order: int) -> list[Play]:
    """List the singles, groups and sequences that these cards can be."""
    found: list[Play] = []
    size = cards.bit_count()
    real = members(cards & REAL)
    jokers = size - len(real)
    if not size:
        return found
    if not real:
        if size <= shapes.most_in_group and (size == 1 or shapes.joker_in_group):
            found.append(shapes.group(cards, JOKER, size, jokers))
        return found
    first = RANK[real[0]]
    group = size <= shapes.most_in_group and (not jokers or shapes.joker_in_group)
    if group and all([RANK[c] == first for c in real]):
        found += with_suits(shapes, [shapes.group(cards, first, size, jokers)])
    if not shapes.sequence_least <= size <= shapes.sequence_most or (jokers and not shapes.joker_in_sequence):
        return found
    suit = SUIT[real[0]]
    places = sorted([position(order, RANK[c]) for c in real])
    one_of_each = all([places[i] < places[i + 1] for i in range(len(places) - 1)])
    if one_of_each and all([SUIT[c] == suit for c in real]):
        for low in range(places[-1] - size + 1, places[0] + 1):
            if in_bounds(shapes, low, size, order):
                found.append(sequence(cards, low, size, suit, jokers, order))
    return found


def means(play: Play, declared: tuple[Meaning, ...]) -> bool:
    """Say whether the declared meanings fit the play; equal jokers may swap their places."""
    if play.low == JOKER:
        return not declared
    said = sorted([m.rank for m in declared])
    stands = sorted([m.rank for m in play.meanings()])
    jokers = members(play.cards & JOKERS)
    if len({m.joker for m in declared}) != len(declared) or any([m.joker not in jokers for m in declared]):
        return False
    if any([not SPADE <= m.suit <= NO_SUIT for m in declared]):
        return False
    if play.shape >= SEQUENCE and any([m.suit != NO_SUIT and not play.suits >> 4 * m.suit & 15 for m in declared]):
        return False
    suits = [m.suit for m in play.declared]
    named = [m.suit for m in declared if m.suit != NO_SUIT]
    if suits and any([named.count(suit) > suits.count(suit) for suit in named]):
        return False
    return all([said.count(r) <= stands.count(r) for r in said])
