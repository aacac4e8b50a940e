"""What black 7s bring back."""

from __future__ import annotations

from typing import Final

from engine.cards import CLUB, OF_RANK, OF_SUIT, SEVEN, SPADE, members
from engine.randomness import draw
from engine.rules.base import GO_ON, Rule
from engine.rules.ranks import counted
from engine.state import State
from engine.steps import retrieve

BLACK_SEVENS: Final[int] = OF_RANK[SEVEN] & (OF_SUIT[SPADE] | OF_SUIT[CLUB])


class BlackSeven(Rule):
    """黒7: a play with a black 7 in it takes back as many discarded cards by lot as it has cards (000 L226)."""

    id = "black_seven"
    ranks = 1 << SEVEN

    def played(self, s: State) -> int:
        if not counted(s) or not s.cause.cards & BLACK_SEVENS or s.gone >> s.actor & 1:
            return GO_ON
        pile = members(s.discard)
        cards = 0
        for _ in range(min(s.cause.size, len(pile))):
            cards |= 1 << pile.pop(draw(s, len(pile)))
        retrieve(s, s.actor, cards, self.id)
        return GO_ON


RULES: tuple[Rule, ...] = (BlackSeven(),)
