"""Foul finishes (反則上がり): last plays that do not count as going out."""

from __future__ import annotations

from engine.cards import EIGHT, JOKER
from engine.orders import top_rank
from engine.plays import GROUP, SEQUENCE, SINGLE
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


def judges_before(ruleset: Ruleset) -> bool:
    """Say whether fouls look at the order before the last play."""
    return ruleset.word("foul_strength_timing") == "before_play"


def in_revolution(s: State, note: Emptied, before: bool) -> bool:
    """Say whether there was a revolution after the play that emptied a hand, or before it."""
    return s.revolution != (before and s.turned_over == note.run)


class JokerLast(Foul):
    """Any last play with a joker in it (JDF art. 60).

    A range may leave sequences free, and jokers that stand for another card (002 L53); a weak joker is free too.
    """

    id = "foul_joker"

    def __init__(
        self,
        sequences_free: bool = False,
        substitutes_free: bool = False,
        free_in_revolution: bool = False,
        before: bool = False,
    ) -> None:
        self.sequences_free = sequences_free
        self.substitutes_free = substitutes_free
        self.free_in_revolution = free_in_revolution
        self.before = before

    def under(self, ruleset: Ruleset) -> Rule:
        row = ruleset.foul_range()
        weak, before = ruleset.bool("weak_joker_in_revolution"), judges_before(ruleset)
        if row is None:
            return JokerLast(False, False, weak, before)
        return JokerLast(row.sequences_free, row.substitutes_free, weak, before)

    def forbids(self, s: State, note: Emptied) -> bool:
        play = note.play
        if not play.jokers or (self.sequences_free and play.shape >= SEQUENCE):
            return False
        if self.free_in_revolution and in_revolution(s, note, self.before):
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
        return StrongestLast(row is not None and row.sequences_free, judges_before(ruleset))

    def forbids(self, s: State, note: Emptied) -> bool:
        play = note.play
        if self.sequences_free and play.shape >= SEQUENCE:
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


RULES: tuple[Rule, ...] = (JokerLast(), StrongestLast(), EightLast())
