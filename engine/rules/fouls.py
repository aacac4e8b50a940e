"""Foul finishes (反則上がり): last plays that do not count as going out."""

from __future__ import annotations

from engine.cards import EIGHT, JOKER, SPADE, THREE, TWO
from engine.orders import top_rank
from engine.plays import GROUP, SEQUENCE, SINGLE, Play
from engine.rules.base import Rule
from engine.ruleset import Ruleset
from engine.state import BY_PLAY, Emptied, State


class Foul(Rule):
    """A kind of last play that is forbidden; the ruleset's range of fouls has set the switches."""

    needs: str = ""
    """The rule without which this foul cannot happen."""

    def on(self, ruleset: Ruleset) -> Rule | None:
        on = ruleset.bool(self.id) and (not self.needs or ruleset.bool(self.needs))
        return self.under(ruleset) if on else None

    def under(self, ruleset: Ruleset) -> Rule:
        """Return the foul as the range and the timing in force want it."""
        return self

    def fouls(self, s: State, note: Emptied) -> bool:
        return note.cause == BY_PLAY and self.forbids(s, note)

    def forbids(self, s: State, note: Emptied) -> bool:
        """Say whether a seat may not go out with the play that emptied its hand."""
        return False


class JokerLast(Foul):
    """Any last play with a joker in it (JDF art. 60).

    A range may leave sequences free, and jokers that stand for another card (002 L53).
    """

    id = "foul_joker"

    def __init__(self, sequences_free: bool = False, substitutes_free: bool = False) -> None:
        self.sequences_free = sequences_free
        self.substitutes_free = substitutes_free

    def under(self, ruleset: Ruleset) -> Rule:
        row = ruleset.foul_range()
        return JokerLast(row.sequences_free, row.substitutes_free) if row is not None else self

    def forbids(self, s: State, note: Emptied) -> bool:
        play = note.play
        if not play.jokers or (self.sequences_free and play.shape == SEQUENCE):
            return False
        return play.low == JOKER or not self.substitutes_free


class StrongestLast(Foul):
    """Any last play with a 2 in it, or a 3 while the order is reversed (JDF art. 60, 61).

    `foul_strength_timing` says whether the order after or before the play counts.
    """

    id = "foul_strongest_number"

    def __init__(self, sequences_free: bool = False, before: bool = False) -> None:
        self.sequences_free = sequences_free
        self.before = before

    def under(self, ruleset: Ruleset) -> Rule:
        row = ruleset.foul_range()
        before = ruleset.word("foul_strength_timing") == "before_play"
        return StrongestLast(row is not None and row.sequences_free, before)

    def forbids(self, s: State, note: Emptied) -> bool:
        play = note.play
        if self.sequences_free and play.shape == SEQUENCE:
            return False
        if play.low == JOKER and play.shape in (SINGLE, GROUP):
            return False
        return bool(play.ranks >> top_rank(note.before if self.before else note.after) & 1)


class EightLast(Foul):
    """A last play that cuts with 8s; an 8 in a sequence is free (JDF art. 47)."""

    id = "foul_eight_cut"
    needs = "eight_cut"

    def forbids(self, s: State, note: Emptied) -> bool:
        return note.play.shape in (SINGLE, GROUP) and note.play.low == EIGHT


class LoneSpadeLast(Foul):
    """A spade alone as the last card that answers a joker, or `anywhere` (♠3: JDF art. 43, 60; ♠2: 000 L168)."""

    def __init__(self, id: str, needs: str, rank: int, anywhere: bool = False) -> None:
        self.id = id
        self.needs = needs
        self.rank = rank
        self.anywhere = anywhere

    def forbids(self, s: State, note: Emptied) -> bool:
        play = note.play
        if play.shape != SINGLE or play.low != self.rank or play.suits != 1 << 4 * SPADE:
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


RULES: tuple[Rule, ...] = (
    JokerLast(),
    StrongestLast(),
    EightLast(),
    LoneSpadeLast("foul_spade3_counter", "spade3_counter", THREE),
    LoneSpadeLast("foul_spade3_any_single", "spade3_counter", THREE, True),
    LoneSpadeLast("foul_spade2_counter", "spade2_counter", TWO),
)
