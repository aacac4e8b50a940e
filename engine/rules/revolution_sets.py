"""Revolution sets: the plays that turn the order of strength over, one row a rule."""

from __future__ import annotations

from typing import Final

from engine.cards import ACE, JOKER, KING, NINE, QUEEN, SEVEN, TWO
from engine.native import i64
from engine.plays import EMPEROR, GROUP, SEQUENCE, Play
from engine.ruleset import Ruleset

MANY: Final = 99


class Kind:
    """Plays that cause a revolution under one rule.

    `least` to `most` cards of a shape, with as many jokers among them as `jokers` allows; `rank` is that of a group
    (-1: any, but no joker), `ranks` all ranks of the play (0: any).
    """

    def __init__(
        self,
        id: str,
        shape: int,
        least: int,
        most: int = MANY,
        rank: int = -1,
        ranks: int = 0,
        jokers: tuple[int, ...] = (),
    ) -> None:
        self.id = id
        self.shape: i64 = shape
        self.least: i64 = least
        self.most: i64 = most
        self.rank: i64 = rank
        self.ranks: i64 = ranks
        self.jokers = jokers

    def has(self, play: Play) -> bool:
        """Say whether a play is of this kind."""
        if play.shape != self.shape or not self.least <= play.size <= self.most:
            return False
        if self.jokers and play.jokers not in self.jokers:
            return False
        if self.shape == GROUP:
            return play.low == self.rank if self.rank >= 0 else play.low != JOKER
        return not self.ranks or play.ranks == self.ranks


REAL: Final = (0,)
ADDITION: Final = Kind("same_rank_addition", -1, 1)
"""Cards that revolt together with those to which they are added; by themselves they are no set."""
QUEEN_TO_ACE: Final = 1 << QUEEN | 1 << KING | 1 << ACE
KINDS: Final[tuple[Kind, ...]] = (
    Kind("coup_detat", GROUP, 3, 3, NINE, jokers=REAL),  # 000 L155
    Kind("triple_seven", GROUP, 3, 3, SEVEN, jokers=REAL),  # 000 L183, where that is its effect
    Kind("great_revolution", GROUP, 4, 4, TWO, jokers=REAL),  # 000 L156
    Kind("taepodong", GROUP, 6, 6, jokers=(2,)),  # 000 L238
    Kind("religious_revolution", GROUP, 4, MANY, KING, jokers=(0, 1)),  # 000 L184: the next one turns its order over
    Kind("joker_revolution", GROUP, 2, 2, JOKER),  # 000 L158
    Kind("emperor", EMPEROR, 4),  # 000 L157, where there are revolutions
    Kind("revolution_of_qka", SEQUENCE, 3, 3, ranks=QUEEN_TO_ACE, jokers=REAL),  # 002 L110
)
"""Revolution sets beside groups and long sequences, special ones first: a play causes one revolution at most."""


def kinds_of(ruleset: Ruleset) -> tuple[Kind, ...]:
    """Return the revolution sets that a ruleset has."""
    found = [kind for kind in KINDS if ruleset.bool(kind.id) and (kind.shape != EMPEROR or ruleset.bool("revolution"))]
    if ruleset.word(ADDITION.id) in ("fusion", "follow_revolution"):
        found.append(ADDITION)
    if ruleset.word("triple_seven_effect") != "revolution":
        found = [kind for kind in found if kind.id != "triple_seven"]
    if ruleset.bool("revolution"):
        if ruleset.bool("sequence_revolution"):
            found.append(Kind("sequence_revolution", SEQUENCE, ruleset.number("sequence_revolution.min_length")))
        if ruleset.bool("revolution.groups"):
            jokers = () if ruleset.bool("revolution.joker_allowed") else REAL
            found.append(Kind("revolution", GROUP, ruleset.number("revolution.min_group"), jokers=jokers))
    return tuple(found)
