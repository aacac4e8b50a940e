"""Cards that skip the next seats."""

from __future__ import annotations

from typing import Final

from engine.cards import FIVE, KING, SIX, TEN, count
from engine.rules.base import GO_ON, Rule
from engine.rules.ranks import counted
from engine.ruleset import Ruleset
from engine.state import State
from engine.steps import others_in, tell_rests


class Skip(Rule):
    """A single or group of a rank skips as many of the next seats as it has cards (5スキップ: 000 L139, L173-175).

    Seats that have passed are counted, those that are out are not. `just_one`: one seat, however many cards
    (K飛びの人数: 000 L235). `others`: ranks that have skipped before this one where a sequence holds both.
    """

    def __init__(self, id: str, rank: int, just_one: bool = False, others: int = 0) -> None:
        self.id = id
        self.rank = rank
        self.ranks = 1 << rank
        self.just_one = just_one
        self.others = others

    def on(self, ruleset: Ruleset) -> Rule | None:
        just_one = self.rank == KING and ruleset.word("king_skip_count") == "always_one"
        others = sum([1 << rank for rank, id in SKIPS.items() if rank < self.rank and ruleset.bool(id)])
        return Skip(self.id, self.rank, just_one, others) if ruleset.bool(self.id) else None

    def played(self, s: State) -> int:
        number = counted(s)
        if not number:
            return GO_ON
        if self.just_one:
            number = 1
        first = count(s.cause.ranks & self.others)
        seats = others_in(s, s.actor)
        for at in range(first, min(first + number, len(seats))):
            s.rests[seats[at]] += 1
        tell_rests(s, self.id)
        return GO_ON


SKIPS: Final = {FIVE: "five_skip", SIX: "six_skip", TEN: "ten_skip", KING: "king_skip"}

RULES: tuple[Rule, ...] = tuple(Skip(id, rank) for rank, id in SKIPS.items())
