"""What a seat might well do, read from the seat's own view only."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import Final, NamedTuple, cast

from advice import candidates as advice
from daifugo.v1 import game_pb2, view_pb2
from engine.actions import PASSING
from engine.catalogue import Text
from engine.foreseeing import FOULS, Effect, foresee
from engine.legal import check, default_move, legal_moves, not_asked
from engine.view import View
from services.common.errors import Refused, malformed
from services.game.codec.actions import action_from, action_to
from services.game.codec.effects import effect_to
from services.game.codec.views import view_to
from services.game.life import Life
from services.game.table import Table

USUAL: Final = 3
MOST: Final = 20
MOST_LOOKED_AT: Final = 400
"""How many moves are looked at, however many more there are: it must not take the server's time."""

MOST_KEPT: Final = 1000
"""For how many seats what was found is kept: those that asked last."""

REASONS: Final[dict[int, Text]] = {
    advice.GOES_OUT: Text("これで上がれます。", "It is the last play: you go out."),
    advice.TAKES_LEAD: Text("場が流れて、親になれます。", "It ends the trick, and you lead."),
    advice.HARD_TO_BEAT: Text("たぶん誰にも返されません。", "Others will hardly beat it."),
    advice.REVOLUTION_HELPS: Text("強さが逆になると、手札が良くなります。", "Your hand is better the other way round."),
    advice.SHEDS_MANY: Text("まとめて減らせます。", "Several cards go at once."),
    advice.SHEDS_WEAK: Text("弱い札から減らし、強い札を残します。", "A weak card goes, and the strong ones stay."),
    advice.OWNS_FIELD: Text("場はあなたのものです。パスで親になれます。", "The field is yours: pass, and you lead."),
    advice.KEEPS_STRONG: Text("強い札は後に取っておきます。", "What you could play is worth more later."),
    advice.NOTHING_ELSE: Text("ほかにできることがありません。", "There is nothing else to do."),
    advice.LEAST_NEEDED: Text("なくてもいちばん困らない札です。", "These are the cards that you need least."),
    advice.MOST_USEFUL: Text("手札がいちばん良くなります。", "These help your hand the most."),
    advice.HURTS_OTHERS: Text("自分より、ほかの人が困ります。", "Others lose more by it than you do."),
    advice.AIMS_AT_LEADER: Text("上がりにいちばん近い人に当てます。", "It hits whoever is closest to going out."),
    advice.SAFE: Text("いちばん無難です。", "It does the least."),
    advice.FOUL: Text("反則上がりになります。", "Beware: it is a foul."),
    advice.DRAWS: Text("札を1枚引けます。", "It brings a card."),
}
"""What is said of each reason; its number is that of the published HintReason."""


class Advised(NamedTuple):
    """Something that could be done, why, and what it would bring about for certain."""

    action: view_pb2.Action
    why: int
    would: tuple[Effect, ...]


class Hints:
    """Hints of tables, found once for each question: it can take a hundred times as long as a usual call."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int], tuple[Life, int, list[Advised]]] = {}
        """By table and seat: what was shown, how many were wanted, and what was found."""

    def of_table(self, table: Table, v: View, most: int, locale: str) -> list[game_pb2.Hint]:
        """List hints for the seat of a view, if its table has any."""
        if not table.shown.settings.hints:
            raise Refused("HINTS_OFF")
        if not v.playing or not v.decisions[v.seat]:
            raise Refused(not_asked(v, v.seat, PASSING).name if v.playing else "NO_GAME")
        if most > MOST:
            raise malformed("most", f"{MOST} 以下にしてください。", f"It can be {MOST} at most.")
        most = most or USUAL
        return [hint_to(each, v.seat, locale) for each in self._for(table, v, most)[:most]]

    def _for(self, table: Table, v: View, most: int) -> list[Advised]:
        key = table.id, v.seat
        life, wanted, found = self._found.pop(key, (None, 0, []))
        if life is not table.shown or wanted < most:
            wanted, found = most, advised(v, view_to(table, v.seat), most)
        self._found[key] = table.shown, wanted, found
        if len(self._found) > MOST_KEPT:
            del self._found[next(iter(self._found))]
        return found


def advised(v: View, message: view_pb2.View, most: int) -> list[Advised]:
    """List what a seat might do, the best first; fouls, which only a trial shows for certain, come last."""
    moves = () if v.choice is not None else islice(legal_moves(v, v.seat, v.hand, None), MOST_LOOKED_AT)
    found = advice.candidates(message, [action_to(move.action()) for move in moves], rules_of(v))
    good: list[Advised] = []
    fouls: list[Advised] = []
    for action, why in found or [advice.Candidate(default(v), advice.SAFE)]:
        would = foresee(v, check(v, v.seat, v.hand, v.choice, action_from(action))).would
        is_foul = any([effect.kind == FOULS and effect.seat == v.seat for effect in would])
        (fouls if is_foul else good).append(Advised(action, advice.FOUL if is_foul else why, would))
        if len(good) == most:
            break
    return [*good, *fouls][:most]


def default(v: View) -> view_pb2.Action:
    """Return what is done for a seat whose time is up."""
    return action_to(default_move(v, v.seat, v.hand, v.choice).action())


def rules_of(v: View) -> Collection[str]:
    """Return the ids of the rules that are on."""
    return v.program.rules.keys()


def hint_to(advised: Advised, own: int, locale: str) -> game_pb2.Hint:
    """Write a hint."""
    text = REASONS[advised.why]
    return game_pb2.Hint(
        action=advised.action,
        reason=cast(game_pb2.HintReason, advised.why),
        text=text.ja if locale == "ja" else text.en,
        would_fire=[effect_to(effect, own, locale) for effect in advised.would],
    )
