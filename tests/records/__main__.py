"""`python -m tests.records [NAME...]`: play golden records anew, all or those named.

Only when ENGINE_VERSION has been raised, or for a name that is new: what is here has been played by some version, and
goes on to be what that version makes of it.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Final

from daifugo.v1 import game_pb2, rules_pb2
from services.game.codec.kept import whole
from tests.records.golden import keep
from tests.services.harness import world
from tests.services.test_streams import RULESETS

TABLES: Final[dict[str, tuple[rules_pb2.Ruleset, int, int]]] = {
    "jdf4": (RULESETS["jdf4"][0], 4, 3),
    "jdf3": (RULESETS["jdf3"][0], 3, 2),
    "jdf5": (RULESETS["jdf5"][0], 5, 2),
    "five-rules": (RULESETS["everything"][0], 4, 2),
    "two-packs": (RULESETS["two packs"][0], 4, 1),
    "local": (rules_pb2.Ruleset(preset="local"), 4, 2),
    "dagashi": (rules_pb2.Ruleset(preset="dagashi"), 4, 2),
    "revolution": (rules_pb2.Ruleset(preset="revolution"), 4, 2),
    "classic": (rules_pb2.Ruleset(preset="classic"), 4, 2),
    "qdan": (rules_pb2.Ruleset(preset="qdan"), 4, 2),
    "uecda": (rules_pb2.Ruleset(preset="uecda"), 5, 2),
}
"""What is played: ruleset, seats and games."""


async def play(name: str) -> None:
    """Play a match at a service, and keep its record."""
    ruleset, seats, games = TABLES[name]
    async with world() as w:
        table = await w.table(ruleset=ruleset, seats=seats, format=game_pb2.MatchFormat(games=games))
        await w.start(table)
        await w.play(table, seed=len(name))
        match = await w.journal.match(w.app.tables.find(table).shown.match_id)
        assert match is not None
        keep(name, whole(match))


def main() -> None:
    """Play what is named."""
    for name in sys.argv[1:] or TABLES:
        asyncio.run(play(name))
        print(name)


if __name__ == "__main__":
    main()
