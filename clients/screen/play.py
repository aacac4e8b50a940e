"""Opens the full screen for one match, and closes it however the match comes to its end."""

from __future__ import annotations

import asyncio
from typing import Final

from clients.cli.console import Console
from clients.cli.follow import Attend
from clients.cli.rulebook import Rulebook
from clients.common.session import Session
from clients.screen.app import FullScreen
from clients.screen.player import Player, lines
from daifugo.v1 import game_pb2

PACE_SECONDS: Final = 0.4
"""How long each play of the others is shown to a player, where no clock runs meanwhile."""


async def play(
    session: Session,
    table: game_pb2.Table,
    console: Console,
    book: Rulebook,
    style: str,
    attend: Attend | None = None,
) -> list[str]:
    """Play until the match is over or the player leaves; returns what is left to be said in the terminal."""
    player = Player(session, table.id, lambda: app.changed(), attend)
    # Nobody waits for spectators: they would fall behind.
    is_unhurried = table.HasField("your_seat") and not table.clock.turn_seconds
    player.pace = PACE_SECONDS if is_unhurried else 0.0
    opened = asyncio.Event()
    app = FullScreen(player, book, style, book.language, opened.set)
    console.divert(lambda said: player.add(lines(said)))
    try:
        await _together(app, player, opened)
    finally:
        console.divert(None)
    teller = app.panels.teller
    return player.ending(teller) if player.ending is not None else [teller.words("goodbye")]


async def _together(app: FullScreen, player: Player, opened: asyncio.Event) -> None:
    """Run the screen and follow the table. The screen is taken down before anything else is told or raised."""
    showing = asyncio.create_task(app.run_async())

    async def follow() -> None:
        await opened.wait()
        await player.follow()
        app.call_later(lambda: app.run_worker(app.show_end()))
        await asyncio.Event().wait()  # the player closes the screen

    following = asyncio.create_task(follow())
    try:
        done, _ = await asyncio.wait({showing, following}, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        following.cancel()
        app.exit()
        await asyncio.gather(showing, following, return_exceptions=True)
    if app.return_code:
        raise SystemExit(app.return_code)
