"""Cutting a hand into plays: which of all ways to play it out needs the fewest tricks won by somebody else's grace."""

from __future__ import annotations

from typing import Final, NamedTuple

from advice.cards import JOKER_RANK, JOKERS, OF_RANK, OF_SUIT, members, some
from advice.outlook import GROUP, SEQUENCE, SINGLE, Outlook, Unit

SHORTEST: Final = 3
"""The fewest cards of a sequence."""
MOST_CUTS: Final = 100
"""How many ways to take sequences out of a hand are looked at."""
FOULS_ONLY: Final = 2.5
"""The price of a hand that can only be ended with a foul."""
EACH_UNIT: Final = 0.12
"""The price of every play: others go out meanwhile."""
EASY: Final = {SINGLE: 0.045, GROUP: 0.03}
"""How much easier each step of strength makes it to answer somebody else's play with one's own."""

PARTS: Final = {1: ((1,),), 2: ((2,), (1, 1)), 3: ((3,), (2, 1), (1, 1, 1)), 4: ((4,), (3, 1), (2, 2), (2, 1, 1))}
"""The ways to play cards of one rank, by their number."""


class Plan(NamedTuple):
    """A way to play a hand out: its plays, and about how often the lead must be got for nothing."""

    cost: float
    units: tuple[Unit, ...]


class Planner:
    """Plans hands in one situation, each once."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self._plans: dict[int, Plan] = {0: Plan(0.0, ())}
        self._groups: dict[int, Plan] = {}
        self._prices: dict[tuple[int, int, int, int], float] = {}

    def cost(self, hand: int) -> float:
        return self.plan(hand).cost

    def plan(self, hand: int) -> Plan:
        """Return the cheapest way to play a hand out."""
        found = self._plans.get(hand)
        if found is None:
            found = self._plans[hand] = self._search(hand)
        return found

    def price(self, unit: Unit) -> float:
        """Return what a play costs: little if it wins its trick by itself, or is easily put on somebody else's."""
        key = (unit.shape, unit.rank, unit.size, unit.jokers)
        if key not in self._prices:
            easy = EASY.get(unit.shape, 0.0) * self.outlook.level(unit)
            self._prices[key] = EACH_UNIT + (1 - self.outlook.holds(unit)) * (1 - easy)
        return self._prices[key]

    def _search(self, hand: int) -> Plan:
        candidates = sorted(sequences(hand), key=lambda unit: -unit.size)
        best: list[Plan] = []
        left = MOST_CUTS

        def cut(rest: int, start: int, taken: tuple[Unit, ...], cost: float) -> None:
            nonlocal left
            left -= 1
            plan = self._of_ranks(rest, taken, cost)
            if not best or plan.cost < best[0].cost:
                best[:] = [plan]
            for number in range(start, len(candidates)):
                unit = candidates[number]
                if left > 0 and unit.cards & rest == unit.cards:
                    cut(rest & ~unit.cards, number + 1, (*taken, unit), cost + self.price(unit))

        cut(hand, 0, (), 0.0)
        return best[0]

    def _of_ranks(self, rest: int, taken: tuple[Unit, ...], cost: float) -> Plan:
        """Complete a plan with what is left after its sequences: singles and groups, and jokers where they help."""
        units = list(taken)
        for rank in range(13):
            cards = rest & OF_RANK[rank]
            if cards:
                of_rank = self._groups.get(cards) or self._of_rank(cards, rank)
                units += of_rank.units
                cost += of_rank.cost
        jokers = [Unit(1 << joker, SINGLE, JOKER_RANK, 1, 1) for joker in members(rest & JOKERS)]
        apart = Plan(cost + sum([self.price(joker) for joker in jokers]), (*units, *jokers))
        for joker in jokers:
            cost += self._place(joker, units)
        return min(self._ended(apart), self._ended(Plan(cost, tuple(units))), key=lambda plan: plan.cost)

    def _ended(self, plan: Plan) -> Plan:
        """Add what it costs that a plan has no play to go out with."""
        fouls_only = all([self.outlook.is_foul(unit) for unit in plan.units])
        return Plan(plan.cost + FOULS_ONLY, plan.units) if fouls_only else plan

    def _of_rank(self, cards: int, rank: int) -> Plan:
        """Return the cheapest way to play cards of one rank."""
        number = cards.bit_count()
        best: Plan | None = None
        for parts in PARTS.get(number, ((number,), (number - number // 2, number // 2))):
            units, rest, cost = [], cards, 0.0
            for size in parts:
                part = some(rest, size)
                rest &= ~part
                units.append(Unit(part, SINGLE if size == 1 else GROUP, rank, size, 0))
                cost += self.price(units[-1])
            if best is None or cost < best.cost - 1e-9:
                best = Plan(cost, tuple(units))
        assert best is not None
        self._groups[cards] = best
        return best

    def _place(self, joker: Unit, units: list[Unit]) -> float:
        """Add a joker to the plays, alone or with the single or group that it helps most; return what that costs."""
        best, at = joker, len(units)
        cost = self.price(joker)
        for number, unit in enumerate(units):
            if unit.shape != SEQUENCE and unit.rank != JOKER_RANK:
                joined = Unit(unit.cards | joker.cards, GROUP, unit.rank, unit.size + 1, unit.jokers + 1)
                more = self.price(joined) - self.price(unit)
                if more < cost:
                    best, at, cost = joined, number, more
        units[at : at + 1] = [best]
        return cost


def sequences(hand: int) -> list[Unit]:
    """List the sequences of a hand, and those in which one joker fills a gap or goes on."""
    found: list[Unit] = []
    joker = some(hand & JOKERS, 1)
    for suit in range(4):
        held = hand & OF_SUIT[suit]
        if held.bit_count() + (1 if joker else 0) < SHORTEST:
            continue
        at = [some(held & OF_RANK[rank], 1) for rank in range(13)]
        for low in range(13):
            cards, missing = 0, 0
            for high in range(low, 13):
                if at[high]:
                    cards |= at[high]
                elif joker and not missing:
                    missing = joker
                else:
                    break
                size = high - low + 1
                if size >= SHORTEST and (not missing or cards.bit_count() > 1):
                    found.append(Unit(cards | missing, SEQUENCE, low, size, 1 if missing else 0, size - 1))
    return found
