"""What the service says of actions before they are done: hints, and what would come of one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from clients.cli.texts import Words
from clients.common.errors import Refused, answered
from clients.common.session import Session
from daifugo.v1 import game_pb2

WANTED: Final = 5
"""How many hints are asked for."""
ARROW: Final = " → "
QUIET: Final = frozenset({game_pb2.EFFECT_KIND_NOTE, game_pb2.EFFECT_KIND_UNLOCK, game_pb2.EFFECT_KIND_GAME_END})
"""What goes without saying, or says nothing to a player."""


async def hints(session: Session, table_id: str, decision_id: int) -> list[game_pb2.Hint]:
    """Return hints for the open decision, the best first; none where the table has none."""
    request = game_pb2.GetHintRequest(table_id=table_id, decision_id=decision_id, most=WANTED)
    try:
        return list((await answered(session.game.GetHint(request))).hints)
    except Refused as problem:
        if problem.reason not in ("HINTS_OFF", "NOT_IMPLEMENTED"):
            raise
        return []


def chain(effects: Iterable[game_pb2.Effect]) -> str:
    """Write effects one after the other."""
    return ARROW.join([effect.text for effect in effects if effect.kind not in QUIET])


def would(words: Words, effects: Iterable[game_pb2.Effect]) -> list[str]:
    """Say what would come for certain, if anything would."""
    certain = chain(effects)
    return [words("would", effects=certain)] if certain else []


def foretold(words: Words, checked: game_pb2.CheckActionResponse) -> list[str]:
    """Say what would come of a legal action, and what may."""
    possible = chain([effect for effect in checked.may_fire if effect.rule_id])
    may = [words("may", effects=possible)] if possible else []
    return [*(would(words, checked.would_fire) or ([] if may else [words("would.nothing")])), *may]
