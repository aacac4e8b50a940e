"""What a seat must do in its first turn and on an empty field."""

from __future__ import annotations

from engine.cards import BIT, parse_card
from engine.moves import Move
from engine.reasons import Reason
from engine.rules.base import Rule
from engine.rules.leads import HOLDER
from engine.ruleset import Ruleset
from engine.state import Public


class NamedCard(Rule):
    """指定札を初手に含める: the first play of a round holds the 3 that made its player open (000 L237).

    Until then the player may not pass; a player who opens for another reason has no such duty.
    """

    id = "designated_first_card"

    def __init__(self, card: int = 0) -> None:
        self.card = card

    def on(self, ruleset: Ruleset) -> Rule | None:
        way = ruleset.word("first_leader_initial")
        return NamedCard(BIT[parse_card(way.removeprefix(HOLDER))]) if ruleset.bool(self.id) else None

    def owes(self, p: Public, hand: int) -> bool:
        """Say whether the first play of the round's first game is still to come, from a hand with the named card."""
        return not p.previous and not p.trick and not p.last_trick and bool(hand & self.card)

    def allows(self, p: Public, seat: int, hand: int, move: Move) -> Reason | None:
        missing = self.owes(p, hand) and not move.play.cards & self.card
        return Reason.MUST_CONTAIN_CARD if missing else None

    def allows_pass(self, p: Public, seat: int, hand: int) -> Reason | None:
        return Reason.MUST_CONTAIN_CARD if self.owes(p, hand) else None


class Composure(Rule):
    """大富豪の余裕: the last game's first place passes on its first own turn, even as the starter (000 L217)."""

    id = "daifugo_composure"

    def allows(self, p: Public, seat: int, hand: int, move: Move) -> Reason | None:
        return Reason.COMPOSURE if must_be_composed(p, seat) else None

    def must_pass(self, p: Public, seat: int) -> bool:
        return must_be_composed(p, seat)

    def narrows_fully(self, p: Public) -> bool:
        return True


def must_be_composed(p: Public, seat: int) -> bool:
    """Say whether it is the first own turn of the last game's first place."""
    return not p.had_turn >> seat & 1 and len(p.previous) > 0 and seat == p.previous[0]


class LeaderMustPlay(Rule):
    """Nobody may pass on an empty field, not even with only foul cards left (JDF art. 16, 63)."""

    id = "leader_must_play"

    def __init__(self, composure: bool = False) -> None:
        self.composure = composure

    def on(self, ruleset: Ruleset) -> Rule | None:
        return LeaderMustPlay(ruleset.bool("daifugo_composure")) if ruleset.bool(self.id) else None

    def allows_pass(self, p: Public, seat: int, hand: int) -> Reason | None:
        if p.trick or (self.composure and must_be_composed(p, seat)):
            return None
        return Reason.EMPTY_FIELD_PASS


RULES: tuple[Rule, ...] = (NamedCard(), Composure(), LeaderMustPlay())
