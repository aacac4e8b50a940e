"""Whole matches over gRPC."""

from __future__ import annotations

from daifugo.v1 import view_pb2
from tests.services.harness import world


async def test_four_seats_play_a_match_of_two_games() -> None:
    async with world() as w:
        table = await w.table()
        await w.start(table)
        await w.play(table)
        view = (await w.caller("p0").view(table)).view
        assert view.state == view_pb2.TABLE_STATE_ENDED
        assert view.game == 2
        assert sorted(view.places) == [0, 1, 2, 3]
        assert sum(seat.total for seat in view.seats) == 2 * (6 + 4 + 2 + 0)
