"""Revolution: the strength order turns over for the rest of the game."""

from __future__ import annotations

from engine.choices import YES_NO, Choice, Group
from engine.orders import REVERSED
from engine.plays import Play
from engine.reversals import can_revolt, revolt, turn_over
from engine.rules.base import GO_ON, Rule
from engine.rules.revolution_sets import ADDITION, MANY, Kind, kinds_of
from engine.ruleset import Ruleset
from engine.state import ADD_RUN, State
from engine.steps import ask, set_order


class Revolution(Rule):
    """革命: four or more cards of one rank (three with three players) turn the order over, and back (JDF ch. 10).

    Other sets do it too where their rules are on: 階段革命, クーデター, ジョーカー革命 and so on.
    """

    id = "revolution"

    def __init__(self, kinds: tuple[Kind, ...] = (), is_asked: bool = False) -> None:
        self.kinds = kinds
        self.is_asked = is_asked
        self.least = min([kind.least for kind in kinds], default=MANY)

    def on(self, ruleset: Ruleset) -> Rule | None:
        kinds = kinds_of(ruleset)
        return Revolution(kinds, ruleset.bool("optional_revolution")) if kinds else None

    def acts_on(self, play: Play) -> bool:
        return not self.is_asked and any([kind.shape in (-1, play.shape) for kind in self.kinds])

    def played(self, s: State) -> int:
        if s.cause.size >= self.least and not self.is_asked:
            self.cause(s)
        return GO_ON

    def cause(self, s: State) -> None:
        """Let the running play cause its revolution, unless it has caused one."""
        kind = self.kind_now(s)
        if kind is not None and s.revolted != s.run_number:
            revolt(s, kind.id)

    def kind_now(self, s: State) -> Kind | None:
        """Return the kind of revolution set that the running play is, or makes with the cards that it joins."""
        return ADDITION if s.run_kind == ADD_RUN else self.kind_of(s.cause)

    def kind_of(self, play: Play) -> Kind | None:
        """Return the kind of revolution set that a play is."""
        for kind in self.kinds:
            if kind.has(play):
                return kind
        return None


class OptionalRevolution(Rule):
    """革命するか選ぶ: whoever plays a revolution set says whether it revolts (000 L185).

    オーメン and the change to A..K by 宗教革命 cannot be declined.
    """

    id = "optional_revolution"

    def __init__(self, revolution: Revolution | None = None) -> None:
        self.revolution = revolution or Revolution()

    def on(self, ruleset: Ruleset) -> Rule | None:
        return OptionalRevolution(Revolution(kinds_of(ruleset))) if ruleset.bool(self.id) else None

    def acts_on(self, play: Play) -> bool:
        return self.revolution.acts_on(play)

    def played(self, s: State) -> int:
        if s.revolted == s.run_number or not can_revolt(s) or self.revolution.kind_now(s) is None:
            return GO_ON
        return ask(s, self.id, [Choice(self.id, s.actor, YES_NO, (0, 1), 1, 1)])

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        if answers[0] == (1,):
            self.revolution.cause(s)
        return GO_ON


class DelayedRevolution(Rule):
    """流れてから革命: the revolutions of a trick turn the order over after its flush; two cancel out (000 L187)."""

    id = "delayed_revolution"

    def flushed(self, s: State) -> int:
        reserved, s.reserved_revolutions = s.reserved_revolutions, 0
        if reserved % 2:
            turn_over(s, self.id)
            for note in s.emptied:
                if note.run == s.run_number and note.after >= 0:
                    note.after ^= REVERSED
        elif reserved:
            set_order(s, self.id)
        return GO_ON


RULES: tuple[Rule, ...] = (Revolution(), OptionalRevolution(), DelayedRevolution())
