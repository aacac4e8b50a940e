"""Tables for analysis: their matches begin in the record of another match, or with prescribed hands."""

from __future__ import annotations

from daifugo.v1 import game_pb2
from services.common.errors import malformed
from services.game.codec.kept import whole
from services.game.codec.positions import position_in, position_with
from services.game.records import Position
from services.game.reviewing import kept_for
from services.game.tables import Tables


async def position_from(tables: Tables, identity: str, request: game_pb2.CreateTableRequest) -> Position | None:
    """Read where the matches of a table are to begin, or refuse it; with a record its ruleset becomes the request's."""
    start = request.position.WhichOneof("start")
    if start is None:
        return None
    for field in ("deal_number", "auto_start"):
        if field in [each.name for each, _ in request.ListFields()]:
            raise malformed(field, "position とは併用できません。", "It does not go with position.")
    if start == "deal":
        return position_with(request.position.deal)
    if request.HasField("ruleset"):
        raise malformed("ruleset", "棋譜のルールセットになります。", "It is that of the record.")
    asked = request.position.record
    kept = await kept_for(tables, identity, asked.match_id)
    ruleset, position = position_in(whole(kept), asked.steps)
    request.ruleset.CopyFrom(ruleset)
    return position
