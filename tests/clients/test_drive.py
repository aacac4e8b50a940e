"""Bots that drive many seats on one stream play on through anything that happens to it."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Callable

import pytest

from clients.bot.__main__ import main, parser, run
from clients.bot.bot import Bot
from clients.bot.drive import Drive, Seat
from clients.bot.greedy import Greedy
from clients.bot.policies import Random
from clients.bot.policy import Legal, Policy
from clients.common.errors import Refused
from clients.common.session import Session
from daifugo.v1 import game_pb2, view_pb2
from services.game.records import Acted
from services.game.table import Table
from tests.services.harness import World, world

TABLES = 250
SEATS = 4
DECISIONS_A_CUT = 400
GAMES = game_pb2.MatchFormat(games=1)
AUTO = game_pb2.AutoStart(reserved_seconds=10, bot_seconds=10)


async def laid(w: World, number: int) -> list[str]:
    """Lay tables for bots, each with a match that has begun."""
    tables = [await w.table(format=GAMES, bots=True) for _ in range(number)]
    for table in tables:
        await w.start(table)
    return tables


class Cutting(Random):
    """Plays at random, and breaks the stream off now and then."""

    def __init__(self, rng: random.Random, drive: Drive) -> None:
        super().__init__(rng)
        self.drive = drive

    async def decide(self, view: view_pb2.View, legal: Legal) -> view_pb2.Action:
        if not self.rng.randrange(DECISIONS_A_CUT):
            self.drive.cut()
        return await super().decide(view, legal)


def seats_of(tables: list[str], policy: Callable[[], Policy]) -> dict[int, Seat]:
    return {
        SEATS * number + seat: Seat(table, f"p{seat}", policy())
        for number, table in enumerate(tables)
        for seat in range(SEATS)
    }


def result(table: Table) -> tuple[list[int], list[tuple[int, int, object]]]:
    """What a match came to, and every action on the way."""
    return table.shown.state.totals, [
        (record.operation.seat, record.operation.decision, record.operation.action)
        for record in table.desk.journal.records[table.id]  # type: ignore[attr-defined]  # the one in memory
        if isinstance(record.operation, Acted)
    ]


@pytest.mark.timeout(600)
async def test_a_thousand_seats_are_driven_on_one_stream_through_cuts_to_the_end() -> None:
    rng = random.Random(1)
    async with world(tables_per_identity=TABLES) as w, Session(w.address, "league") as session:
        tables = await laid(w, TABLES)
        drive = Drive(session, {})
        drive.seats = seats_of(tables, lambda: Cutting(rng, drive))
        await drive.play()
        assert drive.cuts > 10
        for handle, seat in drive.seats.items():
            life = w.app.tables.find(seat.table_id).shown
            assert seat.watch.view is not None
            assert seat.watch.view.state == view_pb2.TABLE_STATE_ENDED
            assert [each.total for each in seat.watch.view.seats] == life.state.totals, handle
        for table in tables:
            _, actions = result(w.app.tables.find(table))
            decisions = [decision for _, decision, _ in actions]
            assert len(decisions) == len(set(decisions)), "nothing was done twice"


async def test_matches_end_as_they_do_with_a_stream_for_each_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = secrets.token_bytes
    monkeypatch.setattr(secrets, "token_bytes", lambda size=None: bytes(32) if size == 32 else draw(size))
    async with world() as w, Session(w.address, "league") as session:
        one, other = await laid(w, 2)
        await Drive(session, seats_of([one], Greedy)).play()

        async def watch(seat: int) -> None:
            async with Session(w.address, f"p{seat}") as own:
                await Bot(own, other, Greedy(), "B", seat).play()

        await asyncio.gather(*[watch(seat) for seat in range(SEATS)])
        assert result(w.app.tables.find(one)) == result(w.app.tables.find(other))


async def test_a_seat_that_cannot_be_driven_stops_it_with_the_reason() -> None:
    async with world() as w, Session(w.address, "league", "ja") as session:
        (table,) = await laid(w, 1)
        with pytest.raises(Refused, match="NOT_SEATED: この卓に着席していません"):
            await Drive(session, {0: Seat(table, "stranger", Greedy())}).play()


async def test_the_command_seats_bots_and_plays_their_matches_on_one_stream(capsys: pytest.CaptureFixture[str]) -> None:
    async with world() as w:
        tables = [await w.table(format=GAMES, seats=0, auto_start=AUTO) for _ in range(2)]
        named = [f"--table={table}" for table in tables]
        arguments = ["--address", w.address, *named, "--count", "4", "--one-stream", "--policy", "random"]
        playing = asyncio.create_task(run(parser().parse_args(arguments)))
        for table in tables:
            await w.caller("spectator").watch(table).until(4)
        w.clock.advance(0.1)
        assert await playing == 0
        for table in tables:
            view = (await w.caller("p0").view(table)).view
            assert view.state == view_pb2.TABLE_STATE_ENDED
            assert {seat.seat.display_name for seat in view.seats} == {f"Bot {number}" for number in range(1, 5)}
        assert await run(parser().parse_args(["--address", w.address, "--table", "none", "--one-stream"])) == 1
        assert "daifugo bot: " in capsys.readouterr().err


def test_one_stream_is_for_tables(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--queue", "q", "--one-stream"])
    assert "--one-stream" in capsys.readouterr().err
