"""Every limit, where somebody reaches it: they are told which, nobody else notices, and it ends."""

from __future__ import annotations

import asyncio
import re
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import grpc
import pytest

from daifugo.v1 import game_pb2, rules_pb2
from services.common.edge import BYTES_OF_ONE_CALL
from services.game.config import GameConfig
from services.game.journal import MemoryJournal
from services.identity.config import IdentityConfig
from services.matchmaker.config import MatchmakerConfig
from tests.services.accounts import S, accounts, secret
from tests.services.harness import Failure, World, refusal, world

CONFIGS: Final = (GameConfig, MatchmakerConfig, IdentityConfig)
PAGE: Final = (Path(__file__).parents[2] / "docs" / "limits.md").read_text(encoding="utf-8")
LIMIT: Final = re.compile(r"^max_|_per_|_burst$|^(keepalive|keepalive_timeout|ping|handshake|call|write)_seconds$")
JDF = rules_pb2.Ruleset(preset="jdf4")
ASKED = rules_pb2.ListReasonsRequest()


def is_told(failure: Failure, limit: str, most: str) -> None:
    assert (failure.code, failure.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY")
    metadata = failure.details["ErrorInfo"].metadata
    assert (metadata["limit"], metadata["most"]) == (limit, most)
    assert failure.details["RetryInfo"].retry_delay.ToMilliseconds() > 0


async def test_an_identity_makes_so_many_calls_at_once() -> None:
    short = game_pb2.ListTablesRequest()
    async with world(calls_per_second=0.01, calls_burst=3) as w:
        for _ in range(3):
            await w.caller("mio").call("ListTables", short)
        is_told(await refusal(w.caller("mio").call("ListTables", short)), "calls_per_second", "0.01")
        # over another connection it is the same identity
        is_told(await refusal(w.caller("mio", "ja").call("ListTables", short)), "calls_per_second", "0.01")
        await w.caller("sora").call("ListTables", short)


async def test_a_long_answer_counts_as_many_calls_but_is_given() -> None:
    everything = rules_pb2.ListRulesRequest(page_size=200)
    async with world(calls_per_second=1.0, calls_burst=10) as w:
        answer = await w.caller("mio").call("ListRules", everything)
        assert answer.ByteSize() > 20 * BYTES_OF_ONE_CALL
        failure = await refusal(w.caller("mio").call("ListTables", game_pb2.ListTablesRequest()))
        is_told(failure, "calls_per_second", "1")
        wait = failure.details["RetryInfo"].retry_delay.ToMilliseconds() / 1000
        assert wait == pytest.approx(answer.ByteSize() / BYTES_OF_ONE_CALL - 10, abs=30)
        assert wait > 5
        await w.caller("sora").call("ListRules", everything)


async def test_an_identity_has_so_many_streams_until_it_ends_one() -> None:
    async with world(streams_per_identity=2) as w:
        tables = [await w.table(seats=0) for _ in range(3)]
        streams = [w.caller("mio").watch(table) for table in tables[:2]]
        for stream in streams:
            await stream.read()
        is_told(await refusal(w.caller("mio").watch(tables[2]).read()), "streams_per_identity", "2")
        other = w.caller("sora").watch(tables[2])
        await other.read()
        streams[0].cancel()
        async with asyncio.timeout(20):
            while w.app.server.edge.streams.total() > 2:
                await w.caller("mio").view(tables[0])
        again = w.caller("mio").watch(tables[2])
        await again.read()
        for stream in (streams[1], other, again):
            stream.cancel()
        async with asyncio.timeout(20):
            while w.app.server.edge.streams:
                await w.caller("mio").view(tables[0])


async def test_a_connection_carries_so_many_streams_and_the_next_one_waits() -> None:
    async with world(streams_per_connection=2) as w:
        table = await w.table(seats=0)
        caller = w.caller("mio")
        one, two = w.caller("mio").watch(table), caller.watch(table)
        await one.read()
        waiting = asyncio.create_task(caller.view(table))
        await asyncio.sleep(0)
        # another connection is not held up
        await w.caller("sora").view(table)
        one.cancel()
        two.cancel()
        await waiting


def creates(number: int, auto: bool = False) -> game_pb2.CreateTableRequest:
    request = game_pb2.CreateTableRequest(request_id=f"r{number}", ruleset=JDF)
    if auto:
        request.auto_start.CopyFrom(game_pb2.AutoStart(reserved_seconds=10, bot_seconds=5))
    return request


@pytest.mark.parametrize(("auto", "limit"), [(False, "tables_per_identity"), (True, "auto_tables_per_identity")])
async def test_an_identity_hosts_so_many_tables(auto: bool, limit: str) -> None:
    settings: dict[str, Any] = {limit: 2}
    async with world(**settings) as w:
        host = w.caller("mio")
        for number in range(2):
            await host.call("CreateTable", creates(number, auto))
        is_told(await refusal(host.call("CreateTable", creates(2, auto))), limit, "2")
        # the same request again is no further table; the other kind and other hosts are counted apart
        await host.call("CreateTable", creates(1, auto))
        await host.call("CreateTable", creates(3, not auto))
        await w.caller("sora").call("CreateTable", creates(0, auto))


class Slow(MemoryJournal):
    """A journal that takes its time to claim a table."""

    async def claim(self, table_id: str, owner: str) -> int:
        for _ in range(20):
            await asyncio.sleep(0)
        return await super().claim(table_id, owner)


async def test_tables_made_at_once_are_counted_too() -> None:
    journal = Slow()
    async with world(journal=journal, tables_per_identity=3) as w:
        made = await asyncio.gather(
            *[w.caller("mio").call("CreateTable", creates(number)) for number in range(20)], return_exceptions=True
        )
        refused = [each for each in made if isinstance(each, Failure)]
        assert len(refused) == 17
        is_told(refused[0], "tables_per_identity", "3")
        tables = (await w.caller("mio").call("ListTables", game_pb2.ListTablesRequest(mine=True))).tables
        assert len(tables) == 3
        async with asyncio.timeout(20):
            while len(await journal.tables()) != 3:
                await w.caller("mio").call("ListReasons", ASKED)


async def test_a_table_that_is_closed_makes_room() -> None:
    async with world(tables_per_identity=1, table_idle_seconds=100.0) as w:
        await w.caller("mio").call("CreateTable", creates(0))
        await refusal(w.caller("mio").call("CreateTable", creates(1)))
        w.clock.advance(250)
        await w.caller("mio").call("CreateTable", creates(1))


async def test_all_tables_together_are_limited() -> None:
    async with world(max_tables=1) as w:
        await w.caller("mio").call("CreateTable", creates(0))
        is_told(await refusal(w.caller("sora").call("CreateTable", creates(0))), "max_tables", "1")


async def test_an_address_signs_in_so_often(tmp_path: Path) -> None:
    async with accounts(tmp_path, sign_ins_per_second=0.01, sign_ins_burst=3) as a:
        token = (await a.sign_in("Mio")).tokens.token
        for _ in range(2):
            await refusal(a.call("SignInBot", S.SignInBotRequest(key="x")))
        is_told(await refusal(a.call("SignInGuest", S.SignInGuestRequest(device_secret=secret("Sora")))), *SIGN_INS)
        # who has a token is counted by that
        await a.call("GetAccount", S.GetAccountRequest(), token)


SIGN_INS = ("sign_ins_per_second", "0.01")


async def test_metadata_is_limited_and_what_fits_is_taken() -> None:
    async with world(max_metadata_bytes=4096) as w:
        caller = w.caller("mio")
        caller.metadata.append(("filler", "x" * 3000))
        await caller.call("ListReasons", ASKED)
        caller.metadata[-1] = ("filler", "x" * 4096)
        failure = await refusal(caller.call("ListReasons", ASKED))
        assert failure.code == grpc.StatusCode.RESOURCE_EXHAUSTED
        caller.metadata.pop()
        await caller.call("ListReasons", ASKED)


async def test_there_are_so_many_connections_and_room_again_when_one_ends() -> None:
    async with world(max_connections=2) as w:
        await w.caller("a").call("ListReasons", ASKED)
        await w.caller("b").call("ListReasons", ASKED)
        refused = await refusal(w.caller("c").call("ListReasons", ASKED))
        assert refused.code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
        await w.caller("a").channel.close()
        await answered_in_time(w, "d")


async def answered_in_time(w: World, who: str) -> Any:
    async with asyncio.timeout(20):
        while True:
            try:
                return await w.caller(who).call("ListReasons", ASKED)
            except Failure as failure:
                if failure.code != grpc.StatusCode.UNAVAILABLE:
                    raise


@pytest.mark.parametrize("line", [line for line in PAGE.splitlines() if line.startswith("| `")])
def test_the_page_has_each_limit_with_its_default(line: str) -> None:
    name, default = [cell.strip().strip("`") for cell in line.split("|")[1:3]]
    (known,) = {f.default for config in CONFIGS for f in fields(config) if f.name == name}
    assert f"{known:g}" == default or str(known) == default


def test_the_page_has_every_limit() -> None:
    limits = {f.name for config in CONFIGS for f in fields(config) if LIMIT.search(f.name)}
    assert {name for name in limits if f"| `{name}` |" not in PAGE} == set()
