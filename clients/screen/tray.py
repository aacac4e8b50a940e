"""The tray: cards or options in a row, which the mouse can pick too."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.message import Message
from textual.widgets import Static


class Tray(Static):
    """Shows what can be picked, and tells which item is clicked."""

    ALLOW_SELECT = False

    class Clicked(Message):
        """An item was clicked."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.places: list[tuple[int, int, int]] = []

    def show(self, text: Text, places: list[tuple[int, int, int]]) -> None:
        """Show items, each of which stands in a row between two columns."""
        self.places = places
        self.update(text)

    def on_click(self, event: events.Click) -> None:
        for number, (row, first, end) in enumerate(self.places):
            if event.y in (row, row + 1) and first <= event.x < end:
                self.post_message(self.Clicked(number))
