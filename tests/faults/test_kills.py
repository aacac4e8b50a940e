"""Whatever was acknowledged or shown survives kill -9, and nothing happens twice."""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from pathlib import Path

import pytest

from clients.bot.bot import Bot
from clients.bot.policies import Random
from clients.common.errors import Refused, answered
from clients.common.session import Session
from daifugo.v1 import game_pb2, rules_pb2, view_pb2
from services.game.codec.actions import action_from
from services.game.records import Acted, Record
from services.game.sqlite import SqliteJournal
from tests.faults.service import Service, serving

TABLES = 6
SEATS = 4

Acknowledged = tuple[int, int, int, view_pb2.Action]
"""Seat, decision, version and action."""


class Log:
    """What has been acknowledged, by table. It is no part of the service."""

    def __init__(self) -> None:
        self.by_table: defaultdict[str, list[Acknowledged]] = defaultdict(list)
        self.grown = asyncio.Event()

    def __len__(self) -> int:
        return sum(map(len, self.by_table.values()))

    def add(self, table_id: str, acknowledged: Acknowledged) -> None:
        self.by_table[table_id].append(acknowledged)
        self.grown.set()

    async def grows_by(self, number: int) -> None:
        """Wait until so many more actions have been acknowledged."""
        wanted = len(self) + number
        while len(self) < wanted:
            self.grown.clear()
            await self.grown.wait()


class Logged(Session):
    """A session that writes down, outside of the service, what it was told."""

    def __init__(self, address: str, token: str, seat: int, log: Log) -> None:
        super().__init__(address, token, patience_seconds=120)
        self.seat = seat
        self.log = log

    async def act(self, table_id: str, decision_id: int, action: view_pb2.Action) -> game_pb2.ActResponse:
        answer = await super().act(table_id, decision_id, action)
        self.log.add(table_id, (self.seat, decision_id, answer.version, action))
        return answer


async def laid(address: str, number: int) -> str:
    """Lay a table and seat its bots; return its id."""
    async with Session(address, f"{number}.0") as host:
        request = game_pb2.CreateTableRequest(
            request_id=f"table {number}",
            ruleset=rules_pb2.Ruleset(preset="jdf4"),
            format=game_pb2.MatchFormat(games=1000),
        )
        table = (await answered(host.game.CreateTable(request))).table.id
        for seat in range(SEATS):
            async with Session(address, f"{number}.{seat}") as session:
                await Bot(session, table, Random(random.Random(seat)), "Bot", seat).join()
        start = game_pb2.StartMatchRequest(request_id="start", table_id=table)
        await answered(host.game.StartMatch(start))
    return table


async def play(address: str, table: str, number: int, seat: int, log: Log) -> None:
    """Play on for as long as the test lasts, whatever becomes of the service."""
    while True:
        async with Logged(address, f"{number}.{seat}", seat, log) as session:
            try:
                await Bot(session, table, Random(random.Random(seat)), "Bot", seat).play()
            except Refused as problem:
                if not problem.is_transient:
                    raise


async def keep_killing(service: Service, kills: int, log: Log) -> None:
    """Kill the service again and again at random moments, each time after it has been of use."""
    rng = random.Random(kills)
    for _ in range(kills):
        async with asyncio.timeout(60):
            await log.grows_by(rng.randrange(1, 40))
            # in the middle of whatever is going on
            await asyncio.sleep(rng.uniform(0, 0.01))
        service.kill()
        await service.start()


def check(log: list[Acknowledged], records: list[Record]) -> None:
    """Compare what was acknowledged with what is kept."""
    assert [record.version for record in records] == list(range(len(records)))
    acted: defaultdict[int, list[tuple[int, Acted]]] = defaultdict(list)
    for record in records:
        if isinstance(record.operation, Acted):
            acted[record.operation.decision].append((record.version, record.operation))
    assert all(len(made) == 1 for made in acted.values()), "done twice"
    for seat, decision, version, action in log:
        ((made, operation),) = acted[decision]
        assert (made, operation.seat, operation.action) == (version, seat, action_from(action)), "lost"


@pytest.mark.parametrize(
    "kills", [pytest.param(100, marks=pytest.mark.timeout(600)), pytest.param(1000, marks=pytest.mark.long)]
)
async def test_nothing_that_was_acknowledged_is_lost_or_done_twice(kills: int, tmp_path: Path) -> None:
    store = tmp_path / "daifugo.db"
    log = Log()
    async with serving(store) as service:
        tables = [await laid(service.address, number) for number in range(TABLES)]
        bots = [
            asyncio.create_task(play(service.address, table, number, seat, log))
            for number, table in enumerate(tables)
            for seat in range(SEATS)
        ]
        await keep_killing(service, kills, log)
        failed = [bot for bot in bots if bot.done()]
        for bot in bots:
            bot.cancel()
        await asyncio.gather(*bots, return_exceptions=True)
        assert not failed, failed[0].exception()
    journal = SqliteJournal(str(store))
    assert await journal.tables() == tables
    for table in tables:
        check(log.by_table[table], await journal.load(table))
    await journal.close()
    print(f"{kills} kills, {len(log)} actions acknowledged, 0 lost, 0 doubled")


def test_a_loss_is_found() -> None:
    """Of the comparison itself."""
    action = view_pb2.Action(answer=view_pb2.Answer(values=[1]))
    one = Record("t", 1, 0, 0.0, Acted(2, 7, action_from(action)))
    check([(2, 7, 0, action)], [one])
    with pytest.raises(ValueError, match="not enough values"):
        check([(2, 8, 1, action)], [one])
    with pytest.raises(AssertionError, match="lost"):
        check([(2, 7, 0, view_pb2.Action(answer=view_pb2.Answer(values=[2])))], [one])
    with pytest.raises(AssertionError, match="done twice"):
        check([], [one, Record("t", 1, 1, 0.0, one.operation)])
