"""Answers to an 8 cut before the flush: the window that 4止め opens too (see `counters.py`)."""

from __future__ import annotations

from typing import Final

from engine import events as ev
from engine.cards import DIAMOND, EIGHT, FOUR, OF_SUIT, SEVEN, TEN, of_rank
from engine.choices import DISCARD, FIELD
from engine.locks import cards_in, shared, without_suit
from engine.moves import NO_MOVES, Move, playing
from engine.plays import GROUP, SINGLE, Play, groups_of
from engine.rules.base import GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import Public, State
from engine.steps import emit, flush_later

EIGHT_CUT: Final = "eight_cut"


def is_eight_cut(p: Public) -> bool:
    """Say whether the running play is 8s that are about to end the trick; an 8 in a sequence cannot be answered."""
    return p.flushing and p.flush_rule == EIGHT_CUT and p.cause.shape in (SINGLE, GROUP)


class Answer(Rule):
    """Cards that answer an 8 cut, and end the trick in its player's favour."""

    def on(self, ruleset: Ruleset) -> Rule | None:
        return self if ruleset.bool(self.id) and ruleset.bool(EIGHT_CUT) else None

    def acts_on(self, play: Play) -> bool:
        return bool(play.ranks >> EIGHT & 1)

    def opens(self, p: Public) -> bool:
        return is_eight_cut(p)

    def acted(self, s: State) -> int:
        flush_later(s, self.id)
        return GO_ON


class SevenCounter(Answer):
    """7カウンター: the diamond 7 cancels the cut of a single 8, which stays to be beaten (000 L227).

    The 7 itself goes to the discard pile; the turn goes on after its player.
    """

    id = "seven_counter"

    def opens(self, p: Public) -> bool:
        return is_eight_cut(p) and p.cause.size == 1

    def counters(self, p: Public, seat: int, hand: int) -> list[Move]:
        sevens = of_rank(hand, SEVEN)
        seven = sevens & OF_SUIT[DIAMOND] if sevens else 0
        return [playing(p.program.shapes.group(seven & -seven, SEVEN, 1, 0), 0, self.id)] if seven else NO_MOVES

    def acted(self, s: State) -> int:
        cards = s.trick.pop().play.cards
        s.owner = s.trick[-1].seat
        s.discard |= cards
        if s.sink is not None:
            emit(s, ev.CardsMoved(self.id, s.because, FIELD, -1, DISCARD, -1, 1, cards))
        return GO_ON


class TenReturn(Answer):
    """10返し: 10s of the suits of the 8s end the trick in the cutter's stead (000 L246).

    As many as the 8s, where a joker among the 8s may be met by any 10 or joker; or `just_one` of one of their suits
    (000 L254).
    """

    id = "ten_return"

    def __init__(self, just_one: bool = False) -> None:
        self.just_one = just_one

    def on(self, ruleset: Ruleset) -> Rule | None:
        just_one = ruleset.word("ten_return_count") == "one"
        return TenReturn(just_one) if ruleset.bool(self.id) and ruleset.bool(EIGHT_CUT) else None

    def counters(self, p: Public, seat: int, hand: int) -> list[Move]:
        eights = p.top()
        if not of_rank(hand, TEN):
            return NO_MOVES
        tens = groups_of(p.program.shapes, hand, TEN, 1 if self.just_one else eights.size)
        return [playing(play, 0, self.id) for play in tens if self.answers(eights, play)]

    def answers(self, eights: Play, tens: Play) -> bool:
        """Say whether 10s have the suits of 8s, counted four bits each."""
        if self.just_one:
            return not tens.jokers and shared(eights.suits, tens.suits) != 0
        return cards_in(shared(eights.suits, tens.suits)) == eights.size - without_suit(eights)


class EightReturn(Answer):
    """8切り返し: as many 8s answer an 8 cut, and may be answered so themselves; or two 4s answer an 8 (002 L128)."""

    id = "eight_cut_return"

    def __init__(self, by_fours: bool = False) -> None:
        self.by_fours = by_fours

    def on(self, ruleset: Ruleset) -> Rule | None:
        by_fours = ruleset.word("eight_cut_return.by") == "two_4s"
        return EightReturn(by_fours) if ruleset.bool(self.id) and ruleset.bool(EIGHT_CUT) else None

    def opens(self, p: Public) -> bool:
        if self.by_fours:
            return is_eight_cut(p) and p.cause.size == 1
        return is_eight_cut(p) or (p.flushing and p.flush_rule == self.id)

    def counters(self, p: Public, seat: int, hand: int) -> list[Move]:
        rank = FOUR if self.by_fours else EIGHT
        if not of_rank(hand, rank):
            return NO_MOVES
        groups = groups_of(p.program.shapes, hand, rank, 2 if self.by_fours else p.top().size)
        return [playing(play, 0, self.id) for play in groups]


RULES: tuple[Rule, ...] = (SevenCounter(), TenReturn(), EightReturn())
