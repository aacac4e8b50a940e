"""What a play must be to answer the one on the field, and how long a pass lasts."""

from __future__ import annotations

from engine.events import PassesCleared
from engine.moves import COUNT, SHAPE, Move
from engine.reasons import Reason
from engine.rules.base import GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import Public, State
from engine.steps import emit


class SameCount(Rule):
    """A play has as many cards as the field (JDF art. 25)."""

    id = "same_shape_required"
    waiver = COUNT

    def on(self, ruleset: Ruleset) -> Rule | None:
        return self

    def allows(self, p: Public, seat: int, hand: int, move: Move) -> Reason | None:
        top, play = p.top(), move.play
        if not top.size or play.size == top.size:
            return None
        return Reason.WRONG_COUNT

    def narrows_fully(self, p: Public) -> bool:
        return True


class SameShape(Rule):
    """A play has the shape of the field; a joker is no reason to change it (JDF art. 25, 29).

    `same_step`: an arithmetic sequence also has the difference of the one that it answers (000 L44, L239).
    """

    id = "same_shape_required.shape"
    waiver = SHAPE

    def __init__(self, same_step: bool = True) -> None:
        self.same_step = same_step

    def on(self, ruleset: Ruleset) -> Rule | None:
        return SameShape(ruleset.bool("arithmetic_sequence.same_difference_required"))

    def allows(self, p: Public, seat: int, hand: int, move: Move) -> Reason | None:
        top, play = p.top(), move.play
        if not top.size or play.size != top.size:
            return None
        same = play.shape == top.shape and (play.step == top.step or not self.same_step)
        return None if same else Reason.WRONG_SHAPE

    def narrows_fully(self, p: Public) -> bool:
        return True


class PassLasts(Rule):
    """With `pass_out` off a pass is good for that turn only: the next play clears it."""

    id = "pass_out"

    def on(self, ruleset: Ruleset) -> Rule | None:
        return None if ruleset.bool("pass_out") else self

    def played(self, s: State) -> int:
        if s.passed:
            s.passed = 0
            if s.sink is not None:
                emit(s, PassesCleared(self.id, s.because))
        return GO_ON


RULES: tuple[Rule, ...] = (SameCount(), SameShape(), PassLasts())
