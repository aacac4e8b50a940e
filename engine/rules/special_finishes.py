"""Special finishes: plays with which a seat goes out whatever it still holds; the bans of last plays are waived."""

from __future__ import annotations

from engine.cards import SEVEN
from engine.plays import GROUP, Play
from engine.rules.base import GO_ON, Rule
from engine.rules.revolution_sets import KINDS, Kind
from engine.ruleset import Ruleset
from engine.state import State
from engine.steps import go_out


class RevolutionFinish(Rule):
    """大革命 (2-2-2-2) and テポドン (four of a rank and two jokers): their player goes out at once (000 L156, L238)."""

    def __init__(self, kind: Kind) -> None:
        self.id = kind.id
        self.kind = kind

    def acts_on(self, play: Play) -> bool:
        return play.shape == self.kind.shape and self.kind.rank in (-1, play.low)

    def played(self, s: State) -> int:
        if self.kind.has(s.cause):
            go_out(s, s.actor, s.cause, self.id)
        return GO_ON


class LuckySeven(Rule):
    """ラッキーセブン: whoever plays three real 7s that nobody answers goes out at the flush (000 L160)."""

    id = "triple_seven"

    def on(self, ruleset: Ruleset) -> Rule | None:
        lucky = ruleset.word("triple_seven_effect") == "lucky_seven"
        return self if ruleset.bool(self.id) and lucky else None

    def flushed(self, s: State) -> int:
        last = s.last_trick[-1]
        if is_lucky(last.play) and not s.gone >> last.seat & 1:
            go_out(s, last.seat, last.play, self.id)
        return GO_ON


def is_lucky(play: Play) -> bool:
    """Say whether a play is exactly three real 7s."""
    return play.shape == GROUP and play.size == 3 and play.low == SEVEN and not play.jokers


RULES: tuple[Rule, ...] = (
    *[RevolutionFinish(kind) for kind in KINDS if kind.id in ("great_revolution", "taepodong")],
    LuckySeven(),
)
