"""Drawing from the stock."""

from __future__ import annotations

from engine import events as ev
from engine.actions import DRAW, Action
from engine.cards import BIT
from engine.choices import HAND, STOCK
from engine.moves import Move
from engine.reasons import Reason
from engine.rules.base import ASK, Rule
from engine.state import Public, State
from engine.steps import emit


class DrawFromStock(Rule):
    """山から引く: once a turn a player may draw a card, and then plays or passes all the same (000 L208)."""

    id = "draw_from_stock"

    def offers(self, p: Public, seat: int, hand: int) -> list[Move]:
        return [] if p.drawn or not p.stock_count else [Move(DRAW, rule=self.id)]

    def withholds(self, p: Public, hand: int, action: Action) -> Reason | None:
        if action.kind != DRAW:
            return None
        return Reason.ONE_DRAW_ONLY if p.drawn else Reason.STOCK_EMPTY

    def acted(self, s: State) -> int:
        card = BIT[s.stock[0]]
        s.stock = s.stock[1:]
        s.stock_count -= 1
        s.drawn = True
        s.hands[s.actor] = s.hands[s.actor] | card
        if s.sink is not None:
            emit(s, ev.CardsMoved(self.id, s.because, STOCK, -1, HAND, s.actor, 1, card, 1 << s.actor))
        return ASK


RULES: tuple[Rule, ...] = (DrawFromStock(),)
