"""The numbered list of what a player may do: fetched by page, or the readings of an unclear answer."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

from clients.common.cards import is_joker
from clients.common.errors import answered
from clients.common.session import Session
from daifugo.v1 import game_pb2, view_pb2

PAGE: Final = 20
INDENT: Final = "  "
WIDTH: Final = 78
"""Columns of a line of the list."""

Write = Callable[[view_pb2.Action], str]


class Offers:
    """What is listed for the open decision. Numbers count on from page to page."""

    def __init__(self, session: Session, table_id: str, page: int = PAGE) -> None:
        self.session = session
        self.table_id = table_id
        self.page = page
        """How many are fetched at a time."""
        self.decision_id = 0
        self.actions: list[view_pb2.Action] = []
        self.token = ""

    async def begin(self, decision_id: int) -> list[view_pb2.Action]:
        """Fetch the first page for a decision."""
        self.decision_id, self.actions, self.token = decision_id, [], ""
        await self._fetch()
        return self.actions

    async def more(self) -> list[view_pb2.Action]:
        """Fetch the next page; nothing if there is none."""
        if not self.token:
            return []
        have = len(self.actions)
        await self._fetch()
        return self.actions[have:]

    async def _fetch(self) -> None:
        request = game_pb2.GetLegalActionsRequest(
            table_id=self.table_id, decision_id=self.decision_id, page_size=self.page, page_token=self.token
        )
        page = await answered(self.session.game.GetLegalActions(request))
        self.actions += sorted([legal.action for legal in page.actions], key=_takes_a_joker)
        self.token = page.next_page_token

    def replace(self, actions: Sequence[view_pb2.Action]) -> None:
        """List these instead."""
        self.actions, self.token = list(actions), ""

    def get(self, number: int) -> view_pb2.Action | None:
        """Return the action that a number stands for."""
        return self.actions[number - 1] if 0 < number <= len(self.actions) else None


def _takes_a_joker(action: view_pb2.Action) -> int:
    """Let what keeps the jokers come first, as players think of it; passing stays last."""
    return 2 if action.HasField("pass") else int(any(map(is_joker, action.play.cards)))


def numbered(actions: Sequence[view_pb2.Action], write: Write, first: int = 1) -> list[str]:
    """Write actions with their numbers. Passing goes by its letter."""
    return [
        write(action) if action.HasField("pass") else f"{number} {write(action)}"
        for number, action in enumerate(actions, first)
    ]


def wrapped(head: str, items: Sequence[str], separator: str) -> list[str]:
    """Join items after a head to lines that fit the terminal, breaking between items only."""
    lines = [head]
    for index, item in enumerate(items):
        text = item if index == len(items) - 1 else item + separator
        if columns(lines[-1]) + columns(text.rstrip()) > WIDTH:
            lines.append(INDENT)
        lines[-1] += text
    return [line.rstrip() for line in lines]


def fitted(line: str, width: int) -> list[str]:
    """Break a line at its spaces where it is too wide; what has none, such as Japanese, the terminal breaks itself."""
    text = line.lstrip(" ")
    indent = line[: len(line) - len(text)]
    first, *words = text.split(" ")
    lines = [indent + first]
    for word in words:
        if columns(f"{lines[-1]} {word}") > width:
            lines.append(f"{indent}{INDENT}{word}")
        else:
            lines[-1] += f" {word}"
    return lines


def columns(text: str) -> int:
    """Count the columns that a text takes on a terminal: two for a character of full width."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
