"""Foul finishes (反則上がり): last plays that do not count as going out."""

from __future__ import annotations

from engine.cards import EIGHT, JOKER, QUEEN, SEVEN, SPADE, THREE
from engine.orders import top_rank
from engine.plays import GROUP, SINGLE, Play
from engine.rules.base import Rule
from engine.ruleset import Ruleset
from engine.state import BY_BOMBER, BY_GIVING, BY_PLAY, Emptied, State


class Foul(Rule):
    """A kind of last play that is forbidden; the ruleset's range of fouls has set the switches."""

    needs: str = ""
    """The rule without which this foul cannot happen."""

    def on(self, ruleset: Ruleset) -> Rule | None:
        on = ruleset.bool(self.id) and (not self.needs or ruleset.bool(self.needs))
        return self if on else None

    def fouls(self, s: State, note: Emptied) -> bool:
        return note.cause == BY_PLAY and self.forbids(s, note.play, note.after)

    def forbids(self, s: State, play: Play, order: int) -> bool:
        """Say whether a seat may not go out with this play; `order` is the strength order after it."""
        return False


class JokerLast(Foul):
    """Any last play with a joker in it (JDF art. 60)."""

    id = "foul_joker"

    def forbids(self, s: State, play: Play, order: int) -> bool:
        return play.jokers > 0


class StrongestLast(Foul):
    """Any last play with a 2 in it, or a 3 while the order is reversed (JDF art. 60, 61)."""

    id = "foul_strongest_number"

    def forbids(self, s: State, play: Play, order: int) -> bool:
        if play.low == JOKER:
            return False
        return bool(play.ranks >> top_rank(order) & 1)


class EightLast(Foul):
    """A last play that cuts with 8s; an 8 in a sequence is free (JDF art. 47)."""

    id = "foul_eight_cut"
    needs = "eight_cut"

    def forbids(self, s: State, play: Play, order: int) -> bool:
        return play.shape in (SINGLE, GROUP) and play.low == EIGHT


class SpadeThreeLast(Foul):
    """The spade 3 alone as the last card (JDF art. 43, 60); `anywhere`, or only in answer to a joker."""

    needs = "spade3_counter"

    def __init__(self, id: str, anywhere: bool) -> None:
        self.id = id
        self.anywhere = anywhere

    def forbids(self, s: State, play: Play, order: int) -> bool:
        if play.shape != SINGLE or play.low != THREE or play.suits != 1 << 4 * SPADE:
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


class GivenAway(Foul):
    """The last play is 7s, or the last card went away with 7渡し."""

    id = "foul_seven_pass"
    needs = "seven_pass"

    def fouls(self, s: State, note: Emptied) -> bool:
        play = note.play
        sevens = play.shape in (SINGLE, GROUP) and play.ranks == 1 << SEVEN
        return sevens and note.cause in (BY_PLAY, BY_GIVING)


class Bombed(Foul):
    """The last play is queens, or the player's own 12ボンバー took the last card."""

    id = "foul_queen_bomber"
    needs = "queen_bomber"

    def fouls(self, s: State, note: Emptied) -> bool:
        queens = note.play.shape in (SINGLE, GROUP) and note.play.low == QUEEN
        return queens and note.cause in (BY_PLAY, BY_BOMBER)


RULES: tuple[Rule, ...] = (
    JokerLast(),
    StrongestLast(),
    EightLast(),
    SpadeThreeLast("foul_spade3_counter", False),
    SpadeThreeLast("foul_spade3_any_single", True),
    GivenAway(),
    Bombed(),
)
