"""宗教革命: ranks run from the A to the K, and parity binds."""

from __future__ import annotations

from typing import Final

from engine.cards import JACK, JOKER, JOKERS, KING, OF_RANK
from engine.moves import PARITY, STRENGTH, Move, playing
from engine.orders import FROM_ACE, is_reversed, position
from engine.plays import GROUP, SINGLE, real_groups
from engine.reasons import Reason
from engine.rules.base import ALL, GO_ON, Rule
from engine.rules.revolution_sets import KINDS
from engine.ruleset import Ruleset
from engine.state import Public, State
from engine.steps import set_order

KINGS: Final = next(kind for kind in KINDS if kind.id == "religious_revolution")


def number_of(rank: int) -> int:
    """Return the number on a rank's cards: A 1, 2 2, … K 13."""
    return position(FROM_ACE, rank) + 1


class ReligiousRevolution(Rule):
    """宗教革命: four Ks, one of which may be a joker, make ranks run A, 2, 3 … K (000 L184).

    The next revolution turns that order over. It always happens, and at once.
    """

    id = "religious_revolution"
    ranks = 1 << KING

    def offers_of(self, p: Public) -> int:
        return OF_RANK[KING] if p.from_ace else 0

    def offers(self, p: Public, seat: int, hand: int) -> list[Move]:
        """A K may answer an odd rank up to the J, also while K is the weakest."""
        top = p.top()
        if not p.from_ace or not is_reversed(p.order) or top.shape not in (SINGLE, GROUP) or top.low == JOKER:
            return []
        if number_of(top.low) % 2 == 0 or number_of(top.low) > number_of(JACK):
            return []
        kings = real_groups(hand, KING, top.size)
        return [playing(p.program.shapes.group(cards, KING, top.size, 0), STRENGTH, self.id) for cards in kings]

    def played(self, s: State) -> int:
        if s.from_ace or s.freeze or not KINGS.has(s.cause):
            return GO_ON
        s.from_ace = True
        s.revolted = s.run_number
        if s.revolution:
            s.revolution, s.turned_over = False, s.run_number
        set_order(s, self.id)
        return GO_ON


class Parity(Rule):
    """While ranks run from the A even answers even and odd answers odd (000 L184).

    No joker answers by itself; sequences are free of parity.
    """

    id = "religious_revolution.parity"
    waiver = PARITY

    def __init__(self) -> None:
        self.alike: tuple[int, int] = (JOKERS, JOKERS)
        """The cards with even and with odd numbers, and jokers."""
        for parity in (0, 1):
            ranks = [rank for rank in range(13) if number_of(rank) % 2 == parity]
            cards = JOKERS
            for rank in ranks:
                cards |= OF_RANK[rank]
            self.alike = (cards, self.alike[1]) if parity == 0 else (self.alike[0], cards)

    def on(self, ruleset: Ruleset) -> Rule | None:
        return self if ruleset.bool("religious_revolution") else None

    def narrows(self, p: Public) -> int:
        top = p.top()
        if not p.from_ace or top.shape not in (SINGLE, GROUP) or top.low == JOKER:
            return ALL
        return self.alike[number_of(top.low) % 2]

    def allows(self, p: Public, seat: int, hand: int, move: Move) -> Reason | None:
        top, play = p.top(), move.play
        if not p.from_ace or top.shape not in (SINGLE, GROUP) or play.shape not in (SINGLE, GROUP):
            return None
        if play.low == JOKER:
            return Reason.PARITY
        return Reason.PARITY if top.low != JOKER and (number_of(play.low) - number_of(top.low)) % 2 else None

    def narrows_fully(self, p: Public) -> bool:
        return not p.from_ace or not p.top().size


RULES: tuple[Rule, ...] = (ReligiousRevolution(), Parity())
