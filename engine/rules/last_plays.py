"""Last plays that are fouls because of what they do: card effects, counters, revolutions, the weakest card."""

from __future__ import annotations

from engine.cards import JACK, JOKER, OF_RANK, QUEEN, SEVEN, SPADE, TEN, THREE, TWO
from engine.orders import FROM_ACE, is_reversed, rank_at
from engine.plays import GROUP, SINGLE, Play
from engine.rules.base import Rule
from engine.rules.fouls import Foul, in_revolution, judges_before
from engine.rules.revolution import Revolution
from engine.rules.revolution_sets import ADDITION, kinds_of
from engine.ruleset import Ruleset
from engine.state import ADD_RUN, BY_BOMBER, BY_DISCARDING, BY_GIVING, BY_PLAY, Emptied, State


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


class LoneSpadeLast(Foul):
    """A spade alone as the last card that answers a joker, or `anywhere` (♠3: JDF art. 43, 60; ♠2: 000 L168)."""

    def __init__(self, id: str, needs: str, rank: int, anywhere: bool = False, reversed_only: bool = False) -> None:
        self.id = id
        self.needs = needs
        self.rank = rank
        self.anywhere = anywhere
        self.reversed_only = reversed_only

    def forbids(self, s: State, note: Emptied) -> bool:
        play = note.play
        if play.shape != SINGLE or play.low != self.rank or play.suits != 1 << 4 * SPADE:
            return False
        if self.reversed_only and not is_reversed(note.before):
            return False
        return self.anywhere or answered_joker(s, play)


def answered_joker(s: State, play: Play) -> bool:
    """Say whether a play lies on a lone joker, in this trick or in the one just flushed."""
    trick = s.trick or s.last_trick
    for i in range(1, len(trick)):
        if trick[i].play is play:
            below = trick[i - 1].play
            return below.shape == SINGLE and below.low == JOKER
    return False


class RevolutionSetLast(Foul):
    """A last play that is a revolution set, 大革命 among them, even where no revolution comes of it (000 L166)."""

    id = "foul_revolution_set"

    def __init__(self, revolution: Revolution | None = None) -> None:
        self.revolution = revolution or Revolution()

    def under(self, ruleset: Ruleset) -> Rule:
        return RevolutionSetLast(Revolution(kinds_of(ruleset)))

    def fouls(self, s: State, note: Emptied) -> bool:
        if note.cause != BY_PLAY and note.rule != "great_revolution":
            return False
        added = s.run_kind == ADD_RUN and note.run == s.run_number
        return (added and ADDITION in self.revolution.kinds) or self.revolution.kind_of(note.play) is not None


class RevolutionLast(Foul):
    """革命で上がれない: a last play that turns the revolution, whatever the range of fouls (000 L199)."""

    id = "no_finish_with_revolution"

    def forbids(self, s: State, note: Emptied) -> bool:
        return s.revolted == note.run


class WeakestLast(Foul):
    """最弱札で上がれない: a last play with a real 3 in it, during a revolution a 2, whatever the range (000 L200).

    Only the revolution counts, no temporary reversal; `foul_strength_timing` says whether before or after the play.
    Where ranks run from the A it is the A, during a revolution the K.
    """

    id = "no_finish_with_weakest"

    def __init__(self, before: bool = False) -> None:
        self.before = before

    def under(self, ruleset: Ruleset) -> Rule:
        return WeakestLast(judges_before(ruleset))

    def forbids(self, s: State, note: Emptied) -> bool:
        order = (note.before if self.before else note.after) & FROM_ACE
        weakest = rank_at(order, 12 if in_revolution(s, note, self.before) else 0)
        return bool(note.play.cards & OF_RANK[weakest])


RULES: tuple[Rule, ...] = (
    EffectLast("foul_seven_pass", "seven_pass", SEVEN, BY_GIVING),
    EffectLast("foul_ten_discard", "ten_discard", TEN, BY_DISCARDING),
    EffectLast("foul_jack_back", "jack_back", JACK),
    EffectLast("foul_queen_bomber", "queen_bomber", QUEEN, BY_BOMBER),
    EffectLast("foul_two_back", "two_back", TWO),
    LoneSpadeLast("foul_spade3_counter", "spade3_counter", THREE),
    LoneSpadeLast("foul_spade3_any_single", "spade3_counter", THREE, True),
    LoneSpadeLast("foul_spade2_counter", "spade2_counter", TWO, reversed_only=True),
    RevolutionSetLast(),
    RevolutionLast(),
    WeakestLast(),
)
