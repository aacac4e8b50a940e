"""`daifugo table`: a host's commands at a table of a running service."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest

Start = Callable[..., AbstractContextManager[Any]]


@pytest.fixture
def address(start: Start) -> Iterator[str]:
    with start("serve", "--port", "0") as service:
        yield service.until(r"^listening .*").removeprefix("listening ")
        service.process.terminate()
        service.end()


def test_a_host_shows_changes_and_hands_over_a_table_that_is_being_filled(start: Start, address: str) -> None:
    def table(*command: str, token: str = "mio") -> str:
        with start("table", "--address", address, "--token", token, *command) as run:
            said: str = run.end()
        return said

    lay = ("--address", address, "--token", "mio", "--name", "Mio", "--private", "--bots", "1", "--deal", "P7")
    with start("play", *lay) as host:
        host.until(r"--code [-\w]+$")
        said = table("show")
        assert "waiting for players" in said
        assert "1: Mio (host)" in said
        code = re.search(r"Invite code: (\S+)", said)
        assert code is not None
        renewed = table("renew")
        assert "Invite code:" in renewed
        assert code[1] not in renewed
        assert "2: free, for people" in table("seat", "2", "people")
        assert "3: Mio (host)" in table("move", "1", "3")
        assert "The seat is kept for others" in table("move", "3", "4")
        assert "Nobody has the seat" in table("kick", "2")
        assert "4: free, for bots" in table("kick", "4", "--for-good")
        assert "Seats are still empty" in table("start")
        assert "needs a running match" in table("end")
        assert "(jdf5)" in table("update", "--preset", "jdf5", "--until-host-ends")
        assert "You have no table here" in table("show", token="somebody else")
        assert "There is no such table" in table("--table", "x", "show")
        assert "is not a number from 1" in table("kick", "0")
        host.process.terminate()
        host.end()
