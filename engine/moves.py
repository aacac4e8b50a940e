"""A move: an action whose meaning is settled and that the rules have been asked about."""

from __future__ import annotations

from typing import Final

from engine.actions import ANSWER, PASS, PLAY, Action
from engine.cards import PACK
from engine.native import i64, mypyc_attr
from engine.plays import NO_PLAY, Play

# what an offer may waive
STRENGTH: Final = 1
COUNT: Final = 2
SHAPE: Final = 4
LOCK: Final = 8
PARITY: Final = 16


@mypyc_attr(acyclic=True, free_list_len=1)
class Move:
    """A play with its one meaning, a pass, a draw, or an answer. `rule` offered it, waiving what `waivers` says."""

    def __init__(
        self, kind: int, play: Play = NO_PLAY, waivers: int = 0, rule: str = "", values: tuple[int, ...] = ()
    ) -> None:
        self.kind: i64 = kind
        self.play = play
        self.waivers: i64 = waivers
        self.rule = rule
        self.values = values

    def made_of(self, cards: int) -> Move:
        """Return the same move with other, equal cards."""
        return Move(self.kind, self.play.made_of(cards), self.waivers, self.rule, self.values)

    def action(self) -> Action:
        """Return the action that declares exactly this move."""
        if self.kind == PLAY:
            return Action(PLAY, self.play.cards, self.play.shape, self.play.meanings())
        if self.play.size:
            return Action(self.kind, self.play.cards)
        return Action(self.kind, 0, 0, (), self.values)


def playing(play: Play, waivers: int = 0, rule: str = "") -> Move:
    """Return the move of putting down a play."""
    return Move(PLAY, play, waivers, rule)


def answering(values: tuple[int, ...]) -> Move:
    """Return the move of answering a choice."""
    return Move(ANSWER, NO_PLAY, 0, "", values)


def naming(option: int) -> Move:
    """Return the move of naming just one option; everybody gets the same object."""
    return NAMING[option] if 0 <= option < len(NAMING) else answering((option,))


NAMING_NOTHING: Final = answering(())
NAMING: Final[tuple[Move, ...]] = tuple(answering((option,)) for option in range(2 * PACK))


PASS_MOVE: Final = Move(PASS)
NO_MOVES: Final[list[Move]] = []
"""What rules answer that have nothing to offer; nobody changes it."""
