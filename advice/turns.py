"""What to do on a turn and in a window: every play is judged by the hand that it leaves and by who will lead then."""

from __future__ import annotations

from math import exp
from typing import Final

from advice.cards import JOKERS, as_set
from advice.outlook import Outlook, Unit, unit_of
from advice.plans import Planner
from daifugo.v1 import cards_pb2, view_pb2

LEAD: Final = 0.65
"""How much of a hand's price the lead pays."""
HASTE: Final = 0.55
"""How fast a hand loses its worth with its price."""
PATIENCE: Final = 1.06
"""How much more a hand is worth for not having been played from: strong cards can wait."""
DANGER: Final = 0.25
"""The price of a play on which somebody may go out at once."""
FOUL: Final = -1.0
"""The worth of going out with a foul."""
OUT: Final = 2.0
"""The worth of going out."""


class Judge:
    """Compares what can be done in one situation."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.planner = Planner(outlook)
        self._turned: Planner | None = None
        self.is_window = outlook.view.decision.HasField("window")

    def plans_after(self, unit: Unit) -> Planner:
        """Return the planner for the order of strength that a play leaves."""
        if not self.outlook.is_revolution(unit):
            return self.planner
        if self._turned is None:
            self._turned = Planner(self.outlook.turned())
        return self._turned

    def worth(self, action: view_pb2.Action) -> float:
        """Return how good an action is; a higher number is better."""
        kind = action.WhichOneof("action")
        if kind == "play":
            return self.worth_of_play(unit_of(action.play))
        hand = self.outlook.hand
        if kind in ("add", "dump"):
            cards = as_set(action.add.cards if kind == "add" else action.dump.cards)
            return self.worth_of_shedding(cards)
        waiting = worth_of_hand(self.planner.cost(hand)) * PATIENCE - self.danger(len(self.outlook.top_cards()))
        return waiting if kind == "pass" else waiting - 0.01

    def worth_of_play(self, unit: Unit) -> float:
        """Weigh what a play leaves in hand, whether it brings the lead, and whom it lets out."""
        rest = self.outlook.hand & ~unit.cards
        if not rest:
            return FOUL if self.outlook.is_foul(unit) else OUT
        cost = self.plans_after(unit).cost(rest)
        stays = self.stays(unit)
        led = worth_of_hand(max(0.0, cost - LEAD))
        worth = stays * led + (1 - stays) * worth_of_hand(cost)
        return worth - self.danger(unit.size) * (1 - stays)

    def worth_of_shedding(self, cards: int) -> float:
        """Weigh cards that leave the hand without winning anything; the last ones may be a foul, as any last play."""
        rest = self.outlook.hand & ~cards
        if rest:
            return worth_of_hand(self.planner.cost(rest))
        top = unit_of(self.outlook.trick[-1])
        number = cards.bit_count()
        shape = cards_pb2.SHAPE_SINGLE if number == 1 else cards_pb2.SHAPE_GROUP
        last = Unit(cards, shape, top.rank, number, (cards & JOKERS).bit_count())
        return FOUL if self.outlook.is_foul(last) else OUT

    def danger(self, size: int) -> float:
        """Return the price of leaving it to others to answer with so many cards."""
        return DANGER if any([seat.hand_count == size and not seat.passed for seat in self.outlook.others]) else 0.0

    def stays(self, unit: Unit) -> float:
        """Estimate how likely a play wins the trick that is running."""
        outlook = self.outlook
        if self.is_window or outlook.answers_joker(unit):
            return 1.0
        return outlook.holds(unit, outlook.in_trick(), outlook.locked_suits(unit))


def worth_of_hand(cost: float) -> float:
    """Turn the price of a hand into a worth from 0 to 1."""
    return exp(-HASTE * cost)


def best(judge: Judge, actions: list[view_pb2.Action]) -> view_pb2.Action:
    """Return the best of what may be done; of equally good actions the first."""
    return max(actions, key=judge.worth)


def leads(judge: Judge) -> list[Unit]:
    """List the plays of the hand's plan, the best lead first."""
    units = judge.planner.plan(judge.outlook.hand).units
    level = judge.outlook.level
    return sorted(units, key=lambda unit: (-judge.worth_of_play(unit), level(unit), -unit.size))
