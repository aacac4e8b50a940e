"""The commands of a player with an account: processes of an operator, a guest of this device, and that guest's bots."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from clients.cli.account import forget_at
from clients.cli.device import device_secret
from clients.common.errors import answered
from clients.common.identity import Guest
from clients.common.session import Session
from daifugo.v1 import game_pb2, record_pb2, rules_pb2, view_pb2
from tests.e2e.conftest import running
from tests.services.harness import world


@pytest.fixture
def player(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Run an identity service and a game service that takes its tokens; return the environment of a player."""
    keys = str(tmp_path / "keys.json")
    with contextlib.ExitStack() as stack:
        identity = stack.enter_context(running("identity", "--port", "0", "--issuer-keys", keys))
        address = identity.until(r"listening \S+").split()[1]
        game = stack.enter_context(running("serve", "--port", "0", "--issuer", "daifugo", "--issuer-keys", keys))
        game_address = game.until(r"listening \S+").split()[1]
        yield {"DAIFUGO_IDENTITY": address, "GAME": game_address, "XDG_DATA_HOME": str(tmp_path), "LANG": "en_GB.UTF-8"}


def said(player: dict[str, str], *command: str, status: int = 0) -> str:
    """Run a command to its end; return what it said."""
    with running(*command, **player) as run:
        found = run.end()
        assert run.process.returncode == status, found
        return found


def test_a_guest_is_the_same_until_it_is_deleted(player: dict[str, str], tmp_path: Path) -> None:
    made = said(player, "account", "sign-in", "--name", "Mio")
    assert made.startswith("Your account has been made: Mio (guest-")
    who = made.split("(")[1]
    assert said(player, "account", "show") == f"Mio ({who}"
    assert "「" not in said(player, "account", "rename", "ミオ", "--lang", "ja")
    assert said(player, "account", "show") == f"ミオ ({who}"
    assert "That name cannot be used" in said(player, "account", "rename", "b0t", status=1)
    assert "--yes" in said(player, "account", "delete")
    assert said(player, "account", "show") == f"ミオ ({who}"
    assert "deleted" in said(player, "account", "delete", "--yes", "--address", player["GAME"])
    assert who not in said(player, "account", "show")


async def test_a_game_service_forgets_whoever_deletes_the_account() -> None:
    async with world() as w:
        table = await w.table(format=game_pb2.MatchFormat(games=1))
        await w.start(table)
        await w.play(table)
        match_id = w.app.tables.find(table).shown.match_id
        await forget_at("p1", w.address)
        asked = record_pb2.GetRecordRequest(match_id=match_id)
        record = (await w.caller("p0").call("GetRecord", asked)).record
        assert [seat.players[0].display_name for seat in record.seats] == ["P0", "", "P2", "P3"]
        seats = (await w.caller("p0").call("GetTable", game_pb2.GetTableRequest(table_id=table))).table.seats
        assert [seat.occupied for seat in seats] == [True, False, True, True]


def test_the_secret_of_this_device_is_for_its_user_and_one_service_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    one, other = device_secret("here:1"), device_secret("there:1")
    assert one != other
    assert device_secret("here:1") == one
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 2
    assert all(path.stat().st_mode & 0o077 == 0 for path in files)


def test_keys_are_made_listed_and_revoked(player: dict[str, str]) -> None:
    assert "no keys" in said(player, "bot-key", "list")
    key, warning = said(player, "bot-key", "create", "Helper", "--scope", "play").splitlines()
    assert key.startswith("dfb_bot-")
    assert "not shown again" in warning
    listed = said(player, "bot-key", "list")
    id_ = listed.split()[0]
    assert listed.split()[1:3] == ["Helper", "play"]
    assert key.split("_", 2)[2] not in listed
    assert id_ in said(player, "bot-key", "revoke", id_)
    assert "no keys" in said(player, "bot-key", "list")
    assert "You have no such key" in said(player, "bot-key", "revoke", id_, status=1)


def test_bots_with_keys_play_a_match_and_everybody_sees_what_they_are(player: dict[str, str], tmp_path: Path) -> None:
    keys = [said(player, "bot-key", "create", f"Helper {n}", "--scope", "play").splitlines()[0] for n in range(4)]
    (tmp_path / "keys.txt").write_text("\n".join(keys))

    async def match() -> view_pb2.View:
        async with (
            Guest(player["DAIFUGO_IDENTITY"], "x" * 32, "Mio") as guest,
            Session(player["GAME"], guest) as session,
        ):
            small = rules_pb2.Ruleset(preset="jdf4", settings=[rules_pb2.Setting(id="hand_size", number=3)])
            form = game_pb2.MatchFormat(games=1)
            create = game_pb2.CreateTableRequest(request_id="c", ruleset=small, format=form)
            table = (await answered(session.game.CreateTable(create))).table.id
            at = ("--address", player["GAME"], "--table", table, "--count", "4", "--name", "Somebody")
            command = ("bot", *at, "--key-file", str(tmp_path / "keys.txt"))
            bots = asyncio.create_task(asyncio.to_thread(lambda: said(player, *command)))
            async with aclosing(session.watch(table)) as updates, asyncio.timeout(60):
                async for update in updates:
                    if update.view.state == view_pb2.TABLE_STATE_OPEN and all(
                        s.seat.occupied for s in update.view.seats
                    ):
                        start = game_pb2.StartMatchRequest(request_id="s", table_id=table)
                        await answered(session.game.StartMatch(start))
                    if update.view.state == view_pb2.TABLE_STATE_ENDED:
                        await bots
                        return update.view
        raise AssertionError("the match has no end")

    view = asyncio.run(match())
    assert sorted(each.seat.display_name for each in view.seats) == [f"Helper {n}" for n in range(4)]
    assert all(each.seat.bot for each in view.seats)


def test_bots_without_enough_keys_say_so(player: dict[str, str]) -> None:
    assert "2 bots need as many keys" in said(player, "bot", "--table", "x", "--count", "2", status=2)


def test_a_guest_plays_with_bots_of_the_service(player: dict[str, str]) -> None:
    short = ("--games", "1", "--rule", "hand_size=5")
    with running("play", "--plain", "--address", player["GAME"], *short, "--name", "Mio", **player) as run:
        assert run.process.stdin is not None
        run.process.stdin.write("1\n" * 200)
        run.process.stdin.flush()
        told = run.end()
    assert run.process.returncode == 0, told
    assert "greedy 2" in told
    assert "Result of the match:" in told


def test_who_watches_or_plays_is_the_guest_of_this_device(player: dict[str, str]) -> None:
    with running("play", "--plain", "--address", player["GAME"], "--bots", "0", "--name", "Mio", **player) as run:
        run.until("waiting for players")
    assert "Mio (guest-" in said(player, "account", "show")
    with running("watch", "--plain", "--address", player["GAME"], **player) as run:
        run.until("Watching table")
    elsewhere = {**player, "DAIFUGO_IDENTITY": "127.0.0.1:1"}
    assert "127.0.0.1:1" in said(elsewhere, "account", "show", status=1)
