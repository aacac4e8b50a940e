"""Tables of a running service: watched from outside, and joined by somebody with a token."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest

from clients.bot.bot import Bot
from clients.bot.policies import Random
from clients.common.errors import answered
from clients.common.session import Session
from daifugo.v1 import game_pb2, rules_pb2

Start = Callable[..., AbstractContextManager[Any]]


@pytest.fixture
def address(start: Start) -> Iterator[str]:
    with start("serve", "--port", "0") as service:
        yield service.until(r"^listening .*").removeprefix("listening ")
        service.process.terminate()
        service.end()


def test_a_spectator_hears_a_match_that_somebody_else_plays(start: Start, address: str) -> None:
    with start("play", "--address", address, "--games", "1") as play:
        table = play.until(r"^Table \w+").removeprefix("Table ")
        with start("watch", "--address", address, "--table", table) as watch:
            watch.until("Watching table")
            play.process.stdin.write("1\n" * 500)
            play.process.stdin.flush()
            heard = watch.end()
        play.end()
    assert (play.process.returncode, watch.process.returncode) == (0, 0)
    assert "Result of the match:" in heard
    assert "Hand," not in heard


def test_friends_come_to_a_private_table_by_its_code_and_nobody_else_finds_it(start: Start, address: str) -> None:
    with start("play", "--address", address, "--games", "1", "--private", "--bots", "2") as host:
        table = host.until(r"^Table \w+").removeprefix("Table ")
        code = host.until(r"--code [-\w]+$").removeprefix("--code ")
        for nobody in (("watch", "--table", table), ("play", "--table", table), ("watch", "--code", "2222-2222")):
            with start(*nobody, "--address", address) as stranger:
                assert "There is no such table" in stranger.end()
        with start("watch", "--address", address) as stranger:
            assert "No table is being played at" in stranger.end()
        with start("watch", "--address", address, "--code", code.lower()) as spectator:
            spectator.until("Watching table")
            with start("play", "--address", address, "--code", code, lines="1\n" * 500) as friend:
                host.process.stdin.write("1\n" * 500)
                host.process.stdin.flush()
                assert "Result of the match:" in friend.end()
            assert "Result of the match:" in spectator.end()
        host.end()
    assert (host.process.returncode, friend.process.returncode, spectator.process.returncode) == (0, 0, 0)


def test_a_spectator_who_names_no_table_sees_the_newest_that_is_played_at(start: Start, address: str) -> None:
    with start("watch", "--address", address) as watch:
        assert "No table is being played at" in watch.end()
    assert watch.process.returncode == 1
    with start("play", "--address", address, "--bots", "2") as waits:
        waiting = waits.until(r"^Table \w+").removeprefix("Table ")
        with start("watch", "--address", address) as watch:
            watch.until(f"Watching table {waiting}")
        with start("play", "--address", address, "--games", "1") as play:
            played = play.until(r"^Table \w+").removeprefix("Table ")
            play.until("Game 1 of 1 begins")
            with start("play", "--address", address, "--bots", "2") as waits_too:
                waits_too.until(r"^Table \w+")
                with start("watch", "--address", address) as watch:
                    watch.until(f"Watching table {played}")


async def test_a_host_with_a_token_joins_the_table_and_starts_the_match(start: Start, address: str) -> None:
    async with Session(address, "host") as host, Session(address, "b1") as one, Session(address, "b2") as two:
        ruleset = rules_pb2.Ruleset(preset="jdf3")
        request = game_pb2.CreateTableRequest(request_id="r", ruleset=ruleset, format=game_pb2.MatchFormat(games=1))
        table = (await answered(host.game.CreateTable(request))).table
        bots = [Bot(session, table.id, Random(random.Random(1)), "Bot") for session in (one, two)]
        arguments = ("--address", address, "--table", table.id, "--token", "host", "--name", "Mio")
        with start("play", *arguments, lines="1\n" * 500) as play:
            await asyncio.gather(*[bot.play() for bot in bots], asyncio.to_thread(play.end))
    assert play.process.returncode == 0
    assert "Result of the match:" in play.output


def test_people_can_share_a_table_with_bots(start: Start) -> None:
    with start("play", "--bots", "2", "--games", "1", "--name", "Mio") as mio:
        command = mio.until("^daifugo play .*").split()[1:]
        with start(*command, "--name", "Sora") as sora:
            mio.until("Sora has taken seat 2")
            for play in (mio, sora):
                play.process.stdin.write("1\n" * 500)
                play.process.stdin.flush()
            heard = mio.end()
            sora.end()
    assert (mio.process.returncode, sora.process.returncode) == (0, 0), (heard, sora.output)
    assert "Sora, " in heard
    assert "Mio, " in sora.output


async def test_the_table_is_told_of_when_the_bots_of_its_host_sit(start: Start, address: str) -> None:
    with start("play", "--address", address, "--bots", "2") as play:
        table = play.until(r"^Table \w+").removeprefix("Table ")
        async with Session(address, "somebody") as session:
            found = await answered(session.game.GetTable(game_pb2.GetTableRequest(table_id=table)))
    assert [seat.occupied for seat in found.table.seats] == [True, False, True, True]


def test_there_are_no_more_bots_than_free_seats(start: Start) -> None:
    with start("play", "--bots", "4") as play:
        assert "--bots 4: there are 3 free seats." in play.end()
    assert play.process.returncode == 1
