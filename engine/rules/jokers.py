"""What jokers may answer, what they may stand for, how strong they are, and the locks that they lift."""

from __future__ import annotations

from engine.cards import JOKER, KING
from engine.moves import STRENGTH, Move
from engine.plays import GROUP, SEQUENCE, SINGLE
from engine.readings import readings
from engine.reasons import Reason
from engine.rules.base import GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import Public, State
from engine.steps import set_locks, set_order
from engine.strength import weakest


class JokerOnJoker(Rule):
    """A lone joker cannot be answered with a joker (JDF art. 28)."""

    id = "joker_on_joker_banned"
    waiver = STRENGTH

    def allows(self, p: Public, seat: int, hand: int, move: Move) -> Reason | None:
        top, play = p.top(), move.play
        if top.shape != SINGLE or play.shape != SINGLE:
            return None
        return Reason.JOKER_ON_JOKER if play.low == JOKER and top.low == JOKER else None

    def narrows_fully(self, p: Public) -> bool:
        top = p.top()
        return top.shape != SINGLE or top.low != JOKER


class StrongestPlacement(Rule):
    """A joker in a sequence always stands where it makes the sequence strongest; nothing can be declared (001 L31).

    Only the difference of an arithmetic sequence remains to be chosen.
    """

    id = "joker_sequence_placement"
    of_sequences = True

    def on(self, ruleset: Ruleset) -> Rule | None:
        return self if ruleset.word(self.id) == "strongest" else None

    def allows(self, p: Public, seat: int, hand: int, move: Move) -> Reason | None:
        play = move.play
        if play.shape < SEQUENCE or not play.jokers:
            return None
        every = readings(p.program.shapes, play.cards, p.order)
        others = [other for other in every if other.shape == play.shape and other.step == play.step]
        best = max([weakest(p.order, other) for other in others])
        return Reason.WRONG_MEANING if weakest(p.order, play) < best else None


class JokerUnlock(Rule):
    """A lone joker lifts every lock; plays in a row are counted anew (005 縛り)."""

    id = "joker_unlock"
    ranks = 1 << JOKER
    shapes = 1 << SINGLE

    def played(self, s: State) -> int:
        if s.locks:
            set_locks(s, [], self.id)
        s.row_start = len(s.trick)
        return GO_ON


class Arthur(Rule):
    """アーサー: three real Ks put a lone joker between 10 and J for the rest of the game, either way (000 L230)."""

    id = "arthur"
    ranks = 1 << KING

    def played(self, s: State) -> int:
        play = s.cause
        if play.shape == GROUP and play.low == KING and play.size == 3 and not play.jokers and not s.joker_above_ten:
            s.joker_above_ten = True
            set_order(s, self.id)
        return GO_ON


RULES: tuple[Rule, ...] = (JokerOnJoker(), StrongestPlacement(), JokerUnlock(), Arthur())
