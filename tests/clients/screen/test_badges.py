"""What the top line says of the order of strength."""

from __future__ import annotations

from typing import Any

import pytest

from clients.common.watch import Update
from clients.screen.app import FullScreen
from daifugo.v1 import view_pb2
from tests.clients.screen.conftest import Open, shown


@pytest.fixture
async def head(open_screen: Open, service: Any, view: view_pb2.View) -> Any:
    """Returns the top line, given the strength of a view."""
    async with open_screen(service.address) as (app, pilot):

        async def read(**strength: Any) -> str:
            view.strength.CopyFrom(view_pb2.Strength(**strength))
            screen: FullScreen = app
            await screen.player.hear(Update(view))
            await pilot.pause()
            return shown(screen)[0]

        yield read


async def test_a_back_is_shown_without_naming_a_rule_which_a_view_does_not_tell(head: Any) -> None:
    line = await head(backs=1, reversed=True)
    assert "Reversed for now" in line
    assert "3 is high" in line
    assert "J-back" not in line


async def test_two_backs_undo_each_other(head: Any) -> None:
    assert "Reversed" not in await head(backs=2)


async def test_a_back_in_a_revolution_leaves_the_normal_order(head: Any) -> None:
    line = await head(backs=1, revolution=True)
    assert "Revolution" in line
    assert "Reversed for now" in line
    assert "3 is high" not in line
