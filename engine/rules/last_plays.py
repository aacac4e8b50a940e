"""Last plays that are fouls because of what they do: card effects, revolutions, the weakest card."""

from __future__ import annotations

from engine.cards import JACK, OF_RANK, QUEEN, SEVEN, TEN, THREE, TWO
from engine.plays import GROUP, SINGLE
from engine.rules.base import Rule
from engine.rules.fouls import Foul
from engine.rules.revolution import Revolution
from engine.ruleset import Ruleset
from engine.state import BY_BOMBER, BY_DISCARDING, BY_GIVING, BY_PLAY, Emptied, State


class EffectLast(Foul):
    """A last play of a rank that has an effect, as single or group, also when that effect takes the last card.

    7渡し, 10捨て, 11バック, 12ボンバー, 2バック (000 L136-143, L167); in a sequence these ranks are free.
    """

    def __init__(self, id: str, needs: str, rank: int, cause: int = BY_PLAY) -> None:
        self.id = id
        self.needs = needs
        self.rank = rank
        self.cause = cause

    def fouls(self, s: State, note: Emptied) -> bool:
        play = note.play
        return play.shape in (SINGLE, GROUP) and play.low == self.rank and note.cause in (BY_PLAY, self.cause)


class RevolutionSetLast(Foul):
    """A last play that is a revolution set, even where no revolution comes of it (000 L166)."""

    id = "foul_revolution_set"
    needs = "revolution"

    def __init__(self, revolution: Revolution | None = None) -> None:
        self.revolution = revolution

    def under(self, ruleset: Ruleset) -> Rule:
        revolution = Revolution().on(ruleset)
        return RevolutionSetLast(revolution) if isinstance(revolution, Revolution) else self

    def forbids(self, s: State, note: Emptied) -> bool:
        return self.revolution is not None and self.revolution.is_set(note.play)


class RevolutionLast(Foul):
    """革命で上がれない: a last play that turns the revolution, whatever the range of fouls (000 L199)."""

    id = "no_finish_with_revolution"

    def forbids(self, s: State, note: Emptied) -> bool:
        return s.revolted == note.run


class WeakestLast(Foul):
    """最弱札で上がれない: a last play with a real 3 in it, during a revolution a 2, whatever the range (000 L200).

    Only the revolution counts, no temporary reversal; `foul_strength_timing` says whether before or after the play.
    """

    id = "no_finish_with_weakest"

    def __init__(self, before: bool = False) -> None:
        self.before = before

    def under(self, ruleset: Ruleset) -> Rule:
        return WeakestLast(ruleset.word("foul_strength_timing") == "before_play")

    def forbids(self, s: State, note: Emptied) -> bool:
        turned = s.revolution != (self.before and s.revolted == note.run)
        return bool(note.play.cards & OF_RANK[TWO if turned else THREE])


RULES: tuple[Rule, ...] = (
    EffectLast("foul_seven_pass", "seven_pass", SEVEN, BY_GIVING),
    EffectLast("foul_ten_discard", "ten_discard", TEN, BY_DISCARDING),
    EffectLast("foul_jack_back", "jack_back", JACK),
    EffectLast("foul_queen_bomber", "queen_bomber", QUEEN, BY_BOMBER),
    EffectLast("foul_two_back", "two_back", TWO),
    RevolutionSetLast(),
    RevolutionLast(),
    WeakestLast(),
)
